//! The answers of successful calls.

use pavise_contract::{Behavior, Method};
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};

use crate::binding::Operation;
use crate::bytes;
use crate::component::{Components, reference};
use crate::example;
use crate::schema;
use crate::schema::way::Way;
use crate::text;

/// Whether the answer is one entity, whose version is the answer's ETag.
pub(crate) fn is_versioned(components: &Components<'_>, output: &MessageDescriptor) -> bool {
    components.source.contract.aggregates.contains_key(output.full_name())
}

/// The call that streams the pages of `method`, if that is a journal.
fn watch<'m>(operation: &Operation<'m>) -> Option<&'m Method> {
    let journal = matches!(operation.method.behavior, Behavior::Journal(_));
    let mut methods = operation.service.methods.iter();
    let streams = |method: &&Method| matches!(&method.behavior, Behavior::Watch(watch) if watch.aggregate.is_empty());
    methods.find(|method| journal && streams(method))
}

/// The 200 of a call.
pub(crate) fn success(components: &mut Components<'_>, operation: &Operation<'_>, links: Option<Value>) -> Value {
    let method = operation.method;
    let output = method.output();
    if bytes::answers_bytes(method) || bytes::answers_raw(method) {
        return of_file(method);
    }
    let (schema, example) = match output.get_field_by_name(&operation.binding.response_body) {
        Some(field) => (schema::field(components, &field, Way::Answer).schema, None),
        None => (components.message(&output, Way::Answer), Some(example::message(&output, Way::Answer, &[]))),
    };
    let mut content = Map::new();
    if method.descriptor.is_server_streaming() {
        content.insert("application/json".to_owned(), json!({"schema": {"type": "array", "items": schema}}));
        streams(&mut content, &schema);
    } else {
        let mut json = Map::from_iter([("schema".to_owned(), schema)]);
        if let Some(example) = example {
            json.insert("example".to_owned(), example);
        }
        content.insert("application/json".to_owned(), Value::Object(json));
    }
    if let Some(watch) = watch(operation) {
        let entry = components.message(&watch.output(), Way::Answer);
        streams(&mut content, &entry);
    }
    let mut headers = Map::from_iter([("X-Request-Id".to_owned(), reference("headers", "XRequestId"))]);
    if is_versioned(components, &output) {
        headers.insert("ETag".to_owned(), reference("headers", "ETag"));
    }
    if !method.reads() {
        headers.insert("Pavise-Clock".to_owned(), reference("headers", "PaviseClock"));
    }
    let described = components.comments.of(&output.parent_file(), output.path());
    let description = if described.is_empty() { "Done." } else { described };
    let mut response = Map::from_iter([
        ("description".to_owned(), json!(description)),
        ("headers".to_owned(), Value::Object(headers)),
        ("content".to_owned(), Value::Object(content)),
    ]);
    if let Some(links) = links {
        response.insert("links".to_owned(), links);
    }
    Value::Object(response)
}

/// The 200 of a call that answers bytes.
fn of_file(method: &Method) -> Value {
    let mut headers = Map::from_iter([("X-Request-Id".to_owned(), reference("headers", "XRequestId"))]);
    let text = |description: &str| json!({"description": description, "schema": {"type": "string"}});
    if bytes::answers_bytes(method) {
        headers.insert("Content-Disposition".to_owned(), text("The name of the file."));
        headers.insert("Accept-Ranges".to_owned(), text("`bytes`, or `none` if the file is made while it is sent."));
    } else if !method.reads() {
        headers.insert("Pavise-Clock".to_owned(), reference("headers", "PaviseClock"));
    }
    json!({"description": "The bytes.", "headers": headers, "content": bytes::answer(method)})
}

/// The further answers of a call that answers bytes: a part of a file, what the caller has, and nothing.
pub(crate) fn of_bytes(operation: &Operation<'_>) -> Vec<(String, Value)> {
    let method = operation.method;
    if bytes::answers_raw(method) {
        return vec![("204".to_owned(), json!({"description": "The answer has no body."}))];
    }
    if !bytes::answers_bytes(method) || operation.binding.verb != pavise_contract::Verb::Get {
        return Vec::new();
    }
    let part = json!({"description": "A part of the file.", "content": bytes::answer(method)});
    let known = json!({"description": "The caller has this file already."});
    vec![("206".to_owned(), part), ("304".to_owned(), known)]
}

/// OpenAPI 3.1 describes a stream as text; the schema of its lines stands beside it.
fn streams(content: &mut Map<String, Value>, item: &Value) {
    for (kind, description) in [("application/x-ndjson", text::LINES), ("text/event-stream", text::EVENTS)] {
        let schema = json!({"type": "string", "description": description, "x-items": item});
        content.insert(kind.to_owned(), json!({"schema": schema}));
    }
}

/// The answer to a caller who has this version already.
pub(crate) fn not_modified() -> Value {
    json!({
        "description": "The caller has this version already.",
        "headers": {"ETag": reference("headers", "ETag"), "X-Request-Id": reference("headers", "XRequestId")},
    })
}

/// The headers of answers.
pub(crate) fn headers() -> Value {
    let header = |description: &str, schema: Value| json!({"description": description, "schema": schema});
    json!({
        "ETag": header("The entity's version, for If-Match and If-None-Match.", json!({"type": "string", "pattern": "^W/\"[0-9]+\"$"})),
        "PaviseClock": header(
            "The clock of the service's journal at which the write stands, for Min-Clock.",
            json!({"type": "string", "pattern": "^[0-9]+$"}),
        ),
        "XRequestId": header("What the log and the journal call this request.", json!({"type": "string"})),
        "RetryAfter": header("Seconds after which it may go better.", json!({"type": "integer", "minimum": 0})),
        "WwwAuthenticate": header("How to authenticate.", json!({"type": "string", "const": "Bearer"})),
    })
}
