//! The shared components of a document. The makers of schemas and refusals add to them on demand.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::Source;
use crate::comment::Comments;
use crate::name::Names;

/// The components of one document.
#[derive(Debug)]
pub(crate) struct Components<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) comments: Comments,
    pub(crate) names: Names,
    pub(crate) schemas: BTreeMap<String, Value>,
    /// The names of the refusals so far, by status and reasons.
    pub(crate) refusals: HashMap<(u16, Vec<usize>), String>,
    pub(crate) responses: BTreeMap<String, Value>,
    /// The names of the bodies so far, by message and by the fields that stand elsewhere.
    pub(crate) bodies: HashMap<(String, Vec<String>), String>,
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

    /// Whether the body at that reference is required.
    pub(crate) fn has_required(&self, reference: &Value) -> bool {
        let name =
            reference.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        self.schemas.get(name).is_some_and(|schema| schema.get("required").is_some())
    }

    /// A name that no schema has yet.
    pub(crate) fn free(&self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !self.schemas.contains_key(name)).unwrap_or_default()
    }
}

/// A reference to a component.
pub(crate) fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}
