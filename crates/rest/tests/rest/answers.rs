//! Tests of answers.

use std::io::Read as _;
use std::time::Duration;

use pavise_kernel::peers::Peers;
use pavise_kernel::{Common, Error};
use pavise_rest::Options;
use pavise_transcode::Transcoder;
use prost::Message as _;
use serde_json::json;
use tonic::{Code, Status};
use tonic_types::pb;

use crate::scene::{POOL, Reply, Scene, Seen, Step, TRANSCODER, ask, compiled, options, order, wire};

#[tokio::test]
async fn an_answer_has_its_defaults_and_the_documented_spellings_and_no_secrets() {
    let scene = Scene::answering(|_| {
        let order =
            order(&json!({"orderId": "7", "status": "Closed CC", "amount": "9007199254740993", "passwordHash": "h"}));
        Reply::Steps(vec![Step::Message(order)])
    });
    let answer = ask("GET", "/v1/orders/7").send(&scene).await.ok();
    assert_eq!(answer["status"], "Closed CC");
    assert_eq!(answer["amount"], "9007199254740993");
    assert_eq!((&answer["note"], &answer["tags"], &answer["isGift"]), (&json!(""), &json!([]), &json!(false)));
    assert!(answer.get("passwordHash").is_none());
}

#[tokio::test]
async fn an_empty_answer_is_an_empty_object() {
    let scene = Scene::answering(|_| Reply::Nothing);
    assert_eq!(ask("DELETE", "/v1/orders/7").send(&scene).await.ok(), json!({}));
}

#[tokio::test]
async fn a_response_body_is_one_field_of_the_answer() {
    let scene = Scene::answering(|_| Reply::Steps(vec![Step::Message(order(&json!({"place": {"city": "Ada"}})))]));
    assert_eq!(ask("GET", "/v1/orders/7/place").send(&scene).await.ok()["city"], "Ada");
    let scene = Scene::answering(|_| Reply::Nothing);
    assert_eq!(ask("GET", "/v1/orders/7/place").send(&scene).await.ok(), json!(null));
}

#[tokio::test]
async fn a_refusal_is_told_in_full() {
    let scene = Scene::answering(|_| {
        let error = Error::new(Common::StatusNotAllowed, "an order that is CLOSED cannot be changed")
            .with("status", "CLOSED")
            .violation("lines[0].offer_id", "is closed")
            .precondition("STATUS", "orders/7", "reopen it first")
            .retry_after(Duration::from_millis(1500))
            .because("row 7 of table orders");
        Reply::Refuse(error.into_status("orders", "4bf92f35"))
    });
    let answer = ask("PUT", "/v1/orders/7").send(&scene).await;
    answer.refused(409, "STATUS_NOT_ALLOWED").field("lines[0].offerId");
    assert_eq!(
        answer.json(),
        json!({
            "code": 409,
            "status": "FAILED_PRECONDITION",
            "message": "an order that is CLOSED cannot be changed",
            "details": [
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "STATUS_NOT_ALLOWED", "domain": "orders", "metadata": {"status": "CLOSED"}},
                {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "lines[0].offerId", "description": "is closed"}]},
                {"@type": "type.googleapis.com/google.rpc.PreconditionFailure", "violations": [{"type": "STATUS", "subject": "orders/7", "description": "reopen it first"}]},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.500s"},
                {"@type": "type.googleapis.com/google.rpc.RequestInfo", "requestId": "4bf92f35"},
            ],
        })
    );
    assert_eq!(answer.header("retry-after"), "2");
}

#[tokio::test]
async fn refusals_after_the_head_are_told_too() {
    let scene =
        Scene::apart(|_| Reply::Steps(vec![Step::End(Error::not_found("order", "7").into_status("orders", ""))]));
    ask("GET", "/v1/orders/7").send(&scene).await.refused(404, "NOT_FOUND");
    let late = Scene::apart(|seen| {
        let failure = Error::new(Common::Contention, "try again").into_status("orders", "");
        Reply::Steps(vec![Step::Message(seen.message.to_vec()), Step::End(failure)])
    });
    ask("GET", "/v1/orders/7").send(&late).await.refused(409, "CONTENTION");
}

#[tokio::test]
async fn the_facade_names_the_trace_in_its_own_refusals() {
    let scene = Scene::new();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    for path in ["/v1/nothing", "/v1/orders/7?nope=1", "/v1/orders/%zz"] {
        let answer =
            ask("GET", path).header("traceparent", &format!("00-{trace}-00f067aa0ba902b7-01")).send(&scene).await;
        assert_eq!(answer.detail("RequestInfo")["requestId"], trace, "{path}");
    }
    let answer = ask("GET", "/v1/orders/7?nope=1").send(&scene).await;
    assert_eq!(answer.detail("ErrorInfo")["domain"], "big_orders");
    assert_eq!(answer.detail("RequestInfo"), json!(null));
}

#[tokio::test]
async fn what_comes_without_a_reason_gets_one_and_keeps_its_text_to_itself() {
    for (code, status, reason) in [
        (Code::Internal, 500, "INTERNAL"),
        (Code::Unknown, 500, "INTERNAL"),
        (Code::Unavailable, 503, "UNAVAILABLE"),
        (Code::DeadlineExceeded, 504, "DEADLINE_EXCEEDED"),
        (Code::Unimplemented, 501, "UNIMPLEMENTED"),
        (Code::ResourceExhausted, 429, "OVERLOADED"),
        (Code::OutOfRange, 413, "BODY_TOO_LARGE"),
    ] {
        let scene = Scene::answering(move |_| Reply::Refuse(Status::new(code, "at 10.0.0.7 in table orders")));
        let answer = ask("GET", "/v1/orders/7").send(&scene).await;
        answer.refused(status, reason);
        assert!(!answer.text().contains("10.0.0.7"), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_detail_may_be_any_message_of_the_contract_and_no_other() {
    let refusal = || {
        let reason = Error::new(Common::NotFound, "no").into_status("orders", "");
        let mut told = pb::Status::decode(reason.details()).unwrap();
        let any =
            |name: &str, value: Vec<u8>| prost_types::Any { type_url: format!("type.googleapis.com/{name}"), value };
        told.details.push(any("pavise.shop.v1.Place", wire("pavise.shop.v1.Place", &json!({"city": "Ada"}))));
        told.details.push(any("pavise.shop.v1.Order", order(&json!({"passwordHash": "h"}))));
        told.details.push(any("google.rpc.DebugInfo", b"\x0a\x01x".to_vec()));
        Status::with_details(reason.code(), "no", told.encode_to_vec().into())
    };
    let scene = Scene::answering(move |_| Reply::Refuse(refusal()));
    let answer = ask("GET", "/v1/orders/7").send(&scene).await;
    answer.refused(404, "NOT_FOUND");
    let on_the_way =
        Scene::answering(move |_| Reply::Steps(vec![Step::Message(order(&json!({}))), Step::End(refusal())]));
    let lines = ask("GET", "/v1/orders/export").header("accept", "application/x-ndjson").send(&on_the_way).await;
    let last: serde_json::Value = serde_json::from_str(lines.text().lines().last().unwrap()).unwrap();
    assert_eq!(last["error"], answer.json(), "the same refusal, wherever it comes");
    let details = answer.json()["details"].as_array().unwrap().clone();
    let place = json!({"@type": "type.googleapis.com/pavise.shop.v1.Place", "city": "Ada", "postalCode": ""});
    assert!(details.contains(&place), "{details:?}");
    assert!(!answer.text().contains("passwordHash") && !answer.text().contains("DebugInfo"), "{}", answer.text());
}

#[tokio::test]
async fn a_domain_that_cannot_be_reached_is_unavailable() {
    let scene = Scene::apart(|_| Reply::Break);
    let answer = ask("GET", "/v1/orders/7").send(&scene).await;
    answer.refused(503, "UNAVAILABLE");
    assert_eq!(answer.header("retry-after"), "1");
    assert!(!answer.text().contains("10.0.0.7"));

    let router = pavise_rest::facade(&POOL, TRANSCODER.clone(), Peers::default(), options()).unwrap();
    let response = tower::ServiceExt::oneshot(router, ask("GET", "/v1/orders/7").request()).await.unwrap();
    assert_eq!(response.status(), 503);
}

#[tokio::test]
async fn answers_that_are_no_grpc_are_failures_and_not_panics() {
    for (bytes, status) in [
        (&b""[..], 503),
        (b"\0\0\0\0", 503),
        (b"\0\0\0\0\x09abc", 503),
        (b"\x01\0\0\0\x01a", 500),
        (b"\0\xff\xff\xff\xffa", 500),
        (b"\0\0\0\0\x03\xff\xff\xff", 500),
        (b"<html>bad gateway</html>", 500),
    ] {
        let scene = Scene::apart(move |_| Reply::Bytes(bytes));
        let answer = ask("GET", "/v1/orders/7").send(&scene).await;
        assert!(answer.status == status || answer.status == 503, "{bytes:?}: {}", answer.status);
        assert!(!answer.reason().is_empty());
    }
    let twice = Scene::apart(|seen| {
        Reply::Steps(vec![Step::Message(seen.message.to_vec()), Step::Message(seen.message.to_vec())])
    });
    ask("GET", "/v1/orders/7").send(&twice).await.refused(500, "INTERNAL");
}

/// A domain in this process is called without a transport, and its answers are the same.
#[tokio::test]
async fn a_call_is_the_same_within_a_process_and_between_two() {
    type Script = fn(&Seen) -> Reply;
    let refused: Script = |_| Reply::Refuse(Error::not_found("order", "7").into_status("orders", "4bf92f35"));
    let without_reason: Script = |_| Reply::Refuse(Status::out_of_range("at 10.0.0.7"));
    let marked: Script = |_| {
        Reply::EchoWith(vec![("etag", "W/\"3\""), ("pavise-clock", "9"), ("set-cookie", "a=b"), ("x-internal", "1")])
    };
    let scripts: [Script; 5] = [|_| Reply::Echo, |_| Reply::Nothing, marked, refused, without_reason];
    for (number, script) in scripts.into_iter().enumerate() {
        for (method, path, body) in [
            ("GET", "/v1/orders/7", ""),
            ("HEAD", "/v1/orders/7", ""),
            ("GET", "/v1/orders/7/place", ""),
            ("PUT", "/v1/orders/7", r#"{"note": "a"}"#),
            ("PUT", "/v1/orders/7", r#"{"note": 1}"#),
            ("DELETE", "/v1/orders/7", ""),
        ] {
            let (here, there) = (Scene::answering(script), Scene::apart(script));
            let asked = || {
                ask(method, path)
                    .header("authorization", "Bearer t")
                    .header("request-timeout", "5")
                    .header("x-own", "1")
                    .json(body)
            };
            let (one, other) = (asked().send(&here).await, asked().send(&there).await);
            assert_eq!(
                (one.status, &one.headers, &one.body),
                (other.status, &other.headers, &other.body),
                "{number} {method} {path}"
            );
            let seen = |scene: &Scene| {
                (scene.calls() > 0).then(|| scene.seen()).map(|seen| (seen.path, seen.headers, seen.message))
            };
            assert_eq!(seen(&here), seen(&there), "{number} {method} {path}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_passed_on() {
    let note = "a".repeat(5000);
    let large = move |_: &Seen| Reply::Steps(vec![Step::Message(order(&json!({"note": note})))]);
    let limited = || Options { max_answer: 5000, ..options() };
    for scene in [Scene::with(limited(), large.clone()), Scene::apart_with(limited(), large)] {
        ask("GET", "/v1/orders/7").send(&scene).await.refused(500, "INTERNAL");
    }
}

#[tokio::test]
async fn large_answers_are_compressed_for_those_who_can_read_it() {
    let note = "a".repeat(5000);
    let text = note.clone();
    let scene = Scene::answering(move |_| Reply::Steps(vec![Step::Message(order(&json!({"note": text})))]));
    let answer = ask("GET", "/v1/orders/7").header("accept-encoding", "gzip").send(&scene).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    let mut plain = String::new();
    flate2::read::GzDecoder::new(answer.body.as_ref()).read_to_string(&mut plain).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&plain).unwrap()["note"], note);
    for coding in ["br", "zstd"] {
        let answer = ask("GET", "/v1/orders/7").header("accept-encoding", coding).send(&scene).await;
        assert_eq!(answer.header("content-encoding"), coding);
        assert!(answer.body.len() < 1000);
    }
    assert_eq!(ask("GET", "/v1/orders/7").send(&scene).await.header("content-encoding"), "");
    let small = Scene::new();
    assert_eq!(
        ask("GET", "/v1/orders/7").header("accept-encoding", "gzip").send(&small).await.header("content-encoding"),
        ""
    );
}

#[tokio::test]
async fn a_contract_with_impossible_paths_is_refused_at_the_start() {
    let rule = |http: &str| format!("option (google.api.http) = {{{http}}};");
    let twice = rule("get: \"/v1/keys/{id}\" additional_bindings {get: \"/v1/keys/{name}\"}");
    for (http, problem) in [
        (twice, "is claimed by"),
        (rule("get: \"/v1/keys/{nope}\""), "names no field nope"),
        (rule("get: \"/v1/keys/{names}\""), "names no field names"),
        (rule("get: \"v1/keys\""), "begins with /"),
        (rule("get: \"/v1/keys/{id\""), "is not closed"),
        (rule("post: \"/v1/keys\" body: \"nope\""), "no body field nope"),
        (rule("get: \"/v1/keys\" response_body: \"nope\""), "no response field nope"),
        (
            "option (pavise.contract.v1.bytes).upload = {chunk: \"name\"};".to_owned() + &rule("post: \"/v1/keys\""),
            "upload names no fields",
        ),
    ] {
        let pool = compiled(&format!(
            "syntax = \"proto3\"; package pavise.bad.v1; import \"google/api/annotations.proto\"; import \"pavise/contract/v1/options.proto\";
            message Key {{ string id = 1; string name = 2; repeated string names = 3; }}
            service KeyService {{
                option (pavise.contract.v1.service) = {{name: \"keys\"}};
                rpc GetKey(Key) returns (Key) {{
                    option (pavise.contract.v1.access) = {{public: true}};
                    option (pavise.contract.v1.call) = {{custom: {{reads: true}}}};
                    {http}
                }}
            }}"
        ));
        let error = pavise_rest::facade(&pool, Transcoder::new(&pool), Peers::default(), options()).unwrap_err();
        assert_eq!(error.place, "pavise.bad.v1.KeyService.GetKey");
        assert!(error.problem.contains(problem), "{error}");
    }
}
