//! Tokens that are not ours, sent to a running platform.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_kernel::token::{Claims, TokenKey, issue_token};
use pavise_testapp::{Rest, TestApp};
use serde_json::{Value, json};

use crate::browser::{EMAIL, PASSWORD, sign_up};

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

fn read(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

fn with(value: &Value, name: &str, to: Value) -> Value {
    let mut value = value.clone();
    value[name] = to;
    value
}

async fn refused(rest: &Rest, what: &str, token: &str) {
    let answer = rest.clone().with("authorization", &format!("Bearer {token}")).get("/v1/session").await;
    assert_eq!(answer.status, 401, "{what}: {}", String::from_utf8_lossy(&answer.body));
    assert!(["TOKEN_INVALID", "TOKEN_EXPIRED"].contains(&answer.reason()), "{what}: {}", answer.reason());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_is_taken_but_those_that_were_given() {
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let signed_in = app.visitor().post("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD})).await.expect(200);
    let token = signed_in["accessToken"].as_str().unwrap().to_owned();
    let rest = app.visitor();
    assert_eq!(rest.clone().with("authorization", &format!("Bearer {token}")).get("/v1/session").await.status, 200);
    let parts: Vec<&str> = token.split('.').collect();
    let (header, claims) = (read(parts[0]), read(parts[1]));
    let set = app.visitor().get("/.well-known/jwks.json").await.expect(200);
    let key = set["keys"].as_array().unwrap().iter().find(|key| key["kid"] == header["kid"]).unwrap().clone();
    for (field, value) in [("kty", "OKP"), ("crv", "Ed25519"), ("use", "sig"), ("alg", "EdDSA")] {
        assert_eq!(key[field], value);
    }
    assert!(key.get("d").is_none(), "no private half is published");

    let resigned =
        |header: &Value, claims: &Value, signature: &str| format!("{}.{}.{signature}", part(header), part(claims));
    let staff = with(&claims, "realm", json!("Internal"));
    for algorithm in ["none", "None", "NONE", "HS256", "HS512", "RS256", "ES256", "Ed25519"] {
        let header = with(&header, "alg", json!(algorithm));
        refused(&rest, algorithm, &resigned(&header, &claims, "")).await;
        refused(&rest, algorithm, &resigned(&header, &staff, parts[2])).await;
        // Signed with the public half as if it were a shared secret.
        refused(&rest, algorithm, &resigned(&header, &claims, key["x"].as_str().unwrap())).await;
    }
    let own = TokenKey::new(header["kid"].as_str().unwrap(), &[9; 32]);
    let foreign = TokenKey::new("01900000-0000-7000-8000-00000000ffff", &[9; 32]);
    let caller = TestApp::member(&ada);
    let (hour, now) = (std::time::Duration::from_secs(3600), app.now());
    refused(&rest, "another key under our key's name", &issue_token(&caller, hour, &own, now)).await;
    refused(&rest, "an unknown key", &issue_token(&caller, hour, &foreign, now)).await;
    for (name, value) in [
        ("jku", json!("https://evil.example/jwks.json")),
        ("jwk", json!({"kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode(own.public().to_bytes())})),
        ("x5u", json!("https://evil.example")),
        ("crit", json!([])),
        ("kid", json!("../../../etc/passwd")),
        ("kid", json!("' OR 1=1 --")),
    ] {
        refused(&rest, name, &resigned(&with(&header, name, value), &claims, parts[2])).await;
    }
    refused(&rest, "changed claims", &resigned(&header, &staff, parts[2])).await;
    let made = |change: fn(&mut Claims)| {
        let mut claims = Claims::of(&caller, hour, now);
        change(&mut claims);
        claims.sign(app.key())
    };
    refused(&rest, "expired", &made(|claims| claims.exp = claims.iat - 1)).await;
    refused(&rest, "not yet", &made(|claims| claims.nbf = claims.iat + 3600)).await;
    refused(&rest, "made tomorrow", &made(|claims| claims.iat += 86_400)).await;
    refused(&rest, "for others", &made(|claims| claims.aud = "elsewhere".into())).await;
    refused(&rest, "by others", &made(|claims| claims.iss = "elsewhere".into())).await;
    refused(&rest, "of nobody", &made(|claims| claims.sub = String::new())).await;
    for length in [0, 1, parts[0].len(), token.len() / 2, token.len() - 1] {
        refused(&rest, "truncated", &token[..length]).await;
    }
    refused(&rest, "longer", &format!("{token}A")).await;
    refused(&rest, "in four parts", &format!("{token}.{}", parts[2])).await;
    refused(&rest, "a refresh token", signed_in["refreshToken"].as_str().unwrap()).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_replaced_without_anybody_noticing() {
    let app = TestApp::start().await.unwrap();
    sign_up(&app).await;
    let sign_in = || async {
        let answer = app.visitor().post("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD})).await.expect(200);
        (answer["accessToken"].as_str().unwrap().to_owned(), answer["keyId"].as_str().unwrap().to_owned())
    };
    let kids = || async {
        let set = app.visitor().get("/.well-known/jwks.json").await.expect(200);
        set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (old, old_key) = sign_in().await;
    let channel = app.channel("identity", &TestApp::staff());
    let mut tokens = pavise_identity::contract::v1::token_service_client::TokenServiceClient::new(channel);
    let request = pavise_identity::contract::v1::RotateKeyRequest { replaces: old_key.clone() };
    let new_key = tokens.rotate_key(request).await.unwrap().into_inner().id;
    let published = kids().await;
    assert!(published.contains(&old_key) && published.contains(&new_key));
    let opens = |token: String| {
        let rest = app.visitor().with("authorization", &format!("Bearer {token}"));
        async move { rest.get("/v1/session").await.status }
    };
    assert_eq!((opens(old).await, opens(sign_in().await.0).await), (http::StatusCode::OK, http::StatusCode::OK));
    tokens.retire_key(pavise_identity::contract::v1::RetireKeyRequest { key_id: old_key.clone() }).await.unwrap();
    assert!(!kids().await.contains(&old_key));
    app.finish().await;
}
