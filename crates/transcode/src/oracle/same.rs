//! Equality for which NaN equals NaN, 1 equals 1.0, and the order of map entries inside an `Any` does not count.

use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};
use serde_json::Value as Json;

pub(super) fn json(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| json(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| json(one, other)))
        }
        _ => one == other,
    }
}

pub(super) fn messages(one: &DynamicMessage, other: &DynamicMessage) -> bool {
    let descriptor = one.descriptor();
    if descriptor != other.descriptor() || one.unknown_fields().count() != other.unknown_fields().count() {
        return false;
    }
    if descriptor.full_name() == "google.protobuf.Any"
        && let (Some(one), Some(other)) = (inside(one), inside(other))
    {
        return messages(&one, &other);
    }
    descriptor.fields().all(|field| match (one.has_field(&field), other.has_field(&field)) {
        (true, true) => values(&one.get_field(&field), &other.get_field(&field)),
        (one, other) => one == other,
    })
}

/// The message in an `Any`.
fn inside(any: &DynamicMessage) -> Option<DynamicMessage> {
    let url = any.get_field_by_name("type_url")?;
    let name = url.as_str()?.rsplit('/').next()?.to_owned();
    let descriptor = any.descriptor().parent_pool().get_message_by_name(&name)?;
    DynamicMessage::decode(descriptor, any.get_field_by_name("value")?.as_bytes()?.clone()).ok()
}

fn values(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::F32(one), Value::F32(other)) => one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan(),
        (Value::F64(one), Value::F64(other)) => one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan(),
        (Value::Message(one), Value::Message(other)) => messages(one, other),
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| values(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| values(one, other)))
        }
        _ => one == other,
    }
}
