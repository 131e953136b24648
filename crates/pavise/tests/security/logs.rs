//! What the logs say of a busy day, read by somebody who should not learn anything from them.

use std::io;
use std::sync::{Arc, Mutex};

use pavise_testapp::TestApp;
use serde_json::{Value, json};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::browser::{EMAIL, PASSWORD, kept, sign_in, sign_up};

/// Keeps what is logged.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Kept {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Kept {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Logs everything that there is, as the server would.
fn everything() -> Kept {
    let kept = Kept::default();
    let filter =
        EnvFilter::new("debug,pavise=trace,pavise_kernel=trace,pavise_identity=trace,pavise_rest=trace,pavise_mesh=trace");
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(kept.clone()).finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    kept
}

/// The parts of an answer that are secrets, with the pieces that would be enough.
fn secrets(answer: &Value, cookies: &str) -> Vec<String> {
    let mut all: Vec<String> = ["accessToken", "refreshToken", "token"]
        .into_iter()
        .filter_map(|name| answer[name].as_str().filter(|value| !value.is_empty()).map(str::to_owned))
        .collect();
    all.extend(cookies.split("; ").filter_map(|cookie| cookie.split_once('=')).map(|(_, value)| value.to_owned()));
    // The last part is what nobody could make up: a signature, or a secret.
    let ends: Vec<String> = all.iter().filter_map(|text| text.rsplit('.').next()).map(str::to_owned).collect();
    all.extend(ends);
    all.retain(|text| text.len() > 8);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_hold_no_secret_and_nobody_writes_lines_of_his_own() {
    let logs = everything();
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let mut known = vec![PASSWORD.to_owned(), "a wrong word of the sea".to_owned(), "another horse of the sea".to_owned()];
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
    assert_eq!(visitor.raw(http::Method::POST, "/v1/tokens", Some(torn.into_bytes()), "application/json").await.status, 400);
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
    app.rest(&TestApp::staff()).post("/v1/setPassword", back).await;
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
    app.visitor().with("cookie", &cookies).with("origin", "https://evil.example").post("/v1/tokens/refresh", json!({})).await;
    let _ = page.post("/v1/tokens/revoke", json!({})).await.expect(200);

    let acting = json!({"reason": "she is on the phone"});
    let acting = app.rest(&TestApp::staff()).post(&format!("/v1/identities/{ada}/impersonate"), acting).await.expect(200);
    known.extend(secrets(&acting, ""));
    let checked = app.rest(&TestApp::staff()).post("/v1/jwts/verify", json!({"token": acting["accessToken"]})).await.expect(200);
    assert_eq!(checked["valid"], true);
    app.finish().await;

    let text = logs.text();
    assert!(text.lines().count() > 100, "the day was not busy");
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
