//! The refusals of a call, and their form.

use std::collections::BTreeMap;

use pavise_contract::options::v1::{Impersonation, TieBy};
use pavise_contract::{Behavior, Contract, Method, Reason};
use serde_json::{Map, Value, json};

use crate::binding::Operation;
use crate::component::{Components, reference};

/// The HTTP status of a reason: that of its code, but for a few with one of their own.
#[must_use]
fn status(reason: &Reason) -> u16 {
    match reason.name.as_str() {
        "BODY_TOO_LARGE" => return 413,
        "RANGE_NOT_SATISFIABLE" => return 416,
        "UNSUPPORTED_MEDIA_TYPE" => return 415,
        "CLOCK_NOT_REACHED" => return 412,
        _ => {}
    }
    match reason.code.as_str() {
        "INVALID_ARGUMENT" | "OUT_OF_RANGE" => 400,
        "UNAUTHENTICATED" => 401,
        "PERMISSION_DENIED" => 403,
        "NOT_FOUND" => 404,
        "ALREADY_EXISTS" | "FAILED_PRECONDITION" | "ABORTED" => 409,
        "RESOURCE_EXHAUSTED" => 429,
        "UNIMPLEMENTED" => 501,
        "UNAVAILABLE" => 503,
        "DEADLINE_EXCEEDED" => 504,
        _ => 500,
    }
}

impl Components<'_> {
    /// The answer of a refused call, by reference.
    pub(crate) fn refusal(&mut self, status: u16, reasons: Vec<usize>) -> Value {
        if let Some(name) = self.refusals.get(&(status, reasons.clone())) {
            return reference("responses", name);
        }
        let word = word(status);
        let mut name = word.to_owned();
        let mut number = 1;
        while self.responses.contains_key(&name) {
            number += 1;
            name = format!("{word}{number}");
        }
        let made = response(self.source.contract, status, &reasons);
        self.responses.insert(name.clone(), made);
        self.refusals.insert((status, reasons), name.clone());
        reference("responses", &name)
    }
}

/// The refusals of a call, by status, each with its reasons.
pub(crate) fn of(components: &mut Components<'_>, operation: &Operation<'_>) -> Map<String, Value> {
    let contract = components.source.contract;
    // Reasons are known by their place in the contract, because two domains may have one of the same name.
    let mut found: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    let mut add = |domain: &str, name: &str| {
        let is_named = |reason: &Reason| reason.name == name && reason.domain == domain;
        let Some(at) = contract.reasons.iter().position(is_named) else { return };
        let own = contract.reasons.get(at).map(status);
        // The facade's own precondition shows the caller's If-Match.
        for status in own.into_iter().chain((name == "VERSION_MISMATCH").then_some(412)) {
            let reasons = found.entry(status).or_default();
            if !reasons.contains(&at) {
                reasons.push(at);
            }
        }
    };
    for name in common(contract, operation) {
        add("common", name);
    }
    for name in operation.method.reasons() {
        if let Some(reason) = contract.reason(&operation.service.domain, name) {
            add(&reason.domain, &reason.name);
        }
    }
    let named = found.into_iter().map(|(status, reasons)| (status.to_string(), components.refusal(status, reasons)));
    named.collect()
}

/// The shared reasons that a call can give.
fn common(contract: &Contract, operation: &Operation<'_>) -> Vec<&'static str> {
    let method = operation.method;
    let access = &method.access;
    let input = method.descriptor.input();
    let custom = !method.declared();
    let variables = operation.path.variables().next().is_some();
    let journal = matches!(method.behavior, Behavior::Journal(_) | Behavior::MaxClock(_));
    let entity = contract.aggregates.contains_key(method.output().full_name());
    let followed =
        contract.aggregates.get(&method.about()).is_some_and(|one| one.options.consequences) && !method.reads();
    let in_tree =
        contract.aggregates.get(&method.about()).is_some_and(|one| one.options.tree.is_some()) && !method.reads();
    let searches = matches!(&method.behavior, Behavior::List(list) if list.search.is_some());
    let tokens = !access.realms.is_empty();
    let denied = match access.impersonation() {
        Impersonation::Deny => true,
        Impersonation::Allow | Impersonation::Notify => false,
        Impersonation::Unspecified => !method.reads(),
    };
    let scoped = access.scopes.iter().any(|scope| !scope.field.is_empty());
    let rules = [
        ("INVALID_FIELD", true),
        ("INVALID_PAGE_TOKEN", input.get_field_by_name("page_token").is_some()),
        ("INVALID_METADATA", true),
        ("UNKNOWN_FIELD", true),
        ("MALFORMED_JSON", operation.has_body()),
        ("MALFORMED_PATH", true),
        ("MALFORMED_REQUEST", true),
        // A public call may still demand a token, depending on the request: anybody makes a member, staff make the
        // others.
        ("TOKEN_MISSING", !access.public || (tokens && custom)),
        ("TOKEN_INVALID", true),
        ("TOKEN_EXPIRED", true),
        ("REALM_NOT_ALLOWED", tokens),
        ("PERMISSION_MISSING", tokens && !access.permission.is_empty()),
        ("NOT_THE_OWNER", tokens && (!access.owner.is_empty() || scoped)),
        ("ROLE_MISSING", tokens && scoped),
        ("IMPERSONATION_DENIED", denied),
        ("ORIGIN_NOT_ALLOWED", !method.reads()),
        ("NOT_FOUND", variables || custom || entity),
        ("NOT_TIED", access.ties.iter().any(|tie| tie.by() != TieBy::Entity)),
        ("ROUTE_NOT_FOUND", variables),
        ("ALREADY_EXISTS", !method.reads()),
        ("ITEM_EXISTS", adds_items(method)),
        ("ITEM_NOT_FOUND", names_items(method)),
        ("CIRCULAR_REFERENCE", in_tree && !matches!(method.behavior, Behavior::Delete(_))),
        ("HAS_ENTITIES_BELOW", in_tree && (custom || matches!(method.behavior, Behavior::Delete(_)))),
        ("NAME_TAKEN", names(contract, method)),
        ("STATUS_NOT_ALLOWED", !method.reads()),
        ("VERSION_MISMATCH", !method.reads()),
        ("CONTENTION", !method.reads()),
        ("IDEMPOTENCY_KEY_REUSED", !method.reads()),
        ("JOURNAL_EPOCH_CHANGED", journal),
        ("CLOCK_NOT_REACHED", true),
        ("BODY_TOO_LARGE", operation.has_body()),
        ("UNSUPPORTED_MEDIA_TYPE", operation.has_body()),
        ("RANGE_NOT_SATISFIABLE", crate::bytes::answers_bytes(method)),
        ("OVERLOADED", true),
        ("TOO_MANY_CALLS", !method.rate_limit.is_empty() || searches),
        ("INTERNAL", true),
        ("UNAVAILABLE", true),
        ("NOT_CONFIGURED", custom || followed),
        ("DEADLINE_EXCEEDED", true),
    ];
    rules.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
}

/// Whether the call adds items to a list, or gives one another id.
fn adds_items(method: &Method) -> bool {
    let Behavior::Change(change) = &method.behavior else { return false };
    [&change.add_items, &change.upsert_items, &change.replace_items].iter().any(|items| !items.is_empty())
}

/// Whether the call names items of a list that must be there.
fn names_items(method: &Method) -> bool {
    let Behavior::Change(change) = &method.behavior else { return false };
    let deeper = change.add_items.iter().chain(&change.upsert_items).any(|item| item.list.contains('['));
    // The contract does not tell what an edit in Rust names.
    deeper || change.edit || !change.replace_items.is_empty() || change.remove_items.iter().any(|item| !item.missing_ok)
}

/// Whether the call can give the entity a name that another one has in a space.
fn names(contract: &Contract, method: &Method) -> bool {
    let Some(aggregate) = contract.aggregates.get(&method.about()).filter(|_| !method.reads()) else { return false };
    let input = method.descriptor.input();
    let given = |field: &str| {
        let within = |one: prost_reflect::FieldDescriptor| {
            one.kind().as_message().is_some_and(|message| message.get_field_by_name(field).is_some())
        };
        input.get_field_by_name(field).is_some() || input.fields().any(within)
    };
    aggregate.options.lookups.iter().any(|lookup| !lookup.unique_across.is_empty() && given(&lookup.field))
}

/// The word for a status.
pub(crate) fn word(status: u16) -> &'static str {
    match status {
        400 => "BadRequest",
        401 => "Unauthenticated",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        412 => "PreconditionFailed",
        413 => "BodyTooLarge",
        415 => "UnsupportedMediaType",
        429 => "TooManyRequests",
        501 => "NotImplemented",
        503 => "Unavailable",
        504 => "DeadlineExceeded",
        _ => "Internal",
    }
}

/// The answer of a refused call, with an example for each reason.
pub(crate) fn response(contract: &Contract, status: u16, reasons: &[usize]) -> Value {
    let mut lines = Vec::new();
    let mut examples = Map::new();
    let known: Vec<&Reason> = reasons.iter().filter_map(|at| contract.reasons.get(*at)).collect();
    for reason in &known {
        let meaning = if reason.comment.is_empty() { &reason.example } else { &reason.comment };
        lines.push(format!("- `{}`: {meaning}", reason.name));
        examples.insert(reason.name.clone(), json!({"value": example(status, reason)}));
    }
    let mut headers = Map::new();
    if matches!(status, 401) {
        headers.insert("WWW-Authenticate".to_owned(), reference("headers", "WwwAuthenticate"));
    }
    if matches!(status, 409 | 412 | 429 | 503) {
        headers.insert("Retry-After".to_owned(), reference("headers", "RetryAfter"));
    }
    let mut response = Map::from_iter([
        ("description".to_owned(), json!(lines.join("\n"))),
        ("x-reasons".to_owned(), known.iter().map(|reason| json!(reason.name)).collect()),
        (
            "content".to_owned(),
            json!({"application/json": {"schema": reference("schemas", "Error"), "examples": examples}}),
        ),
    ]);
    if !headers.is_empty() {
        response.insert("headers".to_owned(), Value::Object(headers));
    }
    Value::Object(response)
}

fn example(status: u16, reason: &Reason) -> Value {
    let info = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason.name,
        "domain": if reason.domain == "common" { "orders" } else { &reason.domain },
        "metadata": {},
    });
    json!({"code": status, "status": reason.code, "message": reason.example, "details": [info]})
}
