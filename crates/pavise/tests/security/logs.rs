//! The logs of a busy day contain nothing that their reader should not learn.

use pavise_contract::{Behavior, Binding, Contract};
use pavise_kernel::peers::PeerChannel;
use pavise_testapp::{TestApp, bare};
use pavise_testkit::logs::LogWatch;
use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::browser::{EMAIL, PASSWORD, kept, sign_in, sign_up};

/// A text that the platform never logs by itself.
const CANARY: &str = "canary-7f3d2c1b5a69";
/// How deep messages within messages are filled.
const DEPTH: u32 = 4;

/// The parts of an answer that are secrets, with the pieces that would be enough.
fn secrets(answer: &Value, cookies: &str) -> Vec<String> {
    let mut all: Vec<String> = ["accessToken", "refreshToken", "token"]
        .into_iter()
        .filter_map(|name| answer[name].as_str().filter(|value| !value.is_empty()).map(str::to_owned))
        .collect();
    all.extend(cookies.split("; ").filter_map(|cookie| cookie.split_once('=')).map(|(_, value)| value.to_owned()));
    // The last part is the unguessable one: a signature, or a secret.
    let ends: Vec<String> = all.iter().filter_map(|text| text.rsplit('.').next()).map(str::to_owned).collect();
    all.extend(ends);
    all.retain(|text| text.len() > 8);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_hold_no_secret_and_nobody_writes_lines_of_his_own() {
    let logs = LogWatch::begin();
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let mut known =
        vec![PASSWORD.to_owned(), "a wrong word of the sea".to_owned(), "another horse of the sea".to_owned()];
    let visitor = app.visitor();

    // Names that would be lines of their own, colours included.
    let forged = "nobody\r\n2026-01-01T00:00:00Z ERROR forged: all is lost\u{1b}[31m\u{85}\u{2028}x";
    for body in [
        json!({"email": forged, "password": "a wrong word of the sea"}),
        json!({"username": forged, "password": "a wrong word of the sea"}),
        json!({"email": EMAIL, "password": "a wrong word of the sea"}),
        json!({"email": EMAIL, "password": PASSWORD, forged: 1}),
        json!({"email": EMAIL, "password": [PASSWORD]}),
    ] {
        let answer = visitor.post("/v1/tokens", body).await;
        assert!(answer.status.is_client_error());
    }
    let torn = format!("{{\"email\": \"{EMAIL}\", \"password\": \"{PASSWORD}");
    assert_eq!(
        visitor.raw(http::Method::POST, "/v1/tokens", Some(torn.into_bytes()), "application/json").await.status,
        400
    );
    visitor.get(&format!("/v1/identityExists?email=x%0d%0aERROR%20forged&password={}", "a%20wrong%20word")).await;
    visitor.get("/v1/%0aERROR%20forged").await;

    let signed_in = visitor.post("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD})).await.expect(200);
    known.extend(secrets(&signed_in, ""));
    let bearer = format!("Bearer {}", signed_in["accessToken"].as_str().unwrap());
    let own = visitor.clone().with("authorization", &bearer);
    let _ = own.get("/v1/session").await.expect(200);
    let change = json!({"oldPassword": PASSWORD, "newPassword": "another horse of the sea"});
    let _ = own.post(&format!("/v1/users/{ada}/updatePassword"), change).await.expect(200);
    let wrong = json!({"oldPassword": "a wrong word of the sea", "newPassword": PASSWORD});
    assert!(own.post(&format!("/v1/users/{ada}/updatePassword"), wrong).await.status.is_client_error());
    let back = json!({"password": PASSWORD, "userId": ada});
    let _ = app.rest(&TestApp::machine()).post("/v1/setPassword", back).await.expect(200);
    let renewed = visitor.post("/v1/tokens/refresh", json!({"refreshToken": signed_in["refreshToken"]})).await;
    known.extend(secrets(&renewed.json, ""));
    let again = visitor.post("/v1/tokens/refresh", json!({"refreshToken": signed_in["refreshToken"]})).await;
    assert!(again.status.is_client_error());
    let torn = own.clone().with("authorization", &format!("{bearer}x"));
    assert_eq!(torn.get("/v1/session").await.status, 401);

    let cookies = sign_in(&app).await;
    known.extend(secrets(&Value::Null, &cookies));
    let page = app.visitor().with("cookie", &cookies).with("origin", "http://localhost");
    let renewed = page.post("/v1/tokens/refresh", json!({})).await;
    known.extend(secrets(&Value::Null, &kept(&renewed.headers)));
    app.visitor()
        .with("cookie", &cookies)
        .with("origin", "https://evil.example")
        .post("/v1/tokens/refresh", json!({}))
        .await;
    let _ = page.post("/v1/tokens/revoke", json!({})).await.expect(200);

    let acting = json!({"reason": "she is on the phone"});
    let acting =
        app.rest(&TestApp::staff()).post(&format!("/v1/identities/{ada}/impersonate"), acting).await.expect(200);
    known.extend(secrets(&acting, ""));
    let checked =
        app.rest(&TestApp::staff()).post("/v1/jwts/verify", json!({"token": acting["accessToken"]})).await.expect(200);
    assert_eq!(checked["valid"], true);
    app.finish().await;

    let text = logs.text();
    let refusals = text.lines().filter(|line| line.contains("call refused")).count();
    assert!(refusals >= 6, "what was refused that day is not logged");
    for secret in &known {
        if let Some(line) = text.lines().find(|line| line.contains(secret.as_str())) {
            let place: String = line.chars().take(120).collect();
            panic!("a secret of {} characters is in the logs: {place}…", secret.len());
        }
    }
    for odd in ['\u{1b}', '\u{85}', '\u{2028}', '\r'] {
        assert!(!text.contains(odd), "{odd:?} is in the logs");
    }
    let begins = |line: &str| line.starts_with("20") && line.contains('Z');
    let strange: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !begins(line)).collect();
    assert!(strange.iter().all(|line| !line.contains("forged")), "{strange:?}");
    let forged: Vec<&str> =
        text.lines().filter(|line| line.trim_start().starts_with("2026-01-01T00:00:00Z ERROR forged")).collect();
    assert!(forged.is_empty(), "{forged:?}");
    assert!(!text.contains(EMAIL), "whose day it was is not in the logs either");
}

/// A message as JSON, with every text filled.
fn spoken(message: &MessageDescriptor, path: &str, depth: u32) -> Value {
    let fields = message.fields().filter(|field| !path.contains(&format!("{{{}", field.name())) && !field.is_map());
    let filled = fields.filter_map(|field| {
        let value = match field.kind() {
            Kind::String => json!(CANARY),
            // The same in base64.
            Kind::Bytes => json!("Y2FuYXJ5LTdmM2QyYzFiNWE2OQ=="),
            Kind::Message(inner) if depth > 0 && !inner.full_name().starts_with("google.") => {
                spoken(&inner, "", depth - 1)
            }
            _ => return None,
        };
        Some((field.json_name().to_owned(), if field.is_list() { json!([value]) } else { value }))
    });
    Value::Object(filled.collect::<Map<_, _>>())
}

/// The same as it is on the wire.
fn encoded(message: &MessageDescriptor, depth: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for field in message.fields().filter(|field| !field.is_map()) {
        let content = match field.kind() {
            Kind::String | Kind::Bytes => CANARY.as_bytes().to_vec(),
            Kind::Message(inner) if depth > 0 && !inner.full_name().starts_with("google.") => {
                encoded(&inner, depth - 1)
            }
            _ => continue,
        };
        prost::encoding::encode_varint(u64::from(field.number()) << 3 | 2, &mut out);
        prost::encoding::encode_varint(u64::try_from(content.len()).unwrap(), &mut out);
        out.extend(content);
    }
    out
}

fn path_of(binding: &Binding) -> String {
    let mut parts = binding.path.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| path + CANARY + part.split_once('}').map_or("", |(_, rest)| rest))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_logs_what_was_sent_to_it() {
    let logs = LogWatch::begin();
    let app = TestApp::start().await.unwrap();
    let contract = Contract::read(&app.app.pool).unwrap();
    let (staff, machine) = (TestApp::staff(), app.token(&TestApp::machine()));
    let (mut rest, mut grpc) = (0, 0);
    for (service, method) in contract.methods().filter(|(_, method)| !matches!(method.behavior, Behavior::Watch(_))) {
        let input = method.descriptor.input();
        for binding in &method.bindings {
            let verb: http::Method = binding.verb.as_str().parse().unwrap();
            let body = match binding.body.as_str() {
                "" => None,
                "*" => Some(spoken(&input, &binding.path, DEPTH)),
                name => Some(spoken(&input, "", DEPTH)[input.get_field_by_name(name).unwrap().json_name()].clone()),
            };
            let host = format!("{}.localhost", service.host);
            for caller in [app.rest(&staff), app.visitor()] {
                let caller = caller.with("host", &host).with("user-agent", CANARY);
                caller.send(verb.clone(), &path_of(binding), body.clone()).await;
                caller.send(verb.clone(), &format!("{}?{CANARY}={CANARY}", path_of(binding)), body.clone()).await;
                rest += 2;
            }
        }
        let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
        for token in [machine.as_str(), ""] {
            let channel = PeerChannel::new(app.app.kernel.peers(), &service.domain, token, "", None);
            let _ = bare::call(channel, &path, encoded(&input, DEPTH), &[]).await;
            grpc += 1;
        }
    }
    app.finish().await;
    let text = logs.text();
    let told: Vec<&str> = text.lines().filter(|line| line.contains(CANARY)).take(5).collect();
    println!("{rest} requests over REST and {grpc} over gRPC left {} lines", text.lines().count());
    assert!(told.is_empty(), "{told:#?}");
    assert!(rest > 1000 && grpc > 400, "{rest} and {grpc}: is that every call?");
}
