//! Answers with many messages.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use pavise_kernel::{Common, Error};
use pavise_rest::Options;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::scene::{self, Reply, Scene, Step, ask, options, order, wire};

fn entry(clock: i64) -> Step {
    Step::Message(wire("pavise.common.v1.JournalEntry", &json!({"clock": clock, "action": "CREATED"})))
}

fn orders(ids: &[&str]) -> Vec<Step> {
    ids.iter().map(|id| Step::Message(order(&json!({"orderId": id})))).collect()
}

fn refusal(reason: Common) -> Status {
    Error::new(reason, "no").into_status("orders", "")
}

/// Reads what comes until `enough` says so.
async fn read_until(body: &mut Body, enough: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    while !enough(&text) {
        let frame =
            timeout(Duration::from_secs(5), body.frame()).await.expect("more comes").expect("more comes").unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    text
}

#[tokio::test]
async fn a_stream_of_one_field_answers_that_field_of_each_message() {
    let steps = ["Ada", "Byron"].map(|city| Step::Message(order(&json!({"orderId": "a", "place": {"city": city}}))));
    let scene = Scene::answering(move |_| Reply::Steps(steps.to_vec()));
    let answer = ask("GET", "/v1/orders/export/places").send(&scene).await;
    let expected = |city: &str| json!({"city": city, "postalCode": ""});
    assert_eq!(answer.ok(), json!([expected("Ada"), expected("Byron")]));
    let answer = ask("GET", "/v1/orders/export/places").header("accept", "application/x-ndjson").send(&scene).await;
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, [expected("Ada"), expected("Byron")]);
}

#[tokio::test]
async fn a_stream_is_an_array_or_lines_or_events() {
    let scene = Scene::answering(|_| Reply::Steps(orders(&["a", "b"])));
    let answer = ask("GET", "/v1/orders/export").send(&scene).await;
    let ids: Vec<Value> = answer.ok().as_array().unwrap().iter().map(|order| order["orderId"].clone()).collect();
    assert_eq!(ids, ["a", "b"]);

    let answer = ask("GET", "/v1/orders/export").header("accept", "application/x-ndjson").send(&scene).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/x-ndjson"));
    let ids: Vec<Value> =
        answer.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["orderId"].clone()).collect();
    assert_eq!(ids, ["a", "b"]);

    let answer = ask("GET", "/v1/orders/export")
        .header("accept", "text/event-stream")
        .header("accept-encoding", "gzip")
        .send(&scene)
        .await;
    assert_eq!((answer.header("content-type"), answer.header("content-encoding")), ("text/event-stream", ""));
    let events: Vec<&str> = answer.text().split_terminator("\n\n").collect();
    assert_eq!(events.len(), 2, "{}", answer.text());
    let order: Value = serde_json::from_str(events[0].strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!(order["orderId"], "a");
}

#[tokio::test]
async fn an_empty_stream_is_an_empty_array() {
    let scene = Scene::answering(|_| Reply::Steps(Vec::new()));
    assert_eq!(ask("GET", "/v1/orders/export").send(&scene).await.ok(), json!([]));
    let lines = ask("GET", "/v1/orders/export").header("accept", "application/x-ndjson").send(&scene).await;
    assert_eq!((lines.status, lines.text()), (200, ""));
}

#[tokio::test]
async fn a_stream_that_is_refused_at_once_has_the_status_of_its_refusal() {
    let scene = Scene::answering(|_| Reply::Steps(vec![Step::End(refusal(Common::PermissionMissing))]));
    for accept in ["application/json", "application/x-ndjson", "text/event-stream"] {
        ask("GET", "/v1/orders/export").header("accept", accept).send(&scene).await.refused(403, "PERMISSION_MISSING");
    }
}

#[tokio::test]
async fn a_stream_that_fails_on_the_way_says_so() {
    let steps = || [orders(&["a"]), vec![Step::End(refusal(Common::Contention))]].concat();
    let scene = Scene::answering(move |_| Reply::Steps(steps()));
    let lines = ask("GET", "/v1/orders/export").header("accept", "application/x-ndjson").send(&scene).await;
    let last: Value = serde_json::from_str(lines.text().lines().last().unwrap()).unwrap();
    assert_eq!((&last["error"]["code"], &last["error"]["status"]), (&json!(409), &json!("ABORTED")));
    let events = ask("GET", "/v1/orders/export").header("accept", "text/event-stream").send(&scene).await;
    assert!(events.text().contains("event: error\ndata: {\"code\":409"), "{}", events.text());
    let array = scene.raw(ask("GET", "/v1/orders/export").request()).await;
    assert!(array.into_body().collect().await.is_err(), "half an array does not look like a whole one");
}

#[tokio::test]
async fn a_journal_is_a_page_or_a_stream() {
    let scene = Scene::answering(|seen| {
        if seen.path.ends_with("/WatchJournal") { Reply::Steps(vec![entry(8), entry(9)]) } else { Reply::Nothing }
    });
    let page = ask("GET", "/v1/orders/journal?clock=7&limit=2&wait=1").send(&scene).await;
    assert_eq!(page.ok()["entries"], json!([]));
    assert_eq!(
        scene::json("pavise.common.v1.ReadJournalRequest", &scene.seen().message),
        json!({"clock": "7", "limit": 2, "wait": 1})
    );

    let lines = ask("GET", "/v1/orders/journal?clock=7&limit=2&wait=1&epoch=e")
        .header("accept", "application/x-ndjson")
        .send(&scene)
        .await;
    let clocks: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["clock"].clone()).collect();
    assert_eq!(clocks, ["8", "9"]);
    assert_eq!(
        scene::json("pavise.common.v1.WatchJournalRequest", &scene.seen().message),
        json!({"clock": "7", "epoch": "e"})
    );

    let events = ask("GET", "/v1/orders/journal?clock=7").header("accept", "text/event-stream").send(&scene).await;
    assert!(events.text().starts_with("id: 8\ndata: {"), "{}", events.text());
    assert!(events.text().contains("\n\nid: 9\ndata: {"), "{}", events.text());
}

#[tokio::test]
async fn a_browser_that_comes_back_goes_on_where_it_was() {
    let scene = Scene::answering(|_| Reply::Steps(Vec::new()));
    let watch = |query: &str| ask("GET", &format!("/v1/orders/journal{query}")).header("accept", "text/event-stream");
    for query in ["?clock=7", ""] {
        assert_eq!(watch(query).header("last-event-id", "41").send(&scene).await.status, 200);
        assert_eq!(scene::json("pavise.common.v1.WatchJournalRequest", &scene.seen().message), json!({"clock": "41"}));
    }
    watch("").header("last-event-id", "yesterday").send(&scene).await.refused(400, "INVALID_METADATA");
    watch("?nope=1").send(&scene).await.refused(400, "UNKNOWN_FIELD").field("nope");
    watch("?clock=x").send(&scene).await.refused(400, "INVALID_FIELD").field("clock");
}

#[tokio::test(start_paused = true)]
async fn a_quiet_watch_is_answered_at_once_and_says_that_it_is_there() {
    for (accept, sign) in [("text/event-stream", ":\n\n"), ("application/x-ndjson", "\n")] {
        let scene = Scene::answering(|_| {
            Reply::Steps(vec![Step::Wait(Duration::from_millis(150)), entry(1), Step::Wait(Duration::from_secs(60))])
        });
        let response = timeout(
            Duration::from_millis(100),
            scene.raw(ask("GET", "/v1/orders/journal").header("accept", accept).request()),
        )
        .await;
        let response = response.expect("the head does not wait for the first entry");
        assert_eq!(response.status(), 200);
        let mut body = response.into_body();
        let text = read_until(&mut body, |text| text.contains("CREATED")).await;
        assert!(text.starts_with(sign), "{text:?}");
        let after = read_until(&mut body, |text| !text.is_empty()).await;
        assert_eq!(after, sign);
    }
}

#[tokio::test]
async fn a_watch_that_is_refused_has_the_status_of_its_refusal() {
    let scene = Scene::answering(|_| Reply::Refuse(refusal(Common::PermissionMissing)));
    ask("GET", "/v1/orders/journal")
        .header("accept", "text/event-stream")
        .send(&scene)
        .await
        .refused(403, "PERMISSION_MISSING");
}

#[tokio::test]
async fn when_the_reader_is_gone_the_domain_learns_of_it() {
    let scene = Scene::answering(|_| Reply::Steps(vec![entry(1), Step::Wait(Duration::from_secs(60))]));
    let mut body =
        scene.raw(ask("GET", "/v1/orders/journal").header("accept", "text/event-stream").request()).await.into_body();
    read_until(&mut body, |text| text.contains("CREATED")).await;
    assert!(!scene.dropped.load(Ordering::SeqCst));
    drop(body);
    assert!(scene.dropped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn open_streams_end_when_the_server_drains() {
    let draining = CancellationToken::new();
    let with = Options { draining: draining.clone(), ..options() };
    let scene = Scene::with(with, |_| Reply::Steps(vec![entry(1), Step::Wait(Duration::from_secs(60))]));
    let mut body = scene
        .raw(ask("GET", "/v1/orders/journal").header("accept", "application/x-ndjson").request())
        .await
        .into_body();
    read_until(&mut body, |text| text.contains("CREATED")).await;
    draining.cancel();
    let rest = timeout(Duration::from_secs(5), body.collect()).await.expect("the stream ends").unwrap();
    assert!(rest.to_bytes().iter().all(|byte| *byte == b'\n'));
}
