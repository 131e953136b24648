//! The parameters of a call besides its body: from the path, the query and the headers.

use pavise_contract::Method;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::component::{Components, reference};
use crate::example;
use crate::path::Variable;
use crate::rule::Rules;
use crate::schema;
use crate::schema::scalar::is_demanded;
use crate::schema::way::{self, Way};

/// Nested fields are named `a.b`; parameters below this depth are not listed.
const DEPTH: usize = 4;

/// A variable of the path.
pub(crate) fn of_path(components: &mut Components<'_>, variable: &Variable) -> Value {
    let mut made = variable.descriptor.as_ref().map_or_else(
        || json!({"schema": {"type": "string"}}),
        |field| {
            let mut written = written(components, field, true);
            if let Some(schema) = written.get_mut("schema").and_then(Value::as_object_mut)
                && schema.get("type").is_some_and(|kind| kind == "string")
                && !schema.contains_key("format")
            {
                // An empty segment is no value.
                schema.entry("minLength").or_insert(json!(1));
            }
            written
        },
    );
    if let Some(parameter) = made.as_object_mut() {
        parameter.insert("name".to_owned(), json!(variable.name));
        parameter.insert("in".to_owned(), json!("path"));
        parameter.insert("required".to_owned(), json!(true));
    }
    made
}

/// The fields of a request that may stand in a query.
pub(crate) fn of_query(components: &mut Components<'_>, request: &MessageDescriptor, without: &[String]) -> Vec<Value> {
    let mut found = Vec::new();
    let top = |field: &FieldDescriptor| !without.iter().any(|name| name == field.name());
    for field in request.fields().filter(top) {
        descend(components, &field, "", true, 1, &mut found);
    }
    found
}

fn descend(
    components: &mut Components<'_>,
    field: &FieldDescriptor,
    before: &str,
    sure: bool,
    depth: usize,
    found: &mut Vec<Value>,
) {
    let name = format!("{before}{}", field.json_name());
    match field.kind() {
        _ if field.is_map() => {}
        Kind::Message(message) if way::is_plain(&message) => {
            if !field.is_list() && depth < DEPTH {
                for inner in message.fields() {
                    // A required field of a message is demanded only where the message is present.
                    descend(components, &inner, &format!("{name}."), false, depth + 1, found);
                }
            }
        }
        Kind::Message(message) if !way::has_text(&message) => {}
        _ => {
            let required = sure && is_demanded(field, &Rules::of(field));
            let mut made = written(components, field, required);
            if let Some(parameter) = made.as_object_mut() {
                parameter.insert("name".to_owned(), json!(name));
                parameter.insert("in".to_owned(), json!("query"));
                if required {
                    parameter.insert("required".to_owned(), json!(true));
                }
            }
            found.push(made);
        }
    }
}

/// Schema, description and example of a field as text.
fn written(components: &mut Components<'_>, field: &FieldDescriptor, required: bool) -> Value {
    let mut made = Map::new();
    let mut schema = schema::field(components, field, Way::Text).schema;
    if let Some(object) = schema.as_object_mut()
        && let Some(description) = object.remove("description")
    {
        made.insert("description".to_owned(), description);
    }
    made.insert("schema".to_owned(), schema);
    if let Some(example) = example::of_parameter(field, required) {
        made.insert("example".to_owned(), example);
    }
    Value::Object(made)
}

/// The headers of a call, by reference.
pub(crate) fn of_headers(method: &Method, anonymous: bool, versioned: bool, journal: bool) -> Vec<Value> {
    let (mut names, writes) = (Vec::new(), !method.reads());
    if writes {
        names.push(if anonymous { "AnonymousIdempotencyKey" } else { "IdempotencyKey" });
        names.push("IfMatch");
        if !method.proves {
            names.push("ValidateOnly");
        }
    } else if versioned {
        names.push("IfNoneMatch");
    }
    if !writes {
        names.push("MinClock");
    }
    names.push("RequestTimeout");
    if journal {
        names.push("LastEventId");
    }
    names.into_iter().map(|name| reference("parameters", name)).collect()
}

/// The headers themselves.
pub(crate) fn shared() -> Value {
    let header = |name: &str, description: &str, schema: Value, example: &str| json!({"name": name, "in": "header", "description": description, "schema": schema, "example": example});
    let key = |least: u32| json!({"type": "string", "minLength": least, "maxLength": 128, "pattern": "^[!-~]+$"});
    json!({
        "IdempotencyKey": header(
            "Idempotency-Key",
            "A repeat with the same key has the effect of one and gets the same answer. The key is the caller's own.",
            key(1),
            "order-7-purchase",
        ),
        "AnonymousIdempotencyKey": header(
            "Idempotency-Key",
            "A repeat with the same key has the effect of one and gets the same answer. Without a token the key must have at \
             least 16 characters, so that nobody guesses it.",
            key(16),
            "4b1d7c9e-0f5a-4a43-8a35-1c2f0f3f2a77",
        ),
        "IfMatch": header(
            "If-Match",
            "The version that the caller has seen, as in the answer's ETag. The call is refused when the entity has another.",
            json!({"type": "string", "pattern": r#"^(\*|(W/)?("[1-9][0-9]{0,17}"|[1-9][0-9]{0,17}))$"#}),
            "*",
        ),
        "IfNoneMatch": header(
            "If-None-Match",
            "Versions that the caller has already: when it is the current one, the answer is 304 without a body.",
            json!({"type": "string"}),
            "W/\"3\"",
        ),
        "ValidateOnly": header(
            "Pavise-Validate-Only",
            "Does everything but the commit: the answer is what it would be.",
            json!({"type": "boolean"}),
            "false",
        ),
        "MinClock": header(
            "Min-Clock",
            "The answer must have seen the journal at this clock, as an earlier answer's Pavise-Clock said. For callers with a token.",
            json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": i64::MAX}),
            "0",
        ),
        "RequestTimeout": header(
            "Request-Timeout",
            "How many seconds the caller waits: what is not done by then is given up, and the call is refused with 504.",
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 99_999}),
            "30",
        ),
        "LastEventId": header(
            "Last-Event-ID",
            "With Accept: text/event-stream, the clock to go on from; browsers send it when they come back.",
            json!({"type": "string"}),
            "0",
        ),
    })
}
