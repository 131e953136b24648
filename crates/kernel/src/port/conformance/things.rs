//! Writes and commands of the suite's aggregates, and questions to a store about them.

use std::sync::Arc;

use bytes::Bytes;
use pavise_contract::table::{Lookup, Table};
use serde_json::{Value, json};

use super::tables::{GADGET, PART, THING};
use crate::port::store::{Command, Entry, IdempotencyRecord, Outcome, Store, StoredRow, Write};

/// The time of every command in the suite.
pub const NOON: i64 = 1_700_000_000_000_000;

/// The thing that a test describes.
#[derive(Debug, Clone)]
pub struct SampleEntity {
    id: String,
    owner: String,
    status: String,
    doc: Value,
    lookups: Vec<(&'static Lookup, String)>,
    note: String,
}

impl SampleEntity {
    /// A thing with nothing but an id.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            owner: "ann".into(),
            status: "NEW".into(),
            doc: json!({}),
            lookups: Vec::new(),
            note: "created".into(),
        }
    }

    /// With that owner.
    #[must_use]
    pub fn owner(mut self, owner: &str) -> Self {
        self.owner = owner.into();
        self
    }

    /// With that status.
    #[must_use]
    pub fn status(mut self, status: &str) -> Self {
        self.status = status.into();
        self
    }

    /// With a field of the document.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.doc[field] = value.into();
        self
    }

    /// With a value of a repeated lookup. The caller of the port has to fold it.
    #[must_use]
    pub fn many(mut self, lookup: &str, value: &str) -> Self {
        let lookup = THING.lookup(lookup).unwrap();
        self.lookups.push((lookup, crate::port::store::fold_value(lookup, value).into_owned()));
        self
    }

    /// The write that creates it.
    #[must_use]
    pub fn create(&self) -> Write {
        self.write(&THING, None, false)
    }

    /// The write that changes it from version `expected`.
    #[must_use]
    pub fn change(&self, expected: i64) -> Write {
        self.write(&THING, Some(expected), false)
    }

    /// The write that removes it at version `expected`.
    #[must_use]
    pub fn remove(&self, expected: i64) -> Write {
        self.write(&THING, Some(expected), true)
    }

    /// The write that creates a gadget with the same fields.
    #[must_use]
    pub fn create_gadget(&self) -> Write {
        self.write(&GADGET, None, false)
    }

    /// The write that creates a part with the same fields.
    #[must_use]
    pub fn create_part(&self) -> Write {
        self.write(&PART, None, false)
    }

    fn write(&self, table: &'static Table, expected: Option<i64>, removed: bool) -> Write {
        let version = expected.unwrap_or_default() + 1;
        let mut doc = self.doc.clone();
        doc["id"] = self.id.clone().into();
        doc["note"] = self.note.clone().into();
        Write {
            table,
            row: StoredRow {
                id: self.id.clone(),
                owner_id: self.owner.clone(),
                status: self.status.clone(),
                version,
                clock: 0,
                created_at: NOON,
                updated_at: NOON + version,
                doc: doc.to_string(),
            },
            expected,
            removed,
            action: if removed { "REMOVE".into() } else { expected.map_or("CREATE", |_| "CHANGE").into() },
            lookups: if removed { Vec::new() } else { self.lookups.clone() },
        }
    }
}

/// A command of these writes, for the journal of the first write.
#[must_use]
pub fn new_command(writes: Vec<Write>) -> Command {
    Command {
        journal: writes.first().map_or("things", |write| write.table.journal),
        writes,
        record: None,
        at: NOON,
        actor: "ann".into(),
        subject: String::new(),
        request_id: "request".into(),
        ..Command::default()
    }
}

/// The command with an idempotency record.
#[must_use]
pub fn with_record(mut command: Command, key: &str, request: &str) -> Command {
    let answer = Bytes::from(vec![0, 255, b'\'', 7]);
    command.record = Some(IdempotencyRecord {
        key: key.into(),
        request: request.into(),
        answer,
        version: 3,
        clock: 0,
        at: command.at,
    });
    command
}

/// Commits one command of these writes.
pub async fn commit_writes(store: &Arc<dyn Store>, writes: Vec<Write>) -> Outcome {
    commit_all(store, &[new_command(writes)]).await.remove(0)
}

/// Commits a batch.
pub async fn commit_all(store: &Arc<dyn Store>, batch: &[Command]) -> Vec<Outcome> {
    let outcomes = store.commit(batch).await.unwrap();
    assert_eq!(outcomes.len(), batch.len());
    outcomes
}

/// The whole journal, checked for gaps against its head.
pub async fn journal_of(store: &Arc<dyn Store>, journal: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let after = entries.last().map_or(0, |entry| entry.clock);
        let (page, head) = store.journal(journal, "", after, 100).await.unwrap();
        if page.is_empty() {
            assert_eq!(head.clock, after, "the head is the last entry");
            let clocks: Vec<i64> = entries.iter().map(|entry| entry.clock).collect();
            assert_eq!(clocks, (1..=after).collect::<Vec<_>>(), "no gap");
            return entries;
        }
        entries.extend(page);
    }
}

/// A document in canonical form: equal content gives equal text.
#[must_use]
pub fn canonical_form(doc: &str) -> Value {
    serde_json::from_str(doc).unwrap()
}
