//! Ties: how the scopes and the owners that a request names belong together. Their code and their checks.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Realm, ScopeKind, Tie, TieBy};
use pavise_contract::{Aggregate, Behavior, Contract, Method, is_output_only, reference_of, setters_of};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::confined::{CONFINED, admitted};
use crate::floor::fields::requested;
use crate::{Source, name, scope};

/// The names of request fields with an identity whom the call makes or has as an owner.
const OWNERS: [&str; 4] = ["identity_id", "new_owner_id", "owner_id", "user_id"];

/// A scope and an owner that a call's kernel checks: the kind, the scope's field, the owner's field, the relation, and the
/// realms whose callers are not asked.
pub(crate) type Checked = (ScopeKind, String, String, TieBy, Vec<Realm>);

/// The ties that the kernel checks before the call runs.
pub(crate) fn checked(method: &Method) -> Vec<Checked> {
    let mut found = Vec::new();
    for tie in method.access.ties.iter().filter(|tie| tie.by() != TieBy::Entity) {
        let fields = scope::named(method).into_iter().filter(|(kind, _)| *kind == tie.kind());
        found
            .extend(fields.map(|(kind, field)| (kind, field, owner_of(method, tie), tie.by(), tie.spares().collect())));
    }
    found
}

/// Whether a call of the domain has ties that the kernel checks.
pub(crate) fn any(source: &Source<'_>) -> bool {
    let mut own = source.contract.methods().filter(|(service, _)| service.domain == source.domain);
    own.any(|(_, method)| !checked(method).is_empty())
}

/// Writes the method of a request that answers its ties.
pub(crate) fn target(text: &mut String, method: &Method) -> Result<(), Box<dyn Error>> {
    let mut values = String::new();
    for (kind, field, owner, by, spares) in checked(method) {
        let (id, who) = (requested(method, "scopes", &field)?, requested(method, "ties", &owner)?);
        let spares: String = spares.iter().map(|realm| format!("::pavise_kernel::table::Realm::{realm:?},")).collect();
        write!(
            values,
            "{id}.zip({who}).map(|(scope, owner)| ::pavise_kernel::ties::TieClaim {{ kind: ::pavise_kernel::table::ScopeKind::{kind:?}, scope, by: ::pavise_kernel::table::TieBy::{by:?}, owner, field: {owner:?}, spares: &[{spares}] }}),"
        )?;
    }
    if !values.is_empty() {
        writeln!(
            text,
            "fn ties(&self) -> Vec<::pavise_kernel::ties::TieClaim<'_>> {{ [{values}].into_iter().flatten().collect() }}"
        )?;
    }
    Ok(())
}

/// Checks that a call that names a scope and an owner says how they belong together.
pub(crate) fn check(contract: &Contract, method: &Method) -> Result<(), String> {
    let place = method.descriptor.full_name();
    let (scopes, owners) = (scope::named(method), owners(method));
    for tie in &method.access.ties {
        check_tie(contract, method, tie, &scopes).map_err(|problem| format!("{place}: {problem}"))?;
    }
    for (kind, field) in &scopes {
        for owner in &owners {
            let said = |tie: &Tie| tie.kind() == *kind && owner_of(method, tie) == *owner;
            if !method.access.ties.iter().any(said) && !is_tied_already(contract, method, *kind, owner) {
                return Err(format!(
                    "{place}: its request names a scope ({field}) and an owner ({owner}): say in access.ties how they belong together"
                ));
            }
        }
    }
    check_reach(method, &scopes)?;
    check_scopes(contract, method)
}

/// Checks that a request that names a scope names identities only where a tie reaches them: in a text of its own.
fn check_reach(method: &Method, scopes: &[(ScopeKind, String)]) -> Result<(), String> {
    let Some((_, scope)) = scopes.first() else { return Ok(()) };
    let input = method.descriptor.input();
    let is_owner = |field: &FieldDescriptor| OWNERS.contains(&field.name()) || is_reference(field);
    let listed =
        input.fields().find(|field| field.is_list() && is_text(field) && is_settable(field) && is_owner(field));
    let inner = || find_inner(&input, &mut HashSet::new(), &is_owner);
    let Some(odd) = listed.or_else(inner) else { return Ok(()) };
    let place = method.descriptor.full_name();
    Err(format!(
        "{place}: its request names a scope ({scope}), and identities where no tie reaches them ({}); name one in a text of the request",
        odd.full_name()
    ))
}

/// A text, or a list of texts.
fn is_text(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::String)
}

/// The first text that confined callers may set, below the fields of a message, for which `such` is true.
fn find_inner(
    message: &MessageDescriptor,
    seen: &mut HashSet<String>,
    such: &dyn Fn(&FieldDescriptor) -> bool,
) -> Option<FieldDescriptor> {
    for field in message.fields().filter(is_settable) {
        let Some(inner) = field.kind().as_message().cloned() else { continue };
        if !seen.insert(inner.full_name().to_owned()) {
            continue;
        }
        let mut texts = inner.fields().filter(|field| is_text(field) && is_settable(field));
        if let Some(found) = texts.find(such).or_else(|| find_inner(&inner, seen, such)) {
            return Some(found);
        }
    }
    None
}

fn check_tie(contract: &Contract, method: &Method, tie: &Tie, scopes: &[(ScopeKind, String)]) -> Result<(), String> {
    let (kind, owner) = (tie.kind(), owner_of(method, tie));
    let name = kind.spelling();
    if !scopes.iter().any(|(of, _)| *of == kind) {
        return Err(format!(
            "a tie names the kind {name}, and the request has no such scope: name its field in access.scopes"
        ));
    }
    if !owners(method).contains(&owner) {
        return Err(format!("a tie names {owner:?}, which is no field of the request with an identity's id"));
    }
    match tie.by() {
        TieBy::Unspecified => Err(format!("say in `by` how {owner} belongs to the {}", name.to_lowercase())),
        TieBy::Member if !matches!(kind, ScopeKind::Group | ScopeKind::Division) => {
            Err(format!("a scope of kind {name} has no members"))
        }
        TieBy::Entity if !has_both(contract, method, kind, &owner) || method.facts.id.is_empty() => {
            Err(format!("TIE_BY_ENTITY needs a call about an entity that has {owner} and a scope of kind {name}"))
        }
        TieBy::Member | TieBy::Entity => Ok(()),
    }
}

/// The request field with the identity of a tie.
fn owner_of(method: &Method, tie: &Tie) -> String {
    if tie.owner.is_empty() { method.access.owner.clone() } else { tie.owner.clone() }
}

/// The request fields with an identity whom the call makes or has as an owner.
fn owners(method: &Method) -> Vec<String> {
    let input = method.descriptor.input();
    let fields = input
        .fields()
        .filter(name::is_string)
        .filter(|field| *field.name() == method.access.owner || OWNERS.contains(&field.name()) || is_reference(field));
    fields.map(|field| field.name().to_owned()).collect()
}

fn is_reference(field: &FieldDescriptor) -> bool {
    reference_of(field).is_some_and(|reference| reference == "Identity")
}

/// Whether the kernel ties the owner to the scope without a declaration: the call finds only entities that have both, or
/// the owner is the caller, whose role in the scope is checked.
fn is_tied_already(contract: &Contract, method: &Method, kind: ScopeKind, owner: &str) -> bool {
    let finds = match &method.behavior {
        Behavior::Get(_) | Behavior::List(_) | Behavior::Batch(_) | Behavior::Change(_) | Behavior::Delete(_) => true,
        Behavior::Watch(watch) => !watch.aggregate.is_empty(),
        _ => false,
    };
    let own = method.access.owner_only && method.access.owner == owner;
    own || (finds && has_both(contract, method, kind, owner))
}

/// Whether the request's owner and scope must be those of the entity that the call is about.
fn has_both(contract: &Contract, method: &Method, kind: ScopeKind, owner: &str) -> bool {
    let about = contract.aggregates.get(&method.facts.entity).or_else(|| contract.aggregates.get(&method.about()));
    let has = |aggregate: &Aggregate| {
        !aggregate.options.shared
            && aggregate.options.parent.is_none()
            && aggregate.options.scopes.iter().any(|scope| scope.kind() == kind)
    };
    method.access.owner == owner && about.is_some_and(has)
}

/// Checks that a confined caller writes no entity into a scope that the access rule does not check.
fn check_scopes(contract: &Contract, method: &Method) -> Result<(), String> {
    let about = contract.aggregates.get(&method.facts.entity).or_else(|| contract.aggregates.get(&method.about()));
    let (false, Some(aggregate)) = (method.reads(), about) else { return Ok(()) };
    for realm in admitted(method) {
        let of_realm = aggregate.options.scopes.iter().filter(|scope| scope.kind().realm() == realm);
        for scope in of_realm {
            // A division is set by those who may name its group.
            let outer = scope.kind().within();
            let named = scope::named(method).iter().any(|(kind, field)| *kind == outer || *field == scope.field);
            if !named && has_field(&method.descriptor.input(), &scope.field) {
                let (place, realm) = (method.descriptor.full_name(), realm.as_str_name());
                return Err(format!("{place}: it admits {realm} and sets {}: name it in access.scopes", scope.field));
            }
        }
    }
    Ok(())
}

/// Whether confined callers may set a field of the name in a message, or below its fields.
fn has_field(message: &MessageDescriptor, name: &str) -> bool {
    message.get_field_by_name(name).is_some_and(|field| is_settable(&field))
        || find_inner(message, &mut HashSet::new(), &|field| field.name() == name).is_some()
}

/// Whether a request of a confined caller may have the field.
fn is_settable(field: &FieldDescriptor) -> bool {
    let setters = setters_of(field);
    !is_output_only(field) && (setters.is_empty() || setters.iter().any(|realm| CONFINED.contains(realm)))
}
