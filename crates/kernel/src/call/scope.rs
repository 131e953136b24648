//! Scopes: the groups, divisions, branches, firms and associates in which a caller has roles.
//!
//! The functions are pure. [`crate::access`] asks them about one entity, and a list asks them which rows to read.

use std::collections::BTreeMap;

use pavise_contract::table::{Method, Realm, ScopeKind, Table};

use crate::call::caller::Caller;

#[cfg(test)]
mod tests;

/// The scopes in which a caller has roles, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scopes(Vec<Scope>);

/// A scope, and the caller's roles in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    /// The kind.
    pub kind: ScopeKind,
    /// Its id.
    pub id: String,
    /// The id of the scope that it lies in, for a kind that lies within another; else empty.
    pub within: String,
    /// The names of the roles.
    pub roles: Vec<String>,
}

/// The roles by kind and name, with the ids of the scopes, as a token carries them. The id of an inner scope follows
/// the outer one's: `acme/sales`.
pub type Claimed = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl Scope {
    /// A scope that lies in no other.
    #[must_use]
    pub fn new(kind: ScopeKind, id: &str, roles: &[&str]) -> Self {
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        Self { kind, id: id.to_owned(), within: String::new(), roles }
    }

    /// The scope within another one.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        Self { within: outer.to_owned(), ..self }
    }
}

impl FromIterator<Scope> for Scopes {
    /// Scopes in order. A scope that comes twice has both roles.
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        let mut found: BTreeMap<(ScopeKind, String), Scope> = BTreeMap::new();
        for scope in scopes {
            match found.get_mut(&(scope.kind, scope.id.clone())) {
                Some(known) => known.roles.extend(scope.roles),
                None => {
                    found.insert((scope.kind, scope.id.clone()), scope);
                }
            }
        }
        let mut scopes: Vec<Scope> = found.into_values().collect();
        for scope in &mut scopes {
            scope.roles.sort();
            scope.roles.dedup();
        }
        Self(scopes)
    }
}

impl Scopes {
    /// Groups, with the administrator's role.
    pub fn of_groups<S: AsRef<str>>(groups: impl IntoIterator<Item = S>) -> Self {
        let groups = groups.into_iter();
        groups.map(|group| Scope::new(ScopeKind::Group, group.as_ref(), administrator(ScopeKind::Group))).collect()
    }

    /// Each scope.
    pub fn iter(&self) -> impl Iterator<Item = &Scope> {
        self.0.iter()
    }

    /// The ids of the scopes of a kind that the caller administers.
    pub fn administered(&self, kind: ScopeKind) -> impl Iterator<Item = &str> {
        let has = move |scope: &&Scope| scope.kind == kind && has_one_of(scope, administrator(kind));
        self.0.iter().filter(has).map(|scope| scope.id.as_str())
    }

    /// Whether the caller administers that scope.
    #[must_use]
    pub fn administers(&self, kind: ScopeKind, id: &str) -> bool {
        self.administered(kind).any(|one| one == id)
    }

    /// The administered groups, and the other roles, as a token carries them.
    #[must_use]
    pub fn claims(&self) -> (Vec<String>, Claimed) {
        let groups = self.administered(ScopeKind::Group).map(str::to_owned).collect();
        let mut claimed = Claimed::new();
        for scope in &self.0 {
            let id = if scope.within.is_empty() { scope.id.clone() } else { format!("{}/{}", scope.within, scope.id) };
            let is_group = scope.kind == ScopeKind::Group;
            let roles =
                scope.roles.iter().filter(|role| !is_group || !administrator(scope.kind).contains(&role.as_str()));
            for role in roles {
                let kind = claimed.entry(scope.kind.spelling().to_owned()).or_default();
                kind.entry(role.clone()).or_default().push(id.clone());
            }
        }
        (groups, claimed)
    }

    /// The scopes of a token. Kinds that this program does not know give no right.
    #[must_use]
    pub fn of_claims(groups: &[String], claimed: &Claimed) -> Self {
        let mut scopes = Self::of_groups(groups).0;
        for (kind, roles) in claimed {
            let Some(kind) = ScopeKind::from_spelling(kind) else { continue };
            for (role, ids) in roles {
                scopes.extend(ids.iter().map(|id| {
                    let (outer, id) = id.split_once('/').unwrap_or(("", id));
                    Scope::new(kind, id, &[role]).within(outer)
                }));
            }
        }
        scopes.into_iter().collect()
    }
}

/// The outcome of a check of the scopes that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The caller has no role in the scope of this kind.
    NotHeld(ScopeKind),
    /// The caller has a role in it, but none that the call admits.
    WrongRole(ScopeKind),
}

/// Checks that the caller has an admitted role in each scope that the request names, or in a part of it.
///
/// # Errors
/// The first refusal.
pub fn check_named(method: &Method, caller: &Caller, named: &[(ScopeKind, &str)]) -> Result<(), Refusal> {
    for (kind, id) in named.iter().filter(|_| has_confined_realm(caller)) {
        let of_it = |scope: &&Scope| {
            (scope.kind == *kind && scope.id == *id) || (scope.kind.within() == *kind && scope.within == *id)
        };
        let mut held = caller.scopes.iter().filter(of_it).peekable();
        if held.peek().is_none() {
            return Err(Refusal::NotHeld(*kind));
        }
        if !held.any(|scope| counts(method, scope)) {
            return Err(Refusal::WrongRole(*kind));
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
pub enum Reach {
    /// Those that the request asks for.
    Asked,
    /// The caller's own.
    Own,
    /// Those of these scopes: of each kind, the ids. No kind means no row.
    Within(Vec<(ScopeKind, Vec<String>)>),
}

/// The rows of a list that the caller may see, if its request names this owner and these scopes.
#[must_use]
pub fn reach(
    method: &Method,
    caller: &Caller,
    table: &Table,
    owner: Option<&str>,
    named: &[(ScopeKind, &str)],
) -> Reach {
    let has_kind = |kind: ScopeKind| table.scopes.iter().any(|(of, _)| *of == kind);
    match caller.realm {
        Realm::Internal | Realm::Machine => return Reach::Asked,
        Realm::Unspecified | Realm::User => return if table.shared { Reach::Asked } else { Reach::Own },
        Realm::GroupAdmin | Realm::Partner if is_confined(method, caller, table) => {}
        Realm::GroupAdmin | Realm::Partner => return Reach::Asked,
    }
    // The rows of a named scope in which the caller has a role are all to be seen.
    let named: Vec<_> = named.iter().filter(|(kind, _)| has_kind(*kind)).collect();
    let own = || caller.scopes.iter().filter(|scope| has_kind(scope.kind) && counts(method, scope));
    if own().any(|scope| named.iter().any(|(kind, id)| scope.kind == *kind && scope.id == *id)) {
        return Reach::Asked;
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
        return Reach::Own;
    }
    Reach::Within(found)
}

/// The roles that the call admits in scopes of a kind.
#[must_use]
pub fn roles(method: &Method, kind: ScopeKind) -> &'static [&'static str] {
    match method.access.scopes.iter().find(|rule| rule.kind == kind) {
        Some(rule) if !rule.roles.is_empty() => rule.roles,
        _ if kind.within() == ScopeKind::Unspecified => administrator(kind),
        _ => &[],
    }
}

/// Whether the call admits a role of the scope.
fn counts(method: &Method, scope: &Scope) -> bool {
    has_one_of(scope, roles(method, scope.kind))
}

fn has_one_of(scope: &Scope, roles: &[&str]) -> bool {
    scope.roles.iter().any(|role| roles.contains(&role.as_str()))
}

/// The administrator's role.
fn administrator(kind: ScopeKind) -> &'static [&'static str] {
    kind.roles().get(..1).unwrap_or_default()
}
