//! Confined callers: those of realms Partner and GroupAdmin, who see their own entities and what lies in their scopes.

use pavise_contract::options::v1::{Realm, ScopeKind};
use pavise_contract::{Aggregate, Behavior, Contract, Method};

use crate::Source;

/// The realms whose callers see nothing of others without a scope.
pub(crate) const CONFINED: [Realm; 2] = [Realm::Partner, Realm::GroupAdmin];

/// The realms of an aggregate's table whose callers see entities of every scope.
pub(crate) fn table(aggregate: &Aggregate) -> String {
    let realms = aggregate.options.unconfined.iter().flat_map(|unconfined| unconfined.realms());
    realms.map(|realm| format!("Realm::{realm:?},")).collect()
}

/// The confined realms that a call admits.
pub(crate) fn admitted(method: &Method) -> impl Iterator<Item = Realm> {
    let realms: Vec<Realm> = method.access.realms().collect();
    CONFINED.into_iter().filter(move |realm| realms.contains(realm))
}

/// Checks that each call of the domain that admits a confined realm is about entities that are somebody's.
pub(crate) fn check(source: &Source<'_>) -> Result<(), String> {
    source.contract.aggregates.values().try_for_each(check_option)?;
    let services = source.contract.services.iter().filter(|service| service.domain == source.domain);
    for service in services {
        for method in &service.methods {
            for realm in admitted(method) {
                check_call(source.contract, method, realm)?;
                check_journal(source.contract, &service.name, method, realm)?;
            }
        }
    }
    Ok(())
}

/// Checks the option `unconfined` of an aggregate.
fn check_option(aggregate: &Aggregate) -> Result<(), String> {
    let (place, options) = (aggregate.descriptor.full_name(), &aggregate.options);
    let Some(unconfined) = &options.unconfined else { return Ok(()) };
    if unconfined.reason.trim().is_empty() || unconfined.realms.is_empty() {
        return Err(format!("{place}: unconfined is incomplete: name `realms` and the `reason`"));
    }
    if let Some(odd) = unconfined.realms().find(|realm| !CONFINED.contains(realm)) {
        return Err(format!(
            "{place}: unconfined names {}, whose callers are not confined at all: leave it out",
            odd.as_str_name()
        ));
    }
    if let Some(scope) = options.scopes.iter().find(|scope| unconfined.realms().any(|one| one == scope.kind().realm()))
    {
        let (realm, kind) = (scope.kind().realm().as_str_name(), scope.kind().spelling());
        return Err(format!("{place}: it has a scope of kind {kind}, so that callers of {realm} are confined to it"));
    }
    if options.parent.is_some() {
        return Err(format!("{place}: a child has no `unconfined`, because the parent's rule counts: leave it out"));
    }
    Ok(())
}

/// Whether callers of a confined realm see of the aggregate only what is for them: their own, or that of their scopes.
fn is_for(contract: &Contract, aggregate: &Aggregate, realm: Realm) -> bool {
    let options = &aggregate.options;
    if let Some(parent) = &options.parent {
        let full = format!("{}.{}", aggregate.descriptor.package_name(), parent.aggregate);
        return contract.aggregates.get(&full).is_some_and(|parent| is_for(contract, parent, realm));
    }
    !options.shared || is_unconfined(aggregate, realm) || options.scopes.iter().any(|one| one.kind().realm() == realm)
}

fn is_unconfined(aggregate: &Aggregate, realm: Realm) -> bool {
    aggregate.options.unconfined.iter().any(|unconfined| unconfined.realms().any(|one| one == realm))
}

/// Checks that the entities of a call belong to an owner or to a scope of the realm, or are for everybody in it.
fn check_call(contract: &Contract, method: &Method, realm: Realm) -> Result<(), String> {
    let about = contract.aggregates.get(&method.facts.entity).or_else(|| contract.aggregates.get(&method.about()));
    let Some(aggregate) = about.filter(|aggregate| !is_for(contract, aggregate, realm)) else { return Ok(()) };
    let (place, noun, realm) = (method.descriptor.full_name(), aggregate.descriptor.name(), realm.as_str_name());
    Err(format!(
        "{place}: it admits {realm}, and {noun} has neither an owner nor a scope of that realm: give it one, or say unconfined"
    ))
}

/// Checks that a journal that a confined realm reads holds only what is for everybody in it. A journal gives everything.
fn check_journal(contract: &Contract, service: &str, method: &Method, realm: Realm) -> Result<(), String> {
    let whole = match &method.behavior {
        Behavior::Journal(_) | Behavior::MaxClock(_) | Behavior::Health(_) => true,
        Behavior::Watch(watch) => watch.aggregate.is_empty() && watch.scope() == ScopeKind::Unspecified,
        _ => false,
    };
    if !whole {
        return Ok(());
    }
    let mut inside = contract.aggregates.values().filter(|aggregate| aggregate.options.journal == service);
    let Some(odd) = inside.find(|aggregate| !is_unconfined(aggregate, realm)) else { return Ok(()) };
    let (place, noun, realm) = (method.descriptor.full_name(), odd.descriptor.name(), realm.as_str_name());
    Err(format!("{place}: it admits {realm} to the whole journal, and {noun} is not unconfined"))
}
