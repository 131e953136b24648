//! Scopes and audiences that a change loosens.

use std::collections::BTreeMap;

use super::change::Breaking;
use crate::Contract;
use crate::options::v1::{Access, Aggregate, Realm, ScopeAccess, ScopeKind};

/// The request field and the admitted roles of each kind.
type Rules = BTreeMap<ScopeKind, (String, Vec<String>)>;

/// The changes of a call's rule by which callers reach more.
pub(super) fn loosened(old: &Access, new: &Access) -> Vec<String> {
    let (was, is) = (rules(old), rules(new));
    let mut found = Vec::new();
    for kind in ScopeKind::all() {
        let of = |rules: &Rules| rules.get(&kind).cloned().unwrap_or_else(|| (String::new(), roles(kind, &[])));
        let ((old_field, old_roles), (new_field, new_roles)) = (of(&was), of(&is));
        let name = kind.spelling().to_lowercase();
        if !old_field.is_empty() && old_field != new_field {
            let now = if new_field.is_empty() { "none" } else { &new_field };
            found.push(format!("asks for {name} {now} instead of {old_field}"));
        }
        let admitted = new_roles.iter().filter(|role| !old_roles.contains(role));
        found.extend(admitted.map(|role| format!("admits the role {role} of a {name}")));
    }
    for tie in old.ties.iter().filter(|tie| !new.ties.contains(tie)) {
        let kind = tie.kind().spelling().to_lowercase();
        let owner = if tie.owner.is_empty() { &old.owner } else { &tie.owner };
        found.push(format!("asks no longer how {owner} belongs to the {kind}"));
    }
    found
}

/// Aggregates that name a scope no longer, or whose entities a realm sees without one: callers who were confined to their
/// scopes see all entities.
pub(super) fn let_go(before: &Contract, now: &Contract) -> Vec<Breaking> {
    let mut found = Vec::new();
    for (name, old) in &before.aggregates {
        let Some(new) = now.aggregates.get(name) else { continue };
        let is = kinds(&new.options);
        let gone = kinds(&old.options).into_iter().filter(|(kind, field)| is.get(kind) != Some(field));
        found.extend(gone.map(|(kind, field)| Breaking {
            place: name.clone(),
            change: format!("its {} is no longer {field}", kind.spelling().to_lowercase()),
        }));
        let realms = |options: &Aggregate| -> Vec<Realm> {
            options.unconfined.iter().flat_map(|unconfined| unconfined.realms()).collect()
        };
        let known = realms(&old.options);
        let more = realms(&new.options).into_iter().filter(|realm| !known.contains(realm));
        found.extend(more.map(|realm| Breaking {
            place: name.clone(),
            change: format!("{} sees all of them", realm.as_str_name()),
        }));
    }
    found
}

/// The change of a field's audience by which more callers get the field.
pub(super) fn shown(old: &[Realm], new: &[Realm]) -> Option<String> {
    if old.is_empty() {
        return None;
    }
    if new.is_empty() {
        return Some("has no audience any more".to_owned());
    }
    let more: Vec<&str> = new.iter().filter(|realm| !old.contains(realm)).map(Realm::as_str_name).collect();
    (!more.is_empty()).then(|| format!("is shown to {}", more.join(", ")))
}

/// The change of a field's setters by which more callers may set the field.
pub(super) fn set(old: &[Realm], new: &[Realm]) -> Option<String> {
    if old.is_empty() {
        return None;
    }
    if new.is_empty() {
        return Some("may be set by every caller".to_owned());
    }
    let more: Vec<&str> = new.iter().filter(|realm| !old.contains(realm)).map(Realm::as_str_name).collect();
    (!more.is_empty()).then(|| format!("may be set by {}", more.join(", ")))
}

fn rules(access: &Access) -> Rules {
    let mut found: Rules = access.scopes.iter().map(|one| (one.kind(), rule(one))).collect();
    // Contracts that were released before there were scopes have groups only.
    if !access.group.is_empty() {
        found.entry(ScopeKind::Group).or_insert_with(|| (access.group.clone(), roles(ScopeKind::Group, &[])));
    }
    found
}

fn rule(access: &ScopeAccess) -> (String, Vec<String>) {
    (access.field.clone(), roles(access.kind(), &access.roles))
}

/// The roles that count.
fn roles(kind: ScopeKind, said: &[String]) -> Vec<String> {
    let all = if kind.within() == ScopeKind::Unspecified { kind.roles() } else { &[] };
    match said {
        [] => all.iter().take(1).map(|role| (*role).to_owned()).collect(),
        said => said.to_vec(),
    }
}

fn kinds(options: &Aggregate) -> BTreeMap<ScopeKind, String> {
    let mut found: BTreeMap<_, _> = options.scopes.iter().map(|scope| (scope.kind(), scope.field.clone())).collect();
    if !options.group.is_empty() {
        found.entry(ScopeKind::Group).or_insert_with(|| options.group.clone());
    }
    found
}
