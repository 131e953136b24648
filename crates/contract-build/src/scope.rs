//! The scopes of access rules and of aggregates: their code and their checks.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::ScopeKind;
use pavise_contract::{Aggregate, Behavior, Contract, Method};
use prost_reflect::Kind;

use crate::floor::fields::requested;
use crate::name;

/// The kinds of scope that a request names, with the fields.
pub(crate) fn named(method: &Method) -> Vec<(ScopeKind, String)> {
    let scopes = method.access.scopes.iter().filter(|scope| !scope.field.is_empty());
    scopes.map(|scope| (scope.kind(), scope.field.clone())).collect()
}

/// Writes the method of a request that answers the scopes that it names.
pub(crate) fn target(text: &mut String, method: &Method) -> Result<(), Box<dyn Error>> {
    let mut values = String::new();
    for (kind, field) in named(method) {
        write!(
            values,
            "{}.map(|id| (::pavise_kernel::table::ScopeKind::{kind:?}, id)),",
            requested(method, "scopes", &field)?
        )?;
    }
    if !values.is_empty() {
        writeln!(
            text,
            "fn scopes(&self) -> Vec<(::pavise_kernel::table::ScopeKind, &str)> {{ [{values}].into_iter().flatten().collect() }}"
        )?;
    }
    Ok(())
}

/// The scopes of an aggregate's table.
pub(crate) fn table(aggregate: &Aggregate) -> String {
    let scopes = aggregate.options.scopes.iter();
    scopes.map(|scope| format!("(ScopeKind::{:?}, {:?}),", scope.kind(), scope.field)).collect()
}

/// Writes the method of an entity that answers its scopes.
pub(crate) fn values(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let mut values = String::new();
    for scope in &aggregate.options.scopes {
        let place = aggregate.descriptor.full_name();
        let field = aggregate.descriptor.get_field_by_name(&scope.field);
        let field = field.filter(|field| matches!(field.kind(), Kind::String) && !field.is_map());
        let field = field.ok_or_else(|| format!("{place}: the scope {} is no text or list of texts", scope.field))?;
        let (kind, ident) = (scope.kind(), name::field(&field));
        let each = if field.is_list() || field.supports_presence() { ".iter()" } else { "" };
        let one = if each.is_empty() { format!("[&self.{ident}].into_iter()") } else { format!("self.{ident}{each}") };
        writeln!(
            values,
            "scopes.extend({one}.filter(|id| !id.is_empty()).map(|id| (ScopeKind::{kind:?}, id.as_str())));"
        )?;
    }
    if !values.is_empty() {
        writeln!(
            text,
            "fn scopes(&self) -> Vec<(ScopeKind, &str)> {{ let mut scopes = Vec::new(); {values} scopes }}"
        )?;
    }
    Ok(())
}

/// Checks the scopes of an access rule.
pub(crate) fn check_access(contract: &Contract, method: &Method) -> Result<(), String> {
    let (place, access) = (method.descriptor.full_name(), &method.access);
    for (at, scope) in access.scopes.iter().enumerate() {
        let kind = scope.kind();
        let name = kind.spelling();
        if kind == ScopeKind::Unspecified {
            return Err(format!("{place}: access.scopes names no kind"));
        }
        if access.scopes.iter().take(at).any(|other| other.kind() == kind) {
            return Err(format!("{place}: access.scopes names the kind {name} twice"));
        }
        if let Some(odd) = scope.roles.iter().find(|role| !kind.roles().contains(&role.as_str())) {
            return Err(format!("{place}: a scope of kind {name} has no role {odd}"));
        }
        if scope.field.is_empty() && scope.roles.is_empty() {
            return Err(format!("{place}: the scope of kind {name} is empty: name its `field`, its `roles`, or both"));
        }
        if !scope.field.is_empty() {
            requested(method, "scopes", &scope.field).map_err(|error| error.to_string())?;
        }
        if kind.within() != ScopeKind::Unspecified && scope.roles.is_empty() {
            return Err(format!(
                "{place}: the kind {name} lies within another and has no `roles`: name the roles that are admitted"
            ));
        }
        if !access.realms().any(|realm| realm == kind.realm()) && !scope.roles.is_empty() {
            return Err(format!(
                "{place}: roles of the kind {name} are those of {}, which it does not admit",
                kind.realm().as_str_name()
            ));
        }
        if let Some(aggregate) = contract.aggregates.get(&method.about())
            && kind.within() != ScopeKind::Unspecified
        {
            check_inner(method, aggregate, kind, &scope.field)?;
        }
    }
    Ok(())
}

/// A caller with a role in a division must not make entities elsewhere in the group, or see them.
fn check_inner(method: &Method, aggregate: &Aggregate, kind: ScopeKind, field: &str) -> Result<(), String> {
    let (place, name) = (method.descriptor.full_name(), kind.spelling());
    if !aggregate.options.scopes.iter().any(|scope| scope.kind() == kind) {
        return Err(format!("{place}: {} has no scope of kind {name}", aggregate.descriptor.name()));
    }
    if matches!(method.behavior, Behavior::Create(_)) && field.is_empty() {
        return Err(format!("{place}: a create must name the scope of kind {name} of the new entity: set its `field`"));
    }
    Ok(())
}

/// Checks the scopes of an aggregate.
pub(crate) fn check_aggregate(aggregate: &Aggregate) -> Result<(), String> {
    let (place, options) = (aggregate.descriptor.full_name(), &aggregate.options);
    for (at, scope) in options.scopes.iter().enumerate() {
        let kind = scope.kind();
        if kind == ScopeKind::Unspecified {
            return Err(format!("{place}: a scope names no kind"));
        }
        if options.scopes.iter().take(at).any(|other| other.kind() == kind) {
            return Err(format!("{place}: it has two scopes of kind {}", kind.spelling()));
        }
        if !options.lookups.iter().any(|lookup| lookup.field == scope.field) {
            return Err(format!(
                "{place}: the scope {} is no lookup: add it to the lookups, so that lists can be narrowed by it",
                scope.field
            ));
        }
        let outer = kind.within();
        if outer != ScopeKind::Unspecified && !options.scopes.iter().any(|other| other.kind() == outer) {
            return Err(format!(
                "{place}: a scope of kind {} lies within one of kind {}",
                kind.spelling(),
                outer.spelling()
            ));
        }
    }
    Ok(())
}
