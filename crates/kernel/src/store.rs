//! The storage port: what an engine must do for the kernel. Two engines implement it, one conformance suite tests both.
//! The engines share no code: each says all of this in its own SQL and reads its own rows, so that one can be changed, or
//! a third be written, without the others, and the suite keeps them the same.
//!
//! Invariants that an engine owes: a command's rows, journal entries and idempotency record become durable together;
//! clocks of a journal are 1, 2, 3 … in commit order without a gap; whatever [`Store::head`] admits is visible to
//! every reader.
//!
//! # Tables
//! An aggregate's table has the columns `id` (primary key), `owner_id`, `status`, `version`, `clock`, `created_at`,
//! `updated_at`, `doc`, and an index on `(owner_id, id)`. A scalar lookup is an index on `(doc->>'json')`, a folded one
//! on `lower(doc->>'json')`; PostgreSQL writes `lower((doc->>'json') COLLATE "C")`, because folding is of ASCII letters
//! only, on every engine: see [`folded`]. Repeated lookups, and those found by a prefix, lie in
//! `<table>_lookup(name, value, id)`, primary key all three, with an index on `(id)` and a unique index on `(name, value)`
//! for the names that are unique. Where a lookup is found by its prefix, PostgreSQL has an index `<table>_lookup_prefix`
//! on `(name, value COLLATE "C", id)`: the key of the side table has the order of the database's language there. An index of a
//! lookup is named `<table>_<lookup>`, dots written as underscores: `member_emails_address`.
//!
//! A journal has the tables `<journal>_journal` and `<journal>_idempotency` and a row in `journal_counter`.
//! A table belongs to one journal: whoever holds the journal's counter row is the only writer of its tables.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use pavise_contract::table::{Lookup, Table};
use tokio::sync::broadcast;

/// An aggregate as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The entity's id.
    pub id: String,
    /// Its owner; empty for none.
    pub owner_id: String,
    /// Its status, as documented.
    pub status: String,
    /// Its version: 1 at creation, one more with each change.
    pub version: i64,
    /// The clock of its last change. Filled by the engine.
    pub clock: i64,
    /// Microseconds since the epoch.
    pub created_at: i64,
    /// Microseconds since the epoch.
    pub updated_at: i64,
    /// The entity as JSON with the documented spellings.
    pub doc: String,
}

/// One change of one aggregate.
#[derive(Debug, Clone)]
pub struct Write {
    /// Where it is kept.
    pub table: &'static Table,
    /// The state after the change.
    pub row: Row,
    /// The version it replaces; `None` creates it.
    pub expected: Option<i64>,
    /// Removes it from reads; the journal keeps the last state.
    pub removed: bool,
    /// The journal action.
    pub action: String,
    /// Every value of its repeated lookups after the change, folded where the lookup says so.
    pub lookups: Vec<(&'static Lookup, String)>,
}

/// What is committed at once: all of it or nothing.
#[derive(Debug, Clone)]
pub struct Command {
    /// The journal that all its writes belong to.
    pub journal: &'static str,
    /// The changes, each of another entity. Each takes the next clock, in this order.
    pub writes: Vec<Write>,
    /// The record that makes a repeat answer the same.
    pub memory: Option<Memory>,
    /// When, in microseconds since the epoch.
    pub at: i64,
    /// The identity that acts.
    pub actor: String,
    /// On whose behalf, when impersonated; else empty.
    pub subject: String,
    /// The request's id.
    pub request_id: String,
}

impl Command {
    /// Why no engine may store it, if so: what one engine refuses or mangles, every engine refuses.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        for write in &self.writes {
            if write.table.journal != self.journal {
                return Some(format!(
                    "{} belongs to the journal {}, not {}",
                    write.table.name, write.table.journal, self.journal
                ));
            }
            let row = &write.row;
            let lookups = write.lookups.iter().map(|(_, value)| value);
            if [&row.id, &row.owner_id, &row.status, &write.action, &row.doc]
                .into_iter()
                .chain(lookups)
                .any(|text| text.contains('\0'))
            {
                return Some(format!("a NUL character in a text of {} {:?}", write.table.name, row.id));
            }
            if escapes_nul(&row.doc) {
                return Some(format!("a NUL character in the document of {} {:?}", write.table.name, row.id));
            }
        }
        // Two changes of one entity would be one of its versions each, of which a commit knows but the one before.
        let mut changed = HashSet::with_capacity(self.writes.len());
        if let Some(twice) = self.writes.iter().find(|write| !changed.insert((write.table.name, write.row.id.as_str()))) {
            return Some(format!("{} {:?} is changed twice", twice.table.name, twice.row.id));
        }
        let memory = self.memory.iter().flat_map(|memory| [&memory.key, &memory.request]);
        let texts = [&self.actor, &self.subject, &self.request_id].into_iter().chain(memory);
        texts.into_iter().any(|text| text.contains('\0')).then(|| "a NUL character in a text of the command".to_owned())
    }
}

/// Whether a JSON text has the escape of the NUL character: `\u0000` after an even number of backslashes.
fn escapes_nul(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let before = json.as_bytes().get(..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
    })
}

/// An idempotency record: the answer to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The caller's key, scoped by the caller: a digest.
    pub key: String,
    /// Digest of the call and the request that used it.
    pub request: String,
    /// The encoded answer.
    pub answer: Bytes,
    /// The version in the answer's ETag; 0 for none.
    pub version: i64,
    /// The clock of its commit. Filled by the engine.
    pub clock: i64,
    /// When, in microseconds since the epoch.
    pub at: i64,
}

/// What became of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is durable; the clock of its last entry.
    Committed(i64),
    /// An entity has another version than expected, or is gone: nothing was written.
    Conflict,
    /// An entity to be created exists already: nothing was written.
    Exists,
    /// A unique lookup's value is taken: nothing was written. The lookup's name.
    Taken(String),
    /// The idempotency key was used before; nothing was written. The caller compares the request.
    Remembered(Memory),
    /// The engine does not take one of its values (a NUL character, text that is not JSON): nothing was written, and
    /// nothing ever will be. The text is for the log only.
    Refused(String),
}

/// One entry of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place.
    pub clock: i64,
    /// What was done.
    pub action: String,
    /// The table of the entity.
    pub table: String,
    /// The entity.
    pub entity_id: String,
    /// Its owner after the change.
    pub owner_id: String,
    /// Its version after the change.
    pub version: i64,
    /// When, in microseconds since the epoch.
    pub at: i64,
    /// Who.
    pub actor: String,
    /// On whose behalf; empty for oneself.
    pub subject: String,
    /// The request.
    pub request_id: String,
    /// Whether the entity was removed from reads.
    pub removed: bool,
    /// The entity after the change.
    pub doc: String,
}

/// Where a journal stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The highest clock: everything at or below it is visible.
    pub clock: i64,
    /// The epoch: changes when the journal is restored from an older backup.
    pub epoch: String,
}

/// A narrowing of a list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only of this owner.
    pub owner: Option<String>,
    /// Only with one of these statuses; empty for all.
    pub statuses: Vec<String>,
    /// Only with these lookup values (already folded where the lookup says so).
    pub lookups: Vec<(&'static Lookup, String)>,
    /// Only with an id below this one: the list runs newest first.
    pub before: Option<String>,
    /// At most so many.
    pub limit: u32,
}

/// The entities of which a value begins with a text.
#[derive(Debug, Clone)]
pub struct Range {
    /// The lookup with the values, one that is found by its `prefix`; `None` for ids.
    pub lookup: Option<&'static Lookup>,
    /// What they begin with (already folded where the lookup says so).
    pub prefix: String,
    /// Only after this value and id: a range runs by rising value, then by id, both compared byte by byte.
    pub after: Option<(String, String)>,
    /// Which entities are wanted of those that are met. Its `before` and `limit` mean nothing here.
    pub filter: Filter,
    /// At most so many values are read, whatever the filter leaves of them.
    pub limit: u32,
}

impl Range {
    /// What a value that begins so lies below: no character comes after this one.
    #[must_use]
    pub fn end(&self) -> String {
        format!("{}{}", self.prefix, char::MAX)
    }
}

/// A value within a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The value.
    pub value: String,
    /// The entity that has it.
    pub id: String,
    /// The entity; `None` when the filter does not want it.
    pub row: Option<Row>,
}

/// A worker's place in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Entries up to here are done or set aside.
    pub clock: i64,
    /// The epoch of the journal that the clock belongs to.
    pub epoch: String,
}

/// An entry that a worker could not handle and set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The worker.
    pub worker: String,
    /// The entry's clock.
    pub clock: i64,
    /// The entity, whose later entries wait behind this one.
    pub entity_id: String,
    /// How often it was tried.
    pub attempts: i32,
    /// When it is tried again, in microseconds since the epoch.
    pub next_at: i64,
    /// Why it failed last.
    pub cause: String,
    /// It is not tried again until somebody replays it.
    pub parked: bool,
    /// The entry, encoded as a `pavise.common.v1.JournalEntry`.
    pub entry: Vec<u8>,
}

/// How many entries a worker set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsideCount {
    /// The worker.
    pub worker: String,
    /// Whether those that are parked, or those that are tried again.
    pub parked: bool,
    /// How many.
    pub count: i64,
}

/// The engine failed. The text is for the log only.
#[derive(Debug)]
pub struct StoreError {
    /// What went wrong.
    pub cause: String,
    /// Nothing is known of the commit: it may have happened.
    pub unknown: bool,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for StoreError {}

impl From<StoreError> for crate::Error {
    fn from(error: StoreError) -> Self {
        Self::unavailable("the database", error)
    }
}

/// A lookup's value as it is kept and searched: with ASCII letters in lower case where the lookup says so.
#[must_use]
pub fn folded<'v>(lookup: &Lookup, value: &'v str) -> Cow<'v, str> {
    if lookup.fold && value.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(value.to_ascii_lowercase())
    } else {
        Cow::Borrowed(value)
    }
}

/// No entry that was set aside waits longer for its next try, in microseconds.
pub const LONGEST_WAIT: i64 = 600 * 1_000_000;

/// What an engine answers.
pub type Stored<T> = Result<T, StoreError>;

/// A storage engine.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug + 'static {
    /// Commands of one lane are committed by one task: a lane per journal, or one for all where there is one writer.
    fn lane(&self, journal: &'static str) -> &'static str;

    /// One entity.
    async fn get(&self, table: &'static Table, id: &str) -> Stored<Option<Row>>;

    /// The entities with these ids that exist, in no order.
    async fn get_many(&self, table: &'static Table, ids: &[String]) -> Stored<Vec<Row>>;

    /// The newest entity with that lookup value (already folded where the lookup says so).
    async fn find(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<Row>>;

    /// The id of the newest entity with that lookup value, and nothing else of it. An engine asks in a way that answers
    /// one row whether there is such an entity or not: how long it takes tells as little as it can.
    async fn find_id(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<String>>;

    /// A page, newest first.
    async fn list(&self, table: &'static Table, filter: &Filter) -> Stored<Vec<Row>>;

    /// The values of a range, read from an index in its order: what it costs does not depend on the table's size.
    async fn range(&self, table: &'static Table, range: &Range) -> Stored<Vec<Match>>;

    /// The entries with a clock above `after`, by rising clock, and the head, read in one statement. With an entity's
    /// id only that entity's; an empty one means all.
    async fn journal(&self, journal: &str, entity: &str, after: i64, limit: u32) -> Stored<(Vec<Entry>, Head)>;

    /// Where the journal stands.
    async fn head(&self, journal: &str) -> Stored<Head>;

    /// The idempotency record of a key.
    async fn recall(&self, journal: &str, key: &str) -> Stored<Option<Memory>>;

    /// Commits the commands of one lane, all in one transaction where it goes, and says of each what became of it.
    /// An error means that nothing of the batch is known to be durable. A command's idempotency key is looked at
    /// first, then its versions. What comes later in the batch meets what came before it.
    async fn commit(&self, batch: &[Command]) -> Stored<Vec<Outcome>>;

    /// Names of journals that other processes have written to: a hint, polling is what counts.
    /// `None` where no other process can write.
    fn hints(&self) -> Option<broadcast::Receiver<String>>;

    /// Takes or renews a lease; whether `holder` has it until `until` (microseconds since the epoch). One that another
    /// holder has is taken when it is over, and when it would last longer than twice the one that is asked for: then it
    /// is of a clock that went wrong, and nobody should wait for its end.
    async fn lease(&self, name: &str, holder: &str, now: i64, until: i64) -> Stored<bool>;

    /// Gives a lease back.
    async fn release(&self, name: &str, holder: &str) -> Stored<()>;

    /// A worker's place; the start when it has none yet.
    async fn cursor(&self, worker: &str) -> Stored<Cursor>;

    /// Moves a worker's place, setting entries aside in the same transaction. Refused (`false`) when `holder` lost the
    /// lease of that name to another, and when the place would go back within its epoch, or stay and something
    /// be set aside: then this comes late.
    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, aside: &[SetAside]) -> Stored<bool>;

    /// Moves a worker's place back after its journal was restored from an older backup, and forgets what it set aside
    /// beyond. Refused as an advance is.
    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> Stored<bool>;

    /// Gives a journal a new epoch from its present clock on, after it was restored from an older backup.
    async fn renew_epoch(&self, journal: &str) -> Stored<Head>;

    /// The highest clock that an earlier epoch of a journal shares with the present one; for an epoch that the journal
    /// does not know, the clock at which the present one began.
    async fn shared_until(&self, journal: &str, epoch: &str) -> Stored<i64>;

    /// The first entry of each entity that a worker set aside, where that is due and not parked, the longest due first.
    /// What would be due later than in [`LONGEST_WAIT`] is of a clock that went wrong, and due now.
    async fn due(&self, worker: &str, now: i64, limit: u32) -> Stored<Vec<SetAside>>;

    /// Which of these entities have entries that a worker set aside.
    async fn blocked(&self, worker: &str, entities: &[String]) -> Stored<Vec<String>>;

    /// The entries that a worker set aside, by clock; all workers' when empty.
    async fn set_aside(&self, worker: &str, limit: u32) -> Stored<Vec<SetAside>>;

    /// How many entries each worker set aside.
    async fn count_aside(&self) -> Stored<Vec<AsideCount>>;

    /// Records a further failure of an entry that was set aside, or, with no attempts, that it is to be tried anew. What
    /// knows of fewer attempts than are recorded comes late and changes nothing.
    async fn retry(&self, entry: &SetAside) -> Stored<()>;

    /// Forgets an entry that was set aside, because it was handled.
    async fn settle(&self, worker: &str, clock: i64) -> Stored<()>;

    /// Forgets idempotency records from before `at` (microseconds since the epoch), some at a time; how many went.
    async fn forget(&self, journal: &str, before: i64) -> Stored<u64>;

    /// Answers when the engine answers.
    async fn ping(&self) -> Stored<()>;

    /// All rows of a table in id order after `after`, for verification.
    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> Stored<Vec<Row>>;

    /// Lets go of the database at the end, after which nothing is asked of the store. An engine that keeps a part of what
    /// was committed in a file of its own beside the database's brings both together, as far as other processes let it and
    /// within some seconds: nothing is lost where it cannot, the next start goes on with both.
    async fn close(&self) -> Stored<()> {
        Ok(())
    }
}
