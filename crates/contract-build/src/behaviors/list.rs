//! A declared list: the entities that it finds, and its pages.

mod indexes;
mod range;
mod search;
mod total;

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{List, Role};
use pavise_contract::{Aggregate, Method, spelling};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::floor::answers::{is_lookup, known, view};
use crate::floor::entities;
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The body of a list.
pub(crate) fn body(source: &Source<'_>, method: &Method, list: &List) -> Written {
    let (input, output) = (method.descriptor.input(), method.output());
    let place = method.descriptor.full_name();
    let (items, item, aggregate) = items(source, method, list)?;
    let filters = filters(method, aggregate, list)?;
    let role = roles(method, aggregate, &list.roles)?;
    let paged =
        [input.get_field_by_name("page_size"), input.get_field_by_name("page_token")].iter().all(Option::is_some);
    if paged != output.get_field_by_name("next_page_token").is_some() {
        return Err(format!("{place}: a list has page_size, page_token and next_page_token, or none of them").into());
    }
    let search = search::search(method, aggregate, list)?;
    let range = range::of_list(method, aggregate, list)?;
    indexes::check(method, aggregate, list)?;
    let shows = view(method, aggregate, &list.views)?;
    let total = total::total(method, list)?;
    let unused = if paged || list.narrow || filters.contains("request.") || role.contains("request.") {
        ""
    } else {
        "let _ = request;"
    };
    let page = if paged { "size: request.page_size, token: &request.page_token," } else { "" };
    let (next, rest) = if paged { ("next_page_token", "next_page_token,") } else { ("_", "") };
    let own = item.full_name() == aggregate.descriptor.full_name();
    let view = match (shows, own) {
        (None, true) => "items".to_owned(),
        (None, false) => format!("items.iter().map({}::from).collect()", name::message(&item)),
        (Some(shows), true) => format!("items.into_iter().map(|entity| {{ {shows} }}).collect()"),
        (Some(_), false) => return Err(format!("{place}: `views` needs a response with a list of entities").into()),
    };
    let entity = name::message(&aggregate.descriptor);
    let read = match (search, &range) {
        (Some(search), _) => format!("search::<{entity}>({search}, "),
        (None, Some(range)) => format!("page_in_order::<{entity}>({role}, {range}, "),
        (None, None) => format!("page_of::<{entity}>({role}, "),
    };
    let (count, counted) = total::code(total, &entity, &role, range, &filters);
    let (items_are, narrow) = match list.narrow {
        true => (
            "mut items",
            "let context = ::pavise_kernel::EditContext::of(&call); items.retain(|item| ::pavise_kernel::Narrow::fits(item, &request, &context));",
        ),
        false => ("items", ""),
    };
    Ok(format!(
        "{unused} {count} let ({items_are}, {next}) = call.{read} ::pavise_kernel::Page {{ {page} filters: vec![{filters}], ..Default::default() }}).await?; {narrow} Ok({} {{ {}: {view}, {rest} {counted} ..Default::default() }})",
        name::message(&output),
        name::field(&items),
    ))
}

/// The values that the request's fields and the list's statuses filter by.
fn filters(method: &Method, aggregate: &Aggregate, list: &List) -> Written {
    let (place, input) = (method.descriptor.full_name(), method.descriptor.input());
    let mut filters = String::new();
    let plain = list.filters.iter().map(|filter| (filter, filter));
    for (filter, from) in plain.chain(list.filter_by.iter().map(|filter| (&filter.lookup, &filter.from))) {
        let field = input
            .get_field_by_name(from)
            .ok_or_else(|| format!("{place}: filters names {from}, which is no field of the request"))?;
        if filter == "status" && !list.statuses.is_empty() {
            return Err(format!("{place}: the list has `statuses` and a filter by status: keep one of them").into());
        }
        if filter != "status" && !is_lookup(aggregate, filter) {
            return Err(format!(
                "{place}: filters names {filter}, which is no lookup of {}",
                aggregate.descriptor.full_name()
            )
            .into());
        }
        let ident = name::field(&field);
        let value = match field.kind() {
            Kind::Enum(_) => format!("request.{ident}().spelling().to_owned()"),
            Kind::String if field.supports_presence() => format!("request.{ident}.clone().unwrap_or_default()"),
            Kind::String => format!("request.{ident}.clone()"),
            _ => {
                return Err(
                    format!("{place}: filters names {filter}, whose request field is no text or enumeration").into()
                );
            }
        };
        writeln!(filters, "({filter:?}, {value}),")?;
    }
    known(place, aggregate, &list.statuses)?;
    for status in &list.statuses {
        writeln!(filters, "(\"status\", {status:?}.to_owned()),")?;
    }
    Ok(filters)
}

/// The field of the items, their type, and their aggregate (the items are entities or views of it).
fn items<'a>(
    source: &'a Source<'_>,
    method: &Method,
    list: &List,
) -> Result<(FieldDescriptor, MessageDescriptor, &'a Aggregate), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let named = if list.aggregate.is_empty() { None } else { entities::named(source, method, &list.aggregate)? };
    for field in method.output().fields().filter(FieldDescriptor::is_list) {
        let Some(item) = field.kind().as_message().cloned() else { continue };
        if let Some(aggregate) = named.or_else(|| source.contract.aggregates.get(item.full_name())) {
            return Ok((field, item, aggregate));
        }
    }
    Err(format!("{place}: the response has no list of an aggregate: add one, or name the aggregate in `aggregate`")
        .into())
}

/// The roles in which a listed entity can name the owner, if any.
fn roles(method: &Method, aggregate: &Aggregate, roles: &[Role]) -> Written {
    let place = method.descriptor.full_name();
    if roles.is_empty() {
        return Ok("None".to_owned());
    }
    if method.access.owner.is_empty() {
        return Err(
            format!("{place}: the list has `roles`, and its access rule no `owner`: name the owner's field").into()
        );
    }
    let mut text = String::from("None");
    for Role { field, value, lookup } in roles {
        let found = method.descriptor.input().get_field_by_name(field).filter(|field| !field.is_list());
        let kind = found.as_ref().and_then(|found| found.kind().as_enum().cloned());
        let (found, kind) =
            found.zip(kind).ok_or_else(|| format!("{place}: the request has no enumeration {field}"))?;
        let number =
            kind.values().find(|known| spelling::of(known).as_deref() == Some(value)).map(|known| known.number());
        let number = number.ok_or_else(|| format!("{place}: {} has no value {value}", kind.name()))?;
        if !is_lookup(aggregate, lookup) {
            return Err(format!(
                "{place}: roles names {lookup}, which is no lookup of {}",
                aggregate.descriptor.full_name()
            )
            .into());
        }
        write!(text, ".or((request.{} == {number}).then_some({lookup:?}))", name::field(&found))?;
    }
    Ok(text)
}
