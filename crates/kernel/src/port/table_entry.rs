//! An aggregate without its type.

use pavise_contract::table::{Realm, Table};

/// Removes secrets from an encoded entity, and the fields whose audience the realm is not.
pub type Redaction = fn(&[u8], Realm) -> Vec<u8>;

/// An aggregate without its type, for journals and verification.
#[derive(Debug)]
pub struct TableEntry {
    /// The table that keeps it.
    pub table: &'static Table,
    /// Removes secrets and fields for others from an encoded entity; `None` if the entity has neither.
    pub redact: Option<Redaction>,
}
