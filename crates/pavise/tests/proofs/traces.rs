//! Traces reach a collector over OTLP, hang below their caller's span, and carry nothing of what was sent.

use std::collections::HashMap;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::trace::v1::Span;
use pavise_kernel::hex::to_hex;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tonic::{Request, Response, Status};

use crate::server::Server;
use crate::turn;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";
/// Somebody's address in a request: it must not be in any span.
const ADDRESS: &str = "ada.lovelace@example.com";

/// A collector that hands on what it gets.
struct Collector(mpsc::UnboundedSender<Span>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let spans = request.into_inner().resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        for span in spans.flat_map(|scope| scope.spans) {
            let _ = self.0.send(span);
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_a_span_below_its_callers() {
    let _turn = turn().await;
    let (sender, mut spans) = mpsc::unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
    let collector = tonic::transport::Server::builder().add_service(TraceServiceServer::new(Collector(sender)));
    let collecting = tokio::spawn(collector.serve_with_incoming(incoming));

    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let settings = [("PAVISE_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "50")];
    let server = Server::start_with(&database, &settings);
    let http = pavise::wire::client_builder().build().unwrap();
    for (path, status) in
        [(format!("/v1/identityExists?email={ADDRESS}"), 200), ("/v1/orders/none-such".to_owned(), 404)]
    {
        let answer = http.get(format!("{}{path}", server.base)).header("traceparent", format!("00-{TRACE}-{SPAN}-01"));
        assert_eq!(answer.send().await.unwrap().status(), status);
    }

    let mut seen = HashMap::new();
    while seen.len() < 2 {
        let span = tokio::time::timeout(Duration::from_secs(20), spans.recv()).await.expect("spans arrive").unwrap();
        let everything = format!("{span:?}");
        assert!(!everything.contains(ADDRESS) && !everything.contains("lovelace"), "{everything}");
        if to_hex(&span.trace_id) == TRACE && to_hex(&span.parent_span_id) == SPAN {
            seen.insert(to_hex(&span.span_id), everything);
        }
    }
    println!("{} spans below the caller's arrived at the collector", seen.len());
    assert!(seen.values().any(|span| span.contains("name: \"GET /v1/identityExists\"")), "{seen:?}");
    drop(server);
    collecting.abort();
}
