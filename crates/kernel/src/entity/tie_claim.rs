//! A claim of a request that a scope and an owner belong together.

use pavise_contract::table::{Realm, ScopeKind, TieBy};

/// A scope and an owner that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TieClaim<'a> {
    /// The kind of the scope.
    pub kind: ScopeKind,
    /// The scope's id.
    pub scope: &'a str,
    /// How they belong together.
    pub by: TieBy,
    /// The owner's identity.
    pub owner: &'a str,
    /// The request's field with the owner.
    pub field: &'static str,
    /// Callers of these realms are not asked.
    pub spares: &'static [Realm],
}
