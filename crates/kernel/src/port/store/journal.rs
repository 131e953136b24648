//! The entries of a journal.

use pavise_contract::table::{Lookup, Table};

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
pub enum JournalPart {
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
    /// The entries that may have something of a person: of entities that belong to them after the change, whose id is
    /// theirs, or whose documents name them.
    Person {
        /// The person's identity.
        id: String,
        /// Tables whose entries belong to the part, whoever they name.
        also: Vec<&'static str>,
    },
}

/// The head of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalHead {
    /// The highest clock: everything at or below it is visible.
    pub clock: i64,
    /// The epoch. It changes when the journal is restored from an older backup.
    pub epoch: String,
}
