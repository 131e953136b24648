//! A gRPC call of any method with bytes: for tests that are made from the contract.

use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use pavise_mesh::BytesCodec;
use tonic::client::GrpcService;
use tonic::codegen::{Body, StdError};
use tonic::{Request, Status};

/// Calls `path` with an encoded message and headers; a stream counts as answered when nothing refuses it.
///
/// # Errors
/// The status of a refused call.
pub async fn call<C>(channel: C, path: &str, message: Vec<u8>, headers: &[(&'static str, &str)]) -> Result<(), Status>
where
    C: GrpcService<tonic::body::Body>,
    C::ResponseBody: Body<Data = Bytes> + Send + 'static,
    <C::ResponseBody as Body>::Error: Into<StdError>,
{
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.map_err(|error| Status::unknown(error.into().to_string()))?;
    let path: PathAndQuery = path.parse().map_err(|_| Status::unknown("no path"))?;
    let mut request = Request::new(message.into());
    for (name, value) in headers {
        let value = value.parse().map_err(|_| Status::unknown("no header"))?;
        request.metadata_mut().insert(*name, value);
    }
    // A unary call is a stream of one message; a refusal comes before the stream.
    let mut answers = client.server_streaming(request, path, BytesCodec).await?.into_inner();
    match tokio::time::timeout(Duration::from_millis(200), answers.message()).await {
        Ok(Err(status)) => Err(status),
        Ok(Ok(_)) | Err(_) => Ok(()),
    }
}
