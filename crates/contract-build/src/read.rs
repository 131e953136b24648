//! Declared reads: the entities that they find, and their answers.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Criterion, Get, List, Role};
use pavise_contract::{Aggregate, Method, spelling};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::{Source, aggregate, batch, call, indexes, name, rise};

type Written = Result<String, Box<dyn Error>>;

/// The body of a get.
pub(crate) fn get(source: &Source<'_>, method: &Method, get: &Get) -> Written {
    let place = method.descriptor.full_name();
    let aggregate = aggregate::named(source, method, &get.aggregate)?
        .ok_or_else(|| format!("{place}: a get answers an aggregate, or names the one that it answers of"))?;
    let entity = name::message(&aggregate.descriptor);
    let id = call::id(method, &get.id, &aggregate.descriptor)?;
    known(place, aggregate, &get.statuses)?;
    let found = match (get.optional, get.statuses.as_slice()) {
        (false, []) => format!("call.get::<{entity}>(&request.{id}).await"),
        (true, []) => format!("call.get_or_empty::<{entity}>(&request.{id}).await"),
        (false, statuses) => format!("call.get_only::<{entity}>(&request.{id}, &{statuses:?}).await"),
        (true, _) => return Err(format!("{place}: what is optional is answered in any status").into()),
    };
    if let Some(view) = batch::view(method, aggregate, &get.views)? {
        if method.output().full_name() != aggregate.descriptor.full_name() {
            return Err(format!("{place}: views are for a get that answers the entity").into());
        }
        return Ok(format!("{found}.map(|entity| {{ {view} }})"));
    }
    Ok(match answer(method, aggregate, &get.part)? {
        Some(answer) => format!("{found}.map(|entity| {{ let entity = &entity; {answer} }})"),
        None => found,
    })
}

/// The answer made from `entity`, a reference, if it is not the entity itself: a part or a view.
pub(crate) fn answer(method: &Method, aggregate: &Aggregate, part: &str) -> Result<Option<String>, Box<dyn Error>> {
    let (place, output) = (method.descriptor.full_name(), method.output());
    let message = &aggregate.descriptor;
    if part.is_empty() {
        let own = output.full_name() == message.full_name();
        return Ok((!own).then(|| format!("{}::from(entity)", name::message(&output))));
    }
    let field = message.get_field_by_name(part);
    let field = field.ok_or_else(|| format!("{place}: {} has no field {part}", message.name()))?;
    let fits = !field.is_list() && field.kind().as_message().is_some_and(|kind| kind.full_name() == output.full_name());
    if !fits {
        return Err(format!("{place}: {part} of {} is no {}", message.name(), output.name()).into());
    }
    Ok(Some(format!("entity.{}.clone().unwrap_or_default()", name::field(&field))))
}

/// The body of a list.
pub(crate) fn list(source: &Source<'_>, method: &Method, list: &List) -> Written {
    let (input, output) = (method.descriptor.input(), method.output());
    let place = method.descriptor.full_name();
    let (items, item, aggregate) = items(source, method, list)?;
    let mut filters = String::new();
    let plain = list.filters.iter().map(|filter| (filter, filter));
    for (filter, from) in plain.chain(list.filter_by.iter().map(|filter| (&filter.lookup, &filter.from))) {
        let field = input
            .get_field_by_name(from)
            .ok_or_else(|| format!("{place}: filter {from} is no field of the request"))?;
        if filter == "status" && !list.statuses.is_empty() {
            return Err(format!("{place}: a list of some statuses is not narrowed by status").into());
        }
        if filter != "status" && !is_lookup(aggregate, filter) {
            return Err(format!("{place}: filter {filter} is no lookup of {}", aggregate.descriptor.full_name()).into());
        }
        let ident = name::field(&field);
        let value = match field.kind() {
            Kind::Enum(_) => format!("request.{ident}().spelling().to_owned()"),
            Kind::String if field.supports_presence() => format!("request.{ident}.clone().unwrap_or_default()"),
            Kind::String => format!("request.{ident}.clone()"),
            _ => return Err(format!("{place}: filter {filter} must be a string or an enumeration").into()),
        };
        writeln!(filters, "({filter:?}, {value}),")?;
    }
    known(place, aggregate, &list.statuses)?;
    for status in &list.statuses {
        writeln!(filters, "(\"status\", {status:?}.to_owned()),")?;
    }
    let role = roles(method, aggregate, &list.roles)?;
    let paged =
        [input.get_field_by_name("page_size"), input.get_field_by_name("page_token")].iter().all(Option::is_some);
    if paged != output.get_field_by_name("next_page_token").is_some() {
        return Err(format!("{place}: a list has page_size, page_token and next_page_token, or none of them").into());
    }
    let search = search(method, aggregate, list)?;
    let rise = rise::of_list(method, aggregate, list)?;
    indexes::check(method, aggregate, list)?;
    let shows = batch::view(method, aggregate, &list.views)?;
    let total = total(method, list)?;
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
        (Some(_), false) => return Err(format!("{place}: views are for a list of entities").into()),
    };
    let entity = name::message(&aggregate.descriptor);
    let read = match (search, &rise) {
        (Some(search), _) => format!("search::<{entity}>({search}, "),
        (None, Some(rise)) => format!("page_in_order::<{entity}>({role}, {rise}, "),
        (None, None) => format!("page_of::<{entity}>({role}, "),
    };
    let (count, counted) = match total {
        None => (String::new(), String::new()),
        Some(Counted { show, size, capped, at_most }) => (
            format!(
                "let (size, capped) = if request.{show} {{ call.total::<{entity}>({role}, {}, &[{filters}], {at_most}).await? }} else {{ (0, false) }};",
                rise.unwrap_or_else(|| "Default::default()".to_owned())
            ),
            format!("{size}: size, {capped}: capped,"),
        ),
    };
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

/// The fields of a count, and its bound.
struct Counted {
    show: String,
    size: String,
    capped: String,
    at_most: i32,
}

/// The count of a list, if it has one.
fn total(method: &Method, list: &List) -> Result<Option<Counted>, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let Some(total) = &list.total else { return Ok(None) };
    if list.narrow || list.search.is_some() {
        return Err(format!("{place}: a list that Rust narrows, or that searches, has no count").into());
    }
    let field = |of: MessageDescriptor, said: &str, default: &str, kind: Kind| {
        let wanted = if said.is_empty() { default } else { said };
        let found = of.get_field_by_name(wanted).filter(|field| field.kind() == kind && !field.is_list());
        found.map(|field| name::field(&field)).ok_or_else(|| format!("{place}: a count needs the field {wanted}"))
    };
    let (input, output) = (method.descriptor.input(), method.output());
    Ok(Some(Counted {
        show: field(input, &total.show, "show_total", Kind::Bool)?,
        size: field(output.clone(), &total.size, "total_size", Kind::Int32)?,
        capped: field(output, &total.capped, "total_is_capped", Kind::Bool)?,
        at_most: if total.at_most == 0 { 1_000 } else { total.at_most.clamp(1, 10_000) },
    }))
}

/// The prefix and the lookups of a list that searches.
fn search(method: &Method, aggregate: &Aggregate, list: &List) -> Result<Option<String>, Box<dyn Error>> {
    let (place, input) = (method.descriptor.full_name(), method.descriptor.input());
    let Some(search) = &list.search else { return Ok(None) };
    let text =
        input.get_field_by_name(&search.text).filter(|field| name::is_string(field) && !field.supports_presence());
    let text = text.ok_or_else(|| format!("{place}: search names {}, which is no text of the request", search.text))?;
    if input.get_field_by_name("page_token").is_none() || !list.roles.is_empty() {
        return Err(format!("{place}: a search answers pages, and knows no roles").into());
    }
    if search.per_minute < 1 {
        return Err(format!("{place}: say how often one caller may search in a minute").into());
    }
    let known = |name: &String| {
        name == "id" || aggregate.options.lookups.iter().any(|lookup| lookup.prefix && lookup.field == *name)
    };
    if let Some(odd) = search.lookups.iter().find(|name| !known(name)) {
        return Err(format!("{place}: {} is not found by how its {odd} begins", aggregate.descriptor.name()).into());
    }
    if search.lookups.is_empty() {
        return Err(format!("{place}: say what is looked through").into());
    }
    let is_list = |name: &str| aggregate.descriptor.get_field_by_name(name).is_some_and(|field| field.is_list());
    let are_words = known(&search.words) && is_list(&search.words);
    if !search.words.is_empty() && !are_words {
        return Err(format!(
            "{place}: {} has no list of words with a lookup with `prefix` that is called {}",
            aggregate.descriptor.name(),
            search.words
        )
        .into());
    }
    let mut criteria = String::new();
    for Criterion { lookup, from, exact } in &search.criteria {
        let field = input.get_field_by_name(from).filter(|field| name::is_string(field) && !field.supports_presence());
        let field = field.ok_or_else(|| format!("{place}: criterion {from} is no text of the request"))?;
        if lookup == "id" || !known(lookup) {
            return Err(format!("{place}: criterion {lookup} is no lookup with `prefix`").into());
        }
        let text = name::field(&field);
        write!(
            criteria,
            "::pavise_kernel::Criterion {{ lookup: {lookup:?}, text: &request.{text}, exact: {exact} }},"
        )?;
    }
    Ok(Some(format!(
        "::pavise_kernel::Search {{ text: &request.{}, lookups: &{:?}, per_minute: {}, words: {:?}, criteria: &[{criteria}] }}",
        name::field(&text),
        search.lookups,
        search.per_minute,
        search.words
    )))
}

/// The field of the items, their type, and their aggregate (the items are entities or views of it).
fn items<'a>(
    source: &'a Source<'_>,
    method: &Method,
    list: &List,
) -> Result<(FieldDescriptor, MessageDescriptor, &'a Aggregate), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let named = if list.aggregate.is_empty() { None } else { aggregate::named(source, method, &list.aggregate)? };
    for field in method.output().fields().filter(FieldDescriptor::is_list) {
        let Some(item) = field.kind().as_message().cloned() else { continue };
        if let Some(aggregate) = named.or_else(|| source.contract.aggregates.get(item.full_name())) {
            return Ok((field, item, aggregate));
        }
    }
    Err(format!("{place}: a list answers a repeated aggregate").into())
}

/// The roles in which a listed entity can name the owner, if any.
fn roles(method: &Method, aggregate: &Aggregate, roles: &[Role]) -> Written {
    let place = method.descriptor.full_name();
    if roles.is_empty() {
        return Ok("None".to_owned());
    }
    if method.access.owner.is_empty() {
        return Err(format!("{place}: a role is one of the owner, whom the access rule does not name").into());
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
            return Err(format!("{place}: role {lookup} is no lookup of {}", aggregate.descriptor.full_name()).into());
        }
        write!(text, ".or((request.{} == {number}).then_some({lookup:?}))", name::field(&found))?;
    }
    Ok(text)
}

fn is_lookup(aggregate: &Aggregate, name: &str) -> bool {
    aggregate.options.lookups.iter().any(|lookup| lookup.field == name)
}

/// Checks that the aggregate has these statuses.
pub(crate) fn known(place: &str, aggregate: &Aggregate, statuses: &[String]) -> Result<(), Box<dyn Error>> {
    match statuses.iter().find(|status| !aggregate.statuses.contains(status)) {
        Some(status) => Err(format!("{place}: {} has no status {status}", aggregate.descriptor.name()).into()),
        None => Ok(()),
    }
}

/// The body of a call that answers the service's health.
pub(crate) fn health(method: &Method) -> Written {
    let output = method.output();
    let has = |field: &str, kind: Kind| {
        output.get_field_by_name(field).is_some_and(|field| field.kind() == kind && !field.is_list())
    };
    if !has("status", Kind::String) || !has("max_clock", Kind::Int64) {
        return Err(
            format!("{}: health answers a text status and an int64 max_clock", method.descriptor.full_name()).into()
        );
    }
    Ok(format!(
        "let _ = request; let head = call.kernel().store().head(call.method().service).await?; Ok({} {{ status: \"UP\".to_owned(), max_clock: head.clock, ..Default::default() }})",
        name::message(&output)
    ))
}
