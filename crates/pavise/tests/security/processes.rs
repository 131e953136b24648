//! A session that ends in one process ends in all.

use std::time::{Duration, Instant};

use pavise_testapp::{Cut, Engine, Platform};
use serde_json::{Value, json};

const EMAIL: &str = "grace@example.com";
const PASSWORD: &str = "a horse of the sea";

async fn post(url: &str, path: &str, token: &str, body: Value) -> Value {
    let request = reqwest::Client::new().post(format!("{url}{path}")).body(body.to_string());
    let request = if token.is_empty() { request } else { request.bearer_auth(token) };
    let answer = request.header("content-type", "application/json").send().await.unwrap();
    let status = answer.status();
    let json: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert!(status.is_success(), "{path}: {json}");
    json
}

async fn status(url: &str, path: &str, token: &str) -> u16 {
    reqwest::Client::new().get(format!("{url}{path}")).bearer_auth(token).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_is_known_to_every_process_within_a_moment() {
    for engine in Engine::BOTH {
        let platform = Platform::start(engine, Cut::Split).await.unwrap();
        let urls: Vec<String> = platform.addresses().into_iter().map(str::to_owned).collect();
        let [orders, billing, rest] = urls.as_slice() else { panic!("three processes") };
        let me =
            post(rest, "/v1/identities", "", json!({"realm": "User", "emails": [EMAIL], "password": PASSWORD})).await;
        let me = me["id"].as_str().unwrap().to_owned();
        let token = post(rest, "/v1/tokens", "", json!({"email": EMAIL, "password": PASSWORD})).await;
        let access = token["accessToken"].as_str().unwrap();
        // Each process answers for a domain of its own, so that each checks the token itself.
        let places =
            [(orders, format!("/v2/identities/{me}/orders")), (billing, format!("/v1/identities/{me}/invoices"))];
        for (url, path) in &places {
            assert_eq!(status(url, path, access).await, 200, "{path}");
        }
        let ended = post(rest, "/v1/tokens/revoke", access, json!({})).await;
        assert_eq!(ended["ended"][0], token["sessionId"]);
        let began = Instant::now();
        for (url, path) in &places {
            while status(url, path, access).await != 401 {
                assert!(began.elapsed() < Duration::from_secs(10), "{path} still opens");
            }
        }
        println!("{engine:?}: known everywhere after {} ms", began.elapsed().as_millis());
        platform.finish().await;
    }
}
