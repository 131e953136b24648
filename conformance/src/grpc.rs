//! The service by gRPC: any call of the suite, without generated types.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures::stream;
use http::Request;
use pavise_mesh::BytesCodec;
use tonic::server::Grpc;
use tonic::{Response, Status};
use tower::service_fn;

use crate::script::Desk;

/// Larger than any case's message.
const LARGEST: usize = 64 << 20;

/// Answers every call of the suite as the desk says.
pub(crate) fn router(desk: Arc<Desk>) -> Router {
    Router::new().fallback_service(service_fn(move |request: Request<Body>| {
        let desk = Arc::clone(&desk);
        async move {
            let path = request.uri().path().to_owned();
            let handler = service_fn(move |request: tonic::Request<Bytes>| {
                let answer = desk.answer(&path, request.get_ref(), request.metadata());
                async move {
                    let steps = answer?;
                    Ok::<_, Status>(Response::new(stream::iter(steps)))
                }
            });
            let mut grpc = Grpc::new(BytesCodec).apply_max_message_size_config(Some(LARGEST), Some(LARGEST));
            Ok::<_, Infallible>(grpc.server_streaming(handler, request).await)
        }
    }))
}
