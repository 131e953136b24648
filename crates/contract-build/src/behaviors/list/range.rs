//! The range and the order of a list.

use std::error::Error;

use pavise_contract::options::v1::{List, Lookup, Range};
use pavise_contract::{Aggregate, Method, spelling};
use prost_reflect::{FieldDescriptor, Kind};

use crate::name;
use crate::sortable::lookups;

type Found<T> = Result<T, Box<dyn Error>>;

/// The range and the order that a list's request asks for, as Rust; `None` for a list without.
pub(crate) fn of_list(method: &Method, aggregate: &Aggregate, list: &List) -> Found<Option<String>> {
    let place = method.descriptor.full_name();
    let Some(range) = &list.range else { return Ok(None) };
    let lookup = lookups(aggregate).find(|lookup| lookup.field == range.lookup && lookup.sortable);
    let lookup = lookup.ok_or_else(|| {
        format!(
            "{place}: range.lookup is {}, which is no lookup of {} with `sortable`",
            range.lookup,
            aggregate.descriptor.name()
        )
    })?;
    if list.search.is_some() {
        return Err(format!(
            "{place}: the list has `search` and `range`: keep one, because a search has an order of its own"
        )
        .into());
    }
    if method.descriptor.input().get_field_by_name("page_token").is_none() {
        return Err(format!("{place}: a list with an order needs page_size, page_token and next_page_token").into());
    }
    if [&range.from, &range.until, &range.order].iter().all(|field| field.is_empty()) {
        return Err(format!("{place}: range names no request field: set `from`, `until` or `order`").into());
    }
    let bound = |field: &str| bound(method, aggregate, lookup, field);
    let (ascending, descending) = order(method, range)?;
    Ok(Some(format!(
        "::pavise_kernel::ListRange {{ lookup: {:?}, from: {}, until: {}, ascending: {ascending}, descending: {descending} }}",
        range.lookup,
        bound(&range.from)?,
        bound(&range.until)?
    )))
}

/// The text of a bound of a range.
fn bound(method: &Method, aggregate: &Aggregate, lookup: &Lookup, field: &str) -> Found<String> {
    if field.is_empty() {
        return Ok("String::new()".to_owned());
    }
    let place = method.descriptor.full_name();
    let own = aggregate.descriptor.get_field_by_name(&lookup.field);
    let asked = method.descriptor.input().get_field_by_name(field).filter(|asked| !asked.is_list());
    let fits = |asked: &FieldDescriptor| {
        let number = asked.kind() == Kind::Int32;
        own.as_ref().is_some_and(|own| own.kind() == asked.kind()) && (!number || asked.supports_presence())
    };
    let asked = asked.filter(fits).ok_or_else(|| {
        format!("{place}: the request has no field {field} of the type of {}; a number must be optional", lookup.field)
    })?;
    Ok(format!("::pavise_kernel::range::SortKey::key(&request.{})", name::field(&asked)))
}

/// The conditions for the rising and for the descending order.
fn order(method: &Method, range: &Range) -> Found<(String, String)> {
    let place = method.descriptor.full_name();
    if range.order.is_empty() {
        if range.ascending.is_empty() && range.descending.is_empty() {
            return Ok(("false".to_owned(), "false".to_owned()));
        }
        return Err(format!(
            "{place}: range has `ascending` or `descending` without `order`: name the request field that asks for the order"
        )
        .into());
    }
    let field = method.descriptor.input().get_field_by_name(&range.order).filter(|field| !field.is_list());
    let kind = field.as_ref().and_then(|field| field.kind().as_enum().cloned());
    let (field, kind) =
        field.zip(kind).ok_or_else(|| format!("{place}: the request has no enumeration {}", range.order))?;
    let is = |spelled: &str| -> Found<String> {
        if spelled.is_empty() {
            return Ok("false".to_owned());
        }
        let value = kind.values().find(|value| spelling::of(value).as_deref() == Some(spelled));
        let value = value.ok_or_else(|| format!("{place}: {} has no value {spelled}", kind.name()))?;
        Ok(format!("request.{} == {}", name::field(&field), value.number()))
    };
    Ok((is(&range.ascending)?, is(&range.descending)?))
}
