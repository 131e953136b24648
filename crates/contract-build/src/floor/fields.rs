//! The fields of the package's messages.

use std::collections::HashMap;
use std::error::Error;

use pavise_contract::{Method, Sensitivity};
use prost_reflect::{Cardinality, FieldDescriptor, Kind, MessageDescriptor};

use crate::{Source, name};

/// The fields that the kernel sets.
pub(crate) const HEAD: [&str; 6] = ["id", "owner_id", "status", "version", "created_at", "updated_at"];

/// The messages of the package, without map entries.
pub(crate) fn ours(source: &Source<'_>) -> Vec<MessageDescriptor> {
    let all = source.pool.all_messages();
    all.filter(|message| message.package_name() == source.package && !message.is_map_entry()).collect()
}

/// The messages that hold a field of some kind at any depth, as far as they are known.
pub(crate) type Known = HashMap<String, bool>;

/// Whether a message holds a secret at any depth.
pub(crate) fn has_secret(message: &MessageDescriptor, known: &mut Known) -> bool {
    holds(message, known, |field| Sensitivity::of(field) == Sensitivity::Secret)
}

/// Whether a message holds such a field at any depth.
pub(crate) fn holds(message: &MessageDescriptor, known: &mut Known, such: fn(&FieldDescriptor) -> bool) -> bool {
    if let Some(known) = known.get(message.full_name()) {
        return *known;
    }
    // The other fields decide for a message that holds itself.
    known.insert(message.full_name().to_owned(), false);
    let found = message
        .fields()
        .any(|field| such(&field) || field.kind().as_message().is_some_and(|inner| holds(inner, known, such)));
    known.insert(message.full_name().to_owned(), found);
    found
}

/// The code for the text in a request field that an access rule names; none if it is empty.
pub(crate) fn requested(method: &Method, what: &str, field: &str) -> Result<String, Box<dyn Error>> {
    let found = method.descriptor.input().get_field_by_name(field).filter(name::is_string);
    let found = found.ok_or_else(|| {
        format!("{}: access.{what} names {field}, which is no text field of the request", method.descriptor.full_name())
    })?;
    let ident = name::field(&found);
    let value = if found.supports_presence() {
        format!("self.{ident}.as_deref()")
    } else {
        format!("Some(self.{ident}.as_str())")
    };
    Ok(format!("{value}.filter(|value| !value.is_empty())"))
}

/// Whether the field holds at most one value, which can be absent.
pub(crate) fn is_optional(field: &FieldDescriptor) -> bool {
    field.cardinality() != Cardinality::Repeated
        && (field.supports_presence() || matches!(field.kind(), Kind::Message(_)))
}
