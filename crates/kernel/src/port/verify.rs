//! Verifies a journal: it has no gap, and its replay gives the current state.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::port::store::{Store, StoreResult};
use crate::port::table_entry::TableEntry;

/// Entries and rows that are read at once.
const PAGE: u32 = 1000;

/// The result of a verification.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Entries read.
    pub entries: i64,
    /// Entities in the tables.
    pub entities: i64,
    /// The problems in words; empty when the journal is sound.
    pub problems: Vec<String>,
}

/// Replays a journal from its start and compares it with the tables. It checks that no clock is missing, that the head
/// is the last entry, and that each entity's last state is its row. Entities that change during the run are left out.
/// `tables` may hold tables of other journals, too; `progress` gets the clock after each page.
///
/// # Errors
/// When the database does not answer.
pub async fn verify(
    store: &dyn Store,
    journal: &str,
    tables: &[&'static TableEntry],
    progress: impl Fn(i64),
) -> StoreResult<Verdict> {
    let head = store.head(journal).await?;
    let tables: Vec<&'static TableEntry> =
        tables.iter().copied().filter(|entry| entry.table.journal == journal).collect();
    let mut replay =
        Replay { store, journal, tables: &tables, clock: 0, entries: 0, problems: Vec::new(), last: BTreeMap::new() };
    while replay.page().await? {
        progress(replay.clock);
    }
    let (entries, clock) = (replay.entries, replay.clock);
    if clock < head.clock {
        replay.problems.push(format!("the counter stands at {}, the last entry at {clock}", head.clock));
    }
    let mut entities = 0;
    let mut doubts = BTreeMap::new();
    for entry in &tables {
        entities += replay.compare(entry, &mut doubts).await?;
    }
    for (place, last) in std::mem::take(&mut replay.last) {
        if !last.removed {
            doubts.insert(place, format!("is in the journal at {} and not in its table", last.clock));
        }
    }
    // An entity that changed after the replay may differ from its row.
    while replay.page().await? {}
    doubts.retain(|place, _| !replay.last.contains_key(place));
    replay.problems.extend(doubts.into_iter().map(|((table, id), what)| format!("{table}/{id} {what}")));
    Ok(Verdict { entries, entities, problems: replay.problems })
}

/// The table and the entity.
type JournalPosition = (&'static str, String);

/// An entity's last entry in a journal. It keeps a digest of the document only, because there may be millions.
struct Last {
    clock: i64,
    version: i64,
    removed: bool,
    doc: [u8; 16],
}

/// A journal up to the last page read.
struct Replay<'a> {
    store: &'a dyn Store,
    journal: &'a str,
    tables: &'a [&'static TableEntry],
    clock: i64,
    entries: i64,
    problems: Vec<String>,
    last: BTreeMap<JournalPosition, Last>,
}

impl Replay<'_> {
    /// Reads the next page; `false` at the end.
    async fn page(&mut self) -> StoreResult<bool> {
        let (entries, _) = self.store.journal(self.journal, "", self.clock, PAGE).await?;
        let more = !entries.is_empty();
        for entry in entries {
            if entry.clock != self.clock + 1 {
                self.problems.push(format!("after clock {} comes {}", self.clock, entry.clock));
            }
            self.clock = entry.clock;
            self.entries += 1;
            let Some(of) = self.tables.iter().find(|of| of.table.name == entry.table) else {
                self.problems.push(format!(
                    "clock {} is of a table {} that this program does not know",
                    entry.clock, entry.table
                ));
                continue;
            };
            let last =
                Last { clock: entry.clock, version: entry.version, removed: entry.removed, doc: mark(&entry.doc) };
            self.last.insert((of.table.name, entry.entity_id), last);
        }
        Ok(more)
    }

    /// Compares a table's rows with the journal, removes them from the replay, and answers the number of rows.
    async fn compare(
        &mut self,
        entry: &'static TableEntry,
        doubts: &mut BTreeMap<JournalPosition, String>,
    ) -> StoreResult<i64> {
        let mut entities = 0;
        let mut after = String::new();
        loop {
            let rows = self.store.scan(entry.table, &after, PAGE).await?;
            let Some(end) = rows.last() else { return Ok(entities) };
            after.clone_from(&end.id);
            for row in rows {
                entities += 1;
                let place = (entry.table.name, row.id);
                let what = match self.last.remove(&place) {
                    Some(last)
                        if (last.clock, last.version, last.removed) == (row.clock, row.version, false)
                            && last.doc == mark(&row.doc) =>
                    {
                        continue;
                    }
                    Some(_) => "differs from its last entry",
                    None => "is in its table and not in the journal",
                };
                doubts.insert(place, what.to_owned());
            }
        }
    }
}

/// The digest that tells documents apart.
fn mark(doc: &str) -> [u8; 16] {
    let digest = Sha256::digest(doc.as_bytes());
    std::array::from_fn(|at| digest.get(at).copied().unwrap_or_default())
}
