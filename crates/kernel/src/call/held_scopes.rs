//! The scopes in which a caller has roles, as a token carries them.

use std::collections::BTreeMap;

use pavise_contract::table::ScopeKind;

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
pub type ScopeClaims = BTreeMap<String, BTreeMap<String, Vec<String>>>;

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
    pub fn administered_ids(&self, kind: ScopeKind) -> impl Iterator<Item = &str> {
        let has = move |scope: &&Scope| scope.kind == kind && has_one_of(scope, administrator(kind));
        self.0.iter().filter(has).map(|scope| scope.id.as_str())
    }

    /// Whether the caller administers that scope.
    #[must_use]
    pub fn has_administrator(&self, kind: ScopeKind, id: &str) -> bool {
        self.administered_ids(kind).any(|one| one == id)
    }

    /// The administered groups, and the other roles, as a token carries them.
    #[must_use]
    pub fn claims(&self) -> (Vec<String>, ScopeClaims) {
        let groups = self.administered_ids(ScopeKind::Group).map(str::to_owned).collect();
        let mut claimed = ScopeClaims::new();
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
    pub fn of_claims(groups: &[String], claimed: &ScopeClaims) -> Self {
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

/// Whether a scope has one of these roles.
pub(super) fn has_one_of(scope: &Scope, roles: &[&str]) -> bool {
    scope.roles.iter().any(|role| roles.contains(&role.as_str()))
}

/// The administrator's role.
pub(super) fn administrator(kind: ScopeKind) -> &'static [&'static str] {
    kind.roles().get(..1).unwrap_or_default()
}
