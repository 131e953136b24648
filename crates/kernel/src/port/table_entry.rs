//! An aggregate without its type.

use pavise_contract::table::{Lookup, Realm, Table};

/// Removes secrets from an encoded entity, and the fields whose audience the realm is not.
pub type Redaction = fn(&[u8], Realm) -> Vec<u8>;

/// An entity as a write of today would store it.
#[derive(Debug)]
pub struct EntityEncoding {
    /// Its wire bytes.
    pub wire: Vec<u8>,
    /// The values of its repeated lookups, folded where the lookups are.
    pub lookups: Vec<(&'static Lookup, String)>,
}

/// Encodes a stored entity as a write of today would; `None` if it cannot be read.
pub type Encoder = fn(&[u8]) -> Option<EntityEncoding>;

/// An aggregate without its type, for journals and verification.
#[derive(Debug)]
pub struct TableEntry {
    /// The table that keeps it.
    pub table: &'static Table,
    /// Removes secrets and fields for others from an encoded entity; `None` if the entity has neither.
    pub redact: Option<Redaction>,
    /// Encodes an entity as a write of today would.
    pub encode: Encoder,
}
