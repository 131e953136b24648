//! A name that a write asks for.

use crate::time::Micros;

/// An entity at one of its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameHolder {
    /// The service with its journal.
    pub service: &'static str,
    /// The name of its message.
    pub aggregate: &'static str,
    /// Its id.
    pub id: String,
    /// When it was made. Another entity can be made with the id of a deleted one.
    pub created_at: Micros,
    /// The version.
    pub version: i64,
}

/// A name that a write gives to an entity.
#[derive(Debug, Clone)]
pub struct NameRequest {
    /// The space, as spelt in the contract.
    pub space: &'static str,
    /// The name, folded.
    pub name: String,
    /// The entity as it is to be stored.
    pub holder: NameHolder,
    /// The id of the write.
    pub claim: String,
    /// The entity's field.
    pub(crate) field: &'static str,
}
