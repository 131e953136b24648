//! Paths, queries and headers that say nothing that can be meant.

use http::Uri;
use prost_reflect::Kind;
use serde_json::json;

use crate::bad_input::judge::{Sender, Tally, Want};
use crate::bad_input::target::{NOBODY, Target};

pub(crate) async fn all(sender: Sender, target: Target) -> Tally {
    let mut tally = Tally::default();
    paths(&sender, &target, &mut tally).await;
    queries(&sender, &target, &mut tally).await;
    headers(&sender, &target, &mut tally).await;
    tally
}

async fn paths(sender: &Sender, target: &Target, tally: &mut Tally) {
    if !target.has_variables() {
        return;
    }
    let body = nothing(target);
    for broken in ["%zz", "%", "%2", "%ff", "a%C3", "%ed%a0%80"] {
        sender.bytes(tally, &target.path(broken), body.clone(), Want::Reason(&["MALFORMED_PATH"])).await;
    }
    let long = "x".repeat(5_000);
    for odd in ["", &long] {
        sender.bytes(tally, &target.path(odd), body.clone(), Want::Refused).await;
    }
    for odd in ["é", "..", ".", "%2F..%2F", "%20", "%0d%0aset-cookie:x", "'%3B--", "%F0%9F%92%A9"] {
        let path = target.path(odd);
        if path.parse::<Uri>().is_ok() {
            sender.bytes(tally, &path, body.clone(), Want::Answered).await;
        }
    }
}

async fn queries(sender: &Sender, target: &Target, tally: &mut Tally) {
    let (path, body) = (target.path(NOBODY), nothing(target));
    sender.bytes(tally, &format!("{path}?nonsense=1"), body.clone(), Want::Refused).await;
    for broken in ["a=%zz", "%=1", "a=%ff"] {
        sender.bytes(tally, &format!("{path}?{broken}"), body.clone(), Want::Refused).await;
    }
    for field in target.in_query() {
        let name = field.json_name();
        let wrong: &[&str] = match field.kind() {
            Kind::Bool => &["maybe", "2", ""],
            Kind::Enum(_) => &["NoSuchValue", "987654x", "%00"],
            Kind::Message(_) => &["2026-02-30", "soon", "5"],
            Kind::String => &["%ff", "%zz"],
            Kind::Bytes => &["*"],
            _ => &["abc", "1.5", "9223372036854775808", "-9223372036854775809", "1e30"],
        };
        let whole = if matches!(field.kind(), Kind::String) { Want::Refused } else { Want::Field(name) };
        for value in wrong {
            sender.bytes(tally, &format!("{path}?{name}={value}"), body.clone(), whole).await;
        }
        if !field.is_list() && matches!(field.kind(), Kind::String) {
            sender.bytes(tally, &format!("{path}?{name}=a&{name}=b"), body.clone(), Want::Field(name)).await;
        }
        if name == "pageSize" {
            for size in ["-1", "10000000", "2147483648"] {
                sender.bytes(tally, &format!("{path}?{name}={size}"), body.clone(), Want::Refused).await;
            }
        }
        if name == "pageToken" && target.lists {
            for token in ["bogus", "bm90IG91cnM", "AAAA", "%00", "."] {
                sender.bytes(tally, &format!("{path}?{name}={token}"), body.clone(), Want::Refused).await;
            }
        }
    }
}

async fn headers(sender: &Sender, target: &Target, tally: &mut Tally) {
    let (path, body) = (target.path(NOBODY), nothing(target));
    let (long, huge) = ("k".repeat(129), "9".repeat(40));
    for (name, value) in [
        // Read as no condition, the write would happen.
        ("if-match", ""),
        ("if-match", "garbage"),
        ("if-match", "W/\"x\""),
        ("if-match", "W/\"-1\""),
        ("if-match", huge.as_str()),
        ("min-clock", ""),
        ("min-clock", "garbage"),
        ("min-clock", "-1"),
        ("min-clock", huge.as_str()),
        ("idempotency-key", ""),
        ("idempotency-key", long.as_str()),
        ("pavise-validate-only", "maybe"),
        ("grpc-timeout", "garbage"),
        ("grpc-timeout", "999999999999S"),
        ("grpc-timeout", "-1S"),
        ("request-timeout", "soon"),
        ("request-timeout", "-1"),
    ] {
        let rest = sender.rest.clone().with(name, value);
        let mut part = Tally::default();
        sender.with(&rest, &mut part, &path, body.clone(), Want::Refused).await;
        part.wrong.iter_mut().for_each(|line| *line = format!("{name}: {value}: {line}"));
        tally.add(part);
    }
    for value in
        ["Bearer", "Bearer ", "Bearer a.b", "Bearer a.b.c", "Basic YTpi", "garbage", "Bearer eyJhbGciOiJub25lIn0.e30."]
    {
        let rest = sender.visitor.clone().with("authorization", value);
        let mut part = Tally::default();
        sender.with(&rest, &mut part, &path, body.clone(), Want::Refused).await;
        part.wrong.iter_mut().for_each(|line| *line = format!("authorization: {value}: {line}"));
        tally.add(part);
    }
}

/// The NUL character, which PostgreSQL has no text with, wherever there is text.
pub(crate) async fn nul(sender: Sender, target: Target) -> Tally {
    let mut tally = Tally::default();
    let path = target.path(NOBODY);
    for place in target.places(1) {
        if matches!(place.field().kind(), Kind::String) && !place.field().is_map() {
            let body = target.body(&place, json!("a\0b"), true);
            sender.json(&mut tally, &path, &body, Want::Field(&place.name(true))).await;
        }
    }
    for field in target.in_query() {
        if matches!(field.kind(), Kind::String) {
            let address = format!("{path}?{}=a%00b", field.json_name());
            sender.bytes(&mut tally, &address, nothing(&target), Want::Field(field.json_name())).await;
        }
    }
    if target.has_variables() {
        sender.bytes(&mut tally, &target.path("a%00b"), nothing(&target), Want::Refused).await;
    }
    tally
}

/// The smallest body that the call reads.
fn nothing(target: &Target) -> Option<Vec<u8>> {
    if target.binding.body.is_empty() {
        return None;
    }
    let list = target.binding.body != "*" && target.in_body().iter().any(prost_reflect::FieldDescriptor::is_list);
    Some(if list { b"[]".to_vec() } else { b"{}".to_vec() })
}
