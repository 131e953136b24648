//! Bytes that are no message, or a message of nonsense, over gRPC.

use axum::body::Body;
use http::{HeaderValue, Request};
use pavise_contract::{Behavior, Contract};
use pavise_testapp::{TestApp, bare};
use pavise_testkit::chance::SeededRandom;
use prost_reflect::{Kind, MessageDescriptor};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use tower::{ServiceBuilder, ServiceExt as _};

use crate::bad_input::judge::PATIENCE;

/// Sends so many messages to every call.
pub(crate) async fn run(each: usize) {
    let app = TestApp::start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let token = HeaderValue::try_from(format!("Bearer {}", app.token(&TestApp::machine()))).unwrap();
    let signed = move |mut request: Request<tonic::body::Body>| {
        request.headers_mut().insert("authorization", token.clone());
        request
    };
    let server = ServiceBuilder::new().map_request(signed).service(app.app.router.clone());
    let mut chance = SeededRandom::new(7);
    let (mut sent, mut refused, mut read, mut wrong) = (0, 0, 0, Vec::new());
    for (service, method) in contract.methods() {
        // A stream that nothing refuses is open: it is asked only once.
        let each = if matches!(method.behavior, Behavior::Watch(_)) { 2 } else { each };
        let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
        for at in 0..each {
            let message = match at {
                0 => vec![0xff; 32],
                1 => vec![0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, b'x'],
                at if at % 2 == 0 => chance.next_bytes(60),
                _ => soup(&method.descriptor.input(), 0, &mut chance),
            };
            sent += 1;
            let answer = tokio::time::timeout(PATIENCE, bare::call(server.clone(), &path, message.clone(), &[])).await;
            refused += u32::from(matches!(answer, Ok(Err(_))));
            read += u32::from(matches!(&answer, Ok(Err(status)) if reason(status) != "MALFORMED_MESSAGE"));
            let bad = match answer {
                Ok(Ok(())) => at < 2 && method.descriptor.input().fields().len() > 0,
                Ok(Err(ref status)) => !blameless(status),
                Err(_) => true,
            };
            if bad {
                wrong.push(format!("{path} {message:02x?}: {answer:?}"));
            }
        }
    }
    app.finish().await;
    println!("gRPC: {sent} messages, {refused} refused, {read} of them after they were read");
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        refused > 500 && sent > refused && read > 100,
        "{sent} were sent, {refused} refused, {read} after they were read"
    );
}

/// Refused for something that the sender did, with a reason.
fn blameless(status: &Status) -> bool {
    let fault = matches!(
        status.code(),
        Code::Internal | Code::Unknown | Code::DataLoss | Code::Unavailable | Code::Unimplemented
    );
    !fault && !reason(status).is_empty()
}

fn reason(status: &Status) -> String {
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

const LIST: &str = "/pavise.orders.v1.OrderService/ListOrders";

/// Sends bodies that hold no message in a frame.
pub(crate) async fn frames() {
    let app = TestApp::start().await.unwrap();
    let huge: &[u8] = &[0, 0x7f, 0xff, 0xff, 0xff];
    for (kind, path, body, code, why) in [
        ("grpc-web+proto", LIST, &[] as &[u8], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, &[0, 0, 0], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, &[0, 0, 0, 0, 9, 1], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, &[7, 0, 0, 0, 0], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, &[1, 0, 0, 0, 0], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, &[0, 0, 0, 0, 3, 10, 1, 0xff], Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web-text+proto", LIST, b"AAAAA", Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web-text+proto", LIST, b"no base64!", Code::InvalidArgument, "MALFORMED_MESSAGE"),
        ("grpc-web+proto", LIST, huge, Code::InvalidArgument, "BODY_TOO_LARGE"),
        (
            "grpc-web+proto",
            "/pavise.orders.v1.OrderService/Nothing",
            &[0, 0, 0, 0, 0],
            Code::Unimplemented,
            "UNIMPLEMENTED",
        ),
    ] {
        let request = Request::post(path)
            .header("content-type", format!("application/{kind}"))
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .body(Body::from(body.to_vec()))
            .unwrap();
        let response = app.app.router.clone().oneshot(request).await.unwrap();
        let status = Status::from_header_map(response.headers()).unwrap();
        assert_eq!((status.code(), reason(&status).as_str()), (code, why), "{kind} {body:02x?}: {status:?}");
        let asked = status.get_details_request_info().map(|info| info.request_id);
        assert_eq!(asked.as_deref(), Some("4bf92f3577b34da6a3ce929d0e0e4736"), "{status:?}");
    }
    app.finish().await;
}

/// Some of the message's fields, mostly in their own wire type, with any content.
fn soup(message: &MessageDescriptor, depth: usize, chance: &mut SeededRandom) -> Vec<u8> {
    let mut out = Vec::new();
    for field in message.fields() {
        // Nothing waits for entries that do not come.
        if field.name() == "wait" || !chance.is_in_percent(70) {
            continue;
        }
        let number = u64::from(field.number());
        let content = match field.kind() {
            _ if chance.is_in_percent(4) => {
                varint(number << 3 | u64::from(chance.next_byte() % 8), &mut out);
                out.extend(chance.next_bytes(9));
                continue;
            }
            Kind::Message(inner) if depth < 4 => soup(&inner, depth + 1, chance),
            Kind::String if chance.is_in_percent(80) => b"01900000-0000-7000-8000-000000000001".to_vec(),
            Kind::String | Kind::Bytes | Kind::Message(_) => chance.next_bytes(12),
            Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => {
                varint(number << 3 | 1, &mut out);
                out.extend(chance.next_bits().to_le_bytes());
                continue;
            }
            _ => {
                varint(number << 3, &mut out);
                let shift = chance.next_below(64);
                varint(chance.next_bits() >> shift, &mut out);
                continue;
            }
        };
        varint(number << 3 | 2, &mut out);
        varint(u64::try_from(content.len()).unwrap(), &mut out);
        out.extend(content);
    }
    out
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}
