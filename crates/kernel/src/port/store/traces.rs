//! The traces of a person beside entities and journals.

/// The places beside the entities where something of a person may be left: kept answers, and the causes of failed entries.
#[derive(Debug, Clone, Default)]
pub struct PersonTraces {
    /// The journal of the kept answers.
    pub journal: String,
    /// The clocks of commits whose answers have something of the person.
    pub clocks: Vec<i64>,
    /// The entities that have something of the person.
    pub entities: Vec<String>,
    /// The person's identity: an answer or an entry that names it has something of the person. Empty for none.
    pub person: String,
    /// The bytes in the place of an answer.
    pub answer: Vec<u8>,
    /// The text in the place of a cause.
    pub cause: String,
}

/// How many traces were erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErasedTraces {
    /// The answers.
    pub answers: u64,
    /// The causes.
    pub causes: u64,
}
