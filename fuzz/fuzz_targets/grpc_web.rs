//! A gRPC-web body, binary or base64, before a real service: it is answered, and never with a failure of ours.
#![no_main]

use std::sync::LazyLock;

use axum::Router;
use http::Request;
use libfuzzer_sys::fuzz_target;

static SERVICE: LazyLock<Router> = LazyLock::new(|| {
    let (_, health) = tonic_health::server::health_reporter();
    tonic::service::Routes::new(health).into_axum_router().reset_fallback().layer(tonic_web::GrpcWebLayer::new())
});

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    let kind = if kind % 2 == 0 { "application/grpc-web+proto" } else { "application/grpc-web-text+proto" };
    let request = Request::post("/grpc.health.v1.Health/Check").header("content-type", kind).header("accept", kind);
    let (status, _) = pavise_fuzz::send(&SERVICE, request.body(pavise_fuzz::body(bytes)).expect("a request"));
    assert!(!status.is_server_error(), "{status}");
});
