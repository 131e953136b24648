//! The server of gRPC for all calls of a domain. It hands wire bytes to the calls and back.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf as _, BufMut as _, Bytes};
use futures::future::BoxFuture;
use http::{Request as HttpRequest, Response as HttpResponse};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{ClientStreamingService, Grpc, ServerStreamingService, UnaryService};
use tonic::service::Routes;
use tonic::{Request, Status, Streaming as Received};
use tower::Service;

use crate::call::messages::Messages;
use crate::call::services::direct::{Answer, Direct, Streaming, Unary, Uploading};
use crate::port::chunks::CHUNK;

/// The largest message of an upload: a chunk and as many bytes of fields.
const LARGEST_PART: usize = 2 * CHUNK;

/// The calls as routes, one for each service.
pub(super) fn routes(
    unary: Direct,
    streams: HashMap<&'static str, Streaming>,
    uploads: HashMap<&'static str, Uploading>,
) -> Routes {
    let paths = unary.paths().chain(streams.keys().copied()).chain(uploads.keys().copied());
    let services: BTreeSet<&str> = paths.filter_map(|path| path.rsplit_once('/')).map(|(service, _)| service).collect();
    let server = Server(Arc::new(Calls { unary, streams, uploads }));
    let routes = Routes::default().into_axum_router();
    let router = services
        .into_iter()
        .fold(routes, |router, service| router.route_service(&format!("{service}/{{*rest}}"), server.clone()));
    Routes::from(router)
}

struct Calls {
    unary: Direct,
    streams: HashMap<&'static str, Streaming>,
    uploads: HashMap<&'static str, Uploading>,
}

/// Serves the call that the path names.
#[derive(Clone)]
struct Server(Arc<Calls>);

impl<B> Service<HttpRequest<B>> for Server
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send,
{
    type Response = HttpResponse<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest<B>) -> Self::Future {
        let path = request.uri().path();
        if let Some(unary) = self.0.unary.find(path) {
            let unary = UnaryCall(Arc::clone(unary));
            return Box::pin(async move { Ok(Grpc::new(Wire).unary(unary, request).await) });
        }
        if let Some(streaming) = self.0.streams.get(path) {
            let streaming = StreamingCall(Arc::clone(streaming));
            return Box::pin(async move { Ok(Grpc::new(Wire).server_streaming(streaming, request).await) });
        }
        if let Some(uploading) = self.0.uploads.get(path) {
            let uploading = UploadingCall(Arc::clone(uploading));
            let server = || Grpc::new(Wire).max_decoding_message_size(LARGEST_PART);
            return Box::pin(async move { Ok(server().client_streaming(uploading, request).await) });
        }
        Box::pin(async { Ok(Status::unimplemented("").into_http()) })
    }
}

struct UnaryCall(Unary);

impl UnaryService<Bytes> for UnaryCall {
    type Response = Bytes;
    type Future = Answer<'static, Bytes>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        (self.0)(request)
    }
}

struct StreamingCall(Streaming);

impl ServerStreamingService<Bytes> for StreamingCall {
    type Response = Bytes;
    type ResponseStream = Messages<Bytes>;
    type Future = Answer<'static, Messages<Bytes>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        (self.0)(request)
    }
}

struct UploadingCall(Uploading);

impl ClientStreamingService<Bytes> for UploadingCall {
    type Response = Bytes;
    type Future = Answer<'static, Bytes>;

    fn call(&mut self, request: Request<Received<Bytes>>) -> Self::Future {
        (self.0)(request.map(|messages| -> Messages<Bytes> { Box::pin(messages) }))
    }
}

/// Messages as their wire bytes: the calls decode and encode them.
#[derive(Debug, Clone, Copy)]
struct Wire;

impl Codec for Wire {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Wire {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for Wire {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
