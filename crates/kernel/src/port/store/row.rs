//! The rows that a commit stores, and the changes of them.

use std::borrow::Cow;

use bytes::Bytes;
use pavise_contract::table::{Lookup, Table};

/// An aggregate's row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredRow {
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
    pub row: StoredRow,
    /// The version that it replaces; `None` creates the entity.
    pub expected: Option<i64>,
    /// Removes the entity from reads; the journal keeps the last state.
    pub removed: bool,
    /// The journal action.
    pub action: String,
    /// Every value of its repeated lookups after the change, folded if the lookup is folded.
    pub lookups: Vec<(&'static Lookup, String)>,
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

/// A lookup's value as it is stored and searched: ASCII letters in lower case if the lookup is folded.
#[must_use]
pub fn fold_value<'v>(lookup: &Lookup, value: &'v str) -> Cow<'v, str> {
    if lookup.fold && value.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(value.to_ascii_lowercase())
    } else {
        Cow::Borrowed(value)
    }
}

/// Whether an engine can store a text. No engine stores the NUL character everywhere, so a text with it matches
/// nothing.
pub(crate) fn storable(text: &str) -> bool {
    !text.contains('\0')
}

/// A row whose document or lookups are written anew as it is: with the same version, clock and times.
#[derive(Debug, Clone)]
pub struct RowRewrite {
    /// The table that keeps it.
    pub table: &'static Table,
    /// The entity's id.
    pub id: String,
    /// The version that it is of; a row of another version stays.
    pub version: i64,
    /// The document.
    pub doc: String,
    /// The values of its repeated lookups, in place of those that it has; `None` if they stay.
    pub lookups: Option<Vec<(&'static Lookup, String)>>,
}
