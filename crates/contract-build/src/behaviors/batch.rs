//! A declared read of several entities by their ids or values.

use std::error::Error;

use pavise_contract::Method;
use pavise_contract::options::v1::Batch;
use prost_reflect::{FieldDescriptor, Kind};

use crate::floor::answers::{known, view};
use crate::floor::entities;
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The body of a batch read.
pub(crate) fn body(source: &Source<'_>, method: &Method, batch: &Batch) -> Written {
    let place = method.descriptor.full_name();
    let aggregate = entities::named(source, method, &batch.aggregate)?.ok_or_else(|| {
        format!("{place}: the response has no list of an aggregate: name the aggregate in `aggregate`")
    })?;
    let texts = |field: &FieldDescriptor| field.is_list() && field.kind() == Kind::String;
    let ids = if batch.ids.is_empty() { "ids" } else { &batch.ids };
    let ids = method.descriptor.input().get_field_by_name(ids).filter(texts);
    let ids = ids.ok_or_else(|| format!("{place}: the request has no list of texts to read by: name it in `ids`"))?;
    let missing = if batch.missing.is_empty() { "not_found" } else { &batch.missing };
    let missing = method.output().get_field_by_name(missing).filter(texts);
    let missing = missing.ok_or_else(|| {
        format!("{place}: the response has no list of texts for what was not found: name it in `missing`")
    })?;
    let unique =
        |lookup: &&String| aggregate.options.lookups.iter().any(|known| known.field == **lookup && known.unique);
    let lookup = match Some(&batch.lookup).filter(|lookup| !lookup.is_empty()) {
        None => "None".to_owned(),
        lookup => match lookup.filter(unique) {
            Some(lookup) => format!("Some({lookup:?})"),
            None => return Err(format!("{place}: {} is no unique lookup", batch.lookup).into()),
        },
    };
    known(place, aggregate, &batch.statuses)?;
    let items = method.output().fields().find(|field| field.is_list() && field.kind().as_message().is_some());
    let items = items.ok_or_else(|| format!("{place}: the response has no list of entities or views"))?;
    let item = items.kind().as_message().cloned().ok_or("no message")?;
    let view = view(method, aggregate, &batch.views)?;
    let own = item.full_name() == aggregate.descriptor.full_name();
    let answer = match (view, own) {
        (Some(view), true) => format!("found.into_iter().map(|entity| {{ {view} }}).collect()"),
        (None, true) => "found".to_owned(),
        (None, false) => format!("found.iter().map({}::from).collect()", name::message(&item)),
        (Some(_), false) => {
            return Err(format!("{place}: the response's type is a view already: leave `views` out").into());
        }
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
