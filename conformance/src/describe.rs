//! The facts about the suite's messages that a comparison of values needs.

use prost_reflect::{FieldDescriptor, Kind};
use serde_json::{Map, Value, json};

use crate::protos;

/// All messages, enumerations and calls: `{"messages": {name: {field: {…}}}, "enums": {name: {value: number}},
/// "calls": {name: {"input", "output", "stream"}}}`, fields by their JSON names.
pub(crate) fn suite() -> anyhow::Result<Value> {
    let pool = protos::suite()?;
    let messages: Map<String, Value> = pool
        .all_messages()
        .map(|message| {
            let fields: Map<String, Value> =
                message.fields().map(|one| (one.json_name().to_owned(), field(&one))).collect();
            (message.full_name().to_owned(), Value::Object(fields))
        })
        .collect();
    let enums: Map<String, Value> = pool
        .all_enums()
        .map(|one| {
            let values: Map<String, Value> =
                one.values().map(|value| (value.name().to_owned(), json!(value.number()))).collect();
            (one.full_name().to_owned(), Value::Object(values))
        })
        .collect();
    let calls: Map<String, Value> = pool
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .map(|call| {
            let (input, output) = (call.input().full_name().to_owned(), call.output().full_name().to_owned());
            (call.name().to_owned(), json!({"input": input, "output": output, "stream": call.is_server_streaming()}))
        })
        .collect();
    Ok(json!({"messages": messages, "enums": enums, "calls": calls}))
}

/// `{"kind", "type"?, "list"?, "map"?, "presence"?}`.
fn field(field: &FieldDescriptor) -> Value {
    let mut out = Map::new();
    let mut kind = field.kind();
    if let (true, Kind::Message(entry)) = (field.is_map(), &kind) {
        out.insert("map".to_owned(), json!(true));
        kind = entry.map_entry_value_field().kind();
    } else if field.is_list() {
        out.insert("list".to_owned(), json!(true));
    } else if field.supports_presence() {
        out.insert("presence".to_owned(), json!(true));
    }
    let (name, of) = match &kind {
        Kind::Message(message) => ("message".to_owned(), Some(message.full_name().to_owned())),
        Kind::Enum(one) => ("enum".to_owned(), Some(one.full_name().to_owned())),
        scalar => (format!("{scalar:?}").to_lowercase(), None),
    };
    out.insert("kind".to_owned(), json!(name));
    if let Some(of) = of {
        out.insert("type".to_owned(), json!(of));
    }
    Value::Object(out)
}
