//! Visits the fields of one person in a document.

use pavise_contract::options::v1::erasure::Decision;
use serde_json::{Map, Value};

use super::plan::{PersonalField, PersonalPlan, PersonalPlans};

/// A field of the person.
pub(super) struct Slot<'v> {
    pub(super) value: &'v mut Value,
    /// Its path in the document, without the numbers of items.
    pub(super) path: &'v str,
    pub(super) decision: &'v Decision,
    /// Whether no answer has it.
    pub(super) is_secret: bool,
}

/// A visit of a field; `false` removes the field.
pub(super) type Visit<'v> = dyn FnMut(Slot<'_>) -> bool + 'v;

/// A walk through one document.
struct Walk<'w, 'v> {
    plans: &'w PersonalPlans,
    person: &'w str,
    visit: &'w mut Visit<'v>,
}

/// The rule that holds at a place of the document.
#[derive(Clone, Copy)]
struct Around<'a> {
    decision: &'a Decision,
    /// Whether it is about the person.
    is_own: bool,
}

impl PersonalPlans {
    /// Visits each field of a person in a document of a table. `is_own` says whether the entity is the person's.
    pub(super) fn walk(&self, table: &str, doc: &mut Value, person: &str, is_own: bool, visit: &mut Visit<'_>) {
        let (Some(plan), Value::Object(fields)) = (self.of_table(table), doc) else { return };
        let around = Around { decision: &Decision::Blank(true), is_own };
        Walk { plans: self, person, visit }.message(plan, fields, around, "");
    }
}

impl Walk<'_, '_> {
    fn message(&mut self, plan: &PersonalPlan, fields: &mut Map<String, Value>, around: Around<'_>, path: &str) {
        let around = Around {
            decision: plan.decision.as_ref().unwrap_or(around.decision),
            is_own: self.is_own(fields, plan.subject.as_ref(), around.is_own),
        };
        for field in &plan.fields {
            let is_own = self.is_own(fields, field.subject.as_ref(), around.is_own);
            let Some(value) = fields.get_mut(&field.json).filter(|value| !value.is_null()) else { continue };
            let path = if path.is_empty() { field.json.clone() } else { format!("{path}.{}", field.json) };
            if field.inner.is_some() {
                self.inner(field, value, Around { is_own, ..around }, &path);
            } else if is_own {
                let decision = field.decision.as_ref().unwrap_or(around.decision);
                if !(self.visit)(Slot { value, path: &path, decision, is_secret: field.is_secret }) {
                    fields.remove(&field.json);
                }
            }
        }
    }

    fn inner(&mut self, field: &PersonalField, value: &mut Value, around: Around<'_>, path: &str) {
        let Some(plan) = field.inner.as_ref().and_then(|name| self.plans.of_message(name)) else { return };
        match value {
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.item(plan, item, around, path));
            }
            Value::Object(items) if field.is_map => {
                items.values_mut().for_each(|item| self.item(plan, item, around, path));
            }
            one => self.item(plan, one, around, path),
        }
    }

    fn item(&mut self, plan: &PersonalPlan, value: &mut Value, around: Around<'_>, path: &str) {
        let Value::Object(fields) = value else { return };
        // An entity within another has an owner of its own.
        let owner = plan.is_entity.then(|| "ownerId".to_owned());
        let is_own = self.is_own(fields, owner.as_ref(), around.is_own);
        self.message(plan, fields, Around { is_own, ..around }, path);
    }

    /// Whether the person is the one that a field names; as around it, if it names nobody.
    fn is_own(&self, fields: &Map<String, Value>, subject: Option<&String>, around: bool) -> bool {
        let named = subject.and_then(|subject| fields.get(subject)?.as_str()).filter(|named| !named.is_empty());
        named.map_or(around, |named| named == self.person)
    }
}
