//! The shared components of a document, made on demand.

use std::collections::{BTreeMap, HashMap};

use prost_reflect::{EnumDescriptor, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::Source;
use crate::comment::Comments;
use crate::name::Names;
use crate::schema::Way;
use crate::{answer, example, parameter, refusal, schema};

/// The components of one document.
#[derive(Debug)]
pub(crate) struct Components<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) comments: Comments,
    names: Names,
    schemas: BTreeMap<String, Value>,
    /// The names of the refusals so far, by status and reasons.
    refusals: HashMap<(u16, Vec<usize>), String>,
    responses: BTreeMap<String, Value>,
    /// The names of the bodies so far, by message and by the fields that stand elsewhere.
    bodies: HashMap<(String, Vec<String>), String>,
}

impl<'a> Components<'a> {
    pub(crate) fn new(source: &'a Source<'a>) -> Self {
        Self {
            source,
            comments: Comments::read(source.pool),
            names: Names::of(source.pool),
            schemas: BTreeMap::new(),
            refusals: HashMap::new(),
            responses: BTreeMap::new(),
            bodies: HashMap::new(),
        }
    }

    /// The schema of a message, by reference.
    pub(crate) fn message(&mut self, message: &MessageDescriptor, way: Way) -> Value {
        let name = self.names.get(message.full_name());
        // The name of a request message says already that only callers send it.
        let name = if way == Way::Answer || name.ends_with("Request") { name } else { format!("{name}Input") };
        if !self.schemas.contains_key(&name) {
            // Reserved before it is made, for messages that contain themselves.
            self.schemas.insert(name.clone(), Value::Null);
            let made = schema::message(self, message, way, &[]);
            self.schemas.insert(name.clone(), made);
        }
        reference("schemas", &name)
    }

    /// The schema of a request as a body, without the fields in the path.
    pub(crate) fn body(&mut self, message: &MessageDescriptor, without: Vec<String>) -> Value {
        let key = (message.full_name().to_owned(), without);
        if let Some(name) = self.bodies.get(&key) {
            return reference("schemas", name);
        }
        let plain = self.names.get(message.full_name());
        let name = if self.schemas.contains_key(&plain) { self.free(&format!("{plain}Body")) } else { plain };
        let without: Vec<&str> = key.1.iter().map(String::as_str).collect();
        self.schemas.insert(name.clone(), Value::Null);
        let made = schema::message(self, message, Way::Body, &without);
        self.schemas.insert(name.clone(), made);
        self.bodies.insert(key, name.clone());
        reference("schemas", &name)
    }

    /// The schema of an enumeration's spellings, by reference.
    pub(crate) fn enumeration(&mut self, descriptor: &EnumDescriptor) -> Value {
        let name = self.names.get(descriptor.full_name());
        if !self.schemas.contains_key(&name) {
            let made = schema::enumeration(self, descriptor);
            self.schemas.insert(name.clone(), made);
        }
        reference("schemas", &name)
    }

    /// The schema of any JSON that a caller may send.
    pub(crate) fn anything(&mut self) -> Value {
        let name = "JsonValue";
        self.schemas.entry(name.to_owned()).or_insert_with(schema::anything);
        reference("schemas", name)
    }

    /// The answer of a refused call, by reference.
    pub(crate) fn refusal(&mut self, status: u16, reasons: Vec<usize>) -> Value {
        if let Some(name) = self.refusals.get(&(status, reasons.clone())) {
            return reference("responses", name);
        }
        let word = refusal::word(status);
        let mut name = word.to_owned();
        let mut number = 1;
        while self.responses.contains_key(&name) {
            number += 1;
            name = format!("{word}{number}");
        }
        let made = refusal::response(self.source.contract, status, &reasons);
        self.responses.insert(name.clone(), made);
        self.refusals.insert((status, reasons), name.clone());
        reference("responses", &name)
    }

    /// Whether the body at that reference is required.
    pub(crate) fn has_required(&self, reference: &Value) -> bool {
        let name =
            reference.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        self.schemas.get(name).is_some_and(|schema| schema.get("required").is_some())
    }

    /// An example of a message, as callers send it or receive it.
    pub(crate) fn example(&self, message: &MessageDescriptor, way: Way) -> Value {
        example::message(message, way, &[])
    }

    /// All components that were asked for.
    pub(crate) fn finish(mut self) -> Value {
        self.schemas.extend(refusal::schemas());
        let ours = |made: BTreeMap<String, Value>| Value::Object(Map::from_iter(made));
        json!({
            "schemas": ours(self.schemas),
            "responses": ours(self.responses),
            "parameters": parameter::shared(),
            "headers": answer::headers(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A token of POST /v1/tokens."},
                "session": {
                    "type": "apiKey", "in": "cookie", "name": "__Host-pavise_session",
                    "description": "A browser's session, for the platform's own pages: what changes something needs their Origin. Without TLS, on the server's own machine, the name is `pavise_session`.",
                },
            },
        })
    }

    fn free(&self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !self.schemas.contains_key(name)).unwrap_or_default()
    }
}

/// A reference to a component.
pub(crate) fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}
