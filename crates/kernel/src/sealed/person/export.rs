//! Answers one person's data in portions.

use std::collections::HashMap;

use serde_json::Value;

use super::portion::{Candidate, History, PersonPlace, Scan};
use super::walk::Slot;
use crate::error::Result;
use crate::port::store::{Entry, Store};
use crate::port::table_entry::TableEntry;
use crate::sealed::sealer::{FieldSealer, parse};
use crate::sealed::walk::Place;

/// A value of a field of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalField {
    /// The message of the entity, by its full name.
    pub message: &'static str,
    /// The entity.
    pub id: String,
    /// The path of the field in JSON.
    pub path: String,
    /// The value: a text as it is, anything else as JSON.
    pub value: String,
    /// Whether the entity has it now.
    pub current: bool,
}

/// A part of an export.
#[derive(Debug)]
pub struct ExportPart {
    /// The journal.
    pub journal: &'static str,
    /// The values, each once for its field.
    pub fields: Vec<PersonalField>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<PersonPlace>,
}

impl FieldSealer {
    /// Answers a part of what a domain's tables have of a person. `store` is the engine's own. Secrets are left out.
    ///
    /// # Errors
    /// When the database does not answer, or a master key is missing.
    pub async fn export_person(
        &self,
        store: &dyn Store,
        tables: &[&'static TableEntry],
        person: &str,
        place: &PersonPlace,
    ) -> Result<ExportPart> {
        let mut scan = Scan::new(self, store, tables, person);
        let portion = scan.portion(place).await?;
        let mut fields = Vec::new();
        for candidate in &portion.candidates {
            let mut history = scan.history(candidate).await?;
            // The portion with its first entry has answered it.
            let is_new = scan.first_of(candidate, &history).is_none_or(|clock| clock > portion.after);
            if is_new {
                scan.open(candidate, &mut history.entries).await?;
                fields.extend(scan.fields_of(candidate, &history));
            }
        }
        Ok(ExportPart { journal: portion.journal, fields, next: portion.next })
    }
}

impl Scan<'_> {
    /// The clock of the first entry for which the entity is a candidate.
    fn first_of(&self, candidate: &Candidate, history: &History) -> Option<i64> {
        let is_child = self.sealer.personal().parent(candidate.entry.table.name).is_some();
        let quoted = Value::String(self.person.to_owned()).to_string();
        let names = |entry: &&Entry| {
            is_child || entry.owner_id == self.person || entry.entity_id == self.person || entry.doc.contains(&quoted)
        };
        history.entries.iter().find(names).map(|entry| entry.clock)
    }

    async fn open(&self, candidate: &Candidate, entries: &mut [Entry]) -> Result<()> {
        let Some(plan) = self.sealer.plans.of_table(candidate.entry.table.name) else { return Ok(()) };
        let docs = entries.iter_mut().map(|entry| {
            let place = Place::new(&entry.table, &entry.entity_id, &entry.owner_id);
            (plan, &mut entry.doc, place)
        });
        self.sealer.open(docs.collect()).await
    }

    /// The values of the person in the entries of an entity, each once for its field, in the order of their first entries.
    fn fields_of(&self, candidate: &Candidate, history: &History) -> Vec<PersonalField> {
        let table = candidate.entry.table;
        let (mut known, mut fields): (HashMap<(String, String), usize>, Vec<PersonalField>) = Default::default();
        let last = history.entries.last().filter(|entry| !entry.removed).map(|entry| entry.clock);
        for (entry, is_own) in history.entries.iter().zip(&history.own) {
            let Ok(mut doc) = parse(&entry.doc) else { continue };
            self.sealer.personal().walk(table.name, &mut doc, self.person, *is_own, &mut |slot: Slot<'_>| {
                if slot.is_secret {
                    return true;
                }
                let mut leaves = Vec::new();
                find_leaves(slot.path, slot.value, &mut leaves);
                for (path, value) in leaves {
                    let at = *known.entry((path.clone(), value.clone())).or_insert(fields.len());
                    if at == fields.len() {
                        let (message, id) = (table.message, candidate.id.clone());
                        fields.push(PersonalField { message, id, path, value, current: false });
                    }
                    if let Some(field) = fields.get_mut(at).filter(|_| Some(entry.clock) == last) {
                        field.current = true;
                    }
                }
                true
            });
        }
        fields
    }
}

/// The single values below a path, as texts.
fn find_leaves(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Array(items) => items.iter().for_each(|item| find_leaves(path, item, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| find_leaves(&format!("{path}.{name}"), value, found));
        }
        other => found.push((path.to_owned(), other.to_string())),
    }
}
