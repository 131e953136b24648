//! Tests of the call that a host, a path and a method select.

use crate::scene::{Scene, ask};

fn rpc(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

#[tokio::test]
async fn each_path_leads_to_its_call() {
    let scene = Scene::new();
    for (method, path, expected) in [
        ("POST", "/v1/orders", "CreateOrder"),
        ("POST", "/v2/orders", "CreateOrder"),
        ("GET", "/v1/orders/7", "GetOrder"),
        ("PUT", "/v1/orders/7", "UpdateOrder"),
        ("DELETE", "/v1/orders/7", "DeleteOrder"),
        ("DELETE", "/v1/orders/journal", "DeleteOrder"),
        ("GET", "/v1/orders/journal", "ReadJournal"),
        ("GET", "/v1/orders/getByIdList", "ListByIds"),
        ("GET", "/v1/orders/status/OPEN", "ListByStatus"),
        ("GET", "/v1/orders/status/place", "GetPlace"),
        ("POST", "/v1/orders/7:close", "CloseOrder"),
        ("GET", "/v1/orders/7:close", "GetOrder"),
        ("GET", "/v1/%6Frders/7", "GetOrder"),
    ] {
        // "place" is no status, so the literal is refused and does not fall back to the parameter, as intended.
        let answer = ask(method, path).send(&scene).await;
        if path.ends_with("status/place") {
            answer.refused(400, "INVALID_FIELD").field("status");
            continue;
        }
        assert_eq!(answer.status, 200, "{method} {path}: {:?}", answer.body);
        let seen = scene.seen();
        assert!(seen.path.starts_with("/pavise.shop.v1.OrderService/"), "{}", seen.path);
        assert_eq!(rpc(&seen.path), expected, "{method} {path}");
    }
}

#[tokio::test]
async fn paths_that_no_call_has_are_refused() {
    let scene = Scene::new();
    for path in [
        "/",
        "/v1",
        "/v1/orders/",
        "/v1/orders//place",
        "/v1/orders/7/",
        "/v3/orders",
        "/V1/orders/7",
        "/v1/files/",
        "/v1/orders/:close/x",
    ] {
        ask("GET", path).send(&scene).await.refused(404, "ROUTE_NOT_FOUND");
    }
    ask("TRACE", "/nothing").send(&scene).await.refused(404, "ROUTE_NOT_FOUND");
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn other_methods_are_refused_with_those_there_are() {
    let scene = Scene::new();
    for (method, path, allow) in [
        ("PATCH", "/v1/orders/7", "GET, PUT, DELETE, HEAD, OPTIONS"),
        ("GET", "/v1/orders", "POST, OPTIONS"),
        ("HEAD", "/v1/orders", "POST, OPTIONS"),
        ("TRACE", "/v1/orders/7", "GET, PUT, DELETE, HEAD, OPTIONS"),
        ("PURGE", "/v1/orders/7/photo", "POST, OPTIONS"),
    ] {
        let answer = ask(method, path).send(&scene).await;
        assert_eq!(answer.header("allow"), allow, "{method} {path}");
        if method == "HEAD" {
            assert_eq!((answer.status, answer.body.len()), (405, 0));
            continue;
        }
        answer.refused(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.json()["status"], "UNIMPLEMENTED");
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn options_says_what_there_is() {
    let scene = Scene::new();
    let answer = ask("OPTIONS", "/v1/orders/7").send(&scene).await;
    assert_eq!((answer.status, answer.header("allow")), (204, "GET, PUT, DELETE, HEAD, OPTIONS"));
    ask("OPTIONS", "/v1/nothing").send(&scene).await.refused(404, "ROUTE_NOT_FOUND");
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let scene = Scene::new();
    let whole = ask("GET", "/v1/orders/7").send(&scene).await;
    let head = ask("HEAD", "/v1/orders/7").send(&scene).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.body.len().to_string());
    assert_eq!(head.header("content-type"), "application/json");
    for (path, status) in [("/v1/nothing", 404), ("/v1/%zz", 400)] {
        let head = ask("HEAD", path).send(&scene).await;
        assert_eq!((head.status, head.body.len()), (status, 0), "{path}");
    }
}

#[tokio::test]
async fn values_come_decoded_out_of_the_path() {
    let scene = Scene::new();
    for (path, id) in [
        ("/v1/orders/a%2Fb", "a/b"),
        ("/v1/orders/a%20b+c", "a b+c"),
        ("/v1/orders/%C3%A9", "é"),
        ("/v1/orders/%2e%2e", ".."),
        ("/v1/orders/a%3Aclose", "a:close"),
        ("/v1/files/a/b%20c/d", "a/b c/d"),
        ("/v1/files/a%2Fb/c", "a%2Fb/c"),
        ("/v1/files/a%2fb/c", "a%2fb/c"),
        ("/v1/files", ""),
    ] {
        assert_eq!(ask("GET", path).send(&scene).await.ok()["orderId"], id, "{path}");
    }
    assert_eq!(ask("POST", "/v1/orders/a:b:close").send(&scene).await.ok()["orderId"], "a:b");
    assert_eq!(ask("GET", "/v1/orders/status/FULLY_FUNDED").send(&scene).await.ok()["status"], "FULLY_FUNDED");
    assert_eq!(ask("GET", "/v1/orders/status/Closed%20CC").send(&scene).await.ok()["status"], "Closed CC");
}

#[tokio::test]
async fn broken_paths_are_refused() {
    let scene = Scene::new();
    for path in ["/v1/orders/%zz", "/v1/orders/%", "/v1/orders/%f", "/v1/orders/%ff", "/v1/orders/%C3", "/%/nothing"] {
        ask("GET", path).send(&scene).await.refused(400, "MALFORMED_PATH");
    }
    ask("GET", "/v1/orders/status/NOPE").send(&scene).await.refused(400, "INVALID_FIELD").field("status");
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn each_service_has_a_host_of_its_own() {
    let scene = Scene::new();
    for (host, service, field) in [
        ("localhost", "TokenService", "note"),
        ("localhost:8080", "TokenService", "note"),
        ("127.0.0.1:8080", "TokenService", "note"),
        ("[::1]:8080", "TokenService", "note"),
        ("www.example.com", "TokenService", "note"),
        ("unknown.localhost", "TokenService", "note"),
        ("keys.localhost", "KeyService", "orderId"),
        ("KEYS.localhost:8080", "KeyService", "orderId"),
        ("dev-keys.localhost", "KeyService", "orderId"),
        ("uat-keys.localhost", "KeyService", "orderId"),
        ("uat-tokens.localhost", "TokenService", "note"),
    ] {
        let answer = ask("GET", "/v1/keys/k").host(host).send(&scene).await;
        assert_eq!(answer.ok()[field], "k", "{host}");
        assert!(scene.seen().path.contains(service), "{host}");
    }
    let answer = ask("GET", "http://keys.localhost/v1/keys/k").send(&scene).await;
    assert_eq!(answer.ok()["orderId"], "k", "HTTP/2 says the host in the address");
    let forwarded =
        ask("GET", "/v1/keys/k").host("localhost").header("x-forwarded-host", "keys.localhost").send(&scene).await;
    assert_eq!(forwarded.ok()["note"], "k", "what a client says of a proxy is not believed");
    ask("GET", "/v1/orders/7").host("keys.localhost").send(&scene).await.refused(404, "ROUTE_NOT_FOUND");
    ask("GET", "/v1/keys/k").host("big-orders.localhost").send(&scene).await.refused(404, "ROUTE_NOT_FOUND");
    assert_eq!(ask("GET", "/v1/orders/7").host("big-orders.localhost").send(&scene).await.status, 200);
}

#[tokio::test]
async fn the_answer_says_which_route_it_was_and_not_which_path() {
    let scene = Scene::new();
    let response = scene.raw(ask("GET", "/v1/orders/somebody@example.com").request()).await;
    let matched = response.extensions().get::<pavise_rest::Matched>().unwrap();
    assert_eq!(&*matched.0, "GET /v1/orders/{order_id}");
}
