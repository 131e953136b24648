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
//! A sortable lookup is an index on the text that [`SortKey::key`](crate::read::range::SortKey::key) makes of the value, which
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

mod clock;
mod command;
mod journal;
mod progress;
mod query;
mod row;
mod shared_count;
mod traces;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use tokio::sync::broadcast;

pub use clock::{ClockDay, ClockRow, WorkerTick};
pub use command::{Command, Outcome};
pub use journal::{Entry, JournalHead, JournalPart};
pub use progress::{
    Cursor, DueEntries, FailedCount, FailedEntry, LONGEST_WAIT, TimerRun, WorkerOrder, WorkerOrderKind, WorkerState,
};
pub use query::{Filter, Match, NeededValue, Range, RangePage, StoredRange};
pub(crate) use row::storable;
pub use row::{IdempotencyRecord, RowRewrite, StoredRow, Write, fold_value};
pub use shared_count::{CountChange, Decay, SharedCount};
pub use traces::{ErasedTraces, PersonTraces};

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
        if error.cause == NO_MASTER_KEY { no_master_key_error() } else { Self::unavailable("the database", error) }
    }
}

/// The cause of an error of a store that cannot open what is sealed.
pub(crate) const NO_MASTER_KEY: &str = "no master key opens what is sealed: set --key-secret";

/// The refusal of what needs a master key.
pub(crate) fn no_master_key_error() -> crate::Error {
    let message = "personal data cannot be sealed or opened here: set --key-secret";
    crate::Error::new(crate::Common::NotConfigured, message).with("setting", "key-secret")
}

/// The result of an engine's operation.
pub type StoreResult<T> = Result<T, StoreError>;

/// A storage engine.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug + 'static {
    /// The lane of a journal. One task commits the commands of a lane. An engine has a lane per journal, or one lane
    /// for all if it allows one writer only.
    fn lane(&self, journal: &'static str) -> &'static str;

    /// Reads one entity.
    async fn get(&self, table: &'static Table, id: &str) -> StoreResult<Option<StoredRow>>;

    /// The existing entities with these ids, in no order.
    async fn get_many(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<StoredRow>>;

    /// The newest entity with that lookup value, which is already folded if the lookup is.
    async fn find(&self, table: &'static Table, lookup: &'static Lookup, value: &str)
    -> StoreResult<Option<StoredRow>>;

    /// The id of the newest entity with that lookup value, and nothing else of it. The query answers one row in either
    /// case, so that its time tells as little as possible about a hit or a miss.
    async fn find_id(&self, table: &'static Table, lookup: &'static Lookup, value: &str)
    -> StoreResult<Option<String>>;

    /// The entities with these values of a unique lookup, each with its value, in no order. The values are already folded
    /// if the lookup is.
    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>>;

    /// The number of entities that a list holds; at most the filter's limit.
    async fn count(&self, table: &'static Table, filter: &Filter) -> StoreResult<u32>;

    /// A page, newest first, or in the order of the filter's `sort_range`.
    async fn list(&self, table: &'static Table, filter: &Filter) -> StoreResult<Vec<StoredRow>>;

    /// The values of a range, read from an index in its order, so that the cost does not depend on the table's size.
    async fn range(&self, table: &'static Table, range: &Range) -> StoreResult<RangePage>;

    /// The number of values of each range, in the order asked; at most the range's limit. Only the index is read, from
    /// the range's beginning: `after`, the filter and `skips` have no meaning here.
    async fn count_ranges(&self, table: &'static Table, ranges: &[Range]) -> StoreResult<Vec<u32>>;

    /// The entries with a clock above `after`, by rising clock, and the head, read in one statement. With an entity's
    /// id, only that entity's entries; an empty id means all.
    async fn journal(
        &self,
        journal: &str,
        entity: &str,
        after: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)>;

    /// The entries of a part of a journal with a clock above `after` and up to `through`, by rising clock, and the head,
    /// read in one statement. It reads no entry outside this span.
    async fn journal_of(
        &self,
        journal: &str,
        part: &JournalPart,
        after: i64,
        through: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)>;

    /// The head of the journal.
    async fn head(&self, journal: &str) -> StoreResult<JournalHead>;

    /// The idempotency record of a key.
    async fn idempotency_record(&self, journal: &str, key: &str) -> StoreResult<Option<IdempotencyRecord>>;

    /// Commits the commands of one lane, in one transaction where possible, and answers the outcome of each. An error
    /// means that nothing of the batch is known to be durable. A command's idempotency key is checked before its
    /// versions. A later command of the batch sees the effect of an earlier one.
    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>>;

    /// The values of the repeated lookups of these entities, as they are stored: id, name of the lookup, value; in no order.
    async fn lookup_values(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<(String, String, String)>> {
        let _ = (table, ids);
        Ok(Vec::new())
    }

    /// Writes documents of a journal's rows and earlier entries anew, all of them or none. Versions and clocks stay. An
    /// entry is named by its clock.
    async fn rewrite(&self, journal: &str, rows: &[RowRewrite], entries: &[(i64, String)]) -> StoreResult<()> {
        let _ = (journal, rows, entries);
        Err(StoreError { cause: "this store writes nothing anew".to_owned(), unknown: false })
    }

    /// Erases what is left of a person beside entities and journals, all of it or nothing. What was erased before does not
    /// count.
    async fn erase_traces(&self, traces: &PersonTraces) -> StoreResult<ErasedTraces> {
        let _ = traces;
        Err(StoreError { cause: "this store erases nothing".to_owned(), unknown: false })
    }

    /// The names of journals that other processes have written to, as hints: only polling is reliable. `None` if no
    /// other process can write.
    fn hints(&self) -> Option<broadcast::Receiver<String>>;

    /// Takes or renews a lease for the time that it `lasts`; whether `holder` has it. Only the engine's clock counts, so
    /// that processes whose clocks disagree do not take leases from each other. Another holder's lease is taken when it
    /// has expired. It is also taken when it would last longer than twice the requested time. Such a lease is older
    /// than a correction of the engine's clock, and must not block others. An engine may keep a lease for up to half as
    /// long again, so that it need not write each renewal.
    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> StoreResult<bool>;

    /// Releases a lease.
    async fn release(&self, name: &str, holder: &str) -> StoreResult<()>;

    /// A worker's cursor; the start when it has none yet.
    async fn cursor(&self, worker: &str) -> StoreResult<Cursor>;

    /// Moves a worker's cursor and sets entries aside in the same transaction. Refused (`false`) as a stale update in
    /// three cases: `holder` lost the lease of that name; the cursor would go back within its epoch; or it would stay
    /// while entries are set aside.
    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> StoreResult<bool>;

    /// Moves a worker's cursor back after its journal was restored from an older backup. It deletes the worker's failed
    /// entries beyond the cursor. Refused as [`Store::advance`] is.
    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> StoreResult<bool>;

    /// Gives a journal a new epoch from its present clock on, after it was restored from an older backup.
    async fn renew_epoch(&self, journal: &str) -> StoreResult<JournalHead>;

    /// The highest clock that an earlier epoch of a journal shares with the present one. For an unknown epoch, it is
    /// the clock at which the present one began.
    async fn shared_until(&self, journal: &str, epoch: &str) -> StoreResult<i64>;

    /// The first failed entry of each entity, if it is due and not parked, the longest due first. Only the engine's
    /// clock counts. An entry with a next try later than in [`LONGEST_WAIT`] is due at once: its time is older than a
    /// correction of that clock.
    async fn due(&self, worker: &str, limit: u32) -> StoreResult<DueEntries>;

    /// The entities among `entities` that have failed entries of this worker.
    async fn blocked(&self, worker: &str, entities: &[String]) -> StoreResult<Vec<String>>;

    /// The failed entries of a worker, by clock; those of all workers for an empty name.
    async fn failed_entries(&self, worker: &str, limit: u32) -> StoreResult<Vec<FailedEntry>>;

    /// The number of failed entries of each worker.
    async fn count_failed(&self) -> StoreResult<Vec<FailedCount>>;

    /// Records a further failure of an entry, or makes it due anew (with no attempts). Ignored when `attempts` is below
    /// the stored count: a stale update.
    async fn retry(&self, entry: &FailedEntry) -> StoreResult<()>;

    /// Removes a failed entry after it was handled.
    async fn remove_failed(&self, worker: &str, clock: i64) -> StoreResult<()>;

    /// A part of a worker's failed entries with a clock above `after`, by clock.
    async fn failed_page(&self, worker: &str, after: i64, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        let _ = (worker, after, limit);
        Ok(Vec::new())
    }

    /// Makes parked entries of a worker due at once, with no attempts: the one with that clock, or all of them for `None`.
    /// A failed entry that is named is made due also if it is not parked. Answers how many.
    async fn replay_failed(&self, worker: &str, clock: Option<i64>) -> StoreResult<u64> {
        let _ = (worker, clock);
        Ok(0)
    }

    /// The states of the workers that have one, in no order.
    async fn worker_states(&self) -> StoreResult<Vec<WorkerState>> {
        Ok(Vec::new())
    }

    /// The state of a worker. One that nobody paused, and that never ran, has an empty one.
    async fn worker_state(&self, worker: &str) -> StoreResult<WorkerState> {
        let found = self.worker_states().await?.into_iter().find(|state| state.worker == worker);
        Ok(found.unwrap_or_else(|| WorkerState { worker: worker.to_owned(), ..WorkerState::default() }))
    }

    /// Keeps an order to a worker, for the process that holds its lease. `false` if it changes nothing: the worker is
    /// paused already, or active already, or a run was asked for before; or a run is asked of a paused worker.
    async fn order_worker(&self, worker: &str, order: &WorkerOrder) -> StoreResult<bool> {
        let _ = (worker, order);
        Err(StoreError { cause: "this store keeps no orders".to_owned(), unknown: false })
    }

    /// Records a timer's run; with `takes_trigger`, the run that was asked for begins with it. Refused (`false`) when
    /// `holder` lost the lease of that name.
    async fn record_run(&self, worker: &str, holder: &str, run: &TimerRun, takes_trigger: bool) -> StoreResult<bool> {
        let _ = (worker, holder, run, takes_trigger);
        Err(StoreError { cause: "this store records no runs".to_owned(), unknown: false })
    }

    /// Changes counts that all processes share, each key once, and answers those of the keys that are not nothing. The
    /// counts need not survive a crash.
    async fn share_counts(&self, changes: &[CountChange]) -> StoreResult<Vec<SharedCount>>;

    /// The test clock; `None` where none was ever on.
    async fn clock_row(&self) -> StoreResult<Option<ClockRow>> {
        Ok(None)
    }

    /// Stores the next version of the test clock, the first one where there is none, and a day that is over, in one
    /// transaction. Refused (`false`) as a stale update when the stored version is not the one before, or the offset would
    /// fall.
    async fn put_clock_row(&self, row: &ClockRow, day: Option<&ClockDay>) -> StoreResult<bool> {
        let _ = (row, day);
        Err(StoreError { cause: "this store has no test clock".to_owned(), unknown: false })
    }

    /// The days beyond an offset through which the test clock went, in order.
    async fn clock_days(&self, after: i64) -> StoreResult<Vec<ClockDay>> {
        let _ = after;
        Ok(Vec::new())
    }

    /// Whether no worker has ever run on the database.
    async fn is_unused(&self) -> StoreResult<bool> {
        Ok(false)
    }

    /// The workers that the test clock waits for, by their names.
    async fn worker_ticks(&self) -> StoreResult<Vec<WorkerTick>> {
        Ok(Vec::new())
    }

    /// Replaces the workers of these domains, whose names begin with the domain's. A worker that is there already keeps
    /// its tick.
    async fn set_workers(&self, domains: &[String], workers: &[WorkerTick]) -> StoreResult<()> {
        let _ = (domains, workers);
        Ok(())
    }

    /// Records that a timer has ticked at an offset. A lower one than the stored is a stale update, and changes nothing.
    async fn record_tick(&self, worker: &str, offset: i64) -> StoreResult<()> {
        let _ = (worker, offset);
        Ok(())
    }

    /// Deletes a portion of the idempotency records from before `before` (microseconds since the epoch), and answers
    /// how many.
    async fn forget(&self, journal: &str, before: i64) -> StoreResult<u64>;

    /// Answers as soon as the engine answers.
    async fn ping(&self) -> StoreResult<()>;

    /// Answers when the engine takes writes. It fails on a full disk and on a read-only one.
    async fn check_writable(&self) -> StoreResult<()>;

    /// All rows of a table in id order after `after`, for verification.
    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> StoreResult<Vec<StoredRow>>;

    /// Closes the store; no call may follow. An engine that keeps committed data in a second file beside the database
    /// merges it into the database. It does so as far as other processes allow and within some seconds. Nothing is lost
    /// otherwise: the next start uses both files.
    async fn close(&self) -> StoreResult<()> {
        Ok(())
    }
}
