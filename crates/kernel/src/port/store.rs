//! The storage port: the work that an engine does for the kernel. Two engines implement it, and one conformance suite
//! tests both. The engines share no code: each has its own SQL and reads its own rows. One engine can so change, or a
//! third be written, without the others, and the suite keeps them the same.
//!
//! Invariants that an engine owes. A command's rows, journal entries and idempotency record become durable together.
//! Clocks of a journal are 1, 2, 3 … in commit order without a gap, and so are the numbers of a series. Every reader sees all entries up to the clock of
//! [`Store::head`].
//!
//! # Tables
//! An aggregate's table has the columns `id` (primary key), `owner_id`, `status`, `version`, `clock`, `created_at`,
//! `updated_at`, `doc`, and an index on `(owner_id, id)`.
//!
//! A scalar lookup is an index on `(doc->>'json')`, a folded one on `lower(doc->>'json')`. PostgreSQL writes
//! `lower((doc->>'json') COLLATE "C")`, because every engine folds ASCII letters only: see [`folded`].
//!
//! A lookup that rises is an index on the text that [`Rising::key`](crate::read::range::Rising::key) makes of the value, which
//! each engine makes of the document, and on `id`. PostgreSQL compares it with `COLLATE "C"`. An index over several parts
//! has their columns and expressions in order, and `id`.
//!
//! Repeated lookups, and lookups with `prefix`, lie in `<table>_lookup(name, value, id)`. All three columns are its
//! primary key. It has an index on `(id)` and a unique index on `(name, value)` for the names that are unique. For a
//! lookup with `prefix`, PostgreSQL has an index `<table>_lookup_prefix` on `(name, value COLLATE "C", id)`. There, the
//! key of the side table has the order of the database's language. An index of a lookup is named `<table>_<lookup>`,
//! dots written as underscores: `member_emails_address`.
//!
//! A unique lookup within further fields has one index over all of them: the fields in `within` as
//! `coalesce(doc->>'json', '')`, then the field of the lookup.
//!
//! A journal has the tables `<journal>_journal` and `<journal>_idempotency` and a row in `journal_counter`. A
//! series of numbers has a row in `journal_series`. A table belongs to one journal: the holder of the journal's counter row is the only writer of its tables.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use pavise_contract::table::{Lookup, Table};
use tokio::sync::broadcast;

use crate::port::conditions::Condition;
use crate::port::numbers::Numbers;

/// An aggregate's row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The entity's id.
    pub id: String,
    /// Its owner; empty for none.
    pub owner_id: String,
    /// Its documented status.
    pub status: String,
    /// Its version: 1 at creation, plus 1 with each change.
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
    /// The table that keeps it.
    pub table: &'static Table,
    /// The state after the change.
    pub row: Row,
    /// The version that it replaces; `None` creates the entity.
    pub expected: Option<i64>,
    /// Removes the entity from reads; the journal keeps the last state.
    pub removed: bool,
    /// The journal action.
    pub action: String,
    /// Every value of its repeated lookups after the change, folded if the lookup is folded.
    pub lookups: Vec<(&'static Lookup, String)>,
}

/// Writes that are committed together: all of them or none.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// The journal that all its writes belong to.
    pub journal: &'static str,
    /// The changes, each of a different entity. Each takes the next clock, in this order.
    pub writes: Vec<Write>,
    /// The idempotency record, so that a repeat gets the same answer.
    pub record: Option<IdempotencyRecord>,
    /// The time, in microseconds since the epoch.
    pub at: i64,
    /// The identity that acts.
    pub actor: String,
    /// The impersonated identity; empty without impersonation.
    pub subject: String,
    /// The request's id.
    pub request_id: String,
    /// The numbers that it takes. The documents hold marks for them.
    pub numbers: Numbers,
    /// Its conditions besides the versions of its writes. The outcome is a conflict if one does not hold.
    pub conditions: Vec<Condition>,
}

impl Command {
    /// Whether it depends on nothing that an engine has to read under the lock of the journal: no number, no condition.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.numbers.wanted.is_empty() && self.conditions.is_empty()
    }

    /// The reason why no engine may store it; `None` when it is fine. A value that one engine refuses or changes is
    /// refused by every engine.
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
        // A command may write an entity once: the commit checks a single expected version per entity.
        let mut changed = HashSet::with_capacity(self.writes.len());
        if let Some(twice) = self.writes.iter().find(|write| !changed.insert((write.table.name, write.row.id.as_str())))
        {
            return Some(format!("{} {:?} is changed twice", twice.table.name, twice.row.id));
        }
        if let Some(foreign) = self.conditions.iter().find(|one| one.table().journal != self.journal) {
            return Some(format!("a condition on {} of another journal", foreign.table().name));
        }
        let record = self.record.iter().flat_map(|record| [&record.key, &record.request]);
        let series = self.numbers.wanted.iter().map(|number| &number.series);
        let texts = [&self.actor, &self.subject, &self.request_id].into_iter().chain(record).chain(series);
        let mut texts = texts.chain(self.conditions.iter().map(Condition::text));
        texts.any(|text| text.contains('\0')).then(|| "a NUL character in a text of the command".to_owned())
    }
}

/// Whether a JSON text has the escape of the NUL character: `\u0000` after an even number of backslashes.
fn escapes_nul(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let before = json.as_bytes().get(..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
    })
}

/// An idempotency record: the stored answer for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The caller's key as a digest, scoped by the caller.
    pub key: String,
    /// Digest of the call and the request that used it.
    pub request: String,
    /// The encoded answer.
    pub answer: Bytes,
    /// The version in the answer's ETag; 0 for none.
    pub version: i64,
    /// The clock of its commit. Filled by the engine.
    pub clock: i64,
    /// The time, in microseconds since the epoch.
    pub at: i64,
}

/// The outcome of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is durable. Holds the clock of its last entry.
    Committed(i64),
    /// It is durable, and took these numbers in the order of the command. Holds the clock of its last entry.
    Numbered(i64, Vec<String>),
    /// An entity has another version than expected, or does not exist, or a condition does not hold. Nothing was
    /// written.
    Conflict,
    /// An entity to be created exists already: nothing was written.
    Exists,
    /// A unique lookup's value is taken: nothing was written. Holds the lookup's name.
    Taken(String),
    /// The idempotency key was used before; nothing was written. The caller compares the request.
    Replayed(IdempotencyRecord),
    /// The engine cannot store one of its values (a NUL character, text that is not JSON). Nothing was written, and a
    /// retry fails again. The text is for the log only.
    Refused(String),
}

impl Outcome {
    /// The clock of the command's last entry; `None` when nothing was written.
    #[must_use]
    pub fn clock(&self) -> Option<i64> {
        match self {
            Self::Committed(clock) | Self::Numbered(clock, _) => Some(*clock),
            Self::Conflict | Self::Exists | Self::Taken(_) | Self::Replayed(_) | Self::Refused(_) => None,
        }
    }
}

/// One entry of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its clock.
    pub clock: i64,
    /// The journal action.
    pub action: String,
    /// The table of the entity.
    pub table: String,
    /// The entity's id.
    pub entity_id: String,
    /// Its owner after the change.
    pub owner_id: String,
    /// Its version after the change.
    pub version: i64,
    /// The time, in microseconds since the epoch.
    pub at: i64,
    /// The identity that acts.
    pub actor: String,
    /// The impersonated identity; empty without impersonation.
    pub subject: String,
    /// The request's id.
    pub request_id: String,
    /// Whether the entity was removed from reads.
    pub removed: bool,
    /// The entity's document after the change.
    pub doc: String,
}

/// A part of a journal.
#[derive(Debug, Clone)]
pub enum Part {
    /// The entries of entities that belong to this owner after the change.
    Owner(String),
    /// The entries of entities of a table that have this value of a lookup after the change. The lookup is a field of the
    /// entity itself, a text or a list of texts, and its values are compared as they are.
    Value {
        /// The table.
        table: &'static Table,
        /// The lookup.
        lookup: &'static Lookup,
        /// The value.
        value: String,
    },
}

/// The head of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The highest clock: everything at or below it is visible.
    pub clock: i64,
    /// The epoch. It changes when the journal is restored from an older backup.
    pub epoch: String,
}

/// The filter of a list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only with one of these values of one of these lookups; empty for all. These are the caller's scopes.
    pub within: Vec<(&'static Lookup, Vec<String>)>,
    /// Only of this owner.
    pub owner: Option<String>,
    /// Only with an owner, whoever it is.
    pub owned: bool,
    /// Only with one of these statuses; empty for all.
    pub statuses: Vec<String>,
    /// Only with these lookup values, which are already folded if the lookup is.
    pub lookups: Vec<(&'static Lookup, String)>,
    /// Only with an id below this one, because the list runs newest first.
    pub before: Option<String>,
    /// In the order of a lookup instead, and only in a range of it. `before` then has no meaning.
    pub rise: Option<Rise>,
    /// Rows at most.
    pub limit: u32,
}

/// A range of a scalar lookup that rises. An entity without a value has the empty text, which is in no range with a
/// bound.
#[derive(Debug, Clone)]
pub struct Rise {
    /// The lookup.
    pub lookup: &'static Lookup,
    /// The smallest value; empty for none.
    pub from: String,
    /// The greatest value; empty for none.
    pub until: String,
    /// Whether the greatest value comes first, and of one value the greatest id.
    pub falling: bool,
    /// Only beyond this value and id. Rows are ordered by value, then by id, both compared byte by byte.
    pub after: Option<(String, String)>,
}

/// The entities with a value that begins with a text.
#[derive(Debug, Clone)]
pub struct Range {
    /// The lookup with the values, which must have `prefix`; `None` for ids.
    pub lookup: Option<&'static Lookup>,
    /// The prefix, already folded if the lookup is.
    pub prefix: String,
    /// Only after this value and id. A range is ordered by value, then by id, both compared byte by byte.
    pub after: Option<(String, String)>,
    /// The filter for the entities. Its `before` and `limit` have no meaning here.
    pub filter: Filter,
    /// Values read at most, however many of them the filter excludes.
    pub limit: u32,
    /// Values of entities that the filter excludes are passed over, and do not count. So an answer tells nothing of
    /// them.
    pub skips: bool,
}

impl Filter {
    /// Whether an index gives the rows of the filter.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        self.owner.is_some() || !self.within.is_empty() || !self.lookups.is_empty()
    }
}

impl Range {
    /// The upper bound of the values with this prefix: no character comes after the last one.
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
    /// The id of its entity.
    pub id: String,
    /// The entity; `None` when the filter excludes it.
    pub row: Option<Row>,
}

/// A worker's cursor in a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cursor {
    /// Entries up to this clock are done or set aside.
    pub clock: i64,
    /// The epoch of the journal that the clock belongs to.
    pub epoch: String,
}

/// An entry that a worker could not handle: it waits for a retry, or it is parked (dead letter).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedEntry {
    /// The worker's name.
    pub worker: String,
    /// The entry's clock.
    pub clock: i64,
    /// The entity's id. Its later entries wait behind this one.
    pub entity_id: String,
    /// The number of tries.
    pub attempts: i32,
    /// The time of the next try by the engine's clock, in microseconds since the epoch.
    pub next_at: i64,
    /// The cause of the last failure.
    pub cause: String,
    /// Whether it is parked: it is not retried until an operator replays it.
    pub parked: bool,
    /// The entry, encoded as a `pavise.common.v1.JournalEntry`.
    pub entry: Vec<u8>,
}

/// The failed entries of a worker that are due.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Due {
    /// The engine's clock, in microseconds since the epoch.
    pub now: i64,
    /// The entries.
    pub entries: Vec<FailedEntry>,
}

/// The number of a worker's failed entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCount {
    /// The worker's name.
    pub worker: String,
    /// Whether it counts the parked entries, or those that are retried.
    pub parked: bool,
    /// The number of entries.
    pub count: i64,
}

/// The engine failed. The text is for the log only.
#[derive(Debug)]
pub struct StoreError {
    /// The cause.
    pub cause: String,
    /// Whether the result of the commit is unknown: it may have happened.
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

/// A lookup's value as it is stored and searched: ASCII letters in lower case if the lookup is folded.
#[must_use]
pub fn folded<'v>(lookup: &Lookup, value: &'v str) -> Cow<'v, str> {
    if lookup.fold && value.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(value.to_ascii_lowercase())
    } else {
        Cow::Borrowed(value)
    }
}

/// How long a shared count lasts, by the engine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decay {
    /// One microsecond for each that was added: it falls steadily.
    Steady,
    /// So many microseconds after the last addition: it falls at once.
    After(i64),
}

/// A change of a count that all processes share, or a question for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountChange {
    /// The key of the count.
    pub key: String,
    /// How long it lasts. A key always comes with the same decay.
    pub decay: Decay,
    /// Whether the count begins at nothing again, before the addition.
    pub reset: bool,
    /// The addition; 0 only asks. A count never falls below nothing.
    pub add: i64,
}

/// A count that all processes share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedCount {
    /// The key of the count.
    pub key: String,
    /// The sum of the additions since it was nothing.
    pub count: i64,
    /// Microseconds until it is nothing.
    pub left: i64,
    /// Microseconds since the last addition.
    pub age: i64,
}

/// The longest wait of a failed entry for its next try, in microseconds.
pub const LONGEST_WAIT: i64 = 600 * 1_000_000;

/// The result of an engine's operation.
pub type Stored<T> = Result<T, StoreError>;

/// A storage engine.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug + 'static {
    /// The lane of a journal. One task commits the commands of a lane. An engine has a lane per journal, or one lane
    /// for all if it allows one writer only.
    fn lane(&self, journal: &'static str) -> &'static str;

    /// Reads one entity.
    async fn get(&self, table: &'static Table, id: &str) -> Stored<Option<Row>>;

    /// The existing entities with these ids, in no order.
    async fn get_many(&self, table: &'static Table, ids: &[String]) -> Stored<Vec<Row>>;

    /// The newest entity with that lookup value, which is already folded if the lookup is.
    async fn find(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<Row>>;

    /// The id of the newest entity with that lookup value, and nothing else of it. The query answers one row in either
    /// case, so that its time tells as little as possible about a hit or a miss.
    async fn find_id(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<String>>;

    /// The entities with these values of a unique lookup, each with its value, in no order. The values are already folded
    /// if the lookup is.
    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> Stored<Vec<(String, Row)>>;

    /// The number of entities that a list holds; at most the filter's limit.
    async fn count(&self, table: &'static Table, filter: &Filter) -> Stored<u32>;

    /// A page, newest first, or in the order of the filter's `rise`.
    async fn list(&self, table: &'static Table, filter: &Filter) -> Stored<Vec<Row>>;

    /// The values of a range, read from an index in its order, so that the cost does not depend on the table's size.
    async fn range(&self, table: &'static Table, range: &Range) -> Stored<Vec<Match>>;

    /// The entries with a clock above `after`, by rising clock, and the head, read in one statement. With an entity's
    /// id, only that entity's entries; an empty id means all.
    async fn journal(&self, journal: &str, entity: &str, after: i64, limit: u32) -> Stored<(Vec<Entry>, Head)>;

    /// The entries of a part of a journal with a clock above `after` and up to `through`, by rising clock, and the head,
    /// read in one statement. It reads no entry outside this span.
    async fn journal_of(
        &self,
        journal: &str,
        part: &Part,
        after: i64,
        through: i64,
        limit: u32,
    ) -> Stored<(Vec<Entry>, Head)>;

    /// The head of the journal.
    async fn head(&self, journal: &str) -> Stored<Head>;

    /// The idempotency record of a key.
    async fn idempotency_record(&self, journal: &str, key: &str) -> Stored<Option<IdempotencyRecord>>;

    /// Commits the commands of one lane, in one transaction where possible, and answers the outcome of each. An error
    /// means that nothing of the batch is known to be durable. A command's idempotency key is checked before its
    /// versions. A later command of the batch sees the effect of an earlier one.
    async fn commit(&self, batch: &[Command]) -> Stored<Vec<Outcome>>;

    /// The names of journals that other processes have written to, as hints: only polling is reliable. `None` if no
    /// other process can write.
    fn hints(&self) -> Option<broadcast::Receiver<String>>;

    /// Takes or renews a lease for the time that it `lasts`; whether `holder` has it. Only the engine's clock counts, so
    /// that processes whose clocks disagree do not take leases from each other. Another holder's lease is taken when it
    /// has expired. It is also taken when it would last longer than twice the requested time. Such a lease is older
    /// than a correction of the engine's clock, and must not block others.
    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> Stored<bool>;

    /// Releases a lease.
    async fn release(&self, name: &str, holder: &str) -> Stored<()>;

    /// A worker's cursor; the start when it has none yet.
    async fn cursor(&self, worker: &str) -> Stored<Cursor>;

    /// Moves a worker's cursor and sets entries aside in the same transaction. Refused (`false`) as a stale update in
    /// three cases: `holder` lost the lease of that name; the cursor would go back within its epoch; or it would stay
    /// while entries are set aside.
    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> Stored<bool>;

    /// Moves a worker's cursor back after its journal was restored from an older backup. It deletes the worker's failed
    /// entries beyond the cursor. Refused as [`Store::advance`] is.
    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> Stored<bool>;

    /// Gives a journal a new epoch from its present clock on, after it was restored from an older backup.
    async fn renew_epoch(&self, journal: &str) -> Stored<Head>;

    /// The highest clock that an earlier epoch of a journal shares with the present one. For an unknown epoch, it is
    /// the clock at which the present one began.
    async fn shared_until(&self, journal: &str, epoch: &str) -> Stored<i64>;

    /// The first failed entry of each entity, if it is due and not parked, the longest due first. Only the engine's
    /// clock counts. An entry with a next try later than in [`LONGEST_WAIT`] is due at once: its time is older than a
    /// correction of that clock.
    async fn due(&self, worker: &str, limit: u32) -> Stored<Due>;

    /// The entities among `entities` that have failed entries of this worker.
    async fn blocked(&self, worker: &str, entities: &[String]) -> Stored<Vec<String>>;

    /// The failed entries of a worker, by clock; those of all workers for an empty name.
    async fn failed_entries(&self, worker: &str, limit: u32) -> Stored<Vec<FailedEntry>>;

    /// The number of failed entries of each worker.
    async fn count_failed(&self) -> Stored<Vec<FailedCount>>;

    /// Records a further failure of an entry, or makes it due anew (with no attempts). Ignored when `attempts` is below
    /// the stored count: a stale update.
    async fn retry(&self, entry: &FailedEntry) -> Stored<()>;

    /// Removes a failed entry after it was handled.
    async fn remove_failed(&self, worker: &str, clock: i64) -> Stored<()>;

    /// Changes counts that all processes share, each key once, and answers those of the keys that are not nothing. The
    /// counts need not survive a crash.
    async fn share_counts(&self, changes: &[CountChange]) -> Stored<Vec<SharedCount>>;

    /// Deletes a portion of the idempotency records from before `before` (microseconds since the epoch), and answers
    /// how many.
    async fn forget(&self, journal: &str, before: i64) -> Stored<u64>;

    /// Answers as soon as the engine answers.
    async fn ping(&self) -> Stored<()>;

    /// Answers when the engine takes writes. It fails on a full disk and on a read-only one.
    async fn check_writable(&self) -> Stored<()>;

    /// All rows of a table in id order after `after`, for verification.
    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> Stored<Vec<Row>>;

    /// Closes the store; no call may follow. An engine that keeps committed data in a second file beside the database
    /// merges it into the database. It does so as far as other processes allow and within some seconds. Nothing is lost
    /// otherwise: the next start uses both files.
    async fn close(&self) -> Stored<()> {
        Ok(())
    }
}
