//! The requests of the API, and what its answers have in common.

use http::Method;
use serde_json::{Value, json};

use super::objects::shown;

/// A status and a text: JSON, a page, or with [`SEE_OTHER`] the address that the browser goes to.
pub(super) type Answered = (u16, String);
/// The status of an answer that leads a browser on.
pub(super) const SEE_OTHER: u16 = 303;

/// A request.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) is_write: bool,
    pub(super) path: String,
    pub(super) key: String,
    fields: Vec<(String, String)>,
}

impl Asked {
    pub(super) fn new(method: &Method, path: &str, query: &str, body: &[u8], key: String) -> Self {
        let is_write = method == Method::POST;
        let form = if is_write { body } else { query.as_bytes() };
        let fields = url::form_urlencoded::parse(form).into_owned().collect();
        Self { is_write, path: path.to_owned(), key, fields }
    }

    /// A field; empty if it was not sent.
    pub(super) fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// A number; 0 if there is none.
    pub(super) fn number(&self, name: &str) -> i64 {
        self.field(name).parse().unwrap_or(0)
    }

    /// The values of a list: `name[]`, `name[0]` and so on.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let start = format!("{name}[");
        self.fields.iter().filter(|(known, _)| known.starts_with(&start)).map(|(_, value)| value.clone()).collect()
    }

    /// The metadata.
    pub(super) fn metadata(&self) -> Value {
        let inner = |name: &str| name.strip_prefix("metadata[")?.strip_suffix(']').map(str::to_owned);
        let pairs = self.fields.iter().filter_map(|(name, value)| Some((inner(name)?, Value::from(value.as_str()))));
        Value::Object(pairs.collect())
    }

    /// The part of a request that one with the same key must have in common.
    pub(super) fn fingerprint(&self) -> String {
        let mut fields = self.fields.clone();
        fields.sort();
        format!("{} {fields:?}", self.path)
    }
}

pub(super) fn done(object: &Value) -> Answered {
    (200, shown(object).to_string())
}

pub(super) fn refused(status: u16, kind: &str, code: &str, message: &str) -> Answered {
    (status, json!({"error": {"type": kind, "code": code, "message": message}}).to_string())
}

pub(super) fn missing(id: &str) -> Answered {
    refused(404, "invalid_request_error", "resource_missing", &format!("No such object: '{id}'"))
}

pub(super) fn unexpected(kind: &str, status: &str) -> Answered {
    let message = format!("This object cannot be changed because it has a status of {status}.");
    refused(400, "invalid_request_error", &format!("{kind}_unexpected_state"), &message)
}

pub(super) fn lacks(name: &str) -> Answered {
    let message = format!("Missing required param: {name}.");
    let error =
        json!({"type": "invalid_request_error", "code": "parameter_missing", "param": name, "message": message});
    (400, json!({ "error": error }).to_string())
}

/// The refusal of a key that belongs to another request.
pub(super) fn mismatch() -> Answered {
    let message = "This idempotency key was first used with other parameters.";
    (400, json!({"error": {"type": "idempotency_error", "message": message}}).to_string())
}

pub(super) fn busy() -> Answered {
    refused(429, "invalid_request_error", "rate_limit", "Too many requests at once.")
}

pub(super) fn failed() -> Answered {
    (500, json!({"error": {"type": "api_error", "message": "Something went wrong."}}).to_string())
}

/// A page of a list, the newest first.
pub(super) fn page(asked: &Asked, newest_first: &[Value], url: &str) -> Answered {
    let after = asked.field("starting_after");
    let id_of = |object: &Value| object.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let start = newest_first.iter().position(|object| id_of(object) == after).map_or(0, |place| place + 1);
    let start = if after.is_empty() { 0 } else { start };
    let limit = usize::try_from(asked.number("limit")).ok().filter(|limit| (1..=100).contains(limit)).unwrap_or(10);
    let data: Vec<Value> = newest_first.iter().skip(start).take(limit).map(shown).collect();
    let has_more = newest_first.len() > start + data.len();
    (200, json!({"object": "list", "data": data, "has_more": has_more, "url": url}).to_string())
}
