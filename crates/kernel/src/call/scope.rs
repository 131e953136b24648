//! Scopes: the groups, divisions, branches, firms and associates in which a caller has roles.
//!
//! The functions are pure. [`crate::access`] asks them about one entity, and a list asks them which rows to read.

use pavise_contract::table::{Method, Realm, ScopeKind, Table};

use crate::call::caller::Caller;
use crate::call::held_scopes::{administrator, has_one_of};

pub use crate::call::held_scopes::{Scope, ScopeClaims, Scopes};

#[cfg(test)]
mod tests;

/// The outcome of a check of the scopes that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeRefusal {
    /// The caller has no role in the scope of this kind.
    NotHeld(ScopeKind),
    /// The caller has a role in it, but none that the call admits.
    WrongRole(ScopeKind),
}

/// Checks that the caller has an admitted role in each scope that the request names, or in a part of it.
///
/// # Errors
/// The first refusal.
pub fn check_named(method: &Method, caller: &Caller, named: &[(ScopeKind, &str)]) -> Result<(), ScopeRefusal> {
    for (kind, id) in named.iter().filter(|_| has_confined_realm(caller)) {
        let of_it = |scope: &&Scope| {
            (scope.kind == *kind && scope.id == *id) || (scope.kind.within() == *kind && scope.within == *id)
        };
        let mut held = caller.scopes.iter().filter(of_it).peekable();
        if held.peek().is_none() {
            return Err(ScopeRefusal::NotHeld(*kind));
        }
        if !held.any(|scope| counts(method, scope)) {
            return Err(ScopeRefusal::WrongRole(*kind));
        }
    }
    Ok(())
}

/// Whether an entity of these scopes lies in one in which the caller has an admitted role.
#[must_use]
pub fn is_within(method: &Method, caller: &Caller, scopes: &[(ScopeKind, &str)]) -> bool {
    let mut held = caller.scopes.iter();
    held.any(|own| scopes.contains(&(own.kind, own.id.as_str())) && counts(method, own))
}

/// Whether the caller sees of the aggregate only what lies in the caller's own scopes, and what is the caller's own. A
/// shared aggregate's call that is open to all shows the caller what it shows everybody.
#[must_use]
pub fn is_confined(method: &Method, caller: &Caller, table: &Table) -> bool {
    let open = table.shared && method.access.public && method.access.realms.is_empty();
    has_confined_realm(caller) && !open && !table.unconfined.contains(&caller.realm)
}

/// Whether callers of the realm see nothing of others without a scope.
fn has_confined_realm(caller: &Caller) -> bool {
    matches!(caller.realm, Realm::GroupAdmin | Realm::Partner)
}

/// The rows of a list that a caller may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScopeReach {
    /// Those that the request asks for.
    Asked,
    /// The caller's own.
    Own,
    /// Those of these scopes: of each kind, the ids. No kind means no row.
    Within(Vec<(ScopeKind, Vec<String>)>),
}

/// The rows of a list that the caller may see, if its request names this owner and these scopes.
#[must_use]
pub fn visible_rows(
    method: &Method,
    caller: &Caller,
    table: &Table,
    owner: Option<&str>,
    named: &[(ScopeKind, &str)],
) -> ScopeReach {
    let has_kind = |kind: ScopeKind| table.scopes.iter().any(|(of, _)| *of == kind);
    match caller.realm {
        Realm::Internal | Realm::Machine => return ScopeReach::Asked,
        Realm::Unspecified | Realm::User => return if table.shared { ScopeReach::Asked } else { ScopeReach::Own },
        Realm::GroupAdmin | Realm::Partner if is_confined(method, caller, table) => {}
        Realm::GroupAdmin | Realm::Partner => return ScopeReach::Asked,
    }
    // The rows of a named scope in which the caller has a role are all to be seen.
    let named: Vec<_> = named.iter().filter(|(kind, _)| has_kind(*kind)).collect();
    let own = || caller.scopes.iter().filter(|scope| has_kind(scope.kind) && counts(method, scope));
    if own().any(|scope| named.iter().any(|(kind, id)| scope.kind == *kind && scope.id == *id)) {
        return ScopeReach::Asked;
    }
    let is_asked_for = |scope: &&Scope| {
        named.iter().all(|(kind, id)| {
            (scope.kind != *kind || scope.id == *id) && (scope.kind.within() != *kind || scope.within == *id)
        })
    };
    let mut found: Vec<(ScopeKind, Vec<String>)> = Vec::new();
    for scope in own().filter(is_asked_for) {
        match found.iter_mut().find(|(kind, _)| *kind == scope.kind) {
            Some((_, ids)) => ids.push(scope.id.clone()),
            None => found.push((scope.kind, vec![scope.id.clone()])),
        }
    }
    // Without a named scope, a caller lists their own entities by their own name.
    if !table.shared && (found.is_empty() || (named.is_empty() && owner.is_some())) {
        return ScopeReach::Own;
    }
    ScopeReach::Within(found)
}

/// The roles that the call admits in scopes of a kind.
#[must_use]
pub fn admitted_roles(method: &Method, kind: ScopeKind) -> &'static [&'static str] {
    match method.access.scopes.iter().find(|rule| rule.kind == kind) {
        Some(rule) if !rule.roles.is_empty() => rule.roles,
        _ if kind.within() == ScopeKind::Unspecified => administrator(kind),
        _ => &[],
    }
}

/// Whether the call admits a role of the scope.
fn counts(method: &Method, scope: &Scope) -> bool {
    has_one_of(scope, admitted_roles(method, scope.kind))
}
