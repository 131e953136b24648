//! A session that ends in one process ends in all, and a change of roles in one is known to all.

use std::time::{Duration, Instant};

use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

const EMAIL: &str = "grace@example.com";
const PASSWORD: &str = "a horse of the sea";
/// The time within which every process knows that a session has ended.
const MOMENT: Duration = Duration::from_secs(2);

async fn post(url: &str, path: &str, token: &str, body: Value) -> Value {
    let request = pavise::wire::client_builder().build().unwrap().post(format!("{url}{path}")).body(body.to_string());
    let request = if token.is_empty() { request } else { request.bearer_auth(token) };
    let answer = request.header("content-type", "application/json").send().await.unwrap();
    let status = answer.status();
    let json: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert!(status.is_success(), "{path}: {json}");
    json
}

async fn status(url: &str, path: &str, token: &str) -> u16 {
    pavise::wire::client_builder()
        .build()
        .unwrap()
        .get(format!("{url}{path}"))
        .bearer_auth(token)
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

/// Each process refuses the tokens from before a change of roles. The session renews its token and has the new roles.
async fn roles(platform: &Platform, rest: &str, others: [&String; 2]) {
    let program = platform.app().token(&TestApp::machine());
    let boss = json!({"realm": "GroupAdmin", "usernames": ["boss"], "password": PASSWORD, "groupIds": ["acme"]});
    let boss = post(rest, "/v1/identities", &program, boss).await["id"].as_str().unwrap().to_owned();
    let opened = post(rest, "/v1/tokens", "", json!({"username": "boss", "password": PASSWORD})).await;
    let before = opened["accessToken"].as_str().unwrap();
    let [orders, billing] = others;
    let places = |group: &str| {
        let member = format!("groups/{group}/identities/{boss}");
        [(orders, format!("/v2/{member}/orders")), (billing, format!("/v1/{member}/paymentMethods"))]
    };
    for (url, path) in places("acme") {
        assert_eq!(status(url, &path, before).await, 200, "{path}");
    }
    for (url, path) in places("globex") {
        assert_eq!(status(url, &path, before).await, 403, "{path}");
    }
    let groups = json!({"groupIds": ["acme", "globex"]});
    post(rest, &format!("/v1/identities/{boss}/updateGroups"), &program, groups).await;
    let began = Instant::now();
    for (url, path) in places("acme") {
        while status(url, &path, before).await != 401 {
            assert!(began.elapsed() < Duration::from_secs(10), "{path} still opens");
        }
    }
    println!("the roles are known everywhere after {} ms", began.elapsed().as_millis());
    let renewed = post(rest, "/v1/tokens/refresh", "", json!({"refreshToken": opened["refreshToken"]})).await;
    assert_eq!(renewed["sessionId"], opened["sessionId"]);
    for (url, path) in places("globex") {
        assert_eq!(status(url, &path, renewed["accessToken"].as_str().unwrap()).await, 200, "{path}");
    }
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
        let known = began.elapsed();
        println!("{engine:?}: known everywhere after {} ms", known.as_millis());
        assert!(known < MOMENT, "{engine:?}: known everywhere after {known:?} only");
        roles(&platform, rest, [orders, billing]).await;
        platform.finish().await;
    }
}
