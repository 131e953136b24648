//! One verb at one path.

use pavise_contract::Behavior;
use pavise_contract::options::v1::{Impersonation, RateLimit};
use prost_reflect::MessageDescriptor;
use serde_json::{Map, Value, json};

use crate::binding::{Operation, operation_id, realm};
use crate::bytes;
use crate::component::Components;
use crate::schema;
use crate::schema::way::Way;
use crate::{answer, link, parameter, refusal};

impl Operation<'_> {
    /// The operation's object.
    pub(crate) fn write(&self, components: &mut Components<'_>) -> Value {
        let method = self.method;
        let mut made = Map::from_iter([
            ("operationId".to_owned(), json!(operation_id(self.service, method, self.at))),
            ("tags".to_owned(), json!([self.service.name])),
            ("summary".to_owned(), json!(words(method.descriptor.name()))),
        ]);
        let comment = method.comment();
        if !comment.is_empty() {
            made.insert("description".to_owned(), json!(comment));
        }
        made.insert("parameters".to_owned(), Value::Array(self.parameters(components)));
        if let Some(body) = self.body(components) {
            made.insert("requestBody".to_owned(), body);
        }
        let links = link::of(components, self);
        let mut responses = Map::from_iter([("200".to_owned(), answer::success(components, self, links))]);
        if self.is_conditional(components) {
            responses.insert("304".to_owned(), answer::not_modified());
        }
        responses.extend(answer::of_bytes(self));
        responses.extend(refusal::of(components, self));
        made.insert("responses".to_owned(), Value::Object(responses));
        made.insert("security".to_owned(), self.security());
        self.extensions(&mut made);
        Value::Object(made)
    }

    /// Whether the binding takes a body with content.
    pub(crate) fn has_body(&self) -> bool {
        !self.binding.body.is_empty()
    }

    /// Whether the operation is a GET whose answer has a version.
    fn is_conditional(&self, components: &Components<'_>) -> bool {
        self.binding.verb == pavise_contract::Verb::Get && answer::is_versioned(components, &self.method.output())
    }

    fn request(&self) -> MessageDescriptor {
        self.method.descriptor.input()
    }

    /// The request fields in the path.
    fn in_path(&self) -> Vec<String> {
        self.path.variables().map(|variable| variable.field.clone()).collect()
    }

    fn parameters(&self, components: &mut Components<'_>) -> Vec<Value> {
        let mut made: Vec<Value> =
            self.path.variables().map(|variable| parameter::of_path(components, variable)).collect();
        let own_body = bytes::has_own_body(self.method);
        if self.binding.body != "*" || own_body {
            let mut without = self.in_path();
            without.extend(bytes::own_fields(self.method));
            without.push(self.binding.body.clone());
            made.extend(parameter::of_query(components, &self.request(), &without));
        }
        made.extend(bytes::headers(self.method));
        made.extend(bytes::range(self.method, self.binding));
        let journal = matches!(self.method.behavior, Behavior::Journal(_));
        let open = self.method.access.public;
        made.extend(parameter::of_headers(self.method, open, self.is_conditional(components), journal));
        made
    }

    fn body(&self, components: &mut Components<'_>) -> Option<Value> {
        if bytes::has_own_body(self.method) {
            return bytes::body(components, self.method, &self.in_path());
        }
        let request = self.request();
        let (schema, required) = match self.binding.body.as_str() {
            "" => (json!({"type": "object", "additionalProperties": false}), false),
            "*" => {
                let schema = components.body(&request, self.in_path());
                let required = components.has_required(&schema);
                (schema, required)
            }
            name => {
                let field = request.get_field_by_name(name)?;
                let made = schema::field(components, &field, Way::Body);
                (without_null(made.schema), made.required)
            }
        };
        let mut content = Map::new();
        if self.has_body() {
            content.insert("application/json".to_owned(), json!({"schema": schema}));
        }
        (!content.is_empty()).then(|| json!({"required": required, "content": content}))
    }

    fn security(&self) -> Value {
        let access = &self.method.access;
        let signed = [json!({"token": []}), json!({"session": []})];
        if access.public && access.realms.is_empty() {
            return json!([]);
        }
        let open = access.public.then(|| json!({}));
        Value::Array(open.into_iter().chain(signed).collect())
    }

    /// Adds the facts that OpenAPI cannot express.
    fn extensions(&self, made: &mut Map<String, Value>) {
        let access = &self.method.access;
        let descriptor = &self.method.descriptor;
        let path = format!("/{}/{}", descriptor.parent_service().full_name(), descriptor.name());
        let realms: Vec<&str> = access.realms().map(realm).collect();
        made.insert("x-grpc".to_owned(), json!(path));
        made.insert("x-realms".to_owned(), json!(realms));
        made.insert("x-public".to_owned(), json!(access.public));
        if access.owner_admitted {
            made.insert("x-owner-admitted".to_owned(), json!(true));
        }
        let mut say = |name: &str, value: &str| {
            if !value.is_empty() {
                made.insert(name.to_owned(), json!(value));
            }
        };
        say("x-permission", &access.permission);
        say("x-owner", &access.owner);
        for scope in &access.scopes {
            say(&format!("x-{}", scope.kind().spelling().to_lowercase()), &scope.field);
        }
        let impersonation = match access.impersonation() {
            Impersonation::Unspecified => "",
            Impersonation::Deny => "DENY",
            Impersonation::Allow => "ALLOW",
            Impersonation::Notify => "NOTIFY",
        };
        say("x-impersonation", impersonation);
        let (action, from): (&str, &[String]) = match &self.method.behavior {
            Behavior::Create(create) => (&create.action, &[]),
            Behavior::Change(change) => (&change.action, &change.from),
            Behavior::Delete(delete) => (&delete.action, &delete.from),
            Behavior::Custom(custom) => (&custom.action, &custom.from),
            _ => ("", &[]),
        };
        say("x-action", action);
        let to = self.method.to();
        for (name, statuses) in [("x-from", from), ("x-to", to.as_slice())] {
            let said: Vec<&String> = statuses.iter().filter(|status| !status.is_empty()).collect();
            if !said.is_empty() {
                made.insert(name.to_owned(), json!(said));
            }
        }
        let rate_limit = |rate_limit: &RateLimit| {
            let per = rate_limit.per().as_str_name().trim_start_matches("RATE_LIMIT_SCOPE_");
            json!({"per": per, "count": rate_limit.count, "seconds": rate_limit.seconds})
        };
        if !self.method.rate_limit.is_empty() {
            made.insert("x-rate-limit".to_owned(), self.method.rate_limit.iter().map(rate_limit).collect());
        }
    }
}

/// `PurchaseOrder` → `Purchase order`.
fn words(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push(' ');
            out.extend(letter.to_lowercase());
        } else {
            out.push(letter);
        }
    }
    out
}

/// A body that is a field's value is present or absent; it is never null.
fn without_null(schema: Value) -> Value {
    match schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([one, null]) if null.get("type").is_some_and(|kind| kind == "null") => one.clone(),
        _ => schema,
    }
}
