//! Unary gRPC calls by hand, for doubles of whole domains.

use bytes::{Buf as _, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Full};
use tonic::body::Body;
use tonic::{Code, Status};

/// The length of the prefix of a message: the flag of compression and the message's length.
const PREFIX: usize = 5;

/// The encoded message of a request. The messages of a stream are one after the other, which merges them.
///
/// # Errors
/// When the request breaks off, or is no gRPC frame.
pub async fn read_request(request: Request<Body>) -> Result<Bytes, Status> {
    let mut frames = request.into_body().collect().await?.to_bytes();
    let mut merged = BytesMut::new();
    if frames.len() < PREFIX {
        return Err(Status::internal("a call without a message"));
    }
    while frames.len() >= PREFIX {
        let mut prefix = frames.split_to(PREFIX);
        prefix.advance(1);
        let length = usize::try_from(prefix.get_u32()).unwrap_or(usize::MAX);
        if frames.len() < length {
            return Err(Status::internal("a message breaks off"));
        }
        let message = frames.split_to(length);
        if merged.is_empty() && frames.is_empty() {
            return Ok(message);
        }
        merged.extend_from_slice(&message);
    }
    Ok(merged.freeze())
}

/// A successful answer with an encoded message.
#[must_use]
pub fn new_response(message: &[u8]) -> Response<Body> {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let frame = [&[0], length.to_be_bytes().as_slice(), message].concat();
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from(Code::Ok as i32));
    let body = Full::new(Bytes::from(frame)).with_trailers(std::future::ready(Some(Ok(trailers))));
    let mut response = Response::new(Body::new(body));
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}
