//! Sortable lookups: the order of their values, and the fields that derive from days.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Due, Lookup};
use pavise_contract::{Aggregate, spelling};
use prost_reflect::{FieldDescriptor, Kind};

use crate::name;

type Found<T> = Result<T, Box<dyn Error>>;

/// The variants of `SortKind`.
const TEXT: &str = "Text";
const DAY: &str = "Day";
const INSTANT: &str = "Instant";
const NUMBER: &str = "Number";
const AMOUNT: &str = "Amount";

/// The lookups that are found by a field; `status` has only an index.
pub(crate) fn lookups(aggregate: &Aggregate) -> impl Iterator<Item = &Lookup> {
    aggregate.options.lookups.iter().filter(|lookup| lookup.field != "status")
}

/// How the values of a lookup rise: the name of a variant of `SortKind`.
pub(crate) fn kind_of(aggregate: &Aggregate, lookup: &Lookup) -> Found<Option<&'static str>> {
    let place = format!("{}: lookup {}", aggregate.descriptor.full_name(), lookup.field);
    if !lookup.sortable && lookup.due.is_empty() {
        return Ok(None);
    }
    if lookup.sortable && (lookup.unique || lookup.prefix) {
        return Err(format!("{place}: it has `sortable` with `unique` or `prefix`: keep one of them").into());
    }
    if !lookup.sortable && !lookup.prefix {
        return Err(format!("{place}: it has `due` and not `sortable`: set `sortable: true`").into());
    }
    let field = aggregate.descriptor.get_field_by_name(&lookup.field).filter(|field| !field.is_list());
    let kind = field.as_ref().and_then(|field| kind(field, !lookup.due.is_empty()));
    let kind = kind.ok_or_else(|| {
        format!("{place}: `sortable` needs a field of the aggregate itself that is a text, a Date, a Timestamp, an int32 or a Money")
    })?;
    for due in &lookup.due {
        check_due(aggregate, &place, due, kind)?;
    }
    Ok(Some(kind))
}

/// The kind of a field's values. A text that derives from days has days.
fn kind(field: &FieldDescriptor, due: bool) -> Option<&'static str> {
    match field.kind() {
        Kind::String => Some(if due { DAY } else { TEXT }),
        Kind::Int32 if !field.supports_presence() => Some(NUMBER),
        Kind::Message(message) => match message.full_name() {
            "pavise.common.v1.Date" => Some(DAY),
            "google.protobuf.Timestamp" => Some(INSTANT),
            "pavise.common.v1.Money" => Some(AMOUNT),
            _ => None,
        },
        _ => None,
    }
}

fn check_due(aggregate: &Aggregate, place: &str, due: &Due, target: &str) -> Found<()> {
    let field = aggregate.descriptor.get_field_by_name(&due.field).filter(|field| !field.is_list());
    let of = field.as_ref().filter(|field| field.kind().as_message().is_some()).and_then(|field| kind(field, false));
    if !matches!(of, Some(DAY | INSTANT)) || of != Some(target) {
        return Err(format!(
            "{place}: due.field is {}, which is not of the lookup's type: name a Date or a Timestamp",
            due.field
        )
        .into());
    }
    match due.statuses.iter().find(|status| !aggregate.statuses.contains(status)) {
        Some(odd) => Err(format!("{place}: there is no status {odd}").into()),
        None => Ok(()),
    }
}

/// The indexes over several parts and over `status`, as `Table` has them.
pub(crate) fn indexes(aggregate: &Aggregate) -> Found<Vec<Vec<String>>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let one = |field: &str| {
        let known = lookups(aggregate).any(|lookup| lookup.field == field && !lookup.unique);
        known && aggregate.lookup_is_many(field) == Some(false)
    };
    for lookup in &aggregate.options.lookups {
        let place = format!("{}: lookup {}", aggregate.descriptor.full_name(), lookup.field);
        let status = lookup.field == "status";
        if status && (lookup.unique || lookup.fold || lookup.prefix || lookup.sortable || !lookup.due.is_empty()) {
            return Err(format!(
                "{place}: the lookup status has an index only: leave all options but `indexed_with` out"
            )
            .into());
        }
        if status {
            found.push(vec!["status".to_owned()]);
        }
        for indexed in &lookup.indexed_with {
            let mut parts = indexed.fields.clone();
            let odd = parts.iter().find(|part| !["owner_id", "status"].contains(&part.as_str()) && !one(part));
            if let Some(odd) = odd {
                return Err(
                    format!("{place}: indexed_with names {odd}, which is no owner_id, status or lookup with one value for each entity").into()
                );
            }
            parts.push(lookup.field.clone());
            let twice = parts.iter().collect::<BTreeSet<_>>().len() < parts.len();
            if parts.len() < 2 || twice || found.contains(&parts) || !(status || one(&lookup.field)) {
                return Err(format!(
                    "{place}: indexed_with names an index that is empty, has a part twice, or is there already"
                )
                .into());
            }
            found.push(parts);
        }
    }
    Ok(found)
}

/// The method that gives the values by which entities are ordered, if there are any.
pub(crate) fn values(text: &mut String, aggregate: &Aggregate) -> Found<()> {
    let mut arms = String::new();
    for lookup in lookups(aggregate).filter(|lookup| lookup.sortable) {
        let ident = name::ident(&lookup.field);
        writeln!(arms, "{:?} => ::pavise_kernel::range::SortKey::key(&self.{ident}),", lookup.field)?;
    }
    if !arms.is_empty() {
        writeln!(
            text,
            "fn sort_value(&self, lookup: &str) -> String {{ match lookup {{ {arms} _ => String::new() }} }}"
        )?;
    }
    Ok(())
}

/// The statements that derive the fields of lookups from days and instants.
pub(crate) fn derived(aggregate: &Aggregate) -> Found<String> {
    let mut text = String::new();
    let status = aggregate.descriptor.get_field_by_name("status").and_then(|field| field.kind().as_enum().cloned());
    let number = |status_of: &String| {
        let mut values = status.iter().flat_map(|status| status.values().collect::<Vec<_>>());
        values.find(|value| spelling::of(value).as_ref() == Some(status_of)).map_or(0, |value| value.number())
    };
    for lookup in lookups(aggregate).filter(|lookup| !lookup.due.is_empty()) {
        let mut parts = String::new();
        for due in &lookup.due {
            let statuses: Vec<i32> = due.statuses.iter().map(number).collect();
            let field = name::ident(&due.field);
            write!(parts, "({statuses:?}.contains(&self.status), self.{field}.as_ref(), {}),", due.plus_days)?;
        }
        let field = aggregate.descriptor.get_field_by_name(&lookup.field);
        let is_text = field.as_ref().is_some_and(name::is_string);
        let earliest = if kind_of(aggregate, lookup)? == Some(INSTANT) { "instant" } else { "day" };
        let found = format!("::pavise_kernel::due::earliest_{earliest}(&[{parts}])");
        let value = if is_text { format!("::pavise_kernel::range::SortKey::key(&{found})") } else { found };
        writeln!(text, "self.{} = {value};", name::ident(&lookup.field))?;
    }
    Ok(text)
}
