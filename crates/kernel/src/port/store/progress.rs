//! How far workers are, what they could not handle, and what staff asked of them.

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

/// The state of a worker beside its cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkerState {
    /// The worker's name.
    pub worker: String,
    /// Whether it is paused: it handles nothing until somebody activates it.
    pub is_paused: bool,
    /// The time when it was last paused or activated, in microseconds since the epoch; 0 if never.
    pub steered_at: i64,
    /// The identity that paused or activated it.
    pub steered_by: String,
    /// The note of that identity.
    pub note: String,
    /// The time when a run was asked for that has not begun; 0 if none was.
    pub triggered_at: i64,
    /// The identity that asked for it.
    pub triggered_by: String,
    /// The last run of a timer.
    pub run: TimerRun,
}

/// The last run of a timer, and the next one. Times are in microseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimerRun {
    /// Due times up to this one are done. A calendar rule counts from it; 0 if the rule was never seen.
    pub counted_from: i64,
    /// The time when it began; 0 if it never ran.
    pub started_at: i64,
    /// The time when it ended; 0 if it runs, or if its process is gone.
    pub ended_at: i64,
    /// The cause of its failure; empty if it did not fail.
    pub cause: String,
    /// The time of the next run; 0 if it is not known.
    pub next_at: i64,
}

impl TimerRun {
    /// Whether it began and did not end: it runs, or its process is gone.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.started_at != 0 && self.ended_at == 0
    }
}

/// An order to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerOrder {
    /// The kind.
    pub kind: WorkerOrderKind,
    /// The time, in microseconds since the epoch.
    pub at: i64,
    /// The identity that asks.
    pub by: String,
    /// A note for others; not kept of a trigger.
    pub note: String,
}

/// The kinds of orders to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerOrderKind {
    /// Handle nothing until it is activated. A run that was asked for and has not begun is dropped.
    Pause,
    /// Go on.
    Activate,
    /// Run once, now. A paused worker does not, and several orders before the run begins are one.
    Trigger,
}
