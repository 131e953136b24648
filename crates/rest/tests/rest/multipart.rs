//! multipart/form-data.

use axum::body::Body;
use futures::stream;
use serde_json::json;

use crate::rig::{self, Rig, ask};

const TYPE: &str = "multipart/form-data; boundary=XX";

fn part(headers: &str, content: &str) -> String {
    format!("--XX\r\nContent-Disposition: form-data; {headers}\r\n\r\n{content}\r\n")
}

fn form(parts: &[String]) -> String {
    format!("{}--XX--\r\n", parts.concat())
}

#[tokio::test]
async fn parts_go_to_the_fields_that_the_contract_names() {
    let rig = Rig::new();
    let body = form(&[
        part("name=\"note\"", "from me"),
        part("name=\"tags\"", "x"),
        part("name=\"tags\"", "y"),
        part("name=\"file\"; filename=\"a b.png\"\r\nContent-Type: image/png", "\u{1}data"),
    ]);
    let pieces: Vec<Result<Vec<u8>, String>> = body.as_bytes().chunks(7).map(|piece| Ok(piece.to_vec())).collect();
    let answer = ask("POST", "/v1/orders/7/photo")
        .header("content-type", TYPE)
        .body(Body::from_stream(stream::iter(pieces)))
        .send(&rig)
        .await;
    answer.ok();
    let expected = json!({"orderId": "7", "note": "from me", "tags": ["x", "y"], "photo": "AWRhdGE=", "photoName": "a b.png", "photoType": "image/png"});
    assert_eq!(rig::json("pavise.shop.v1.Order", &rig.seen().message), expected);
}

#[tokio::test]
async fn the_same_call_takes_json() {
    let rig = Rig::new();
    ask("POST", "/v1/orders/7/photo").json(r#"{"photo":"AWRhdGE="}"#).send(&rig).await.ok();
    assert_eq!(rig::json("pavise.shop.v1.Order", &rig.seen().message), json!({"orderId": "7", "photo": "AWRhdGE="}));
}

#[tokio::test]
async fn bad_parts_are_refused() {
    let rig = Rig::new();
    let file = || part("name=\"file\"; filename=\"a\"", "x");
    for (parts, status, reason, field) in [
        (vec![part("name=\"nope\"", "x")], 400, "UNKNOWN_FIELD", Some("nope")),
        (vec![part("name=\"orderId\"", "8")], 400, "INVALID_FIELD", Some("orderId")),
        (vec![part("name=\"amount\"", "ten")], 400, "INVALID_FIELD", Some("amount")),
        (vec![part("name=\"note\"", "a"), part("name=\"note\"", "b")], 400, "INVALID_FIELD", Some("note")),
        (vec![file(), file()], 400, "INVALID_FIELD", Some("photo")),
        (vec![part("name=\"file\"", &"x".repeat(65))], 413, "BODY_TOO_LARGE", Some("photo")),
        (vec![part("name=\"note\"", &"x".repeat(2000))], 413, "BODY_TOO_LARGE", None),
        (vec![part("filename=\"a\"", "x")], 400, "MALFORMED_JSON", None),
    ] {
        let answer = ask("POST", "/v1/orders/7/photo").header("content-type", TYPE).body(form(&parts)).send(&rig).await;
        answer.refused(status, reason);
        if let Some(field) = field {
            answer.field(field);
        }
    }
    assert_eq!(rig.calls(), 0);
}

#[tokio::test]
async fn what_is_no_form_is_refused() {
    let rig = Rig::new();
    let post =
        |kind: &str, body: &str| ask("POST", "/v1/orders/7/photo").header("content-type", kind).body(body.to_owned());
    post(TYPE, "hello").send(&rig).await.refused(400, "MALFORMED_JSON");
    post(TYPE, "--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nab")
        .send(&rig)
        .await
        .refused(400, "MALFORMED_JSON");
    post("multipart/form-data", "--XX--").send(&rig).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    post("multipart/mixed; boundary=XX", "--XX--").send(&rig).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    post(TYPE, &format!("--XX\r\n{}\r\n\r\nx\r\n--XX--\r\n", "X-Long: ".repeat(20_000)))
        .send(&rig)
        .await
        .refused(413, "BODY_TOO_LARGE");
    let latin: Vec<u8> = [form(&[part("name=\"note\"", "?")]).replace('?', "\u{0}").into_bytes()]
        .concat()
        .into_iter()
        .map(|byte| if byte == 0 { 0xff } else { byte })
        .collect();
    let answer = ask("POST", "/v1/orders/7/photo").header("content-type", TYPE).body(latin).send(&rig).await;
    answer.refused(400, "INVALID_FIELD").field("note");
    assert_eq!(rig.calls(), 0);
}
