//! Seals what was written before its field was sealed: earlier journal entries, and the rows of their entities.
//!
//! Versions, clocks and times stay. The progress is kept for each journal and each set of sealed fields, so that a process
//! may end at any time, and a field that is sealed later begins it again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pavise_contract::table::Table;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::keys::FoundKey;
use super::sealer::{FieldSealer, close, parse};
use super::walk::{Place, Slot};
use crate::error::Result;
use crate::hex::to_hex;
use crate::port::store::{Cursor, Entry, RowRewrite, Store};
use crate::port::table_entry::TableEntry;

/// Entries that are sealed at once.
const PAGE: u32 = 200;
/// How long a process has a journal for itself.
const LEASE: Duration = Duration::from_secs(30);

/// A document that may have plain values.
struct Doc<'d> {
    plan: usize,
    text: &'d mut String,
    place: Place,
}

impl FieldSealer {
    /// Seals the earlier entries and rows of the journals of these tables. `store` is the engine's own. Answers the number
    /// of sealed documents. A journal that another process works on is left out.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn seal_earlier(&self, store: &dyn Store, tables: &[&'static TableEntry], holder: &str) -> Result<u64> {
        let mut journals: BTreeMap<&'static str, Vec<&'static Table>> = BTreeMap::new();
        for table in tables.iter().map(|entry| entry.table) {
            if self.plans.of_message(table.message).is_some() {
                journals.entry(table.journal).or_default().push(table);
            }
        }
        let mut done = 0;
        for (journal, tables) in journals {
            let paths: Vec<String> = tables.iter().map(|table| self.plans.describe(table.message)).collect();
            let digest = to_hex(&Sha256::digest(paths.join("\n")));
            let name = format!("sealed.{journal}.{}", digest.get(..8).unwrap_or_default());
            if !store.lease(&name, holder, LEASE).await? {
                continue;
            }
            let sealed = self.seal_journal(store, journal, &tables, &name, holder).await;
            store.release(&name, holder).await?;
            done += sealed?;
        }
        Ok(done)
    }

    async fn seal_journal(
        &self,
        store: &dyn Store,
        journal: &str,
        tables: &[&'static Table],
        name: &str,
        holder: &str,
    ) -> Result<u64> {
        let kept = store.cursor(name).await?;
        let (mut clock, mut done) = (if kept.epoch == store.head(journal).await?.epoch { kept.clock } else { 0 }, 0);
        loop {
            let (mut entries, head) = store.journal(journal, "", clock, PAGE).await?;
            let Some(last) = entries.last().map(|entry| entry.clock) else { return Ok(done) };
            done += self.seal_page(store, journal, tables, &mut entries).await?;
            clock = last;
            let here = store.lease(name, holder, LEASE).await?;
            if !here || !store.advance(name, holder, &Cursor { clock, epoch: head.epoch }, &[]).await? {
                return Ok(done);
            }
        }
    }

    /// Seals some entries of a journal, and the rows whose last entry is among them: a replay gives the state at any time.
    async fn seal_page(
        &self,
        store: &dyn Store,
        journal: &str,
        tables: &[&'static Table],
        entries: &mut [Entry],
    ) -> Result<u64> {
        let mut rows = Vec::new();
        for table in tables {
            let of_table = entries.iter().filter(|entry| entry.table == table.name && !entry.removed);
            let ids: Vec<String> = of_table.map(|entry| entry.entity_id.clone()).collect();
            let current = if ids.is_empty() { Vec::new() } else { store.get_many(table, &ids).await? };
            let here = |id: &str, at: i64| entries.iter().any(|entry| entry.clock == at && entry.entity_id == id);
            rows.extend(current.into_iter().filter(|row| here(&row.id, row.clock)).map(|row| (*table, row)));
        }
        let docs = entries.iter_mut().filter_map(|entry| {
            let plan = self.plans.of_table(&entry.table)?;
            let place = Place::new(&entry.table, &entry.entity_id, &entry.owner_id);
            Some((entry.clock, Doc { plan, text: &mut entry.doc, place }))
        });
        let (clocks, docs): (Vec<i64>, Vec<Doc<'_>>) = docs.unzip();
        let sealed = self.seal_docs(docs).await?;
        let past: Vec<(i64, String)> =
            clocks.into_iter().zip(sealed).filter_map(|(clock, doc)| Some((clock, doc?))).collect();
        let docs = rows.iter_mut().filter_map(|(table, row)| {
            let plan = self.plans.of_message(table.message)?;
            Some(Doc { plan, place: Place::new(table.name, &row.id, &row.owner_id), text: &mut row.doc })
        });
        let sealed = self.seal_docs(docs.collect()).await?;
        let present: Vec<RowRewrite> = rows
            .iter()
            .zip(sealed)
            .filter_map(|((table, row), doc)| {
                Some(RowRewrite { table, id: row.id.clone(), version: row.version, doc: doc? })
            })
            .collect();
        if !past.is_empty() || !present.is_empty() {
            store.rewrite(journal, &present, &past).await?;
        }
        Ok(u64::try_from(past.len() + present.len()).unwrap_or(u64::MAX))
    }

    /// The documents with their values sealed; `None` for one that has no plain value.
    async fn seal_docs(&self, docs: Vec<Doc<'_>>) -> Result<Vec<Option<String>>> {
        let mut parsed = Vec::with_capacity(docs.len());
        let mut names = BTreeSet::new();
        for doc in docs {
            // Readers report a document that cannot be read; it stays as it is.
            let Ok(mut value) = parse(doc.text) else {
                parsed.push(None);
                continue;
            };
            let mut plain = false;
            self.plans.walk(doc.plan, &mut value, &doc.place, &mut |slot| {
                if slot.sealed_with().is_none() {
                    plain = true;
                    names.insert(slot.key_name());
                }
                Ok(true)
            })?;
            parsed.push(plain.then_some((doc.plan, value, doc.place)));
        }
        if names.is_empty() {
            return Ok(parsed.iter().map(|_| None).collect());
        }
        let keys = self.configured_keys()?.fetch_or_make(&names).await?;
        let seal = |doc: Option<(usize, Value, Place)>| {
            let Some((plan, mut value, place)) = doc else { return Ok(None) };
            self.plans.walk(plan, &mut value, &place, &mut |slot: Slot<'_>| {
                // A plain value of a person whose key was destroyed goes away.
                match keys.get(&slot.key_name()) {
                    Some(FoundKey::Destroyed) if slot.sealed_with().is_none() => Ok(false),
                    _ => close(slot, &keys),
                }
            })?;
            Ok(Some(value.to_string()))
        };
        parsed.into_iter().map(seal).collect()
    }
}
