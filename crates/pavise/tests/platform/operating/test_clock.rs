//! A server whose days are moved: what it does not start with, and that it goes on after a kill.

use std::time::{Duration, Instant};

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{Clock as _, SystemClock, add_days, to_date};
use serde_json::{Value, json};

use super::{Server, printed};

const SECRET: &str = "the secret of a trial's parts";

fn spell(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

/// Calls a server as a program that may do everything.
async fn call(server: &Server, path: &str, body: Option<Value>) -> Value {
    let token = printed(&["token", "issue", "--mesh-secret", SECRET, "--permission", "*"]);
    let client = pavise::wire::client_builder().build().unwrap();
    let url = format!("http://{}{path}", server.listen);
    let request = match body {
        Some(body) => client.post(url).header("content-type", "application/json").body(body.to_string()),
        None => client.get(url),
    };
    let answer = request.bearer_auth(token.trim()).send().await.unwrap();
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

/// The clock, as soon as it is as wanted.
async fn clock_that(server: &Server, wanted: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let clock = call(server, "/v1/testClock", None).await;
        if wanted(&clock) {
            return clock;
        }
        assert!(began.elapsed() < Duration::from_secs(90), "{clock}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_goes_on_to_the_day() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let first = add_days(to_date(SystemClock.now()), 40);
    let (begins, ends) = (spell(first), spell(add_days(first, 6)));
    let server = Server::start(&database, &["--mesh-secret", SECRET, "--test-clock", &begins]).ready();
    let begun = call(&server, "/v1/testClock/advance", Some(json!({"untilDay": ends}))).await;
    assert_eq!(begun["lastAdvance"]["untilDay"], ends.as_str(), "{begun}");
    clock_that(&server, |clock| clock["today"] != begins.as_str()).await;
    drop(server);

    let server = Server::start(&database, &["--mesh-secret", SECRET, "--test-clock"]).ready();
    let clock = clock_that(&server, |clock| clock["lastAdvance"]["advancing"].as_bool() != Some(true)).await;
    assert_eq!(clock["today"], ends.as_str(), "{clock}");
    assert_eq!(clock["lastAdvance"]["days"].as_array().map(Vec::len), Some(6), "{clock}");
    drop(server);

    for (more, why) in [
        (vec!["--mesh-secret", SECRET], "its test clock was moved; set --test-clock"),
        (vec!["--test-clock", begins.as_str()], "leave out the day"),
        (vec!["--test-clock", "--smtp-url", "smtps://mail.example"], "--test-clock is for trials"),
        (vec!["--test-clock", "soon"], "write the day as 2026-01-31"),
    ] {
        let (status, said) = Server::start(&database, &more).end();
        assert!(!status.success() && said.contains(why), "{more:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn data_keep_their_days() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let server = Server::start(&database, &[]).ready();
    server.stop();
    assert!(server.end().0.success());
    let later = spell(add_days(to_date(SystemClock.now()), 40));
    let (status, said) = Server::start(&database, &["--test-clock", &later]).end();
    assert!(!status.success() && said.contains("leave out the day"), "{said}");
    // A clock that never moved is no obstacle, with the setting and without it.
    for more in [&["--test-clock"][..], &[]] {
        let server = Server::start(&database, more).ready();
        server.stop();
        assert!(server.end().0.success(), "{more:?}");
    }
}
