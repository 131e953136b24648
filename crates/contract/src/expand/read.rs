//! Reads dynamic messages.

use prost_reflect::{DynamicMessage, ExtensionDescriptor, Kind, Value};

/// The message of an option, where it is set.
pub(super) fn option(options: &DynamicMessage, extension: &ExtensionDescriptor) -> Option<DynamicMessage> {
    if !options.has_extension(extension) {
        return None;
    }
    options.get_extension(extension).as_message().cloned()
}

/// An empty message of an option's type.
pub(super) fn empty(extension: &ExtensionDescriptor) -> Option<DynamicMessage> {
    match extension.kind() {
        Kind::Message(message) => Some(DynamicMessage::new(message)),
        _ => None,
    }
}

/// The message in a field, where it is set.
pub(super) fn message(from: &DynamicMessage, field: &str) -> Option<DynamicMessage> {
    if !from.has_field_by_name(field) {
        return None;
    }
    from.get_field_by_name(field)?.as_message().cloned()
}

/// The text in a field; empty where it is not set or there is none.
pub(super) fn text(from: &DynamicMessage, field: &str) -> String {
    from.get_field_by_name(field).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The texts in a repeated field.
pub(super) fn texts(from: &DynamicMessage, field: &str) -> Vec<String> {
    let value = from.get_field_by_name(field);
    let list = value.as_ref().and_then(|value| value.as_list()).unwrap_or_default();
    list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The messages in a repeated field.
pub(super) fn messages(from: &DynamicMessage, field: &str) -> Vec<DynamicMessage> {
    let value = from.get_field_by_name(field);
    let list = value.as_ref().and_then(|value| value.as_list()).unwrap_or_default();
    list.iter().filter_map(|message| message.as_message().cloned()).collect()
}

/// Whether a field is true.
pub(super) fn flag(from: &DynamicMessage, field: &str) -> bool {
    from.get_field_by_name(field).and_then(|value| value.as_bool()).unwrap_or_default()
}

/// Texts as the value of a repeated field.
pub(super) fn list(texts: impl IntoIterator<Item = String>) -> Value {
    Value::List(texts.into_iter().map(Value::String).collect())
}

/// Whether a repeated field has nothing in it.
pub(super) fn list_is_empty(from: &DynamicMessage, field: &str) -> bool {
    !from.has_field_by_name(field)
}
