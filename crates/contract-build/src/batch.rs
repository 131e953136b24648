//! Declared batch reads, and views of an entity for some callers.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Batch, View};
use pavise_contract::{Aggregate, Method, same_type};
use prost_reflect::{FieldDescriptor, Kind};

use crate::{Source, aggregate, name, read};

type Written = Result<String, Box<dyn Error>>;

/// The body of a batch read.
pub(crate) fn body(source: &Source<'_>, method: &Method, batch: &Batch) -> Written {
    let place = method.descriptor.full_name();
    let aggregate = aggregate::named(source, method, &batch.aggregate)?
        .ok_or_else(|| format!("{place}: a batch answers a repeated aggregate, or names the one that it answers of"))?;
    let texts = |field: &FieldDescriptor| field.is_list() && field.kind() == Kind::String;
    let ids = if batch.ids.is_empty() { "ids" } else { &batch.ids };
    let ids = method.descriptor.input().get_field_by_name(ids).filter(texts);
    let ids = ids.ok_or_else(|| format!("{place}: a batch reads by a repeated text of the request: name it"))?;
    let missing = if batch.missing.is_empty() { "not_found" } else { &batch.missing };
    let missing = method.output().get_field_by_name(missing).filter(texts);
    let missing =
        missing.ok_or_else(|| format!("{place}: a batch names what was not found in a repeated text: name it"))?;
    let unique =
        |lookup: &&String| aggregate.options.lookups.iter().any(|known| known.field == **lookup && known.unique);
    let lookup = match Some(&batch.lookup).filter(|lookup| !lookup.is_empty()) {
        None => "None".to_owned(),
        lookup => match lookup.filter(unique) {
            Some(lookup) => format!("Some({lookup:?})"),
            None => return Err(format!("{place}: {} is no unique lookup", batch.lookup).into()),
        },
    };
    read::known(place, aggregate, &batch.statuses)?;
    let items = method.output().fields().find(|field| field.is_list() && field.kind().as_message().is_some());
    let items = items.ok_or_else(|| format!("{place}: a batch answers repeated entities or views"))?;
    let item = items.kind().as_message().cloned().ok_or("no message")?;
    let view = view(method, aggregate, &batch.views)?;
    let own = item.full_name() == aggregate.descriptor.full_name();
    let answer = match (view, own) {
        (Some(view), true) => format!("found.into_iter().map(|entity| {{ {view} }}).collect()"),
        (None, true) => "found".to_owned(),
        (None, false) => format!("found.iter().map({}::from).collect()", name::message(&item)),
        (Some(_), false) => return Err(format!("{place}: it answers views of the entity by type already").into()),
    };
    Ok(format!(
        "let (found, missing) = call.batch::<{}>(&request.{}, {lookup}, &{:?}).await?; Ok({} {{ {}: {answer}, {}: missing, ..Default::default() }})",
        name::message(&aggregate.descriptor),
        name::field(&ids),
        batch.statuses,
        name::message(&method.output()),
        name::field(&items),
        name::field(&missing),
    ))
}

/// The expression that shows `entity`, an owned value, to the caller; `None` if there are no views.
pub(crate) fn view(method: &Method, aggregate: &Aggregate, views: &[View]) -> Result<Option<String>, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let Some((last, others)) = views.split_last() else { return Ok(None) };
    if !last.role.is_empty() || others.iter().any(|view| view.role.is_empty()) {
        return Err(format!("{place}: each view names a role, but for the last one, which is for all others").into());
    }
    let mut text = String::new();
    for View { message, role, show } in views {
        if !role.is_empty() {
            if !method.access.roles.iter().any(|known| known.name == *role) {
                return Err(format!("{place}: the access rule has no role {role}").into());
            }
            write!(text, "if call.has_role({role:?}) ")?;
        }
        let shown = match (show, message.is_empty()) {
            (false, _) => shown(place, aggregate, message)?,
            (true, true) => "::pavise_kernel::Show::show(entity, call.caller())".to_owned(),
            (true, false) => return Err(format!("{place}: a view has a message, or Rust shows the entity").into()),
        };
        write!(text, "{{ {shown} }}")?;
        if !role.is_empty() {
            text.push_str(" else ");
        }
    }
    Ok(Some(text))
}

/// The entity with the fields of a view's message.
fn shown(place: &str, aggregate: &Aggregate, message: &str) -> Written {
    let entity = &aggregate.descriptor;
    if message.is_empty() {
        return Ok("entity".to_owned());
    }
    let full = format!("{}.{message}", entity.package_name());
    let view = entity.parent_pool().get_message_by_name(&full);
    let view = view.ok_or_else(|| format!("{place}: there is no message {full}"))?;
    let mut fields = String::new();
    for field in view.fields() {
        let own = entity.get_field_by_name(field.name()).filter(|own| same_type(own, &field));
        let own =
            own.ok_or_else(|| format!("{place}: {} of {message} is no field of {}", field.name(), entity.name()))?;
        write!(fields, "{ident}: entity.{ident},", ident = name::field(&own))?;
    }
    Ok(format!("{} {{ {fields} ..Default::default() }}", name::message(entity)))
}
