//! A gRPC-web body before an echo service, with the layers of a server around. Every body gets a status, never one that
//! blames the server. A message in its frame comes back; base64 gives the same as plain bytes.
#![no_main]

use std::convert::Infallible;
use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, Request};
use libfuzzer_sys::fuzz_target;
use pavise_contract::common::v1::ReadJournalRequest as Message;
use pavise_fuzz::Answer;
use pavise_mesh::{Guarded, ReasonLayer, Spans, guard};
use prost::Message as _;
use tonic::server::UnaryService;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt as _;
use tower::ServiceBuilder;

/// The bit of a frame that holds trailers.
const TRAILERS: u8 = 0x80;
/// The length of the prefix of a message.
const PREFIX: usize = 5;

#[derive(Clone, Copy)]
struct Echo;

impl UnaryService<Message> for Echo {
    type Response = Message;
    type Future = std::future::Ready<Result<Response<Message>, Status>>;

    fn call(&mut self, request: tonic::Request<Message>) -> Self::Future {
        std::future::ready(Ok(Response::new(request.into_inner())))
    }
}

static SERVICE: LazyLock<Guarded<Router>> = LazyLock::new(|| {
    let echo = tower::service_fn(|request: Request<Body>| async move {
        let mut grpc = tonic::server::Grpc::new(tonic_prost::ProstCodec::<Message, Message>::default());
        Ok::<_, Infallible>(grpc.unary(Echo, request).await)
    });
    let app = Router::new().route_service("/pavise.fuzz.v1.EchoService/Echo", echo);
    let speech = ServiceBuilder::new().layer(tonic_web::GrpcWebLayer::new()).layer(ReasonLayer);
    guard(app.layer(speech), 1000, Spans::default())
});

fn ask(kind: &str, body: Body) -> (Code, Option<Message>) {
    let request = Request::post("/pavise.fuzz.v1.EchoService/Echo").header("content-type", kind).header("accept", kind);
    let answer = pavise_fuzz::send(&*SERVICE, request.body(body).expect("a request"));
    assert_eq!(answer.status, 200, "{kind}");
    let (status, message) = read(&answer, kind.contains("text"));
    assert!(!matches!(status.code(), Code::Internal | Code::Unknown | Code::DataLoss), "{kind}: {status:?}");
    if status.code() != Code::Ok {
        let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
        assert!(!reason.is_empty() && message.is_none(), "{kind}: {status:?}");
    }
    (status.code(), message)
}

/// The status and the message of an answer.
fn read(answer: &Answer, text: bool) -> (Status, Option<Message>) {
    // Each frame may have its own padding.
    let body: Vec<u8> = if text {
        answer.body.chunks(4).flat_map(|four| STANDARD.decode(four).expect("the answer is base64")).collect()
    } else {
        answer.body.to_vec()
    };
    let (mut status, mut message) = (Status::from_header_map(&answer.headers), None);
    let mut rest = body.as_slice();
    while !rest.is_empty() {
        let (head, more) = rest.split_first_chunk::<PREFIX>().expect("a frame has a prefix");
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let (content, after) = more.split_at(length);
        if head[0] & TRAILERS == 0 {
            assert!(message.is_none(), "one message");
            message = Some(Message::decode(content).expect("the answer is a message"));
        } else {
            status = Status::from_header_map(&trailers(content));
        }
        rest = after;
    }
    (status.expect("a status"), message)
}

fn trailers(block: &[u8]) -> HeaderMap {
    let lines = std::str::from_utf8(block).expect("trailers are text").lines();
    let pairs = lines.filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name.trim().parse().expect("a name"), value.trim().parse().expect("a value"))).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some((head, bytes)) = data.split_first_chunk::<2>() else { return };
    let size = usize::from(head[1]) + 1;
    if head[0] % 2 == 1 {
        ask("application/grpc-web-text+proto", pavise_fuzz::pieces(bytes, size));
        return;
    }
    let plain = ask("application/grpc-web+proto", pavise_fuzz::pieces(bytes, size));
    let text = STANDARD.encode(bytes);
    assert_eq!(plain, ask("application/grpc-web-text+proto", pavise_fuzz::pieces(text.as_bytes(), size)));
    let Some((prefix, content)) = bytes.split_first_chunk::<PREFIX>() else { return };
    if prefix[0] == 0
        && u32::from_be_bytes([prefix[1], prefix[2], prefix[3], prefix[4]]) as usize == content.len()
        && let Ok(message) = Message::decode(content)
    {
        assert_eq!(plain, (Code::Ok, Some(message)));
    }
});
