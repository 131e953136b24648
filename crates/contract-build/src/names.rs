//! Lookups whose values are unique in a space of names, and the workers that confirm and free the names.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::common::v1::NameSpace;
use pavise_contract::options::v1::Lookup;
use pavise_contract::{Aggregate, Behavior};
use prost_reflect::Kind;

use crate::floor::entities;
use crate::unique::single;
use crate::{Source, name, sortable};

/// The lookup's space, as Rust; empty for none.
pub(crate) fn space(aggregate: &Aggregate, lookup: &Lookup, many: bool) -> Result<String, Box<dyn Error>> {
    let space = &lookup.unique_across;
    if space.is_empty() {
        return Ok(String::new());
    }
    let place = format!("{}: the lookup {}", aggregate.descriptor.full_name(), lookup.field);
    let text = single(aggregate, &lookup.field).filter(|field| field.kind() == Kind::String && !many);
    if text.is_none_or(|field| field.supports_presence()) {
        return Err(format!("{place} has `unique_across`, which needs a field with one text, without `prefix`").into());
    }
    if !lookup.unique || !lookup.within.is_empty() {
        return Err(format!("{place} has `unique_across`, which needs `unique: true` and no `within`").into());
    }
    if NameSpace::from_spelling(space).is_none() {
        return Err(format!("{place}: unique_across is {space}, which is no value of NameSpace").into());
    }
    if spaced(aggregate).filter(|(_, other)| other.unique_across == *space).count() > 1 {
        return Err(format!("{place}: another lookup of the aggregate has the unique_across {space} already").into());
    }
    Ok(format!("space: {space:?},"))
}

/// The lookups with a space, with their positions in the table.
fn spaced(aggregate: &Aggregate) -> impl Iterator<Item = (usize, &Lookup)> {
    sortable::lookups(aggregate).enumerate().filter(|(_, lookup)| !lookup.unique_across.is_empty())
}

/// The method that gives the names of an entity, if it can have any.
pub(crate) fn values(text: &mut String, aggregate: &Aggregate) -> Result<(), Box<dyn Error>> {
    let table = entities::constant(aggregate);
    let mut pushes = String::new();
    for (at, lookup) in spaced(aggregate) {
        let ident = name::ident(&lookup.field);
        writeln!(pushes, "names.extend({table}.lookups.get({at}).map(|lookup| (lookup, self.{ident}.as_str())));")?;
    }
    if !pushes.is_empty() {
        writeln!(
            text,
            "fn names(&self) -> Vec<(&'static Lookup, &str)> {{ let mut names = Vec::new(); {pushes} names }}"
        )?;
    }
    Ok(())
}

/// The workers, one for each journal of aggregates with names.
pub(crate) fn workers(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut journals: BTreeMap<&str, String> = BTreeMap::new();
    for aggregate in entities::aggregates(source).filter(|aggregate| spaced(aggregate).next().is_some()) {
        let read = journals.entry(entities::journal(source, aggregate)?).or_default();
        write!(read, "::pavise_kernel::name_registry::follow_names::<{}>,", name::message(&aggregate.descriptor))?;
    }
    let mut text = String::new();
    for (journal, read) in journals {
        let service = source.contract.service(journal).ok_or_else(|| format!("there is no service {journal}"))?;
        if !service.methods.iter().any(|method| matches!(method.behavior, Behavior::Journal(_))) {
            let place = service.descriptor.full_name();
            return Err(format!("{place}: its entities have lookups with `unique_across`: add a journal call").into());
        }
        writeln!(
            text,
            "::pavise_kernel::name_registry::NameFollower {{ worker: \"{}.{journal}_names\", feed: feeds::{}, read: &[{read}] }},",
            source.domain,
            name::constant(journal),
        )?;
    }
    Ok(format!(
        "/// The journals of aggregates with names that are unique across services.\npub static NAMED: &[::pavise_kernel::name_registry::NameFollower] = &[{text}];\n"
    ))
}
