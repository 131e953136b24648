//! REST without sockets: a request goes straight into the router.
#![expect(clippy::indexing_slicing, reason = "indexing a JSON value answers null where there is nothing")]

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use pavise_testkit::logs;
use serde_json::Value;
use tower::ServiceExt as _;

/// Parts of the names of fields whose values must not be in the logs.
const SECRET_FIELDS: [&str; 6] = ["password", "token", "secret", "recoverycode", "answer", "credential"];

/// A REST caller.
#[derive(Debug, Clone)]
pub struct Rest {
    router: Router,
    token: String,
    headers: HeaderMap,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as JSON; null when it is empty or no JSON.
    pub json: Value,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl Answer {
    /// The error's reason; empty for a successful answer.
    #[must_use]
    pub fn reason(&self) -> &str {
        let details = self.json["details"].as_array().map(Vec::as_slice).unwrap_or_default();
        details.iter().find_map(|detail| detail["reason"].as_str()).unwrap_or_default()
    }

    /// The fields that break rules.
    #[must_use]
    pub fn fields(&self) -> Vec<&str> {
        let details = self.json["details"].as_array().map(Vec::as_slice).unwrap_or_default();
        details
            .iter()
            .filter_map(|detail| detail["fieldViolations"].as_array())
            .flatten()
            .filter_map(|violation| violation["field"].as_str())
            .collect()
    }

    /// The answer, which must have that status.
    ///
    /// # Panics
    /// When it has another.
    #[must_use]
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        self.json
    }
}

impl Rest {
    pub(crate) fn new(router: Router, token: String) -> Self {
        Self { router, token, headers: HeaderMap::new() }
    }

    /// The same caller with a further header.
    ///
    /// # Panics
    /// When it is no header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        let value = value.parse();
        assert!(value.is_ok(), "{name} is no header");
        if let Ok(value) = value {
            self.headers.insert(name, value);
        }
        self
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// PUT with a JSON body.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Any method with a JSON body or none.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let bytes = body.map(|body| body.to_string().into_bytes());
        self.raw(method, path, bytes, "application/json").await
    }

    /// Any method with any body.
    ///
    /// # Panics
    /// When the path is no URI.
    pub async fn raw(&self, method: Method, path: &str, body: Option<Vec<u8>>, content_type: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !self.headers.contains_key("host") {
            request = request.header("host", "localhost");
        }
        let sent = body.clone().unwrap_or_default();
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header("content-type", content_type);
        }
        let request = request.body(Body::from(body.unwrap_or_default()));
        assert!(request.is_ok(), "{path} is no URI");
        let Ok(request) = request else { unreachable!("asserted above") };
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
        // A refusal may have any body; a success must match its content type.
        if parts.status.is_success() {
            let cookies = parts.headers.get_all("set-cookie").iter().chain(self.headers.get_all("cookie"));
            for value in cookies.chain(self.headers.get_all("authorization")).filter_map(|value| value.to_str().ok()) {
                remember_header(value);
            }
            remember_body(&sent);
            remember_body(&body);
        }
        let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer { status: parts.status, headers: parts.headers, json, body }
    }
}

/// Registers the secrets of a header: the text after a scheme, or the values of our cookies.
fn remember_header(value: &str) {
    for (name, secret) in value.split("; ").filter_map(|part| part.split_once(['=', ' '])) {
        if name == "Bearer" || name.trim_start_matches("__Host-").starts_with("pavise_") {
            logs::known(secret);
        }
    }
}

/// Registers the secrets of a JSON body.
fn remember_body(body: &[u8]) {
    fn within(value: &Value, secret: bool) {
        match value {
            Value::String(text) if secret && !is_id(text) => logs::known(text),
            Value::Array(items) => items.iter().for_each(|item| within(item, secret)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    let name = name.to_ascii_lowercase();
                    let told = ["at", "id", "type"].iter().any(|ending| name.ends_with(ending));
                    within(value, !told && SECRET_FIELDS.iter().any(|part| name.contains(part)));
                }
            }
            _ => {}
        }
    }
    if let Ok(value) = serde_json::from_slice(body) {
        within(&value, false);
    }
}

/// Ids may be in the logs, in whichever field they were sent.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
