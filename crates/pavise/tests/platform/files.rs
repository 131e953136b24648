//! Files over REST: forms, ranges, links and records, as browsers and programs use them (rule 273).
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use axum::body::Body;
use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

/// The size of a large file.
const LARGE: usize = 60 << 20;
const BOUNDARY: &str = "a-boundary";

struct Sender<'a> {
    app: &'a TestApp,
    token: String,
}

impl Sender<'_> {
    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> (u16, HeaderMap, Bytes) {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer =
            tower::ServiceExt::oneshot(self.app.app.router.clone(), request.body(body).unwrap()).await.unwrap();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        (status, headers, answer.into_body().collect().await.unwrap().to_bytes())
    }

    async fn json(&self, method: &str, path: &str, body: Value) -> Value {
        let (status, _, answer) =
            self.send(method, path, &[("content-type", "application/json")], Body::from(body.to_string())).await;
        let answer = String::from_utf8(answer.to_vec()).unwrap();
        assert_eq!(status, 200, "{path}: {answer}");
        serde_json::from_str(&answer).unwrap()
    }
}

fn sender<'a>(app: &'a TestApp, token: String) -> Sender<'a> {
    Sender { app, token }
}

/// Keeps a file, and answers its record.
pub(super) async fn keep_file(app: &TestApp, token: String, container: &str, name: &str, content: &str) -> Value {
    let body = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"container\"\r\n\r\n{container}\r\n--{BOUNDARY}\r\n\
         content-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{content}\r\n--{BOUNDARY}--\r\n"
    );
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let headers = [("content-type", kind.as_str())];
    let (status, _, answer) = sender(app, token).send("POST", "/v1/container/files", &headers, Body::from(body)).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
    serde_json::from_slice(&answer).unwrap()
}

/// Lines of text, piece by piece.
fn pieces(size: usize) -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> + Send {
    let piece = Bytes::from("0123456789abcde\n".repeat(4096));
    stream::iter((0..size / piece.len()).map(move |_| Ok(piece.clone())))
}

/// A form with a file of that size.
fn form(name: &str, size: usize) -> Body {
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"container\"\r\n\r\nOTHER\r\n\
         --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: text/plain\r\n\r\n"
    );
    let (head, end) =
        (stream::iter([Ok(Bytes::from(head))]), stream::iter([Ok(Bytes::from(format!("\r\n--{BOUNDARY}--\r\n")))]));
    Body::from_stream(futures::StreamExt::chain(futures::StreamExt::chain(head, pieces(size)), end))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_comes_by_form_and_by_link_and_goes_in_parts() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let ada = sender(&app, app.token(&TestApp::member("ada")));
        let program = sender(&app, app.token(&TestApp::machine()));
        let visitor = sender(&app, String::new());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let (status, _, stored) =
            ada.send("POST", "/v1/container/files", &[("content-type", &kind)], form("large.txt", LARGE)).await;
        let stored: Value = serde_json::from_slice(&stored).unwrap();
        assert_eq!(
            (status, &stored["size"], &stored["status"]),
            (200, &json!("62914560"), &json!("AVAILABLE")),
            "{stored}"
        );
        assert_eq!((&stored["name"], &stored["ownerId"]), (&json!("large.txt"), &json!("ada")), "{stored}");
        assert!(stored.get("storageKey").is_none_or(|key| key == ""), "{stored}");
        let path = "/v1/container/files?container=OTHER&name=large.txt";
        let (status, headers, part) = ada.send("GET", path, &[("range", "bytes=16-31")], Body::empty()).await;
        assert_eq!((status, part.as_ref()), (206, b"0123456789abcde\n".as_slice()));
        assert_eq!(headers["content-disposition"], "attachment; filename=\"large.txt\"");
        assert_eq!(
            (&headers["x-content-type-options"], &headers["content-type"]),
            (&"nosniff".parse().unwrap(), &"text/plain".parse().unwrap())
        );
        let etag = headers["etag"].to_str().unwrap().to_owned();
        assert_eq!(etag, format!("\"{}\"", stored["sha256"].as_str().unwrap()));
        let (status, ..) = ada.send("GET", path, &[("if-none-match", &etag)], Body::empty()).await;
        assert_eq!(status, 304);
        let (status, _, whole) = ada.send("GET", path, &[], Body::empty()).await;
        assert_eq!((status, whole.len()), (200, LARGE));
        let (status, _, record) = ada.send("GET", path, &[("accept", "application/json")], Body::empty()).await;
        let record: Value = serde_json::from_slice(&record).unwrap();
        assert_eq!((status, &record["id"]), (200, &stored["id"]), "{record}");
        let (status, ..) = visitor.send("GET", path, &[], Body::empty()).await;
        assert_eq!(status, 401);
        by_link(&ada, &program, &visitor).await;
        let (status, ..) = ada.send("DELETE", path, &[], Body::empty()).await;
        assert_eq!(status, 200);
        let (status, ..) = ada.send("GET", path, &[], Body::empty()).await;
        assert_eq!(status, 404);
        app.finish().await;
    }
}

/// A program gets a link for a member, a visitor uses it, and the member has the file.
async fn by_link(ada: &Sender<'_>, program: &Sender<'_>, visitor: &Sender<'_>) {
    let wish = json!({"ownerId": "ada", "container": "CHAT", "resourceId": "chat-1", "files": [{"name": "large.txt"}]});
    let links = program.json("POST", "/v1/files/uploadLinks", wish).await;
    let url = links["links"][0]["url"].as_str().unwrap().to_owned();
    let (status, _, sent) =
        visitor.send("PUT", &url, &[("content-type", "text/plain")], Body::from_stream(pieces(LARGE))).await;
    let sent: Value = serde_json::from_slice(&sent).unwrap();
    assert_eq!((status, &sent["size"]), (200, &json!("62914560")), "{sent}");
    let (status, ..) = visitor.send("PUT", &url, &[("content-type", "text/plain")], Body::from("again")).await;
    assert_eq!(status, 403);
    let ask = json!({"ownerId": "ada", "fileIds": [sent["fileId"]]});
    let links = program.json("POST", "/v1/files/downloadLinks", ask).await;
    let url = links["links"][0]["url"].as_str().unwrap().to_owned();
    let (status, _, whole) = visitor.send("GET", &url, &[], Body::empty()).await;
    assert_eq!((status, whole.len()), (200, LARGE));
    let mut forged = url.clone();
    forged.insert(url.len() - 9, 'x');
    let (status, ..) = visitor.send("GET", &forged, &[], Body::empty()).await;
    assert_eq!(status, 403);
    let (status, _, seen) =
        ada.send("GET", &format!("/v1/files/{}", sent["fileId"].as_str().unwrap()), &[], Body::empty()).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&seen));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_comes_as_pdf_whole_in_part_and_not_again() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let ada = sender(&app, app.token(&TestApp::member("ada")));
        let bob = sender(&app, app.token(&TestApp::member("bob")));
        let program = sender(&app, app.token(&TestApp::machine()));
        let item = json!({"type": "ORDER", "amount": {"currency": "CAD", "amount": "2995"}, "description": "Legal"});
        let raised = json!({"currency": "CAD", "items": [item], "buyer": {"name": "Ada", "locale": "fr-CA"}});
        let invoice = program.json("POST", "/v1/identities/ada/invoices", raised).await;
        let path = format!("/v1/identities/ada/invoices/{}/pdf", invoice["id"].as_str().unwrap());
        let (status, headers, whole) = ada.send("GET", &path, &[], Body::empty()).await;
        assert_eq!((status, &headers["content-type"]), (200, &"application/pdf".parse().unwrap()));
        let name = format!("inline; filename=\"{}.pdf\"", invoice["number"].as_str().unwrap());
        assert_eq!(headers["content-disposition"], name);
        assert!(whole.starts_with(b"%PDF-1.7"));
        let (status, _, part) = ada.send("GET", &path, &[("range", "bytes=5-7")], Body::empty()).await;
        assert_eq!((status, part.as_ref()), (206, b"1.7".as_slice()));
        let etag = headers["etag"].to_str().unwrap().to_owned();
        let (status, ..) = ada.send("GET", &path, &[("if-none-match", &etag)], Body::empty()).await;
        assert_eq!(status, 304, "the same invoice gives the same bytes");
        let (status, _, english) = ada.send("GET", &format!("{path}?locale=en-CA"), &[], Body::empty()).await;
        assert!(status == 200 && english != whole);
        let (status, ..) = ada.send("GET", &format!("{path}?locale=de-DE"), &[], Body::empty()).await;
        assert_eq!(status, 400);
        let (status, ..) = bob.send("GET", &path, &[], Body::empty()).await;
        assert_eq!(status, 403);
        let day = invoice["dueOn"].as_str().unwrap();
        let table = format!("/v1/identities/ada/statement/file?from={day}&to={day}&format=CSV");
        let (status, headers, table) = ada.send("GET", &table, &[], Body::empty()).await;
        assert_eq!((status, &headers["content-type"]), (200, &"text/csv; charset=utf-8".parse().unwrap()));
        assert!(String::from_utf8_lossy(&table).contains(",CHARGE,"), "{}", String::from_utf8_lossy(&table));
        app.finish().await;
    }
}
