//! A call over REST: the contract splits the message into path, query and body.

use anyhow::Context as _;
use pavise_contract::{Binding, Method, Service};
use serde_json::{Map, Value};

use super::{Answer, Client, Failure, Refusal};

pub(super) async fn call(
    client: &Client,
    service: &Service,
    method: &Method,
    request: Value,
) -> Result<Answer, Failure> {
    let sent = prepare(client, service, method, request)?;
    let response = sent.send().await.context("the server does not answer")?;
    let status = response.status();
    let header =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (clock, etag) = (header("pavise-clock").parse().unwrap_or(0), header("etag"));
    let json: Value = response.json().await.context("the answer is no JSON")?;
    if status.is_success() { Ok(Answer { json, clock, etag }) } else { Err(Failure::Refused(refusal(&json))) }
}

/// The HTTP request of a call.
pub(super) fn prepare(
    client: &Client,
    service: &Service,
    method: &Method,
    request: Value,
) -> Result<reqwest::RequestBuilder, Failure> {
    let Value::Object(fields) = request else { return Err(anyhow::anyhow!("a request is an object").into()) };
    let (binding, path, rest) = place(method, &fields)?;
    let (query, body) = split(binding, rest);
    let url = format!("{}{path}{query}", client.base);
    let verb = binding.verb.as_str().parse().context("no HTTP method")?;
    let host = client.base.rsplit('/').next().unwrap_or_default();
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let mut sent = client.http.request(verb, url).header("host", format!("{}.localhost:{port}", service.host));
    if !client.token.is_empty() {
        sent = sent.bearer_auth(&client.token);
    }
    for (name, value) in &client.headers {
        sent = sent.header(*name, value);
    }
    if let Some(body) = body {
        sent = sent.json(&body);
    }
    Ok(sent)
}

/// The first path whose parameters the request fills, and the rest of the request.
fn place<'a>(
    method: &'a Method,
    fields: &Map<String, Value>,
) -> anyhow::Result<(&'a Binding, String, Map<String, Value>)> {
    for binding in &method.bindings {
        let mut rest = fields.clone();
        let mut filled = true;
        let parts = binding.path.split('/').map(|part| {
            let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
                return part.to_owned();
            };
            let json = method
                .descriptor
                .input()
                .get_field_by_name(name)
                .map_or_else(|| name.to_owned(), |field| field.json_name().to_owned());
            match rest.remove(&json) {
                Some(Value::String(value)) if !value.is_empty() => value,
                Some(Value::Number(value)) => value.to_string(),
                _ => {
                    filled = false;
                    String::new()
                }
            }
        });
        let path = parts.collect::<Vec<_>>().join("/");
        if filled {
            return Ok((binding, path, rest));
        }
    }
    anyhow::bail!("{}: the request fills the parameters of no REST path", method.descriptor.name())
}

/// The query and the body.
fn split(binding: &Binding, mut rest: Map<String, Value>) -> (String, Option<Value>) {
    let body = match binding.body.as_str() {
        "" => None,
        "*" => return (String::new(), Some(Value::Object(rest))),
        field => rest.remove(&camel(field)),
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // A list repeats its name.
    let each = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let pairs = rest.iter().flat_map(|(name, value)| each(value).into_iter().map(move |one| (name, one)));
    let query: Vec<String> = pairs.map(|(name, one)| format!("{name}={}", text(&one))).collect();
    (if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) }, body)
}

fn camel(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

pub(super) fn refusal(json: &Value) -> Refusal {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let details = json["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let reason =
        details.iter().map(|detail| text(&detail["reason"])).find(|reason| !reason.is_empty()).unwrap_or_default();
    let violations = details.iter().filter_map(|detail| detail["fieldViolations"].as_array()).flatten();
    let fields = violations.map(|violation| text(&violation["field"])).collect();
    Refusal { code: text(&json["status"]), reason, fields, message: text(&json["message"]) }
}
