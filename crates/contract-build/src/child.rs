//! Children: aggregates that are reached through their parent.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Create, Parent};
use pavise_contract::{Aggregate, Behavior, Method, is_immutable, is_output_only, spelling};
use prost_reflect::FieldDescriptor;

use crate::floor::entities;
use crate::name::{call_constant, short};
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The aggregate that a call of the domain is about, if it is a child, with its parent's declaration.
fn child<'a>(source: &'a Source<'_>, method: &Method) -> Option<(&'a Aggregate, &'a Parent)> {
    let aggregate = source.contract.aggregates.get(&method.facts.entity)?;
    Some((aggregate, aggregate.options.parent.as_ref()?))
}

/// The name of the constant with a child's parent.
fn constant(aggregate: &Aggregate) -> String {
    format!("{}_PARENT", name::constant(aggregate.descriptor.name()))
}

/// The parent's aggregate.
fn parent_of<'a>(source: &'a Source<'_>, aggregate: &Aggregate, parent: &Parent) -> Result<&'a Aggregate, String> {
    let (place, package) = (aggregate.descriptor.full_name(), aggregate.descriptor.package_name());
    let full = format!("{package}.{}", parent.aggregate);
    let found = source.contract.aggregates.get(&full);
    found.ok_or_else(|| format!("{place}: its parent {:?} is no aggregate of its package", parent.aggregate))
}

/// The constant with the parent of each child: its table, and the call whose access rule decides who may read it.
pub(crate) fn constants(source: &Source<'_>) -> Written {
    let mut text = String::new();
    for aggregate in entities::aggregates(source) {
        let Some(declared) = &aggregate.options.parent else { continue };
        let place = aggregate.descriptor.full_name();
        let parent = parent_of(source, aggregate, declared)?;
        let (service, get) = entities::answering(source, parent).ok_or_else(|| {
            format!(
                "{place}: no call answers a single {}, whose access rule would decide who reads it: add a get",
                declared.aggregate
            )
        })?;
        let statuses: &[String] = match &get.behavior {
            Behavior::Get(get) => &get.statuses,
            _ => &[],
        };
        writeln!(
            text,
            "/// The parent of `{}`.\npub static {}: ::pavise_kernel::Parent = ::pavise_kernel::Parent::of::<{}>({:?}, &{}, &{statuses:?});",
            aggregate.descriptor.name(),
            constant(aggregate),
            name::message(&parent.descriptor),
            declared.field,
            call_constant(&short(service), get),
        )?;
    }
    Ok(text)
}

/// Writes the parts of the Aggregate trait that name a child's parent.
pub(crate) fn code(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    if let Some(parent) = &aggregate.options.parent {
        let field = field(aggregate, parent)?;
        writeln!(
            text,
            "const PARENT: Option<&'static ::pavise_kernel::Parent> = Some(&{}); fn parent_id(&self) -> &str {{ &self.{} }}",
            constant(aggregate),
            name::field(&field)
        )?;
    }
    Ok(())
}

/// The code that admits the parent which a call about a child names; empty for another call.
pub(crate) fn admission(source: &Source<'_>, method: &Method) -> Written {
    let Some((aggregate, parent)) = child(source, method) else { return Ok(String::new()) };
    let field = requested(method, parent)?;
    Ok(format!(
        "call.admit_parent::<{}>(&request.{}).await?;",
        name::message(&aggregate.descriptor),
        name::field(&field)
    ))
}

/// Checks the children of the domain and the calls about them.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for aggregate in entities::aggregates(source) {
        if let Some(parent) = &aggregate.options.parent {
            check_aggregate(source, aggregate, parent)?;
        }
    }
    for service in source.contract.services.iter().filter(|service| service.domain == source.domain) {
        for method in &service.methods {
            if let Some((aggregate, parent)) = child(source, method) {
                check_call(aggregate, method, parent)?;
            }
        }
    }
    Ok(())
}

fn check_aggregate(source: &Source<'_>, aggregate: &Aggregate, declared: &Parent) -> Result<(), Box<dyn Error>> {
    let (place, options) = (aggregate.descriptor.full_name(), &aggregate.options);
    let parent = parent_of(source, aggregate, declared)?;
    if parent.options.parent.is_some() {
        return Err(format!("{place}: its parent {} is a child itself", declared.aggregate).into());
    }
    if options.journal != parent.options.journal {
        let (own, its) = (&options.journal, &parent.options.journal);
        return Err(format!("{place}: its journal is {own}, and its parent's is {its}").into());
    }
    let own = [
        ("shared", options.shared),
        ("visible", !options.visible.is_empty()),
        ("scopes", !options.scopes.is_empty()),
        ("on_merge", !options.on_merge.is_empty()),
    ];
    if let Some((odd, _)) = own.into_iter().find(|(_, said)| *said) {
        return Err(format!("{place}: a child has no {odd}, because the parent's rule counts: leave it out").into());
    }
    field(aggregate, declared)?;
    let comes_back = |method: &Method| {
        let again =
            matches!(&method.behavior, Behavior::Create(create) if !create.id.is_empty() || create.one_per_owner);
        again && method.output().full_name() == parent.descriptor.full_name()
    };
    match source.contract.methods().find(|(_, method)| comes_back(method)) {
        Some((_, method)) => {
            let call = method.descriptor.name();
            let what = "it would have the children of a removed one with the same id";
            Err(format!("{place}: {call} gives a {} its id, so that {what}", declared.aggregate).into())
        }
        None => check_order(source, aggregate, declared),
    }
}

/// Checks that a list of the children has the order in which the parent's page shows them.
fn check_order(source: &Source<'_>, aggregate: &Aggregate, declared: &Parent) -> Result<(), Box<dyn Error>> {
    if declared.order.is_empty() {
        return Ok(());
    }
    let has = |method: &Method| {
        let Behavior::List(list) = &method.behavior else { return false };
        let named = list.range.as_ref().map(|range| range.order.as_str()).unwrap_or_default();
        let field = method.descriptor.input().get_field_by_name(named);
        let kind = field.and_then(|field| field.kind().as_enum().cloned());
        let mut values = kind.iter().flat_map(|kind| kind.values().collect::<Vec<_>>());
        values.any(|value| spelling::of(&value).as_ref() == Some(&declared.order))
    };
    let place = aggregate.descriptor.full_name();
    let lists = source.contract.methods().filter(|(_, method)| method.facts.entity == place);
    match lists.into_iter().any(|(_, method)| has(method)) {
        true => Ok(()),
        false => Err(format!("{place}: no list of it has the order {}", declared.order).into()),
    }
}

/// The child's field with the parent's id.
fn field(aggregate: &Aggregate, parent: &Parent) -> Result<FieldDescriptor, String> {
    let (place, named) = (aggregate.descriptor.full_name(), &parent.field);
    let field = aggregate.descriptor.get_field_by_name(named).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence());
    let field = field.ok_or_else(|| format!("{place}: the parent's id {named:?} is no text of it"))?;
    if !is_immutable(&field) || is_output_only(&field) {
        return Err(format!("{place}: the parent's id {named} is immutable, and each creation names it"));
    }
    let plain = |lookup: &&pavise_contract::options::v1::Lookup| !lookup.unique && !lookup.fold && !lookup.prefix;
    if !aggregate.options.lookups.iter().filter(plain).any(|lookup| lookup.field == *named) {
        return Err(format!("{place}: the parent's id {named} is no lookup, neither unique nor fold nor prefix"));
    }
    Ok(field)
}

/// The request's field with the parent's id.
fn requested(method: &Method, parent: &Parent) -> Result<FieldDescriptor, String> {
    let place = method.descriptor.full_name();
    let field = method.descriptor.input().get_field_by_name(&parent.field).filter(name::is_string);
    let field = field.filter(|field| !field.supports_presence());
    field.ok_or_else(|| format!("{place}: it is about a child: add the parent's id {} to the request", parent.field))
}

fn check_call(aggregate: &Aggregate, method: &Method, parent: &Parent) -> Result<(), String> {
    let place = method.descriptor.full_name();
    requested(method, parent)?;
    let variable = format!("{{{}}}", parent.field);
    if let Some(binding) = method.bindings.iter().find(|binding| !binding.path.contains(&variable)) {
        return Err(format!("{place}: the path {} of a child has no {variable}", binding.path));
    }
    if method.descriptor.is_server_streaming() {
        return Err(format!("{place}: a child has no stream; its entries are in the journal"));
    }
    match &method.behavior {
        Behavior::List(list) if !list.roles.is_empty() => {
            Err(format!("{place}: a list of children has no roles, because children have no owner"))
        }
        Behavior::Create(create) if create.one_per_owner => {
            Err(format!("{place}: one per owner is not for children, which have no owner"))
        }
        Behavior::Create(create) if !is_upsert_within(aggregate, create, parent) => {
            Err(format!("{place}: an upsert of a child is by a lookup that is unique within {}", parent.field))
        }
        _ => Ok(()),
    }
}

/// Whether an upsert finds no child of another parent.
fn is_upsert_within(aggregate: &Aggregate, create: &Create, parent: &Parent) -> bool {
    let Some(upsert) = &create.upsert else { return true };
    let mut lookups = aggregate.options.lookups.iter().filter(|lookup| lookup.field == upsert.lookup);
    lookups.any(|lookup| lookup.within.contains(&parent.field))
}
