//! Requests that look right, with something in them damaged.

use pavise_contract::spelling;
use pavise_testapp::{Engine, TestApp, stock};
use pavise_testkit::chance::SeededRandom;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::bad_input::judge::{Sender, Tally, Want};
use crate::bad_input::target::{NOBODY, Target, is_special};

/// Sends so many requests, one after the other.
pub(crate) async fn run(engine: Engine, count: usize) {
    let app = TestApp::on(engine).start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
    let targets = crate::bad_input::targets(&app);
    let callers = [TestApp::staff(), TestApp::machine()];
    let mut chance = SeededRandom::new(20_260_301);
    let mut tally = Tally::default();
    // The ids for later requests, with those that earlier requests made.
    let mut ids: Vec<String> = vec![NOBODY.to_owned(), "alpha".to_owned()];
    for _ in 0..count {
        let target = chance.pick_one(&targets).clone();
        let sender = Sender::new(&app, chance.pick_one(&callers), &target);
        let path = target.path_with(|_| chance.pick_one(&ids).clone());
        let body = body(&target, &ids, &mut chance);
        let answer = sender.bytes(&mut tally, &path, body, Want::Answered).await;
        let id = answer.as_ref().and_then(|answer| answer.json["id"].as_str());
        if let Some(id) = id
            && ids.len() < 200
        {
            ids.push(id.to_owned());
        }
    }
    println!("{} entities were made", ids.len() - 2);
    app.finish().await;
    tally.report(&format!("damaged requests on {engine:?}"), u64::try_from(count).unwrap());
}

fn body(target: &Target, ids: &[String], chance: &mut SeededRandom) -> Option<Vec<u8>> {
    let fields = target.in_body();
    if fields.is_empty() {
        return None;
    }
    let mut whole = Map::new();
    for field in &fields {
        whole.insert(field.json_name().to_owned(), value(field, 0, ids, chance));
    }
    let mut value = Value::Object(whole);
    if target.binding.body != "*" {
        value = value[fields[0].json_name()].take();
    }
    // One request in ten stays intact.
    for _ in 0..chance.next_below(4).min(chance.next_below(10)) {
        spoil(&mut value, chance);
    }
    let mut text = value.to_string().into_bytes();
    if chance.is_in_percent(15) {
        for _ in 0..=chance.next_below(3) {
            let at = chance.next_below(text.len());
            match chance.next_below(3) {
                0 => text[at] = chance.next_byte(),
                1 if text.len() > 1 => drop(text.remove(at)),
                _ => text.insert(at, text[at]),
            }
        }
    }
    Some(text)
}

fn value(field: &FieldDescriptor, depth: usize, ids: &[String], chance: &mut SeededRandom) -> Value {
    if field.is_map() {
        return json!({});
    }
    if field.is_list() {
        return Value::Array((0..1 + chance.next_below(2)).map(|_| single(field, depth, ids, chance)).collect());
    }
    single(field, depth, ids, chance)
}

fn single(field: &FieldDescriptor, depth: usize, ids: &[String], chance: &mut SeededRandom) -> Value {
    match field.kind() {
        Kind::Message(message) => object(&message, depth, ids, chance),
        Kind::Enum(values) => {
            let spellings: Vec<String> = values.values().filter_map(|value| spelling::of(&value)).collect();
            if spellings.is_empty() { json!(0) } else { json!(chance.pick_one(&spellings)) }
        }
        Kind::Bool => json!(chance.is_in_percent(50)),
        Kind::String => json!(text(field.name(), ids, chance)),
        Kind::Bytes => json!("AAEC"),
        Kind::Double | Kind::Float => json!(1.5),
        // The test does not wait for entries that never come.
        _ if field.name() == "wait" => json!(0),
        _ => json!(chance.pick_one(&["1", "5", "12", "2030", "2995"])),
    }
}

fn object(message: &MessageDescriptor, depth: usize, ids: &[String], chance: &mut SeededRandom) -> Value {
    if is_special(message) {
        return match message.full_name() {
            "google.protobuf.Timestamp" => {
                json!(chance.pick_one(&["2026-03-05T06:07:08Z", "1999-12-31T23:59:59.999999Z", "9999-01-01T00:00:00Z"]))
            }
            "pavise.common.v1.Date" => {
                json!(chance.pick_one(&["2026-03-31", "2028-02-29", "0001-01-01", "9999-12-31"]))
            }
            _ => Value::Null,
        };
    }
    let mut fields = Map::new();
    for field in message.fields() {
        // At most one member of a oneof is set.
        let taken = field
            .containing_oneof()
            .is_some_and(|oneof| oneof.fields().any(|other| fields.contains_key(other.json_name())));
        if !taken && depth < 5 && chance.is_in_percent(if depth < 2 { 85 } else { 60 }) {
            fields.insert(field.json_name().to_owned(), value(&field, depth + 1, ids, chance));
        }
    }
    Value::Object(fields)
}

fn text(name: &str, ids: &[String], chance: &mut SeededRandom) -> String {
    let fixed = match name {
        "email" => "ada@example.com",
        "brand" => "alpha",
        "postal_code" => "78701",
        "locality" | "administrative_area" => "TX",
        "phone" | "phone_number" => "+15125550100",
        "vendor_token" => "test_4111111111111111",
        "last4" => "1111",
        _ if name.ends_with("id") || name.ends_with("ids") => return chance.pick_one(ids).clone(),
        _ => *chance.pick_one(&["a", "Ada", "some words", "x-1"]),
    };
    fixed.to_owned()
}

/// Replaces one of the values within by an unfitting one.
fn spoil(value: &mut Value, chance: &mut SeededRandom) {
    let mut at = chance.next_below(count(value));
    if let Some(found) = nth(value, &mut at) {
        *found = odd(chance);
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

fn nth<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|one| nth(one, at)),
        Value::Object(fields) => fields.values_mut().find_map(|one| nth(one, at)),
        _ => None,
    }
}

fn odd(chance: &mut SeededRandom) -> Value {
    match chance.next_below(22) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(0),
        4 => json!(i64::MAX),
        5 => json!(i64::MIN),
        6 => json!(u64::MAX),
        7 => json!(1e308),
        8 => json!(0.1),
        9 => json!("9223372036854775807"),
        10 => json!("-9223372036854775808"),
        11 => json!(""),
        12 => json!("a\0b"),
        13 => json!("x".repeat(10_000)),
        14 => json!("'; DROP TABLE orders; --"),
        15 => json!("\u{202e}\u{1f4a9}\u{feff}"),
        16 => json!([]),
        17 => json!({}),
        18 => json!([[[[{"a": null}]]]]),
        19 => json!("2026-02-30"),
        // One below the largest: the largest is in the logs of HTTP/2.
        20 => json!("2147483646"),
        _ => json!("-10000000000"),
    }
}
