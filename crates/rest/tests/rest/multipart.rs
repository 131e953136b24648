//! Files, in a form or as they are.

use axum::body::Body;
use bytes::Bytes;
use futures::stream;
use serde_json::{Value, json};

use crate::scene::{self, Answer, Reply, Scene, ask};

const TYPE: &str = "multipart/form-data; boundary=XX";
const CHUNK: usize = 64 << 10;

fn part(headers: &str, content: &str) -> String {
    format!("--XX\r\nContent-Disposition: form-data; {headers}\r\n\r\n{content}\r\n")
}

fn file(content: &str) -> String {
    part("name=\"file\"; filename=\"a b.png\"\r\nContent-Type: image/png", content)
}

fn form(parts: &[String]) -> String {
    format!("{}--XX--\r\n", parts.concat())
}

fn scene() -> Scene {
    Scene::answering(|_| Reply::Nothing)
}

/// A body that comes in pieces of that size.
fn in_pieces(body: &[u8], size: usize) -> Body {
    let pieces: Vec<Result<Vec<u8>, String>> = body.chunks(size).map(|piece| Ok(piece.to_vec())).collect();
    Body::from_stream(stream::iter(pieces))
}

async fn post(scene: &Scene, kind: &str, body: impl Into<Body>) -> Answer {
    ask("POST", "/v1/orders/7/photo").header("content-type", kind).body(body).send(scene).await
}

/// The first message, and the content of all others.
fn arrived(scene: &Scene) -> (Value, Vec<u8>) {
    let seen = scene.seen();
    let mut content = Vec::new();
    for message in &seen.further {
        let chunk = chunk(message);
        assert!((1..=CHUNK).contains(&chunk.len()), "{}", chunk.len());
        content.extend_from_slice(&chunk);
    }
    (scene::json("pavise.shop.v1.Photo", &seen.message), content)
}

/// The content of field 7, which is all that the message has.
fn chunk(message: &Bytes) -> Bytes {
    let mut left = message.clone();
    assert_eq!(left.split_to(1)[0], 7 << 3 | 2);
    let length = prost::decode_length_delimiter(&mut left).unwrap();
    assert_eq!(length, left.len());
    left
}

#[tokio::test]
async fn a_form_is_its_fields_and_then_its_file() {
    let scene = scene();
    let content = "\u{1}data".repeat(20_000);
    let body = form(&[
        part("name=\"note\"", "from me"),
        part("name=\"tags\"", "x"),
        part("name=\"tags\"", "y"),
        file(&content),
    ]);
    for size in [7, 1000, body.len()] {
        post(&scene, TYPE, in_pieces(body.as_bytes(), size)).await.ok();
        let fields =
            json!({"orderId": "7", "note": "from me", "tags": ["x", "y"], "name": "a b.png", "type": "image/png"});
        assert_eq!(arrived(&scene), (fields, content.clone().into_bytes()));
    }
}

#[tokio::test]
async fn the_body_may_be_the_file_itself() {
    let scene = scene();
    let content = vec![7_u8; 150_001];
    let answer = ask("POST", "/v1/orders/7/photo?note=from+me&tags=x&tags=y&name=a.png")
        .header("content-type", "Image/PNG; q=1")
        .body(in_pieces(&content, 100_000))
        .send(&scene)
        .await;
    answer.ok();
    let fields = json!({"orderId": "7", "note": "from me", "tags": ["x", "y"], "name": "a.png", "type": "Image/PNG"});
    assert_eq!(arrived(&scene), (fields, content));
    assert_eq!(scene.seen().headers["grpc-timeout"], "1H");
    post(&scene, "text/plain", "").await.ok();
    assert_eq!(arrived(&scene), (json!({"orderId": "7", "type": "text/plain"}), Vec::new()));
}

#[tokio::test]
async fn bad_parts_are_refused() {
    let scene = scene();
    for (parts, status, reason, field) in [
        (vec![part("name=\"nope\"", "x")], 400, "UNKNOWN_FIELD", Some("nope")),
        (vec![part("name=\"chunk\"", "x")], 400, "UNKNOWN_FIELD", Some("chunk")),
        (vec![part("name=\"orderId\"", "8")], 400, "INVALID_FIELD", Some("orderId")),
        (vec![part("name=\"amount\"", "ten")], 400, "INVALID_FIELD", Some("amount")),
        (vec![part("name=\"note\"", "a"), part("name=\"note\"", "b")], 400, "INVALID_FIELD", Some("note")),
        (vec![part("name=\"note\"", "a")], 400, "INVALID_FIELD", Some("chunk")),
        (vec![part("name=\"note\"", &"x".repeat(20_000))], 413, "BODY_TOO_LARGE", Some("note")),
        (vec![part("filename=\"a\"", "x")], 400, "MALFORMED_JSON", None),
        (vec![part("name=\"file\"; filename=\"a\"", "x")], 415, "UNSUPPORTED_MEDIA_TYPE", None),
    ] {
        let answer = post(&scene, TYPE, form(&parts)).await;
        answer.refused(status, reason);
        if let Some(field) = field {
            answer.field(field);
        }
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn a_file_that_is_refused_on_its_way_never_ends() {
    let scene = scene();
    let late = post(&scene, TYPE, form(&[file("x"), part("name=\"note\"", "late")])).await;
    late.refused(400, "INVALID_FIELD").field("note");
    post(&scene, TYPE, form(&[file("x"), file("y")])).await.refused(400, "INVALID_FIELD").field("file");
    post(&scene, TYPE, form(&[file("x")]).replace("--XX--", "")).await.refused(400, "MALFORMED_JSON");
    let large = vec![0; 200_001];
    post(&scene, "image/png", in_pieces(&large, 50_000)).await.refused(413, "BODY_TOO_LARGE");
    post(&scene, TYPE, form(&[file(&"x".repeat(200_001))])).await.refused(413, "BODY_TOO_LARGE");
    let cut = stream::iter([Ok(vec![1; 10]), Err("the cable is cut")]);
    post(&scene, "image/png", Body::from_stream(cut)).await.refused(400, "MALFORMED_JSON");
    assert_eq!(scene.calls(), 0, "the domain never sees an end");
    let declared =
        ask("POST", "/v1/orders/7/photo").header("content-type", "image/png").header("content-length", "200001");
    declared.body(in_pieces(&large, 50_000)).send(&scene).await.refused(413, "BODY_TOO_LARGE");
}

#[tokio::test]
async fn what_is_no_form_and_no_such_file_is_refused() {
    let scene = scene();
    post(&scene, TYPE, "hello").await.refused(400, "MALFORMED_JSON");
    let cut = "--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nab";
    post(&scene, TYPE, cut).await.refused(400, "MALFORMED_JSON");
    post(&scene, "multipart/form-data", "--XX--").await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    post(&scene, "application/json", "{}").await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    let untyped = ask("POST", "/v1/orders/7/photo").body("x").send(&scene).await;
    untyped.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    let zipped =
        ask("POST", "/v1/orders/7/photo").header("content-type", "image/png").header("content-encoding", "gzip");
    zipped.body("x").send(&scene).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    let query = ask("POST", "/v1/orders/7/photo?chunk=eA==").header("content-type", "image/png").body("x");
    query.send(&scene).await.refused(400, "INVALID_FIELD").field("chunk");
    let headers = format!("--XX\r\n{}\r\n\r\nx\r\n--XX--\r\n", "X-Long: ".repeat(60_000));
    post(&scene, TYPE, headers).await.refused(413, "BODY_TOO_LARGE");
    let mut latin = form(&[part("name=\"note\"", "?")]).into_bytes();
    let at = latin.iter().position(|byte| *byte == b'?').unwrap();
    latin[at] = 0xff;
    post(&scene, TYPE, latin).await.refused(400, "INVALID_FIELD").field("note");
    assert_eq!(scene.calls(), 0);
}
