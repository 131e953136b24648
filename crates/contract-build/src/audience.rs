//! The audiences of fields: the code that hides them from others, and their checks.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{List, Realm};
use pavise_contract::{Aggregate, Behavior, Method, Sensitivity, audience_of, mask_of};
use prost_reflect::{FieldDescriptor, MessageDescriptor};

use crate::floor::entities;
use crate::floor::fields::{HEAD, Known, holds, ours};
use crate::{Source, name};

/// Whether a message holds a field with an audience at any depth.
pub(crate) fn has_audience(message: &MessageDescriptor, known: &mut Known) -> bool {
    holds(message, known, |field| !audience_of(field).is_empty())
}

/// Writes the method that hides fields from callers of a realm. A message without such a field has none.
pub(crate) fn hide(text: &mut String, message: &MessageDescriptor, known: &mut Known) -> Result<(), Box<dyn Error>> {
    if !has_audience(message, known) {
        return Ok(());
    }
    text.push_str("fn hide(&mut self, realm: ::pavise_kernel::table::Realm) {\n");
    for field in message.fields() {
        let (ident, audience) = (name::field(&field), audience_of(&field));
        let inner = field.kind().as_message().filter(|inner| has_audience(inner, known)).cloned();
        let in_oneof = field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
        if (in_oneof || field.is_map()) && (inner.is_some() || !audience.is_empty()) {
            return Err(format!("{}: an audience cannot lie below a oneof or a map", field.full_name()).into());
        }
        if !audience.is_empty() {
            let audience: Vec<String> =
                audience.iter().map(|realm| format!("::pavise_kernel::table::Realm::{realm:?}")).collect();
            writeln!(
                text,
                "if realm != ::pavise_kernel::table::Realm::Machine && ![{}].contains(&realm) {{ self.{ident} = ::core::default::Default::default(); }}",
                audience.join(", ")
            )?;
        }
        if inner.is_some() {
            writeln!(text, "for inner in self.{ident}.iter_mut() {{ ::pavise_kernel::Redact::hide(inner, realm); }}")?;
        }
    }
    text.push_str("}\n");
    Ok(())
}

/// Checks the audiences of the package's fields, and that no list tells others of such a field.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        for field in message.fields() {
            check_field(source, &field)?;
        }
    }
    for (_, method) in source.contract.methods().filter(|(service, _)| service.domain == source.domain) {
        match &method.behavior {
            Behavior::List(list) => {
                if let Some(aggregate) = found_by(source, method, &list.aggregate)? {
                    check_list(method, list, aggregate)?;
                }
            }
            Behavior::Batch(batch) => {
                if let Some(aggregate) = found_by(source, method, &batch.aggregate)? {
                    check_masked(method, aggregate, [&batch.lookup])?;
                    check_lookups(method, aggregate, [&batch.lookup])?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_field(source: &Source<'_>, field: &FieldDescriptor) -> Result<(), String> {
    let (place, audience) = (field.full_name(), audience_of(field));
    if audience.is_empty() {
        return Ok(());
    }
    if audience.contains(&Realm::Unspecified) {
        return Err(format!("{place}: its audience names the unspecified realm"));
    }
    if Sensitivity::of(field) == Sensitivity::Secret {
        return Err(format!("{place}: a secret has no audience"));
    }
    let of_aggregate = source.contract.aggregates.contains_key(field.parent_message().full_name());
    if of_aggregate && HEAD.contains(&field.name()) {
        return Err(format!("{place}: every reader needs {}: leave its `audience` out", field.name()));
    }
    Ok(())
}

/// The aggregate of the items of a list or a batch.
fn found_by<'a>(source: &'a Source<'_>, method: &Method, named: &str) -> Result<Option<&'a Aggregate>, Box<dyn Error>> {
    if !named.is_empty() {
        return entities::named(source, method, named);
    }
    let output = method.output();
    let items = output.fields().filter(FieldDescriptor::is_list);
    let mut types = items.filter_map(|field| field.kind().as_message().cloned());
    Ok(types.find_map(|item| source.contract.aggregates.get(item.full_name())))
}

/// A list whose callers do not all get a field is not filtered, searched, narrowed or ordered by it: the answer would tell
/// its value.
fn check_list(method: &Method, list: &List, aggregate: &Aggregate) -> Result<(), String> {
    let searches = list.search.iter();
    let searched =
        searches.flat_map(|one| one.lookups.iter().chain([&one.words]).chain(one.criteria.iter().map(|by| &by.lookup)));
    let filtered = list.filters.iter().chain(list.filter_by.iter().map(|filter| &filter.lookup));
    let risen = list.range.iter().map(|range| &range.lookup);
    let in_roles = list.roles.iter().map(|role| &role.lookup);
    // A search is for what its caller knows as a whole, and is counted.
    check_masked(method, aggregate, filtered.clone().chain(risen.clone()).chain(in_roles.clone()))?;
    check_lookups(method, aggregate, filtered.chain(searched).chain(risen).chain(in_roles))
}

/// Checks that each caller of a call gets the fields that it finds entities by.
fn check_lookups<'a>(
    method: &Method,
    aggregate: &Aggregate,
    lookups: impl IntoIterator<Item = &'a String>,
) -> Result<(), String> {
    for lookup in lookups {
        let Some(audience) = audience_at(&aggregate.descriptor, lookup) else { continue };
        let mut others = method.access.realms().filter(|realm| *realm != Realm::Machine && !audience.contains(realm));
        if method.access.public || others.next().is_some() {
            let place = method.descriptor.full_name();
            return Err(format!(
                "{place}: it finds or orders by {lookup}, which some of its callers may not see: admit only the field's audience, or leave it out"
            ));
        }
    }
    Ok(())
}

/// Checks that each caller of a call sees the values, and not only masked forms, of the fields that it filters by: the
/// answers to many filters would tell them.
fn check_masked<'a>(
    method: &Method,
    aggregate: &Aggregate,
    lookups: impl IntoIterator<Item = &'a String>,
) -> Result<(), String> {
    for lookup in lookups {
        let Some((_, clear)) = first_at(&aggregate.descriptor, lookup, mask_of) else { continue };
        let mut others = method.access.realms().filter(|realm| *realm != Realm::Machine && !clear.contains(realm));
        if method.access.public || others.next().is_some() {
            let place = method.descriptor.full_name();
            return Err(format!(
                "{place}: it filters or orders by {lookup}, of which some of its callers see a masked form only: admit only the realms in `clear_to`, or search for it"
            ));
        }
    }
    Ok(())
}

/// The audience of the first field at a path that has one.
fn audience_at(message: &MessageDescriptor, path: &str) -> Option<Vec<Realm>> {
    first_at(message, path, |field| Some(audience_of(field)).filter(|audience| !audience.is_empty()))
}

/// The rule of the first field at a path that has one.
fn first_at<T>(message: &MessageDescriptor, path: &str, rule: impl Fn(&FieldDescriptor) -> Option<T>) -> Option<T> {
    let mut message = message.clone();
    for part in path.split('.') {
        let field = message.get_field_by_name(part)?;
        let found = rule(&field);
        if found.is_some() {
            return found;
        }
        message = field.kind().as_message().cloned()?;
    }
    None
}
