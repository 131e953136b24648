//! The headers of protection on every kind of answer, of both ports.

use std::path::Path;

use pavise::wire::client_builder;
use reqwest::{Client, Method, RequestBuilder, Response};

use super::Server;

const DATA: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A folder of web apps with a page and a script each.
fn apps(folder: &Path) {
    for name in ["app", "console", "docs"] {
        let assets = folder.join(name).join("assets");
        std::fs::create_dir_all(&assets).unwrap();
        std::fs::write(folder.join(name).join("index.html"), "<title>page</title>").unwrap();
        std::fs::write(assets.join("one-1.js"), "1").unwrap();
    }
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
}

/// A call of gRPC or gRPC-web with an empty message.
fn grpc(client: &Client, url: String, kind: &str) -> RequestBuilder {
    client.post(url).header("content-type", kind).header("te", "trailers").body(vec![0_u8; 5])
}

/// Sends it, and checks the headers. Answers the status.
async fn checked(what: &str, request: RequestBuilder, transport: &str) -> u16 {
    let answer = request.send().await.unwrap();
    assert_eq!(header(&answer, "strict-transport-security"), transport, "{what}");
    for name in ["x-content-type-options", "content-security-policy", "referrer-policy", "x-frame-options"] {
        assert_eq!(answer.headers().get_all(name).iter().count(), 1, "{what}: {name}");
    }
    assert_eq!((header(&answer, "x-content-type-options"), header(&answer, "x-frame-options")), ("nosniff", "DENY"));
    let policy = header(&answer, "content-security-policy");
    if ["/app", "/console", "/docs"].iter().any(|page| answer.url().path().starts_with(page)) {
        for part in ["img-src 'self' data:;", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"] {
            assert!(policy.contains(part), "{what}: {policy}");
        }
        assert!(!policy.contains("https:"), "{what}: no pictures of others: {policy}");
        assert_eq!(header(&answer, "referrer-policy"), "same-origin");
    } else {
        assert_eq!((policy, header(&answer, "referrer-policy")), (DATA, "no-referrer"), "{what}");
    }
    answer.status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_answer_protects_its_reader() {
    let folder = tempfile::tempdir().unwrap();
    apps(&folder.path().join("web"));
    let (database, web) = (folder.path().join("pavise.db"), folder.path().join("web"));
    let more = ["--public-url", "https://pavise.example", "--outbox", "--reflection", "--web", web.to_str().unwrap()];
    let server = Server::start(&database, &more).ready();
    let (plain, two) = (client_builder().build().unwrap(), client_builder().http2_prior_knowledge().build().unwrap());
    let always = "max-age=31536000; includeSubDomains";
    let (at, admin) = (format!("http://{}", server.listen), format!("http://{}", server.admin));
    for (method, path, status) in [
        (Method::GET, "/v1/products", 200),
        (Method::HEAD, "/v1/products", 200),
        (Method::OPTIONS, "/v1/products", 204),
        (Method::GET, "/v1/identities/somebody/orders", 401),
        (Method::GET, "/v1/nothing", 404),
        (Method::GET, "/nothing", 404),
        (Method::PATCH, "/v1/tokens", 405),
        (Method::GET, "/openapi.json", 200),
        (Method::GET, "/openapi/orders.json", 200),
        (Method::GET, "/openapi/nothing.json", 404),
        (Method::GET, "/contract.json", 200),
        (Method::GET, "/.well-known/jwks.json", 200),
        (Method::GET, "/app/", 200),
        (Method::GET, "/app/cart", 200),
        (Method::GET, "/app/assets/one-1.js", 200),
        (Method::GET, "/app/assets/two.js", 404),
        (Method::GET, "/console/", 200),
        (Method::GET, "/docs/", 200),
    ] {
        for client in [&plain, &two] {
            let what = format!("{method} {path}");
            assert_eq!(
                checked(&what, client.request(method.clone(), format!("{at}{path}")), always).await,
                status,
                "{what}"
            );
        }
    }
    let typed = plain.post(format!("{at}/v1/tokens")).header("content-type", "text/plain").body("x");
    assert_eq!(checked("415", typed, always).await, 415);
    for path in ["pavise.catalog.v1.ProductService/ListProducts", "pavise.catalog.v1.ProductService/Nothing", "a.B/C"] {
        for kind in ["application/grpc", "application/grpc-web+proto"] {
            checked(&format!("{path} as {kind}"), grpc(&two, format!("{at}/{path}"), kind), always).await;
        }
    }
    // The admin port has no TLS, and no browser keeps a promise that did not come by TLS.
    for path in ["/healthz", "/readyz", "/metrics", "/outbox", "/nothing"] {
        checked(path, plain.get(format!("{admin}{path}")), "").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_describes_itself_only_where_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let two = client_builder().http2_prior_knowledge().build().unwrap();
    let reflection = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    for (more, is_served) in [(&[][..], false), (&["--reflection"][..], true)] {
        let server = Server::start(&folder.path().join("pavise.db"), more).ready();
        let at = format!("http://{}", server.listen);
        let answer = grpc(&two, format!("{at}/{reflection}"), "application/grpc").send().await.unwrap();
        let served = answer.status() == 200 && header(&answer, "grpc-status").is_empty();
        assert_eq!(served, is_served, "{more:?}: {answer:?}");
        assert_eq!(checked("without https", two.get(format!("{at}/v1/products")), "").await, 200);
        let messages = client_builder().build().unwrap().get(format!("http://{}/outbox", server.admin));
        assert_eq!(messages.send().await.unwrap().status(), 404, "no outbox was asked for");
        server.stop();
        assert!(server.end().0.success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outbox_is_shown_on_the_machine_itself_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("pavise.db"), &["--outbox"]).ready();
    let ask = || client_builder().build().unwrap().get(format!("http://{}/outbox", server.admin));
    let port = server.admin.rsplit(':').next().unwrap();
    assert_eq!(ask().send().await.unwrap().status(), 200);
    assert_eq!(ask().header("host", format!("localhost:{port}")).send().await.unwrap().status(), 200);
    for (name, value) in [("host", "pavise.example"), ("host", "evil.example:80"), ("x-forwarded-for", "192.0.2.7")] {
        let answer = ask().header(name, value).send().await.unwrap();
        assert_eq!(answer.status(), 403, "{name}: {value}");
        assert!(answer.text().await.unwrap().contains("own machine"));
    }
}
