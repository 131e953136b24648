//! The edits of an entity, as Rust.

pub(crate) mod items;
mod put;
pub(crate) mod target;

use std::error::Error;

use pavise_contract::options::v1::Item;
use pavise_contract::{Aggregate, Method, is_immutable, same_type};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::floor::fields::HEAD;
use crate::name;
use crate::name::is_copy;

type Written = Result<String, Box<dyn Error>>;

/// The assignments of the request's fields to the entity's fields of the same names.
pub(crate) fn sets(method: &Method, aggregate: &Aggregate, fields: &[String]) -> Written {
    let (place, output) = (method.descriptor.full_name().to_owned(), aggregate.descriptor.clone());
    let edit = Edit { place, input: method.descriptor.input(), output, aggregate };
    each(fields, |field| edit.set(field, field))
}

/// The code of several edits, in order.
pub(crate) fn each<T>(said: &[T], write: impl Fn(&T) -> Written) -> Written {
    said.iter().map(write).collect()
}

/// The path of a list's key, as a lookup names it: `emails.address`.
fn path(item: &Item) -> String {
    if item.key.is_empty() { item.list.clone() } else { format!("{}.{}", item.list, item.key) }
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The edits of one change.
pub(crate) struct Edit<'a> {
    pub(crate) place: String,
    pub(crate) input: MessageDescriptor,
    pub(crate) output: MessageDescriptor,
    pub(crate) aggregate: &'a Aggregate,
}

impl Edit<'_> {
    pub(crate) fn set(&self, field: &str, request: &str) -> Written {
        let (to, from) = (self.entity_field(field)?, self.request_field(request)?);
        if !same_type(&to, &from) {
            return Err(format!("{}: {} and {} have different types", self.place, to.name(), from.name()).into());
        }
        let (to_ident, from_ident) = (name::field(&to), name::field(&from));
        Ok(format!("entity.{to_ident} = request.{from_ident}{};\n", clone(&from)))
    }

    pub(crate) fn mark(&self, field: &str) -> Written {
        let found = self.entity_field(field)?;
        if found.kind() != Kind::Bool || found.is_list() {
            return Err(format!("{}: set_true sets {field} to true, which is not a bool", self.place).into());
        }
        Ok(format!("entity.{} = true;\n", name::field(&found)))
    }

    pub(crate) fn clear(&self, field: &str) -> Written {
        let found = self.output.get_field_by_name(field);
        let field =
            found.ok_or_else(|| format!("{}: clear names {field}, which is no field of the entity", self.place))?;
        if HEAD.contains(&field.name()) || is_immutable(&field) {
            return Err(format!("{}: {} cannot be cleared", self.place, field.name()).into());
        }
        Ok(format!("entity.{} = ::core::default::Default::default();\n", name::field(&field)))
    }

    pub(crate) fn status(&self, to: &str) -> Written {
        let status = self.output.get_field(3).and_then(|field| field.kind().as_enum().cloned()).ok_or("no status")?;
        let value = status.values().find(|value| pavise_contract::spelling::of(value).as_deref() == Some(to));
        let number = value.ok_or_else(|| format!("{}: there is no status {to}", self.place))?.number();
        Ok(format!("entity.status = {number};\n"))
    }

    fn request_field(&self, from: &str) -> Result<FieldDescriptor, Box<dyn Error>> {
        let found = self.input.get_field_by_name(from);
        found.ok_or_else(|| format!("{}: the request has no field {from}", self.place).into())
    }

    fn entity_field(&self, to: &str) -> Result<FieldDescriptor, Box<dyn Error>> {
        let found = self.output.get_field_by_name(to);
        let field = found.ok_or_else(|| format!("{}: {} has no field {to}", self.place, self.output.name()))?;
        if HEAD.contains(&to) && to != "owner_id" {
            return Err(format!("{}: {to} is set by the kernel", self.place).into());
        }
        if is_immutable(&field) {
            return Err(format!("{}: {to} is immutable", self.place).into());
        }
        Ok(field)
    }

    fn entity_list(&self, to: &str) -> Result<FieldDescriptor, Box<dyn Error>> {
        let field = self.entity_field(to)?;
        let fits = field.is_list() && matches!(field.kind(), Kind::Message(_) | Kind::String | Kind::Enum(_));
        if fits {
            Ok(field)
        } else {
            Err(format!("{}: {to} is not a list of messages, texts or enumeration values", self.place).into())
        }
    }

    fn request_string(&self, from: &str) -> Written {
        let field = self.input.get_field_by_name(from).filter(name::is_string);
        Ok(name::field(&field.ok_or_else(|| format!("{}: the request has no text field {from}", self.place))?))
    }

    /// A text of the request, or of a message in it: `update.email`.
    fn request_text(&self, path: &str) -> Written {
        let Some((outer, inner)) = path.split_once('.') else {
            return Ok(format!("&request.{}", self.request_string(path)?));
        };
        let field = self.input.get_field_by_name(outer).filter(|field| !field.is_list());
        let found = field.and_then(|field| Some((name::field(&field), string(field.kind().as_message()?, inner)?)));
        let (outer, inner) = found.ok_or_else(|| format!("{}: the request has no text field {path}", self.place))?;
        Ok(format!("request.{outer}.as_ref().map_or(\"\", |{outer}| {outer}.{}.as_str())", name::field(&inner)))
    }

    fn keyed(&self, to: &FieldDescriptor, key: &str) -> Result<FieldDescriptor, Box<dyn Error>> {
        let found = to.kind().as_message().filter(|_| to.is_list()).and_then(|item| string(item, key));
        found.ok_or_else(|| format!("{}: the items of {} have no {key}", self.place, to.name()).into())
    }

    fn folds(&self, path: &str) -> bool {
        self.aggregate.options.lookups.iter().any(|lookup| lookup.fold && lookup.field == path)
    }

    /// Whether two values are equal, as the lookup on them compares.
    fn same(&self, list: &FieldDescriptor, path: &str, known: &str, wanted: &str) -> String {
        let folds = self.folds(path);
        let dereferenced = if list.kind().as_message().is_none() && !folds { "*" } else { "" };
        if folds {
            format!("{known}.eq_ignore_ascii_case(&{wanted})")
        } else {
            format!("{dereferenced}{known} == {wanted}")
        }
    }
}

fn clone(field: &FieldDescriptor) -> &'static str {
    if is_copy(&field.kind()) && !field.is_list() && !field.is_map() { "" } else { ".clone()" }
}

fn string(item: &MessageDescriptor, field: &str) -> Option<FieldDescriptor> {
    item.get_field_by_name(field).filter(name::is_string)
}
