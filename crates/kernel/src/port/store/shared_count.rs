//! Counts that all processes share.

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
