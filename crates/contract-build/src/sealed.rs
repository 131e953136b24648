//! The checks of sealed fields.

use std::error::Error;

use pavise_contract::options::v1::{Aggregate as Options, Lookup};
use pavise_contract::{Sensitivity, sealed_of};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::floor::entities::aggregates;
use crate::floor::fields::{HEAD, ours};
use crate::{Source, name};

/// Checks the sealed fields of the package, and the lookups that find by them.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        for field in message.fields() {
            check_field(source, &field)?;
        }
    }
    for aggregate in aggregates(source) {
        let message = &aggregate.descriptor;
        let sealed = |path: &str| is_sealed(message, path);
        for lookup in aggregate.options.lookups.iter().filter(|lookup| sealed(&lookup.field)) {
            if let Some(what) = refused(lookup, &aggregate.options) {
                let place = message.full_name();
                return Err(format!("{place}: {} is sealed, so no lookup {what} by it", lookup.field).into());
            }
        }
        let within = aggregate.options.lookups.iter().flat_map(|lookup| &lookup.within);
        if let Some(field) = within.into_iter().find(|field| sealed(field)) {
            return Err(format!("{}: {field} is sealed, so nothing is unique within it", message.full_name()).into());
        }
    }
    Ok(())
}

fn check_field(source: &Source<'_>, field: &FieldDescriptor) -> Result<(), String> {
    let (place, Some(rule)) = (field.full_name(), sealed_of(field)) else { return Ok(()) };
    if Sensitivity::of(field) == Sensitivity::Open {
        return Err(format!("{place}: only personal data and secrets are sealed: say pii or secret"));
    }
    let parent = field.parent_message();
    let of_aggregate = source.contract.aggregates.contains_key(parent.full_name());
    if of_aggregate && HEAD.contains(&field.name()) {
        return Err(format!("{place}: the kernel reads {}, so it cannot be sealed", field.name()));
    }
    let free_form = |kind: Kind| kind.as_message().is_some_and(|of| of.full_name().starts_with("google.protobuf.S"));
    if field.is_map() || free_form(field.kind()) {
        return Err(format!("{place}: a map or a free-form value cannot be sealed"));
    }
    if field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic()) {
        return Err(format!("{place}: a member of a oneof cannot be sealed"));
    }
    let named = |subject: &FieldDescriptor| name::is_string(subject) && sealed_of(subject).is_none();
    if !rule.subject.is_empty() && !parent.get_field_by_name(&rule.subject).is_some_and(|subject| named(&subject)) {
        return Err(format!("{place}: sealed names {}, no plain text beside it", rule.subject));
    }
    Ok(())
}

/// Names the use of a lookup that a blind one cannot have.
fn refused(lookup: &Lookup, options: &Options) -> Option<&'static str> {
    let uses = [
        (lookup.prefix, "finds prefixes"),
        (lookup.sortable || !lookup.indexed_with.is_empty() || !lookup.due.is_empty(), "orders"),
        (!lookup.within.is_empty() || !lookup.unique_across.is_empty(), "with within or unique_across finds"),
        (options.siblings == lookup.field, "makes siblings"),
    ];
    uses.iter().find(|(used, _)| *used).map(|(_, what)| *what)
}

/// Whether the field at a path of an aggregate is sealed, or lies in a sealed one.
pub(crate) fn is_sealed(message: &MessageDescriptor, path: &str) -> bool {
    let mut message = Some(message.clone());
    path.split('.').any(|part| {
        let field = message.take().and_then(|message| message.get_field_by_name(part));
        message = field.as_ref().and_then(|field| field.kind().as_message().cloned());
        field.is_some_and(|field| sealed_of(&field).is_some())
    })
}
