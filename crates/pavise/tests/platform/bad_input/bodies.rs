//! Bodies that are wrong in themselves.

use prost_reflect::{FieldDescriptor, Kind};
use serde_json::{Value, json};

use crate::bad_input::judge::{Sender, Tally, Want};
use crate::bad_input::target::{NOBODY, Target};

/// Bodies that are no JSON, or no JSON that any message can be.
pub(crate) async fn not_json(sender: Sender, target: Target) -> Tally {
    let mut tally = Tally::default();
    let path = target.path(NOBODY);
    let malformed = Want::Reason(&["MALFORMED_JSON"]);
    // The first error in reading order counts: an unknown field is found before the text turns out to be broken.
    let early = Want::Reason(&["MALFORMED_JSON", "UNKNOWN_FIELD", "INVALID_FIELD"]);
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(200), close.repeat(200)).into_bytes();
    for body in [
        b"{".to_vec(),
        b"{\"a\":".to_vec(),
        b"{\"a\":\"b".to_vec(),
        b"}".to_vec(),
        b"{}{}".to_vec(),
        b"{} x".to_vec(),
        b"nonsense".to_vec(),
        b"{'a':1}".to_vec(),
        b"\xef\xbb\xbf".to_vec(),
        b"\xff\xfe{}".to_vec(),
        b"{\"a\":\"\xc3\x28\"}".to_vec(),
        b"{\"\xed\xa0\x80\":1}".to_vec(),
    ] {
        sender.bytes(&mut tally, &path, Some(body), early).await;
    }
    for body in [
        b"{\"nonsense\":\"\\ud800\"}".to_vec(),
        b"{\"nonsense\":1e999999}".to_vec(),
        b"[{}]".to_vec(),
        b"\"text\"".to_vec(),
        b"7".to_vec(),
        b"true".to_vec(),
        deep("{\"a\":", "}"),
        deep("[", "]"),
    ] {
        sender.bytes(&mut tally, &path, Some(body), Want::Refused).await;
    }
    let message = target.binding.body.is_empty()
        || target.in_body().iter().all(|field| !field.is_list() && field.kind().as_message().is_some());
    if target.binding.body == "*" || message {
        sender.json(&mut tally, &path, &json!({"nonsense": 1}), Want::Reason(&["UNKNOWN_FIELD"])).await;
    }
    let large = format!("{{\"nonsense\":\"{}\"}}", "x".repeat(5 << 20)).into_bytes();
    sender.bytes(&mut tally, &path, Some(large), Want::Reason(&["BODY_TOO_LARGE"])).await;
    for place in target.places(1) {
        if matches!(place.field().kind(), Kind::String) && !place.field().is_map() {
            let text = target.body(&place, json!("\u{1}mark"), true).to_string();
            for broken in ["\\ud800", "\\udc00x", "\\x", "\u{1}"] {
                let body = text.replace("\\u0001mark", broken).into_bytes();
                sender.bytes(&mut tally, &path, Some(body), malformed).await;
            }
        }
    }
    tally
}

/// A value of another kind than its field's, for every field down to one level below the body.
pub(crate) async fn wrong_kinds(sender: Sender, target: Target) -> Tally {
    let mut tally = Tally::default();
    let path = target.path(NOBODY);
    for place in target.places(1) {
        let field = place.field();
        if field.is_list() || field.is_map() {
            for value in [json!("x"), json!(5), if field.is_map() { json!([]) } else { json!({"x": 1}) }] {
                let body = target.body(&place, value, false);
                sender.json(&mut tally, &path, &body, Want::Field(&place.name(false))).await;
            }
        }
        if field.is_map() {
            continue;
        }
        for value in wrong(field) {
            let body = target.body(&place, value, true);
            sender.json(&mut tally, &path, &body, Want::Field(&place.name(true))).await;
        }
        if matches!(field.kind(), Kind::Enum(_)) {
            // ProtoJSON reads a number; the missing enumeration value is found later.
            let body = target.body(&place, json!(987_654), true);
            sender.json(&mut tally, &path, &body, Want::Refused).await;
        }
    }
    tally
}

/// Values that are none of the field's.
fn wrong(field: &FieldDescriptor) -> Vec<Value> {
    match field.kind() {
        Kind::String => vec![json!(5), json!(true), json!({}), json!([[]])],
        Kind::Bytes => vec![json!(5), json!("*"), json!({})],
        Kind::Bool => vec![json!("yes"), json!(1), json!({})],
        Kind::Double | Kind::Float => vec![json!("abc"), json!(true), json!({})],
        Kind::Enum(_) => vec![json!("NoSuchValue"), json!(""), json!(true), json!({}), json!(1.5)],
        Kind::Message(message) => match message.full_name() {
            "google.protobuf.Timestamp" => {
                vec![
                    json!("2026-02-30T00:00:00Z"),
                    json!("2026-02-28"),
                    json!("2026-02-28T25:00:00Z"),
                    json!("soon"),
                    json!(5),
                    json!({}),
                ]
            }
            "pavise.common.v1.Date" => {
                vec![
                    json!("2026-02-30"),
                    json!("2026-13-01"),
                    json!("0000-00-00"),
                    json!("26-1-1"),
                    json!("soon"),
                    json!(5),
                    json!({}),
                ]
            }
            _ => vec![json!(5), json!("x"), json!(true), json!([[]])],
        },
        _ => vec![
            json!("abc"),
            json!(true),
            json!({}),
            json!(1.5),
            json!("9223372036854775808"),
            json!("-9223372036854775809"),
            json!(1e30),
            json!(" 1"),
        ],
    }
}

/// Amounts beyond what money may be and amounts of no currency, wherever there is money.
pub(crate) async fn money(sender: Sender, target: Target) -> Tally {
    let mut tally = Tally::default();
    let path = target.path(NOBODY);
    for place in target.places(4) {
        let is_money =
            place.field().kind().as_message().is_some_and(|message| message.full_name() == "pavise.common.v1.Money");
        if !is_money || place.field().is_map() {
            continue;
        }
        let amount = place.name(true) + ".amount";
        for beyond in ["9223372036854775808", "-9223372036854775809", "1e40", "12.34"] {
            let body = target.body(&place, json!({"currency": "USD", "amount": beyond}), true);
            sender.json(&mut tally, &path, &body, Want::Field(&amount)).await;
        }
        for beyond in ["10000000001", "-10000000001", "9223372036854775807", "-9223372036854775808", "-1"] {
            let body = target.body(&place, json!({"currency": "USD", "amount": beyond}), true);
            sender.json(&mut tally, &path, &body, Want::Refused).await;
        }
        let currencies = [Some("EUR"), Some("usd"), Some(""), None];
        for money in currencies
            .map(|currency| currency.map_or(json!({"amount": "1"}), |it| json!({"currency": it, "amount": "1"})))
        {
            let body = target.body(&place, money, true);
            // The rule of a call for programs comes before the rules of its fields.
            let field = place.name(true) + ".currency";
            let want = if target.for_programs { Want::Refused } else { Want::Field(&field) };
            sender.json(&mut tally, &path, &body, want).await;
        }
    }
    tally
}
