//! Encodes earlier documents as they would be written today.

use std::collections::{BTreeMap, BTreeSet};

use pavise_contract::table::Lookup;
use serde_json::Value;

use super::keys::FoundKey;
use super::sealer::{FieldSealer, close, parse};
use super::walk::{Place, Slot};
use crate::entity::document::Documents;
use crate::error::Result;
use crate::port::store::{RowRewrite, Store, StoredRow};
use crate::port::table_entry::{EntityEncoding, TableEntry};

/// A document that may have plain values.
pub(super) struct Doc<'d> {
    pub(super) plan: usize,
    pub(super) text: &'d str,
    pub(super) place: Place,
}

/// A document, and the values of its entity's lookups if they are known.
type Encoded = (String, Option<Lookups>);

/// The values of an entity's lookups.
type Lookups = Vec<(&'static Lookup, String)>;

/// The names and values of an entity's lookups.
type LookupValues = BTreeSet<(String, String)>;

impl FieldSealer {
    /// The rows that are stored otherwise than a write of today would store them, each with the clock of its last entry.
    pub(super) async fn encode_rows(
        &self,
        store: &dyn Store,
        entry: &'static TableEntry,
        rows: Vec<StoredRow>,
    ) -> Result<Vec<(i64, RowRewrite)>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let stored = self.stored_lookups(store, entry, &rows).await?;
        let plain = self.encode_opened(entry, &rows).await?;
        let sealed = match self.plans.of_message(entry.table.message) {
            Some(plan) => {
                let docs = rows.iter().zip(&plain);
                let docs = docs.map(|(row, (doc, _))| Doc { plan, text: doc, place: place_of(entry, row) });
                self.seal_docs(docs.collect()).await?
            }
            None => Vec::new(),
        };
        let mut sealed = sealed.into_iter();
        let mut changed = Vec::new();
        for (row, (doc, lookups)) in rows.into_iter().zip(plain) {
            let doc = sealed.next().flatten().unwrap_or(doc);
            let before = stored.get(&row.id).cloned().unwrap_or_default();
            let lookups = lookups.filter(|lookups| names_of(lookups) != before);
            if lookups.is_some() || parse(&doc)? != parse(&row.doc)? {
                changed.push((
                    row.clock,
                    RowRewrite { table: entry.table, id: row.id, version: row.version, doc, lookups },
                ));
            }
        }
        Ok(changed)
    }

    /// The documents of the rows as a write of today would store them, opened, and their lookups.
    async fn encode_opened(&self, entry: &'static TableEntry, rows: &[StoredRow]) -> Result<Vec<Encoded>> {
        let mut opened = rows.to_vec();
        if let Some(plan) = self.plans.of_message(entry.table.message) {
            let docs = opened.iter_mut().map(|row| {
                let place = place_of(entry, row);
                (plan, &mut row.doc, place)
            });
            self.open(docs.collect()).await?;
        }
        let documents = Documents::new(self.transcoder.clone());
        let mut plain = Vec::with_capacity(opened.len());
        for row in opened {
            plain.push(match encode_row(&documents, entry, &row.doc)? {
                Some((doc, lookups)) => (doc, Some(self.blind_lookups(entry, lookups).await?)),
                None => (row.doc, None),
            });
        }
        Ok(plain)
    }

    /// The stored lookups of rows, by id.
    async fn stored_lookups(
        &self,
        store: &dyn Store,
        entry: &'static TableEntry,
        rows: &[StoredRow],
    ) -> Result<BTreeMap<String, LookupValues>> {
        let mut found: BTreeMap<String, LookupValues> = BTreeMap::new();
        if entry.table.lookups.iter().any(|lookup| lookup.many) {
            let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
            for (id, name, value) in store.lookup_values(entry.table, &ids).await? {
                found.entry(id).or_default().insert((name, value));
            }
        }
        Ok(found)
    }

    async fn blind_lookups(&self, entry: &'static TableEntry, mut lookups: Lookups) -> Result<Lookups> {
        for (lookup, value) in lookups.iter_mut().filter(|(lookup, _)| lookup.blind) {
            *value = self.blind(entry.table, lookup, value).await?;
        }
        Ok(lookups)
    }

    /// The documents with their values sealed, and without those whose keys were destroyed; `None` for one that stays.
    pub(super) async fn seal_docs(&self, docs: Vec<Doc<'_>>) -> Result<Vec<Option<String>>> {
        let mut parsed = Vec::with_capacity(docs.len());
        let (mut names, mut sealed_with) = (BTreeSet::new(), BTreeSet::new());
        for doc in docs {
            // Readers report a document that cannot be read; it stays as it is.
            let Ok(mut value) = parse(doc.text) else {
                parsed.push(None);
                continue;
            };
            self.plans.walk(doc.plan, &mut value, &doc.place, &mut |slot| {
                match slot.sealed_with() {
                    Some(name) => sealed_with.insert(name.to_owned()),
                    None => names.insert(slot.key_name()),
                };
                Ok(true)
            })?;
            parsed.push(Some((doc.plan, value, doc.place)));
        }
        if names.is_empty() && sealed_with.is_empty() {
            return Ok(parsed.iter().map(|_| None).collect());
        }
        let mut keys = self.configured_keys()?.fetch_or_make(&names).await?;
        keys.extend(self.configured_keys()?.fetch(&sealed_with).await?);
        let seal = |doc: Option<(usize, Value, Place)>| {
            let Some((plan, mut value, place)) = doc else { return Ok(None) };
            let mut is_changed = false;
            self.plans.walk(plan, &mut value, &place, &mut |slot: Slot<'_>| {
                let (is_plain, name) = (slot.sealed_with().is_none(), slot.sealed_with().map(str::to_owned));
                let is_erased = matches!(keys.get(&name.unwrap_or_else(|| slot.key_name())), Some(FoundKey::Destroyed));
                is_changed |= is_plain || is_erased;
                if is_erased { Ok(false) } else { close(slot, &keys) }
            })?;
            Ok(is_changed.then(|| value.to_string()))
        };
        parsed.into_iter().map(seal).collect()
    }
}

/// The document and the lookups that a write of today would store; `None` if the document has fields that this program
/// does not know.
fn encode_row(documents: &Documents, entry: &'static TableEntry, doc: &str) -> Result<Option<(String, Lookups)>> {
    let message = entry.table.message;
    let Some(EntityEncoding { wire, lookups }) =
        documents.wire_of_known(message, doc).and_then(|wire| (entry.encode)(&wire))
    else {
        return Ok(None);
    };
    Ok(Some((documents.json(message, &wire)?, lookups)))
}

fn place_of(entry: &TableEntry, row: &StoredRow) -> Place {
    Place::new(entry.table.name, &row.id, &row.owner_id)
}

fn names_of(lookups: &[(&'static Lookup, String)]) -> LookupValues {
    lookups.iter().map(|(lookup, value)| (lookup.name.to_owned(), value.clone())).collect()
}
