//! How far workers are, and what they could not handle.

/// The longest wait of a failed entry for its next try, in microseconds.
pub const LONGEST_WAIT: i64 = 600 * 1_000_000;

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
pub struct DueEntries {
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
