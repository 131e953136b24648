//! Tests of request bodies.

use axum::body::Body;
use futures::stream;
use serde_json::json;

use crate::scene::{self, Scene, ask};

#[tokio::test]
async fn a_whole_body_and_the_path_make_the_message() {
    let scene = Scene::new();
    let body = r#"{"note":"n","amount":"5","status":"FULLY_FUNDED","lines":[{"offerId":"o","count":2}],"labels":{"a":"b"},"place":{"city":"Ada"}}"#;
    ask("PUT", "/v1/orders/7").json(body).send(&scene).await.ok();
    let mut expected: serde_json::Value = serde_json::from_str(body).unwrap();
    expected["orderId"] = json!("7");
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), expected);
}

#[tokio::test]
async fn a_named_body_is_one_field() {
    let scene = Scene::new();
    ask("PUT", "/v1/orders/7/tags").json(r#" ["x", "y"] "#).send(&scene).await.ok();
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"orderId": "7", "tags": ["x", "y"]}));
}

#[tokio::test]
async fn nothing_can_be_smuggled_in_beside_a_named_body() {
    let scene = Scene::new();
    for (path, body) in [
        ("/v1/orders/7/tags", r#"["x"],"passwordHash":"h""#),
        ("/v1/orders/7/tags", r#"[]} {"a":1"#),
        ("/v1/orders/7/place", r#"{"city":"Ada"},"note":"x""#),
    ] {
        ask("PUT", path).json(body).send(&scene).await.refused(400, "MALFORMED_JSON");
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn get_and_delete_may_have_a_body() {
    let scene = Scene::new();
    ask("GET", "/v1/orders/getByIdList").json(r#"{"tags":["1","2"]}"#).send(&scene).await.ok();
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"tags": ["1", "2"]}));
    let answer = ask("DELETE", "/v1/orders/7").json(r#"{"note":"why"}"#).send(&scene).await;
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"orderId": "7", "note": "why"}));
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn no_body_is_an_empty_one() {
    let scene = Scene::new();
    for request in [
        ask("POST", "/v1/orders"),
        ask("POST", "/v1/orders").header("content-length", "0"),
        ask("POST", "/v1/orders").json(""),
        ask("POST", "/v1/orders").header("content-type", "text/plain").header("content-length", "0"),
        ask("POST", "/v1/orders").json("{}"),
        ask("POST", "/v1/orders/7:close"),
        ask("POST", "/v1/orders/7:close").json("{ }"),
        ask("GET", "/v1/orders/7").json("{}"),
        ask("GET", "/v1/orders/7").body(Body::from_stream(stream::empty::<Result<Vec<u8>, String>>())),
    ] {
        let answer = request.send(&scene).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    }
    ask("PUT", "/v1/orders/7/place").send(&scene).await.ok();
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"orderId": "7"}));
}

#[tokio::test]
async fn a_call_without_a_body_takes_none() {
    let scene = Scene::new();
    ask("POST", "/v1/orders/7:close")
        .json(r#"{"note":"x"}"#)
        .send(&scene)
        .await
        .refused(400, "UNKNOWN_FIELD")
        .field("note");
    for body in ["[]", "null", "7", "{", "{} {}", "hello"] {
        ask("POST", "/v1/orders/7:close").json(body).send(&scene).await.refused(400, "MALFORMED_JSON");
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn bad_json_is_refused_with_place_and_field() {
    let scene = Scene::new();
    for body in [
        "{",
        "}",
        "[]",
        "null",
        "1",
        "\"a\"",
        "{\"note\":}",
        "{\"note\":\"a\",}",
        "{'note':1}",
        "{\"note\":\"\u{1}\"}",
        "{\"note\":\"\\x\"}",
        "{\"note\":\"\\ud800\"}",
        "{} {}",
        "{\"amount\":01}",
        "{\"note\" \"a\"}",
        "\u{feff}{}",
        "nul",
        "{\"note\":\"a\"",
    ] {
        let answer = ask("POST", "/v1/orders").json(body).send(&scene).await;
        assert_eq!(answer.status, 400, "{body}: {:?}", answer.body);
        assert!(["MALFORMED_JSON", "INVALID_FIELD"].contains(&answer.reason().as_str()), "{body}: {:?}", answer.body);
    }
    let answer = ask("POST", "/v1/orders").json("{\n  \"note\": }").send(&scene).await;
    answer.refused(400, "MALFORMED_JSON");
    assert!(answer.json()["message"].as_str().unwrap().contains("line 2"), "{:?}", answer.body);
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn the_nul_character_is_refused_at_its_field_and_malformed_json_says_its_place_once() {
    let scene = Scene::new();
    for (method, path, body, field) in [
        ("PUT", "/v1/orders/7", r#"{"note":"a\u0000"}"#, "note"),
        ("PUT", "/v1/orders/7", r#"{"lines":[{"count":1},{"offerId":"\u0000"}]}"#, "lines[1].offerId"),
        ("PUT", "/v1/orders/7/tags", r#"["x","\u0000"]"#, "tags[1]"),
        ("PUT", "/v1/orders/a%00b", "{}", "orderId"),
    ] {
        let answer = ask(method, path).json(body).send(&scene).await;
        answer.refused(400, "INVALID_FIELD");
        assert_eq!(answer.json()["details"][1]["fieldViolations"][0]["field"], field, "{body}");
    }
    assert_eq!(scene.calls(), 0);
    // A backslash before it makes it the text of an escape, which is no NUL.
    ask("PUT", "/v1/orders/7").json(r#"{"note":"\\u0000"}"#).send(&scene).await.ok();
    let answer = ask("PUT", "/v1/orders/7").json("{x").send(&scene).await;
    assert_eq!(answer.json()["message"].as_str().unwrap().matches("at line").count(), 1, "{:?}", answer.body);
}

#[tokio::test]
async fn unknown_fields_are_refused_wherever_they_are() {
    let scene = Scene::new();
    for (path, body, field) in [
        ("/v1/orders/7", r#"{"nope":1}"#, "nope"),
        ("/v1/orders/7", r#"{"snake_nope":1}"#, "snake_nope"),
        ("/v1/orders/7", r#"{"place":{"nope":1}}"#, "place.nope"),
        ("/v1/orders/7", r#"{"lines":[{"offerId":"a"},{"offer":"b"}]}"#, "lines[1].offer"),
        ("/v1/orders/7/place", r#"{"nope":1}"#, "place.nope"),
        ("/v1/orders/7/place", r#"{"next":{"nope":1}}"#, "place.next.nope"),
    ] {
        ask("PUT", path).json(body).send(&scene).await.refused(400, "UNKNOWN_FIELD").field(field);
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn values_that_do_not_fit_are_refused_with_the_field() {
    let scene = Scene::new();
    for (body, field) in [
        (r#"{"note":1}"#, "note"),
        (r#"{"amount":"ten"}"#, "amount"),
        (r#"{"amount":1.5}"#, "amount"),
        (r#"{"amount":9223372036854775808}"#, "amount"),
        (r#"{"status":"NOPE"}"#, "status"),
        (r#"{"status":"ORDER_STATUS_NOPE"}"#, "status"),
        (r#"{"tags":"x"}"#, "tags"),
        (r#"{"tags":["x",1]}"#, "tags[1]"),
        (r#"{"place":[]}"#, "place"),
        (r#"{"lines":[{"count":"many"}]}"#, "lines[0].count"),
        (r#"{"isGift":"true"}"#, "isGift"),
        (r#"{"orderedAt":"2026-13-01T00:00:00Z"}"#, "orderedAt"),
        (r#"{"photo":"***"}"#, "photo"),
        (r#"{"note":"a","note":"b"}"#, "note"),
        (r#"{"cardId":"a","invoiceId":"b"}"#, "invoiceId"),
        (r#"{"labels":{"a":1}}"#, r#"labels["a"]"#),
    ] {
        let answer = ask("POST", "/v1/orders").json(body).send(&scene).await;
        answer.refused(400, "INVALID_FIELD").field(field);
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn the_path_and_the_body_do_not_say_the_same_field() {
    let scene = Scene::new();
    for body in [r#"{"orderId":"8"}"#, r#"{"order_id":"7"}"#, r#"{"note":"a","orderId":"7"}"#] {
        ask("PUT", "/v1/orders/7").json(body).send(&scene).await.refused(400, "INVALID_FIELD").field("orderId");
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn only_json_in_utf8_is_read() {
    let scene = Scene::new();
    for good in [
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/json; q=1",
    ] {
        let answer = ask("POST", "/v1/orders").header("content-type", good).body("{}").send(&scene).await;
        assert_eq!(answer.status, 200, "{good}");
    }
    let calls = scene.calls();
    for bad in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
        "application/jsonx",
        "multipart/form-data; boundary=x",
        "",
        "application/grpc",
    ] {
        ask("POST", "/v1/orders")
            .header("content-type", bad)
            .body("{}")
            .send(&scene)
            .await
            .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    ask("POST", "/v1/orders").body("{}").send(&scene).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    ask("POST", "/v1/orders")
        .header("content-encoding", "gzip")
        .json("{}")
        .send(&scene)
        .await
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    ask("POST", "/v1/orders").json(b"{\"note\":\"\xff\"}".to_vec()).send(&scene).await.refused(400, "MALFORMED_JSON");
    assert_eq!(scene.calls(), calls);
}

#[tokio::test]
async fn large_bodies_are_refused_whether_or_not_they_say_how_large() {
    let scene = Scene::new();
    let large = format!("{{\"note\":\"{}\"}}", "a".repeat(64 << 10));
    ask("POST", "/v1/orders").json(large.clone()).send(&scene).await.refused(413, "BODY_TOO_LARGE");
    ask("POST", "/v1/orders")
        .header("content-length", "70000")
        .json("{}")
        .send(&scene)
        .await
        .refused(413, "BODY_TOO_LARGE");
    let chunks =
        stream::iter(large.into_bytes().chunks(1000).map(<[u8]>::to_vec).map(Ok::<_, String>).collect::<Vec<_>>());
    ask("POST", "/v1/orders").json(Body::from_stream(chunks)).send(&scene).await.refused(413, "BODY_TOO_LARGE");
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn a_body_in_pieces_is_read_as_one() {
    let scene = Scene::new();
    let pieces = ["", "{\"no", "te\":", "\"abc\"", "}", ""].map(|piece| Ok::<_, String>(piece.to_owned()));
    ask("POST", "/v1/orders").json(Body::from_stream(stream::iter(pieces))).send(&scene).await.ok();
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), json!({"note": "abc"}));
    let broken = stream::iter([Ok("{".to_owned()), Err("reset".to_owned())]);
    ask("POST", "/v1/orders").json(Body::from_stream(broken)).send(&scene).await.refused(400, "MALFORMED_JSON");
}

#[tokio::test]
async fn deep_nesting_is_refused_and_never_passed_on() {
    let scene = Scene::new();
    let deep = |open: &str, close: &str, levels: usize| format!("{}{}", open.repeat(levels), close.repeat(levels));
    for levels in [150, 5_000] {
        for body in [
            format!("{{\"place\":{}}}", deep("{\"next\":", "}", levels).replace("{\"next\":}", "{}")),
            format!("{{\"extra\":{{\"a\":{}}}}}", deep("[", "]", levels)),
            deep("[", "]", levels),
            format!("{{\"nope\":{}}}", deep("[", "]", levels)),
        ] {
            let answer = ask("POST", "/v1/orders").json(body).send(&scene).await;
            assert_eq!(answer.status, 400, "{:?}", answer.body);
        }
        let answer = ask("POST", "/v1/orders/7:close").json(deep("[", "]", levels)).send(&scene).await;
        answer.refused(400, "MALFORMED_JSON");
        let answer = ask("PUT", "/v1/orders/7/tags").json(deep("[", "]", levels)).send(&scene).await;
        assert_eq!(answer.status, 400, "{:?}", answer.body);
    }
    assert_eq!(scene.calls(), 0);
}
