//! Answers of bytes, and calls that get a request as it is.

use pavise_kernel::common::v1::{ByteAnswer, ByteHead, RawAnswer};
use pavise_kernel::{Common, Error};
use prost::Message as _;
use serde_json::json;
use tonic::Status;

use crate::scene::{self, Reply, Scene, Step, ask};

fn piece(head: Option<ByteHead>, chunk: &str) -> Step {
    Step::Message(ByteAnswer { head, chunk: chunk.to_owned().into() }.encode_to_vec())
}

fn head() -> ByteHead {
    ByteHead {
        content_type: "text/plain".into(),
        file_name: "a.txt".into(),
        etag: "abc".into(),
        size: Some(2006),
        length: Some(2006),
        ..ByteHead::default()
    }
}

/// A domain that answers a file of 2,006 bytes.
fn file(change: impl Fn(&mut ByteHead) + Send + Sync + 'static) -> Scene {
    Scene::answering(move |_| {
        let mut head = head();
        change(&mut head);
        let long = "x".repeat(2000);
        let pieces = [piece(Some(head.clone()), ""), piece(None, &long), piece(None, "y"), piece(None, "zzzzz")];
        let sent = if head.length == Some(0) || head.not_modified { 1 } else { 4 };
        Reply::Steps(pieces[..sent].to_vec())
    })
}

#[tokio::test]
async fn a_file_is_the_body_with_its_type_and_name() {
    let scene = file(|_| {});
    let answer = ask("GET", "/v1/orders/7/picture").header("accept-encoding", "gzip").send(&scene).await;
    assert_eq!((answer.status, answer.body.len()), (200, 2006));
    assert!(answer.text().ends_with("xyzzzzz"));
    for (name, value) in [
        ("content-type", "text/plain"),
        ("content-length", "2006"),
        ("content-disposition", "attachment; filename=\"a.txt\""),
        ("etag", "\"abc\""),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, no-cache"),
        ("content-encoding", ""),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"orderId": "7"}));
    let answer = ask("HEAD", "/v1/orders/7/picture").header("range", "bytes=0-1").send(&scene).await;
    assert_eq!((answer.status, answer.body.len(), answer.header("content-length")), (200, 0, "2006"));
    assert!(!scene.seen().headers.contains_key("range"), "a range is for GET alone");
}

#[tokio::test]
async fn a_range_is_passed_on_and_answered() {
    let scene = file(|head| (head.offset, head.size) = (100, Some(5000)));
    let ask_range = ask("GET", "/v1/orders/7/picture").header("range", "bytes=100-2105").header("if-range", "\"abc\"");
    let answer = ask_range.header("if-none-match", "\"x\"").send(&scene).await;
    assert_eq!((answer.status, answer.header("content-range")), (206, "bytes 100-2105/5000"));
    assert_eq!((answer.header("content-length"), answer.body.len()), ("2006", 2006));
    let seen = scene.seen().headers;
    assert_eq!(seen["range"], "bytes=100-2105");
    assert_eq!((&seen["if-range"], &seen["if-none-match"]), (&"\"abc\"".parse().unwrap(), &"\"x\"".parse().unwrap()));

    let scene = Scene::answering(|_| {
        let error = Error::new(Common::RangeNotSatisfiable, "none of them").with("size", "12");
        Reply::Refuse(error.into_status("big_orders", ""))
    });
    let answer = ask("GET", "/v1/orders/7/picture").header("range", "bytes=99-").send(&scene).await;
    answer.refused(416, "RANGE_NOT_SATISFIABLE");
    assert_eq!(answer.header("content-range"), "bytes */12");
}

#[tokio::test]
async fn a_known_an_empty_and_an_endless_file() {
    let scene = file(|head| (head.not_modified, head.length) = (true, None));
    let answer = ask("GET", "/v1/orders/7/picture").send(&scene).await;
    assert_eq!((answer.status, answer.body.len(), answer.header("etag")), (304, 0, "\"abc\""));
    let scene = file(|head| (head.size, head.length) = (Some(0), Some(0)));
    let answer = ask("GET", "/v1/orders/7/picture").send(&scene).await;
    assert_eq!((answer.status, answer.body.len(), answer.header("content-length")), (200, 0, "0"));
    let scene = file(|head| (head.size, head.length, head.etag) = (None, None, String::new()));
    let answer = ask("GET", "/v1/orders/7/picture").send(&scene).await;
    assert_eq!((answer.status, answer.body.len(), answer.header("accept-ranges")), (200, 2006, "none"));
    assert_eq!((answer.header("cache-control"), answer.header("etag")), ("no-store", ""));
}

#[tokio::test]
async fn a_file_that_breaks_off_is_no_file() {
    let broken = || [piece(Some(head()), ""), piece(None, "x"), Step::End(Status::unavailable("gone"))].to_vec();
    let scene = Scene::answering(move |_| Reply::Steps(broken()));
    let response = scene.raw(ask("GET", "/v1/orders/7/picture").request()).await;
    assert!(http_body_util::BodyExt::collect(response.into_body()).await.is_err());
    let scene = Scene::answering(|_| Reply::Steps(vec![piece(None, "x")]));
    ask("GET", "/v1/orders/7/picture").send(&scene).await.refused(500, "INTERNAL");
}

fn event(body: &'static str) -> scene::Ask {
    ask("POST", "/v1/events/sms?note=n&AccountSid=1")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
}

#[tokio::test]
async fn an_event_comes_as_it_is() {
    let scene = Scene::answering(|_| Reply::Nothing);
    let answer = event("Body=%C3%A9&x=1").header("x-signature", "s/1=").send(&scene).await;
    assert_eq!((answer.status, answer.body.len(), answer.header("content-type")), (204, 0, ""));
    let expected = json!({"kind": "sms", "note": "n", "body": "Qm9keT0lQzMlQTkmeD0x", "signature": "s/1=",
        "type": "application/x-www-form-urlencoded", "url": "https://shop.example/v1/events/sms?note=n&AccountSid=1"});
    assert_eq!(scene::json("pavise.shop.v1.Event", &scene.seen().message), expected);
    let calls = scene.calls();
    let twice = event("").header("x-signature", "a").header("x-signature", "b").send(&scene).await;
    twice.refused(400, "INVALID_METADATA");
    let large: &'static str = "x".repeat(101).leak();
    event(large).send(&scene).await.refused(413, "BODY_TOO_LARGE");
    let forged = ask("POST", "/v1/events/sms?signature=x").send(&scene).await;
    forged.refused(400, "INVALID_FIELD").field("signature");
    assert_eq!(scene.calls(), calls);
}

#[tokio::test]
async fn an_event_is_answered_in_its_senders_form() {
    let scene = Scene::answering(|_| {
        let answer = RawAnswer { content_type: "text/xml".into(), body: b"<Response/>".to_vec() };
        Reply::Steps(vec![Step::Message(answer.encode_to_vec())])
    });
    let answer = event("x").send(&scene).await;
    assert_eq!((answer.status, answer.header("content-type"), answer.text()), (200, "text/xml", "<Response/>"));
}
