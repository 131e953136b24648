//! The directions of a value, and which fields have one.

use pavise_contract::Sensitivity;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

/// The direction and the form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// To the caller.
    Answer,
    /// From the caller, as JSON.
    Body,
    /// From the caller, as text in a path, a query or a part.
    Text,
}

/// The fields that a caller sees or may send.
pub(crate) fn fields(message: &MessageDescriptor, way: Way) -> impl Iterator<Item = FieldDescriptor> {
    let shown = move |field: &FieldDescriptor| way != Way::Answer || Sensitivity::of(field) != Sensitivity::Secret;
    message.fields().filter(shown).collect::<Vec<_>>().into_iter()
}

/// Whether the transcoder writes the field even at its default.
pub(crate) fn is_always_written(field: &FieldDescriptor) -> bool {
    if field.is_list() || field.is_map() {
        return true;
    }
    if field.supports_presence() {
        return false;
    }
    match field.kind() {
        Kind::Enum(descriptor) => {
            descriptor.get_value(0).is_some_and(|zero| pavise_contract::spelling::of(&zero).is_some())
        }
        Kind::Message(_) => false,
        _ => true,
    }
}

/// Whether a message stands as text in a path or a query.
pub(crate) fn has_text(message: &MessageDescriptor) -> bool {
    let name = message.full_name();
    name == "pavise.common.v1.Date"
        || matches!(name, "google.protobuf.Timestamp" | "google.protobuf.Duration" | "google.protobuf.FieldMask")
        || (name.starts_with("google.protobuf.")
            && name.ends_with("Value")
            && !name.ends_with(".Value")
            && !name.ends_with(".ListValue"))
}

/// Whether a message is an object of its fields.
pub(crate) fn is_plain(message: &MessageDescriptor) -> bool {
    !has_text(message)
        && !matches!(
            message.full_name(),
            "google.protobuf.Struct" | "google.protobuf.Value" | "google.protobuf.ListValue" | "google.protobuf.Any"
        )
}

/// Sets a keyword that has a value.
pub(crate) fn put(schema: &mut Map<String, Value>, keyword: &str, value: Option<i64>) {
    if let Some(value) = value {
        schema.insert(keyword.to_owned(), json!(value));
    }
}
