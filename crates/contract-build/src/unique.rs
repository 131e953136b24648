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
        return Err(format!("{place} has `within` and is not unique: set `unique: true`").into());
    }
    if many || single(aggregate, &lookup.field).is_none() {
        return Err(
            format!("{place} has `within` and several values or a prefix: only a field with one value can be unique within others").into()
        );
    }
    let mut text = String::new();
    for (at, name) in lookup.within.iter().enumerate() {
        let field = single(aggregate, name)
            .ok_or_else(|| format!("{place}: within names {name}, which is no text or enumeration field"))?;
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
