//! A browser with cookies, over REST and over gRPC-web.

use axum::Router;
use axum::body::Body;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use pavise_identity::contract::v1::{
    AddUsernameRequest, CreateTokenRequest, CurrentSession, GetCurrentSessionRequest, RefreshTokenRequest,
    SignOutRequest,
};
use pavise_testapp::{Rest, TestApp};
use prost::Message;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub(crate) const EMAIL: &str = "ada@example.com";
pub(crate) const PASSWORD: &str = "a horse of the sea";
const OWN: &str = "http://localhost";
const EVIL: &str = "https://evil.example";

/// Makes a member with a proved address, and answers their id.
pub(crate) async fn sign_up(app: &TestApp) -> String {
    let request = json!({"realm": "User", "emails": [EMAIL], "password": PASSWORD});
    app.rest(&TestApp::machine()).post("/v1/identities", request).await.expect(200)["id"].as_str().unwrap().to_owned()
}

/// The cookies of an answer as a browser sends them back.
pub(crate) fn kept(headers: &http::HeaderMap) -> String {
    let cookies = headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    cookies.map(|cookie| cookie.split(';').next().unwrap()).collect::<Vec<_>>().join("; ")
}

/// Signs in as a page of ours.
pub(crate) async fn sign_in(app: &TestApp) -> String {
    let request = json!({"email": EMAIL, "password": PASSWORD, "cookie": true});
    let answer = app.visitor().with("origin", OWN).post("/v1/tokens", request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!((&answer.json["accessToken"], &answer.json["refreshToken"]), (&json!(""), &json!("")));
    kept(&answer.headers)
}

fn page(app: &TestApp, cookies: &str, origin: &str) -> Rest {
    app.visitor().with("cookie", cookies).with("origin", origin)
}

/// A gRPC-web call as a page makes it: the status, the headers, the message.
async fn web<M: Message, R: Message + Default>(
    router: &Router,
    path: &str,
    message: &M,
    headers: &[(&str, &str)],
) -> (String, http::HeaderMap, Option<R>) {
    let bytes = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend_from_slice(&u32::try_from(bytes.len()).unwrap().to_be_bytes());
    frame.extend_from_slice(&bytes);
    let mut request =
        Request::post(path).header("host", "localhost").header("content-type", "application/grpc-web+proto");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response: Response<Body> = router.clone().oneshot(request.body(Body::from(frame)).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let text = |value: &http::HeaderValue| value.to_str().unwrap().to_owned();
    let mut status = parts.headers.get("grpc-status").map(text).unwrap_or_default();
    let (mut rest, mut found) = (&body[..], None);
    while let Some((&[kind, a, b, c, d], tail)) = rest.split_first_chunk::<5>() {
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap();
        if kind == 0 {
            found = Some(R::decode(&tail[..length]).unwrap());
        } else {
            let trailers = String::from_utf8_lossy(&tail[..length]).into_owned();
            let line = trailers
                .lines()
                .find_map(|line| line.strip_prefix("grpc-status:"))
                .unwrap_or_default()
                .trim()
                .to_owned();
            status = line;
        }
        rest = &tail[length..];
    }
    (status, parts.headers, found)
}

const SESSIONS: &str = "/pavise.identity.v1.SessionService";

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_lives_on_cookies_over_rest() {
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let cookies = sign_in(&app).await;
    let session = page(&app, &cookies, OWN).get("/v1/session").await.expect(200);
    assert_eq!(
        (&session["identityId"], &session["cookie"], &session["method"]),
        (&json!(ada), &json!(true), &json!("password"))
    );
    let _ = page(&app, &cookies, OWN)
        .post(&format!("/v1/identities/{ada}/addUsername"), json!({"username": "countess"}))
        .await
        .expect(200);

    let renewed = page(&app, &cookies, OWN).post("/v1/tokens/refresh", json!({})).await;
    let newer = kept(&renewed.headers);
    assert_eq!(renewed.expect(200)["sessionId"], session["sessionId"]);
    assert_ne!(newer, cookies);
    let listed = page(&app, &newer, OWN).get(&format!("/v1/identities/{ada}/sessions")).await.expect(200);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    assert!(listed["sessions"][0].get("refreshHash").is_none_or(|hash| hash == ""), "{listed}");

    let out = page(&app, &newer, OWN).post("/v1/tokens/revoke", json!({})).await;
    let forgotten: Vec<&str> = out.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(forgotten.len() == 3 && forgotten.iter().all(|cookie| cookie.contains("Max-Age=0")), "{forgotten:?}");
    app.eventually("the end of the session", || async {
        (page(&app, &newer, OWN).get("/v1/session").await.reason() == "TOKEN_EXPIRED").then_some(())
    })
    .await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_do_nothing_with_the_cookies_over_rest() {
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let cookies = sign_in(&app).await;
    let writes: [(&str, Value); 4] = [
        (&format!("/v1/identities/{ada}/addUsername"), json!({"username": "mallory"})),
        ("/v1/tokens/refresh", json!({})),
        ("/v1/tokens/revoke", json!({})),
        ("/v1/tokens", json!({"email": EMAIL, "password": PASSWORD, "cookie": true})),
    ];
    for (path, body) in writes {
        for origin in [EVIL, "null", "http://localhost.evil.example", "http://localhost:8081"] {
            let answer = page(&app, &cookies, origin).post(path, body.clone()).await;
            assert_eq!((answer.status.as_u16(), answer.reason()), (403, "ORIGIN_NOT_ALLOWED"), "{path} from {origin}");
            assert!(!answer.headers.contains_key("set-cookie"));
        }
        let silent = app.visitor().with("cookie", &cookies).post(path, body.clone()).await;
        assert_eq!(silent.reason(), "ORIGIN_NOT_ALLOWED", "{path} from a page that does not say which it is");
    }
    // A form of another page cannot even be read as a call.
    let form = app.visitor().with("cookie", &cookies).with("origin", OWN);
    let form = form
        .raw(http::Method::POST, "/v1/tokens/revoke", Some(b"a=b".to_vec()), "application/x-www-form-urlencoded")
        .await;
    assert_eq!(form.status, 415);
    assert_eq!(page(&app, &cookies, OWN).get("/v1/session").await.status, 200, "nothing of it happened");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_holds_over_grpc_web() {
    let app = TestApp::start().await.unwrap();
    let ada = sign_up(&app).await;
    let router = &app.app.router;
    let sign_in = CreateTokenRequest {
        email: EMAIL.into(),
        password: PASSWORD.into(),
        cookie: true,
        ..CreateTokenRequest::default()
    };
    let path = "/pavise.identity.v1.IdentityService/CreateToken";
    let (status, headers, answer) =
        web::<_, pavise_identity::contract::v1::AccessToken>(router, path, &sign_in, &[("origin", OWN)]).await;
    assert_eq!(status, "0");
    let answer = answer.unwrap();
    assert!(answer.access_token.is_empty() && answer.refresh_token.is_empty());
    let cookies = kept(&headers);
    let own = [("origin", OWN), ("cookie", cookies.as_str())];
    let evil = [("origin", EVIL), ("cookie", cookies.as_str())];
    let silent = [("cookie", cookies.as_str())];
    let current = format!("{SESSIONS}/GetCurrentSession");
    let (status, _, session) = web::<_, CurrentSession>(router, &current, &GetCurrentSessionRequest {}, &own).await;
    assert_eq!((status.as_str(), session.unwrap().identity_id.as_str()), ("0", ada.as_str()));

    let name = AddUsernameRequest { identity_id: ada.clone(), username: "countess".into() };
    let add = "/pavise.identity.v1.IdentityService/AddUsername";
    let refresh = format!("{SESSIONS}/RefreshToken");
    for headers in [&evil[..], &silent[..]] {
        let (status, ..) = web::<_, pavise_identity::contract::v1::Identity>(router, add, &name, headers).await;
        assert_eq!(status, "7");
        let (status, answered, _) = web::<_, pavise_identity::contract::v1::AccessToken>(
            router,
            &refresh,
            &RefreshTokenRequest::default(),
            headers,
        )
        .await;
        assert_eq!(status, "7");
        assert!(!answered.contains_key("set-cookie"));
    }
    assert_eq!(web::<_, pavise_identity::contract::v1::AccessToken>(router, path, &sign_in, &evil[..1]).await.0, "7");
    assert_eq!(web::<_, pavise_identity::contract::v1::Identity>(router, add, &name, &own).await.0, "0");
    let (status, answered, _) =
        web::<_, pavise_identity::contract::v1::AccessToken>(router, &refresh, &RefreshTokenRequest::default(), &own)
            .await;
    assert_eq!((status.as_str(), answered.get_all("set-cookie").iter().count()), ("0", 2));
    let newer = kept(&answered);
    let out = format!("{SESSIONS}/SignOut");
    let own = [("origin", OWN), ("cookie", newer.as_str())];
    let (status, answered, _) =
        web::<_, pavise_identity::contract::v1::SignOutResponse>(router, &out, &SignOutRequest::default(), &own).await;
    assert_eq!((status.as_str(), answered.get_all("set-cookie").iter().count()), ("0", 3));
    app.finish().await;
}
