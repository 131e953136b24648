//! Visits the sealed fields of a document.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::plan::{Plan, Plans, Step};
use crate::error::Result;

/// The keys of a sealed value: the name of its key, and the ciphertext. No field has such a name.
const KEY: &str = "~k";
const TEXT: &str = "~s";

/// The entity that a field belongs to.
#[derive(Debug, Clone)]
pub(super) struct Place(Arc<(String, String, String)>);

impl Place {
    pub(super) fn new(table: &str, id: &str, owner: &str) -> Self {
        Self(Arc::new((table.to_owned(), id.to_owned(), owner.to_owned())))
    }

    /// The text that binds a value to its table, entity and field.
    pub(super) fn bound(&self, path: &str) -> String {
        let (table, id, _) = &*self.0;
        format!("{table}\0{id}\0{path}")
    }
}

/// A sealed field of a document.
pub(super) struct Slot<'v> {
    pub(super) value: &'v mut Value,
    pub(super) place: &'v Place,
    /// The field's path in its entity, without the numbers of items.
    pub(super) path: &'v str,
    /// The person beside it; empty for none.
    subject: &'v str,
}

impl Slot<'_> {
    /// The name of the key that seals it: that of the person, or else of the entity.
    pub(super) fn key_name(&self) -> String {
        let (table, id, owner) = &*self.place.0;
        match (self.subject, owner.as_str()) {
            ("", "") => format!("e/{table}/{id}"),
            ("", owner) => name_key_of(owner),
            (subject, _) => name_key_of(subject),
        }
    }

    /// The name of the key that has sealed it.
    pub(super) fn sealed_with(&self) -> Option<&str> {
        parts(self.value).map(|(name, _)| name)
    }
}

/// The name of a person's key.
#[must_use]
pub fn name_key_of(id: &str) -> String {
    format!("p/{id}")
}

/// The person whose key has that name; `None` for the key of an entity.
#[must_use]
pub fn person_of(name: &str) -> Option<&str> {
    name.strip_prefix("p/")
}

/// Whether a document may hold a sealed value.
pub(super) fn may_be_sealed(doc: &str) -> bool {
    doc.contains("\"~s\"")
}

/// The sealed form of a value.
pub(super) fn sealed_value(name: String, text: String) -> Value {
    json!({KEY: name, TEXT: text})
}

/// The key's name and the ciphertext of a sealed value.
pub(super) fn parts(value: &Value) -> Option<(&str, &str)> {
    let fields = value.as_object().filter(|fields| fields.len() == 2)?;
    Some((fields.get(KEY)?.as_str()?, fields.get(TEXT)?.as_str()?))
}

/// Whether a value is sealed.
pub(super) fn is_sealed(value: &Value) -> bool {
    parts(value).is_some()
}

/// A visit of a field; `false` removes the field.
type Visit<'v> = dyn FnMut(Slot<'_>) -> Result<bool> + 'v;

impl Plans {
    /// Visits each sealed field of a document.
    pub(super) fn walk(&self, plan: usize, doc: &mut Value, place: &Place, visit: &mut Visit<'_>) -> Result<()> {
        match (self.plans.get(plan), doc) {
            (Some(plan), Value::Object(fields)) => self.fields(plan, fields, place, "", visit),
            _ => Ok(()),
        }
    }

    fn fields(
        &self,
        plan: &Plan,
        fields: &mut Map<String, Value>,
        place: &Place,
        path: &str,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        for field in &plan.fields {
            if !fields.contains_key(&field.json) {
                continue;
            }
            let path = if path.is_empty() { field.json.clone() } else { format!("{path}.{}", field.json) };
            let keep = match &field.step {
                Step::Sealed(subject) => {
                    let named = subject.as_ref().and_then(|subject| fields.get(subject)?.as_str());
                    let subject = named.unwrap_or_default().to_owned();
                    let Some(value) = fields.get_mut(&field.json) else { continue };
                    value.is_null() || visit(Slot { value, place, path: &path, subject: &subject })?
                }
                Step::Inner(at) | Step::Map(at) => {
                    let (Some(plan), Some(value)) = (self.plans.get(*at), fields.get_mut(&field.json)) else {
                        continue;
                    };
                    match value {
                        Value::Array(items) => {
                            for item in items {
                                self.message(plan, item, place, &path, visit)?;
                            }
                        }
                        Value::Object(items) if matches!(field.step, Step::Map(_)) => {
                            for item in items.values_mut() {
                                self.message(plan, item, place, &path, visit)?;
                            }
                        }
                        one => self.message(plan, one, place, &path, visit)?,
                    }
                    true
                }
            };
            if !keep {
                fields.remove(&field.json);
            }
        }
        Ok(())
    }

    /// Visits a message below another. An entity has a place of its own.
    fn message(&self, plan: &Plan, value: &mut Value, place: &Place, path: &str, visit: &mut Visit<'_>) -> Result<()> {
        let Value::Object(fields) = value else { return Ok(()) };
        match &plan.table {
            None => self.fields(plan, fields, place, path, visit),
            Some(table) => {
                let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
                let place = Place::new(table, text("id"), text("ownerId"));
                self.fields(plan, fields, &place, "", visit)
            }
        }
    }
}
