//! Security events: failed proofs, refusals, throttles, impersonations, searches and exports, one line each.

use pavise_kernel::caller::Impersonator;
use pavise_kernel::{Caller, table::Realm};
use pavise_testapp::{Engine, Rest, TestApp};
use pavise_testkit::logs::LogWatch;
use serde_json::json;

use crate::browser::{EMAIL, sign_in, sign_up};

/// The lines of security events that came from a network.
fn lines(logs: &LogWatch, network: &str) -> Vec<String> {
    let of = |line: &&str| line.contains("pavise::security: ") && line.contains(&format!("network={network} "));
    logs.text().lines().filter(of).map(str::to_owned).collect()
}

/// The one line with this event and reason.
#[track_caller]
fn one(lines: &[String], event: &str, reason: &str) -> String {
    let such = format!("event=\"{event}\"");
    let found: Vec<&String> =
        lines.iter().filter(|line| line.contains(&such) && line.contains(&format!("reason=\"{reason}\""))).collect();
    assert_eq!(found.len(), 1, "{event} for {reason}: {lines:#?}");
    found[0].clone()
}

fn holds(line: &str, pairs: &[(&str, &str)]) {
    for (name, value) in pairs {
        assert!(line.contains(&format!("{name}=\"{value}\"")), "{name}={value}: {line}");
    }
}

async fn refused(answer: impl Future<Output = pavise_testapp::Answer>, reason: &str) {
    let answer = answer.await;
    assert_eq!(answer.reason(), reason, "{}", String::from_utf8_lossy(&answer.body));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_to_somebody_is_seen() {
    let logs = LogWatch::begin();
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let at = |rest: Rest| rest.with("x-forwarded-for", "198.51.100.77").with("x-request-id", "seen-1");
    let visitor = || at(app.visitor());
    let wrong = json!({"email": EMAIL, "password": "a wrong word of the sea"});
    refused(visitor().post("/v1/tokens", wrong), "WRONG_CREDENTIALS").await;
    refused(visitor().with("authorization", "Bearer nonsense").get("/v1/session"), "TOKEN_INVALID").await;
    let eve = at(app.rest(&TestApp::member("eve")));
    refused(eve.get(&format!("/v1/identities/{ada}")), "NOT_THE_OWNER").await;
    let staff = at(app.rest(&TestApp::with_permissions(Realm::Internal, "nosy", &["orders.orders.read"])));
    refused(staff.get(&format!("/v1/identities/{ada}")), "PERMISSION_MISSING").await;
    refused(eve.post("/v1/identities/search", json!({"text": EMAIL})), "REALM_NOT_ALLOWED").await;
    let cookies = sign_in(&app).await;
    let page = visitor().with("cookie", &cookies).with("origin", "https://evil.example");
    refused(page.post("/v1/tokens/refresh", json!({})), "ORIGIN_NOT_ALLOWED").await;
    refused(visitor().get("/v1/session"), "TOKEN_MISSING").await;
    app.finish().await;

    let lines = lines(&logs, "198.51.100.0/24");
    let line = one(&lines, "PROOF_FAILED", "WRONG_CREDENTIALS");
    holds(&line, &[("actor", ""), ("identity", &ada), ("rpc", "CreateToken"), ("request_id", "seen-1")]);
    one(&lines, "PROOF_FAILED", "TOKEN_INVALID");
    let line = one(&lines, "ACCESS_REFUSED", "NOT_THE_OWNER");
    holds(&line, &[("actor", "eve"), ("identity", &ada), ("service", "identities"), ("rpc", "GetIdentity")]);
    holds(&one(&lines, "ACCESS_REFUSED", "PERMISSION_MISSING"), &[("actor", "nosy"), ("identity", &ada)]);
    one(&lines, "ACCESS_REFUSED", "REALM_NOT_ALLOWED");
    holds(&one(&lines, "ACCESS_REFUSED", "ORIGIN_NOT_ALLOWED"), &[("rpc", "RefreshToken")]);
    assert_eq!(lines.len(), 6, "a missing token is no event: {lines:#?}");
    assert!(!logs.text().contains("198.51.100.77") && !logs.text().contains(EMAIL), "whose it was is not in the logs");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_tries_often_is_seen_and_fills_no_log() {
    let logs = LogWatch::begin();
    let app = TestApp::start().await.unwrap();
    sign_up(&app).await;
    let visitor = app.visitor().with("x-forwarded-for", "198.51.101.7");
    let mut throttled = 0;
    for _ in 0..120 {
        let wrong = json!({"email": EMAIL, "password": "a wrong word of the sea"});
        throttled += usize::from(visitor.post("/v1/tokens", wrong).await.reason() == "SIGN_IN_THROTTLED");
    }
    assert!(throttled >= 100, "{throttled}");
    let began = logs.text();
    let seconds: std::collections::BTreeSet<&str> =
        began.lines().filter(|line| line.contains("198.51.101.0/24")).filter_map(|line| line.get(..19)).collect();
    let lines = lines(&logs, "198.51.101.0/24");
    assert!(lines.iter().any(|line| line.contains("event=\"THROTTLED\"")), "{lines:#?}");
    // Windows begin with a line, and a second of the clock touches two of them.
    assert!(lines.len() <= 10 * (seconds.len() + 1), "{} lines in {} s", lines.len(), seconds.len());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_staff_may_do_is_seen() {
    let logs = LogWatch::begin();
    let app = TestApp::on(Engine::Sqlite).start().await.unwrap();
    let ada = sign_up(&app).await;
    let at = |rest: Rest| rest.with("x-forwarded-for", "198.51.102.7");
    let staff = at(app.rest(&TestApp::staff()));
    let reason = json!({"reason": "she is on the phone"});
    let _ = staff.post(&format!("/v1/identities/{ada}/impersonate"), reason).await.expect(200);
    let text = "a text that somebody is found by";
    let _ = staff.post("/v1/identities/search", json!({"text": text})).await.expect(200);
    let _ = staff.get("/v1/identities/journal?clock=0").await.expect(200);
    let _ = staff.get("/v1/invoices/export?dueFrom=2026-01-01&dueUntil=2026-12-31").await.expect(200);
    let _ = at(app.rest(&TestApp::machine())).get("/v1/identities/journal?clock=0").await.expect(200);
    let actor = Impersonator { identity: "staff".to_owned(), may_write: true, session: String::new() };
    let acting = Caller { actor: Some(actor), ..TestApp::member(&ada) };
    let acting = at(app.rest(&acting));
    let state = json!({"application": "IDShield"});
    let written = acting.post(&format!("/v1/identities/{ada}/userStates"), state).await;
    assert_eq!(written.status, 200, "{}", String::from_utf8_lossy(&written.body));
    app.finish().await;

    let lines = lines(&logs, "198.51.102.0/24");
    holds(&one(&lines, "IMPERSONATION_BEGAN", ""), &[("actor", "staff"), ("identity", &ada)]);
    holds(&one(&lines, "IMPERSONATION_WROTE", ""), &[("actor", "staff"), ("identity", &ada)]);
    holds(&one(&lines, "SEARCHED", ""), &[("actor", "staff"), ("rpc", "SearchIdentities")]);
    let exported: Vec<&String> = lines.iter().filter(|line| line.contains("event=\"EXPORTED\"")).collect();
    assert_eq!(exported.len(), 2, "a stream and a journal, and the program's reading is none: {lines:#?}");
    assert!(!logs.text().contains(text), "what was searched is not in the logs");
}
