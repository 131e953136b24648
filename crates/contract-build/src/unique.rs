//! Lookups that are unique within further fields.

use std::error::Error;

use pavise_contract::Aggregate;
use pavise_contract::options::v1::Lookup;
use prost_reflect::{FieldDescriptor, Kind};

/// The lookups of the further fields, as Rust.
pub(crate) fn within(aggregate: &Aggregate, lookup: &Lookup, many: bool) -> Result<String, Box<dyn Error>> {
    let place = format!("{}: the lookup {}", aggregate.descriptor.full_name(), lookup.field);
    if lookup.within.is_empty() {
        return Ok(String::new());
    }
    if !lookup.unique {
        return Err(format!("{place} is within other fields, so it must be unique").into());
    }
    if many || single(aggregate, &lookup.field).is_none() {
        return Err(
            format!("{place} has several values, or a prefix; only one value is unique within other fields").into()
        );
    }
    let mut text = String::new();
    for (at, name) in lookup.within.iter().enumerate() {
        let field = single(aggregate, name)
            .ok_or_else(|| format!("{place} is within {name}, which is no text or enumeration of it"))?;
        if *name == lookup.field || lookup.within.iter().take(at).any(|other| other == name) {
            return Err(format!("{place} names {name} twice").into());
        }
        text.push_str(&format!(
            "Lookup {{ name: {name:?}, json: {:?}, blank: true, ..Lookup::PLAIN }},",
            field.json_name()
        ));
    }
    Ok(text)
}

/// The field of that name, if it holds one text or one value of an enumeration.
pub(crate) fn single(aggregate: &Aggregate, name: &str) -> Option<FieldDescriptor> {
    let field = aggregate.descriptor.get_field_by_name(name)?;
    (!field.is_list() && matches!(field.kind(), Kind::String | Kind::Enum(_))).then_some(field)
}
