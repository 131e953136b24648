//! The schemas of refusals.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::component::reference;

/// The canonical codes, as in gRPC.
const CODES: [&str; 16] = [
    "INVALID_ARGUMENT",
    "OUT_OF_RANGE",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "FAILED_PRECONDITION",
    "ABORTED",
    "RESOURCE_EXHAUSTED",
    "CANCELLED",
    "UNIMPLEMENTED",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
    "UNKNOWN",
    "DATA_LOSS",
];

/// The schemas of refusals.
pub(crate) fn schemas() -> BTreeMap<String, Value> {
    let text = || json!({"type": "string"});
    let texts = |names: &[&str]| {
        let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), text())).collect();
        json!({"type": "object", "required": names, "properties": properties, "additionalProperties": false})
    };
    let list = |item: Value| json!({"type": "array", "items": item, "minItems": 1});
    let schemas = [
        ("Error", error_schema()),
        (
            "ErrorInfo",
            detail(
                "ErrorInfo",
                "The reason, the service that gave it, and what it says besides.",
                json!({
                    "reason": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"},
                    "domain": text(),
                    "metadata": {"type": "object", "additionalProperties": text()},
                }),
            ),
        ),
        (
            "BadRequest",
            detail(
                "BadRequest",
                "The fields that are wrong, and why.",
                json!({
                    "fieldViolations": list(texts(&["field", "description"])),
                }),
            ),
        ),
        (
            "PreconditionFailure",
            detail(
                "PreconditionFailure",
                "What stands in the way, and which calls do not.",
                json!({
                    "violations": list(texts(&["type", "subject", "description"])),
                }),
            ),
        ),
        (
            "RetryInfo",
            detail(
                "RetryInfo",
                "When it may go better.",
                json!({"retryDelay": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?s$"}}),
            ),
        ),
        (
            "RequestInfo",
            detail("RequestInfo", "The trace, by which the log is searched.", json!({"requestId": text()})),
        ),
    ];
    schemas.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn error_schema() -> Value {
    let kinds = ["ErrorInfo", "BadRequest", "PreconditionFailure", "RetryInfo", "RequestInfo"];
    let choices: Vec<Value> = kinds.iter().map(|kind| reference("schemas", kind)).collect();
    json!({
        "type": "object",
        "description": "Why a call was refused. The reason in ErrorInfo is what a program should look at.",
        "required": ["code", "status", "message", "details"],
        "properties": {
            "code": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
            "status": {"type": "string", "enum": CODES, "description": "The canonical code, as in gRPC."},
            "message": {"type": "string", "description": "For people."},
            "details": {"type": "array", "minItems": 1, "items": {"oneOf": choices}},
        },
        "additionalProperties": false,
    })
}

/// A detail of a refusal, which names its type.
fn detail(name: &str, description: &str, properties: Value) -> Value {
    let mut all =
        Map::from_iter([("@type".to_owned(), json!({"const": format!("type.googleapis.com/google.rpc.{name}")}))]);
    if let Value::Object(properties) = properties {
        all.extend(properties);
    }
    let required: Vec<&String> = all.keys().collect();
    let required = json!(required);
    json!({"type": "object", "description": description, "required": required, "properties": all, "additionalProperties": false})
}
