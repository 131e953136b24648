//! Portions of a domain's journals, and the entities in them that may have something of a person.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use crate::error::Result;
use crate::port::store::{Entry, JournalPart, Store};
use crate::port::table_entry::TableEntry;
use crate::sealed::sealer::{FieldSealer, parse};

/// Clocks that a portion has at most.
const SPAN: i64 = 20_000;
/// Entries of a portion that may have something of the person, at most.
const MOST: u32 = 100;
/// Entries of an entity that are read at once.
const PAGE: u32 = 200;

/// Where the work on a person's data stands in the journals of a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonPlace {
    journal: String,
    after: i64,
}

impl PersonPlace {
    /// The place of a token, in a domain with these tables: the beginning for an empty one. `None` for a token that is of
    /// no journal of the domain.
    #[must_use]
    pub fn parse(token: &str, tables: &[&'static TableEntry]) -> Option<Self> {
        let journals = journals_of(tables);
        if token.is_empty() {
            return Some(Self { journal: (*journals.first()?).to_owned(), after: 0 });
        }
        let (journal, after) = token.split_once(':')?;
        let after = after.parse().ok().filter(|after| *after >= 0)?;
        journals.contains(journal).then(|| Self { journal: journal.to_owned(), after })
    }

    /// The token of the place.
    #[must_use]
    pub fn token(&self) -> String {
        format!("{}:{}", self.journal, self.after)
    }
}

/// The journals of tables, in order.
fn journals_of(tables: &[&'static TableEntry]) -> BTreeSet<&'static str> {
    tables.iter().map(|entry| entry.table.journal).collect()
}

/// An entity that may have something of the person.
pub(super) struct Candidate {
    pub(super) entry: &'static TableEntry,
    pub(super) id: String,
}

/// A portion of a journal.
pub(super) struct Portion {
    pub(super) journal: &'static str,
    /// The clock that it begins after.
    pub(super) after: i64,
    pub(super) candidates: Vec<Candidate>,
    /// The place after it; `None` at the end of the last journal.
    pub(super) next: Option<PersonPlace>,
    /// Whether it is the last one of its journal.
    pub(super) ends_journal: bool,
}

/// The entries of an entity, each with whether it is the person's.
pub(super) struct History {
    pub(super) entries: Vec<Entry>,
    pub(super) own: Vec<bool>,
}

/// A portion of the work on one person.
pub(super) struct Scan<'s> {
    pub(super) sealer: &'s FieldSealer,
    pub(super) store: &'s dyn Store,
    pub(super) tables: &'s [&'static TableEntry],
    pub(super) person: &'s str,
    /// The parents that were asked for: whether they are the person's.
    parents: HashMap<(String, String), bool>,
}

impl<'s> Scan<'s> {
    pub(super) fn new(
        sealer: &'s FieldSealer,
        store: &'s dyn Store,
        tables: &'s [&'static TableEntry],
        person: &'s str,
    ) -> Self {
        Self { sealer, store, tables, person, parents: HashMap::new() }
    }

    /// The portion at a place.
    pub(super) async fn portion(&self, place: &PersonPlace) -> Result<Portion> {
        let journals = journals_of(self.tables);
        let journal = journals.iter().copied().find(|name| **name >= *place.journal).unwrap_or_default();
        let of_journal = || self.tables.iter().filter(|entry| entry.table.journal == journal);
        let plan = |entry: &&'static TableEntry| self.sealer.personal().of_table(entry.table.name);
        let (mut candidates, mut clock, mut head) = (Vec::new(), 0, 0);
        if of_journal().any(|entry| plan(entry).is_some()) {
            let is_child = |entry: &&&'static TableEntry| {
                plan(entry).is_some() && self.sealer.personal().parent(entry.table.name).is_some()
            };
            let also = of_journal().filter(is_child).map(|entry| entry.table.name).collect();
            let part = JournalPart::Person { id: self.person.to_owned(), also };
            let through = place.after.saturating_add(SPAN);
            let (entries, stands) = self.store.journal_of(journal, &part, place.after, through, MOST).await?;
            let is_full = u32::try_from(entries.len()).is_ok_and(|count| count >= MOST);
            let last = entries.last().map(|entry| entry.clock).filter(|_| is_full);
            (clock, head) = (last.unwrap_or(through), stands.clock);
            let mut seen = BTreeSet::new();
            for found in entries {
                let known = of_journal().find(|entry| entry.table.name == found.table && plan(entry).is_some());
                if let Some(entry) = known.filter(|_| seen.insert((found.table, found.entity_id.clone()))) {
                    candidates.push(Candidate { entry, id: found.entity_id });
                }
            }
        }
        let ends_journal = clock >= head;
        let next = match ends_journal {
            false => Some(PersonPlace { journal: journal.to_owned(), after: clock }),
            true => journals
                .into_iter()
                .find(|other| *other > journal)
                .map(|other| PersonPlace { journal: other.to_owned(), after: 0 }),
        };
        Ok(Portion { journal, after: place.after, candidates, next, ends_journal })
    }

    /// The entries of an entity.
    pub(super) async fn history(&mut self, candidate: &Candidate) -> Result<History> {
        let table = candidate.entry.table;
        let entries = self.entries_of(table.journal, table.name, &candidate.id).await?;
        let own = match self.sealer.personal().parent(table.name) {
            Some((parent, key)) => {
                let is_own = match entries.last().and_then(|last| parent_id(&last.doc, key)) {
                    Some(id) => self.has_parent(parent, &id).await?,
                    None => false,
                };
                vec![is_own; entries.len()]
            }
            None => self.owned(&entries),
        };
        Ok(History { entries, own })
    }

    /// Whether the entries of an entity are the person's: where it is theirs at last, all of them; else those that were
    /// theirs, and those of nobody if it ever was theirs.
    fn owned(&self, entries: &[Entry]) -> Vec<bool> {
        let is_last = entries.last().is_some_and(|last| last.owner_id == self.person);
        let was = entries.iter().any(|entry| entry.owner_id == self.person);
        let is_own = |entry: &Entry| is_last || entry.owner_id == self.person || (was && entry.owner_id.is_empty());
        entries.iter().map(is_own).collect()
    }

    async fn entries_of(&self, journal: &str, table: &str, id: &str) -> Result<Vec<Entry>> {
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let (page, _) = self.store.journal(journal, id, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(all) };
            after = last.clock;
            all.extend(page.into_iter().filter(|entry| entry.table == table));
        }
    }

    /// Whether a parent belongs to the person. One that is gone belongs to its last owner.
    async fn has_parent(&mut self, table: &str, id: &str) -> Result<bool> {
        let (mut table, mut id) = (table.to_owned(), id.to_owned());
        let asked = (table.clone(), id.clone());
        if let Some(known) = self.parents.get(&asked) {
            return Ok(*known);
        }
        let found = loop {
            let Some(entry) = self.tables.iter().find(|entry| entry.table.name == table) else { break false };
            let (owner, doc) = match self.store.get(entry.table, &id).await? {
                Some(row) => (row.owner_id, row.doc),
                None => match self.entries_of(entry.table.journal, &table, &id).await?.pop() {
                    Some(last) => (last.owner_id, last.doc),
                    None => break false,
                },
            };
            // A child has no owner; its parent has.
            let above = self.sealer.personal().parent(&table);
            match above.and_then(|(parent, key)| Some((parent.clone(), parent_id(&doc, key)?))) {
                Some(next) => (table, id) = next,
                None => break owner == self.person,
            }
        };
        self.parents.insert(asked, found);
        Ok(found)
    }
}

fn parent_id(doc: &str, key: &str) -> Option<String> {
    parse(doc).ok()?.get(key).and_then(Value::as_str).map(str::to_owned)
}
