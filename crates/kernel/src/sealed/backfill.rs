//! Writes anew what an earlier version of the program stored otherwise: fields that are sealed since, in rows and in
//! earlier journal entries, and lookups that were added since.
//!
//! Versions, clocks and times stay. The progress is kept for each journal and each form of its tables, so that a process
//! may end at any time, and a field that is sealed later, or a new lookup, begins it again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::earlier::Doc;
use super::person::PersonPlace;
use super::sealer::FieldSealer;
use super::walk::{Place, person_of};
use crate::error::Result;
use crate::hex::to_hex;
use crate::port::store::{Cursor, Entry, Store, StoredRow};
use crate::port::table_entry::TableEntry;
use crate::time::Micros;

/// Entries that are read at once.
const PAGE: u32 = 200;
/// Begins the name of a mark: how many destroyed keys the tables of a process know.
const ERASED: &str = "erased";
/// By how much the clocks of processes differ at most.
const DAY: Micros = 24 * 3_600 * 1_000_000;
/// How long a process has a journal for itself.
const LEASE: Duration = Duration::from_secs(30);

impl FieldSealer {
    /// Writes the earlier entries and rows of the journals of these tables as they would be written today. `store` is the
    /// engine's own. Answers the number of documents and entities that it wrote. A journal that another process works on
    /// is left out, and so are tables with sealed fields if there is no master key.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn rewrite_earlier(
        &self,
        store: &dyn Store,
        tables: &[&'static TableEntry],
        holder: &str,
    ) -> Result<u64> {
        let can_seal = self.data_keys().is_some();
        let tables = tables.iter().filter(|entry| can_seal || self.plans.of_message(entry.table.message).is_none());
        let mut done = 0;
        for (journal, tables) in by_journal(tables) {
            let forms: Vec<String> = tables.iter().map(|entry| self.form_of(entry)).collect();
            let digest = to_hex(&Sha256::digest(forms.join("\n")));
            let name = format!("rewritten.{journal}.{}", digest.get(..8).unwrap_or_default());
            if !store.lease(&name, holder, LEASE).await? {
                continue;
            }
            let written = self.rewrite_journal(store, journal, &tables, &name, holder).await;
            store.release(&name, holder).await?;
            done += written?;
        }
        Ok(done)
    }

    /// Erases again, in a database that may be an older one, those whose keys were destroyed: their plain data, what their
    /// keys sealed, and the lookups of both. `store` is the engine's own. Answers the number of documents and entities
    /// that it wrote. It does nothing if the database knows all destroyed keys. While something of them is on legal hold, the
    /// next start does it again.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn erase_again(&self, store: &dyn Store, tables: &[&'static TableEntry], holder: &str) -> Result<u64> {
        let Some(keys) = self.data_keys() else { return Ok(0) };
        let erased = keys.list_destroyed().await?;
        let destroyed = i64::try_from(erased.len()).unwrap_or(i64::MAX);
        let mark = mark_of(tables);
        let known = store.cursor(&mark).await?.clock;
        if known >= destroyed || !store.lease(&mark, holder, LEASE).await? {
            return Ok(0);
        }
        let sealed = tables.iter().filter(|entry| self.plans.of_message(entry.table.message).is_some());
        let (mut done, mut is_held) = (0, false);
        for person in erased_after(erased, known) {
            let (written, held) = self.redact_again(store, tables, &person, (&mark, holder)).await?;
            done += written;
            is_held |= held;
        }
        for (journal, tables) in by_journal(sealed) {
            let name = format!("{ERASED}.{journal}.{destroyed}");
            if store.lease(&name, holder, LEASE).await? {
                let written = self.rewrite_journal(store, journal, &tables, &name, holder).await;
                store.release(&name, holder).await?;
                done += written?;
            }
        }
        if !is_held && store.lease(&mark, holder, LEASE).await? {
            store.advance(&mark, holder, &Cursor { clock: destroyed, epoch: ERASED.to_owned() }, &[]).await?;
        }
        store.release(&mark, holder).await?;
        Ok(done)
    }

    /// Erases a person's plain data again. Answers the number of what it wrote, and whether something must stay for now.
    async fn redact_again(
        &self,
        store: &dyn Store,
        tables: &[&'static TableEntry],
        person: &str,
        (mark, holder): (&str, &str),
    ) -> Result<(u64, bool)> {
        let (mut next, mut done, mut is_held) = (PersonPlace::parse("", tables), 0, false);
        while let Some(place) = next {
            let part = self.redact_person(store, tables, person, &place, false).await?;
            done += part.redacted.entries + part.redacted.entities;
            is_held |= !part.held.is_empty();
            next = part.next;
            // Another process that took over meanwhile does the same.
            let _ = store.lease(mark, holder, LEASE).await?;
        }
        Ok((done, is_held))
    }

    /// A text that changes when entities of the table have to be written anew.
    fn form_of(&self, entry: &TableEntry) -> String {
        let mut form = format!("{}\n{}", entry.table.name, self.plans.describe(entry.table.message));
        for lookup in entry.table.lookups.iter().filter(|lookup| lookup.many) {
            let _ = write!(form, "\n{} {} {}", lookup.name, lookup.fold, lookup.blind);
        }
        form
    }

    async fn rewrite_journal(
        &self,
        store: &dyn Store,
        journal: &str,
        tables: &[&'static TableEntry],
        name: &str,
        holder: &str,
    ) -> Result<u64> {
        let kept = store.cursor(name).await?;
        let (mut clock, mut done) = (if kept.epoch == store.head(journal).await?.epoch { kept.clock } else { 0 }, 0);
        loop {
            let (entries, head) = store.journal(journal, "", clock, PAGE).await?;
            let Some(last) = entries.last().map(|entry| entry.clock) else { return Ok(done) };
            done += self.rewrite_page(store, journal, tables, entries).await?;
            clock = last;
            let here = store.lease(name, holder, LEASE).await?;
            if !here || !store.advance(name, holder, &Cursor { clock, epoch: head.epoch }, &[]).await? {
                return Ok(done);
            }
        }
    }

    /// Writes some entries of a journal anew, and the rows whose last entry is among them: a replay gives the state at any
    /// time.
    async fn rewrite_page(
        &self,
        store: &dyn Store,
        journal: &str,
        tables: &[&'static TableEntry],
        entries: Vec<Entry>,
    ) -> Result<u64> {
        let mut rows = Vec::new();
        let mut past = BTreeMap::new();
        for entry in tables {
            let current = rows_of_page(store, entry, &entries).await?;
            for (clock, row) in self.encode_rows(store, entry, current).await? {
                past.insert(clock, row.doc.clone());
                rows.push(row);
            }
        }
        let texts: Vec<Entry> = entries.into_iter().filter(|entry| !past.contains_key(&entry.clock)).collect();
        let docs = texts.iter().filter_map(|entry| {
            let plan = self.plans.of_table(&entry.table)?;
            let place = Place::new(&entry.table, &entry.entity_id, &entry.owner_id);
            Some((entry.clock, Doc { plan, text: &entry.doc, place }))
        });
        let (clocks, docs): (Vec<i64>, Vec<Doc<'_>>) = docs.unzip();
        let sealed =
            if docs.is_empty() || self.data_keys().is_none() { Vec::new() } else { self.seal_docs(docs).await? };
        past.extend(clocks.into_iter().zip(sealed).filter_map(|(clock, doc)| Some((clock, doc?))));
        let past: Vec<(i64, String)> = past.into_iter().collect();
        if !past.is_empty() {
            store.rewrite(journal, &rows, &past).await?;
        }
        Ok(u64::try_from(past.len() + rows.len()).unwrap_or(u64::MAX))
    }
}

/// The name of the mark of these tables: processes that share a database may have others.
fn mark_of(tables: &[&'static TableEntry]) -> String {
    let names: Vec<&str> = tables.iter().map(|entry| entry.table.name).collect();
    let digest = to_hex(&Sha256::digest(names.join("\n")));
    format!("{ERASED}.{}", digest.get(..8).unwrap_or_default())
}

/// The persons whose keys were destroyed after so many others. The clocks of processes differ, so that those of a day before
/// are among them.
fn erased_after(mut erased: Vec<(String, Micros)>, known: i64) -> Vec<String> {
    erased.sort_by_key(|(_, at)| *at);
    let first = usize::try_from(known).ok().and_then(|known| erased.get(known)).map(|(_, at)| *at);
    let since = first.unwrap_or_default().saturating_sub(DAY);
    let names = erased.into_iter().filter(|(_, at)| *at >= since).map(|(name, _)| name);
    names.filter_map(|name| person_of(&name).map(str::to_owned)).collect()
}

/// The tables of each journal.
fn by_journal<'t>(
    tables: impl Iterator<Item = &'t &'static TableEntry>,
) -> BTreeMap<&'static str, Vec<&'static TableEntry>> {
    let mut journals: BTreeMap<&'static str, Vec<&'static TableEntry>> = BTreeMap::new();
    for entry in tables {
        journals.entry(entry.table.journal).or_default().push(entry);
    }
    journals
}

/// The rows of a table whose last entry is one of these.
async fn rows_of_page(store: &dyn Store, entry: &'static TableEntry, entries: &[Entry]) -> Result<Vec<StoredRow>> {
    let of_table = entries.iter().filter(|one| one.table == entry.table.name && !one.removed);
    let mut ids: Vec<String> = of_table.map(|one| one.entity_id.clone()).collect();
    ids.sort();
    ids.dedup();
    let mut rows = if ids.is_empty() { Vec::new() } else { store.get_many(entry.table, &ids).await? };
    rows.retain(|row| entries.iter().any(|one| one.clock == row.clock && one.entity_id == row.id));
    Ok(rows)
}
