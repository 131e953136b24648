//! Tests of headers, in both directions.

use pavise_kernel::{Common, Error};
use pavise_rest::Options;

use crate::scene::{Reply, Scene, ask, options};

#[tokio::test]
async fn the_headers_of_a_call_are_passed_on_and_no_others() {
    let scene = Scene::new();
    let sent = [
        ("authorization", "Bearer t"),
        ("idempotency-key", "k"),
        ("if-match", "W/\"3\""),
        ("min-clock", "12"),
        ("pavise-validate-only", "true"),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("tracestate", "a=b"),
        ("x-request-id", "r-1"),
        ("grpc-timeout", "5S"),
    ];
    let mut request =
        ask("POST", "/v1/orders").header("x-forwarded-for", "1.2.3.4").header("cookie", "a=b").header("accept", "*/*");
    for (name, value) in sent {
        request = request.header(name, value);
    }
    request.send(&scene).await.ok();
    let headers = scene.seen().headers;
    for (name, value) in sent {
        assert_eq!(headers[name], value);
    }
    // Besides the headers of every gRPC request there is the caller's address, as the nearest proxy names it.
    assert_eq!(headers["x-forwarded-for"], "1.2.3.4");
    assert_eq!(headers.len(), sent.len() + 3, "{headers:?}");
}

#[tokio::test]
async fn seconds_become_a_deadline() {
    let scene = Scene::new();
    ask("GET", "/v1/orders/7").header("request-timeout", "2.5").send(&scene).await.ok();
    assert_eq!(scene.seen().headers["grpc-timeout"], "2500m");
    ask("GET", "/v1/orders/7").header("request-timeout", "2").header("grpc-timeout", "1S").send(&scene).await.ok();
    assert_eq!(scene.seen().headers["grpc-timeout"], "1S");
    ask("GET", "/v1/orders/7").header("request-timeout", "soon").send(&scene).await.refused(400, "INVALID_METADATA");
    ask("GET", "/v1/orders/7")
        .header("if-match", "1")
        .header("if-match", "2")
        .send(&scene)
        .await
        .refused(400, "INVALID_METADATA");
}

#[tokio::test]
async fn a_session_cookie_stands_for_a_token() {
    let scene =
        Scene::with(Options { allowed_origins: vec!["https://app.example.com".into()], ..options() }, |_| Reply::Echo);
    let cookie =
        |method: &str, path: &str| ask(method, path).host("localhost:8080").header("cookie", "x=y; pavise_session=abc");
    cookie("GET", "/v1/orders/7").send(&scene).await.ok();
    assert_eq!(scene.seen().headers["authorization"], "Bearer abc");
    assert_eq!(cookie("HEAD", "/v1/orders/7").header("origin", "https://evil.example").send(&scene).await.status, 200);
    cookie("POST", "/v1/orders").header("origin", "http://localhost:8080").send(&scene).await.ok();
    cookie("POST", "/v1/orders").header("origin", "https://app.example.com").send(&scene).await.ok();
    cookie("POST", "/v1/orders").header("referer", "http://localhost:8080/app/cart").send(&scene).await.ok();
    cookie("POST", "/v1/orders")
        .header("origin", "https://evil.example")
        .header("authorization", "Bearer t")
        .send(&scene)
        .await
        .ok();
    assert_eq!(scene.seen().headers["authorization"], "Bearer t", "who can set a header is no foreign page");
    cookie("POST", "/v1/signIn").header("origin", "https://evil.example").send(&scene).await.ok();
    assert!(
        !scene.seen().headers.contains_key("authorization"),
        "an old session does not stand in the way of a new one"
    );
    let calls = scene.calls();
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:9090"),
        ("referer", "https://evil.example/localhost:8080"),
        ("x-a", "b"),
    ] {
        cookie("POST", "/v1/orders").header(name, value).send(&scene).await.refused(403, "ORIGIN_NOT_ALLOWED");
        cookie("DELETE", "/v1/orders/7").header(name, value).send(&scene).await.refused(403, "ORIGIN_NOT_ALLOWED");
    }
    assert_eq!(scene.calls(), calls);
}

#[tokio::test]
async fn pages_of_other_origins_may_call_only_when_allowed() {
    let preflight = || {
        ask("OPTIONS", "/v1/orders/7")
            .header("origin", "https://app.example.com")
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "authorization, if-match")
    };
    let closed = Scene::new();
    assert_eq!(preflight().send(&closed).await.header("access-control-allow-origin"), "");
    let open =
        Scene::with(Options { allowed_origins: vec!["https://app.example.com".into()], ..options() }, |_| Reply::Echo);
    let answer = preflight().send(&open).await;
    assert_eq!(answer.header("access-control-allow-origin"), "https://app.example.com");
    assert_eq!(answer.header("access-control-allow-credentials"), "true");
    assert!(answer.header("access-control-allow-headers").contains("if-match"));
    let plain = ask("OPTIONS", "/v1/orders/7").send(&open).await;
    assert_eq!((plain.status, plain.header("allow")), (204, "GET, PUT, DELETE, HEAD, OPTIONS"));
    let other = ask("GET", "/v1/orders/7").header("origin", "https://evil.example").send(&open).await;
    assert_eq!(other.header("access-control-allow-origin"), "");
    let real = ask("GET", "/v1/orders/7").header("origin", "https://app.example.com").send(&open).await;
    for exposed in ["etag", "pavise-clock", "pavise-today", "grpc-status-details-bin", "retry-after"] {
        assert!(real.header("access-control-expose-headers").contains(exposed), "{exposed}");
    }
}

#[tokio::test]
async fn an_etag_saves_the_second_reading() {
    let scene = Scene::answering(|_| {
        Reply::EchoWith(vec![("etag", "W/\"3\""), ("pavise-clock", "9"), ("x-request-id", "r"), ("x-inner", "1")])
    });
    let answer = ask("GET", "/v1/orders/7").send(&scene).await;
    answer.ok();
    assert_eq!(
        (answer.header("etag"), answer.header("pavise-clock"), answer.header("x-request-id")),
        ("W/\"3\"", "9", "r")
    );
    assert_eq!((answer.header("x-inner"), answer.header("cache-control")), ("", "private, no-cache"));
    for known in ["W/\"3\"", "\"3\"", "\"1\", W/\"3\"", "*"] {
        let answer = ask("GET", "/v1/orders/7").header("if-none-match", known).send(&scene).await;
        assert_eq!((answer.status, answer.body.len(), answer.header("etag")), (304, 0, "W/\"3\""), "{known}");
        assert_eq!(answer.header("pavise-clock"), "9");
    }
    assert_eq!(ask("GET", "/v1/orders/7").header("if-none-match", "W/\"2\"").send(&scene).await.status, 200);
    assert_eq!(ask("POST", "/v1/orders").header("if-none-match", "W/\"3\"").send(&scene).await.status, 200);
    assert_eq!(ask("HEAD", "/v1/orders/7").header("if-none-match", "W/\"3\"").send(&scene).await.status, 304);
}

#[tokio::test]
async fn a_version_that_is_gone_is_412_for_those_who_asked_for_it() {
    let scene = Scene::answering(|_| {
        Reply::Refuse(Error::new(Common::VersionMismatch, "it is at version 4").into_status("orders", "t"))
    });
    ask("PUT", "/v1/orders/7").header("if-match", "W/\"3\"").send(&scene).await.refused(412, "VERSION_MISMATCH");
    ask("PUT", "/v1/orders/7").send(&scene).await.refused(409, "VERSION_MISMATCH");
}

#[tokio::test]
async fn answers_are_not_kept() {
    let scene = Scene::new();
    for path in ["/v1/orders/7", "/v1/nothing"] {
        assert_eq!(ask("GET", path).send(&scene).await.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn where_browsers_use_tls_the_cookies_belong_to_the_host_and_pages_to_the_scheme() {
    let scene = Scene::with(Options { secure_cookies: true, https: true, ..options() }, |_| Reply::Echo);
    let with = |cookie: &str, origin: &str| {
        ask("POST", "/v1/orders").host("shop.example").header("cookie", cookie).header("origin", origin)
    };
    let own = "__Host-pavise_session=abc";
    with(own, "https://shop.example").send(&scene).await.ok();
    assert_eq!(scene.seen().headers["authorization"], "Bearer abc");
    with(own, "https://shop.example:443").send(&scene).await.ok();
    for origin in
        ["http://shop.example", "http://shop.example:443", "https://shop.example:80", "https://a@shop.example"]
    {
        with(own, origin).send(&scene).await.refused(403, "ORIGIN_NOT_ALLOWED");
    }
    // Another host can set a cookie of the plain name.
    with("pavise_session=abc", "https://shop.example").send(&scene).await.ok();
    assert!(!scene.seen().headers.contains_key("authorization"));
}

#[tokio::test]
async fn a_cookie_that_comes_twice_is_refused_however_it_comes() {
    let scene = Scene::new();
    let ask = |lines: &[&str]| lines.iter().fold(ask("GET", "/v1/orders/7"), |ask, line| ask.header("cookie", line));
    for lines in [
        &["pavise_session=a; pavise_session=b"][..],
        &["pavise_session=a; pavise_session=a"],
        &["pavise_session=a", "x=y; pavise_session=b"],
        &["pavise_session=a", "pavise_session="],
        &["pavise_session=a;pavise_session"],
        &["x=y", "pavise_acting=a", "pavise_session=b", "pavise_acting=c"],
        &["pavise_refresh=a; \tpavise_refresh = b"],
    ] {
        ask(lines).send(&scene).await.refused(400, "INVALID_METADATA");
    }
    assert_eq!(scene.calls(), 0);
    ask(&["x=y; x=z", "pavise_session=a", "x=w"]).send(&scene).await.ok();
    assert_eq!(scene.seen().headers["authorization"], "Bearer a", "other cookies may come as they like");
}
