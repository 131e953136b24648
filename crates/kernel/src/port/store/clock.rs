//! The test clock of a database, and what it waits for.

/// The test clock: by how much business time is ahead of the machine's time, and how far it is to go. All times are in
/// microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockRow {
    /// The version of the row: 1, and one more with each change.
    pub version: i64,
    /// By how much business time is ahead now. It never falls.
    pub offset: i64,
    /// The machine's time at which the last advance began.
    pub began: i64,
    /// The offset at which the last advance began.
    pub started: i64,
    /// The offset at which it ends.
    pub target: i64,
    /// The offset whose day is over: each worker has done what was due.
    pub settled: i64,
    /// The clocks of the journals at the beginning of the present day, as a JSON object.
    pub heads: String,
}

/// A day through which the test clock went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockDay {
    /// The offset of the day.
    pub offset: i64,
    /// The figures of the day: a JSON object of counts.
    pub figures: String,
}

/// A worker of a process that has a test clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkerTick {
    /// The worker's name.
    pub worker: String,
    /// The journal that it follows; empty for a timer.
    pub journal: String,
    /// The offset at which a timer ticked last.
    pub offset: i64,
}
