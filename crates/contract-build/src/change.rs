//! A declared change: the edits of an entity, as Rust.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::Change;
use pavise_contract::{Aggregate, Method, is_immutable, is_output_only, same_type};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::call::{HEAD, id};
use crate::message::is_optional;
use crate::service::is_copy;
use crate::{Source, name};

type Written = Result<String, Box<dyn Error>>;

/// The body of a declared change.
pub(crate) fn body(source: &Source<'_>, method: &Method, change: &Change) -> Written {
    let (input, output) = (method.descriptor.input(), method.output());
    let aggregate = source.contract.aggregates.get(output.full_name()).ok_or("change answers an aggregate")?;
    let edit = Edit { place: method.descriptor.full_name().to_owned(), input, output: output.clone(), aggregate };
    let mut edits = String::new();
    for notation in &change.set {
        edits.push_str(&edit.set(notation)?);
    }
    for notation in &change.append {
        edits.push_str(&edit.append(notation)?);
    }
    for notation in &change.put {
        edits.push_str(&edit.put(notation)?);
    }
    for notation in &change.replace_in {
        edits.push_str(&edit.replace_in(notation)?);
    }
    for notation in &change.remove_from {
        edits.push_str(&edit.remove_from(notation)?);
    }
    for field in &change.clear {
        edits.push_str(&edit.clear(field)?);
    }
    if !change.to.is_empty() {
        edits.push_str(&edit.status(&change.to)?);
    }
    Ok(format!(
        "call.change::<{}>(&request.{}, |entity| {{ {edits} Ok(()) }}).await",
        name::message(&output),
        id(method, &change.id)?
    ))
}

/// The edits of one change.
struct Edit<'a> {
    place: String,
    input: MessageDescriptor,
    output: MessageDescriptor,
    aggregate: &'a Aggregate,
}

impl Edit<'_> {
    fn set(&self, notation: &str) -> Written {
        let (to, from) = self.pair(notation)?;
        if !same_type(&to, &from) {
            return Err(format!("{}: {} and {} have different types", self.place, to.name(), from.name()).into());
        }
        let (to_ident, from_ident) = (name::field(&to), name::field(&from));
        Ok(format!("entity.{to_ident} = request.{from_ident}{};\n", clone(&from)))
    }

    /// Items that have an id field get one.
    fn append(&self, notation: &str) -> Written {
        let (to, from) = self.pair(notation)?;
        if !to.is_list() || to.kind() != from.kind() {
            return Err(format!("{}: append needs a repeated field and a value of its type", self.place).into());
        }
        let (to_ident, from_ident) = (name::field(&to), name::field(&from));
        let many = from.is_list() || is_optional(&from);
        let named = to.kind().as_message().is_some_and(|item| string(item, "id").is_some());
        Ok(match (many, named) {
            (true, true) => format!(
                "for item in &request.{from_ident} {{ let mut item = item.clone(); if item.id.is_empty() {{ item.id = call.new_id(); }} entity.{to_ident}.push(item); }}\n"
            ),
            (true, false) => format!("entity.{to_ident}.extend(request.{from_ident}.iter().cloned());\n"),
            (false, _) => format!("entity.{to_ident}.push(request.{from_ident}.clone());\n"),
        })
    }

    /// One item: a value that is not there yet, or a message made of the request's fields. One with the same key has
    /// those fields replaced and keeps its others.
    fn put(&self, notation: &str) -> Written {
        let (path, named) = notation.split_once(':').map_or((notation, None), |(path, named)| (path, Some(named)));
        let (list, key) = path.split_once('.').map_or((path, None), |(list, key)| (list, Some(key)));
        let to = self.entity_list(list)?;
        let ident = name::field(&to);
        let Some(item) = to.kind().as_message().cloned() else {
            let from = self.request_string(named.unwrap_or(list))?;
            let same = self.same(&to, path, "known", &format!("request.{from}"));
            return Ok(format!(
                "if !entity.{ident}.iter().any(|known| {same}) {{ entity.{ident}.push(request.{from}.clone()); }}\n"
            ));
        };
        let (mut made, mut changed) = (String::new(), String::new());
        for field in item.fields() {
            let named = named.filter(|_| key == Some(field.name())).unwrap_or(field.name());
            let Some(from) = self.input.get_field_by_name(named).filter(|from| same_type(from, &field)) else { continue };
            if is_output_only(&field) {
                return Err(format!("{}: {} is set by the service only", self.place, field.full_name()).into());
            }
            let (field, from, copy) = (name::field(&field), name::field(&from), clone(&from));
            writeln!(made, "{field}: request.{from}{copy},")?;
            writeln!(changed, "known.{field} = request.{from}{copy};")?;
        }
        if made.is_empty() {
            return Err(format!("{}: put finds no field of {} in the request", self.place, item.name()).into());
        }
        let id = string(&item, "id").filter(|_| self.input.get_field_by_name("id").is_none());
        let id = if id.is_some() { "id: call.new_id()," } else { "" };
        let made = format!("{} {{ {id} {made} ..Default::default() }}", name::message(&item));
        let Some(key) = key else { return Ok(format!("entity.{ident}.push({made});\n")) };
        let key_field = string(&item, key).ok_or_else(|| format!("{}: {path} is no string field", self.place))?;
        let from = self.request_string(named.unwrap_or(key))?;
        let same = self.same(&to, path, &format!("known.{}", name::field(&key_field)), &format!("request.{from}"));
        Ok(format!(
            "match entity.{ident}.iter_mut().find(|known| {same}) {{ Some(known) => {{ {changed} }} None => entity.{ident}.push({made}) }}\n"
        ))
    }

    fn replace_in(&self, notation: &str) -> Written {
        let (to, from) = self.pair(notation)?;
        self.keyed(&to, "id")?;
        let (to_ident, from_ident, field) = (name::field(&to), name::field(&from), format!("{}.id", from.name()));
        Ok(format!(
            "if let Some(item) = &request.{from_ident} {{ match entity.{to_ident}.iter_mut().find(|known| known.id == item.id) {{ Some(known) => *known = item.clone(), None => return Err(::pavise_kernel::Error::field({field:?}, \"there is no such item\")) }} }}\n"
        ))
    }

    /// `list:request_field` removes by id or by value, `list.key:request_field` by another field.
    fn remove_from(&self, notation: &str) -> Written {
        let (path, named) = notation.split_once(':').map_or((notation, None), |(path, named)| (path, Some(named)));
        let (list, key) = path.split_once('.').unwrap_or((path, "id"));
        let to = self.entity_list(list)?;
        let known = if to.kind().as_message().is_some() {
            format!("known.{}", name::field(&self.keyed(&to, key)?))
        } else {
            "known".to_owned()
        };
        let from = self.request_string(named.unwrap_or(if path == list { list } else { key }))?;
        let same = self.same(&to, path, &known, &format!("request.{from}"));
        let differs = if same.contains(" == ") { same.replace(" == ", " != ") } else { format!("!{same}") };
        Ok(format!("entity.{}.retain(|known| {differs});\n", name::field(&to)))
    }

    fn clear(&self, field: &str) -> Written {
        let found = self.output.get_field_by_name(field);
        let field = found.ok_or_else(|| format!("{}: clear names {field}, which is no field", self.place))?;
        if HEAD.contains(&field.name()) || is_immutable(&field) {
            return Err(format!("{}: {} cannot be cleared", self.place, field.name()).into());
        }
        Ok(format!("entity.{} = ::core::default::Default::default();\n", name::field(&field)))
    }

    fn status(&self, to: &str) -> Written {
        let status = self.output.get_field(3).and_then(|field| field.kind().as_enum().cloned()).ok_or("no status")?;
        let value = status.values().find(|value| pavise_contract::spelling::of(value).as_deref() == Some(to));
        let number = value.ok_or_else(|| format!("{}: there is no status {to}", self.place))?.number();
        Ok(format!("entity.status = {number};\n"))
    }

    /// The entity's field and the request's.
    fn pair(&self, notation: &str) -> Result<(FieldDescriptor, FieldDescriptor), Box<dyn Error>> {
        let (to, from) = notation.split_once(':').unwrap_or((notation, notation));
        let to_field = self.entity_field(to)?;
        let from_field = self.input.get_field_by_name(from);
        let from_field = from_field.ok_or_else(|| format!("{}: the request has no field {from}", self.place))?;
        Ok((to_field, from_field))
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
        let fits = field.is_list() && matches!(field.kind(), Kind::Message(_) | Kind::String);
        if fits { Ok(field) } else { Err(format!("{}: {to} is no repeated message or string", self.place).into()) }
    }

    fn request_string(&self, from: &str) -> Written {
        let field = self.input.get_field_by_name(from).filter(name::is_string);
        Ok(name::field(&field.ok_or_else(|| format!("{}: the request has no string field {from}", self.place))?))
    }

    fn keyed(&self, to: &FieldDescriptor, key: &str) -> Result<FieldDescriptor, Box<dyn Error>> {
        let found = to.kind().as_message().filter(|_| to.is_list()).and_then(|item| string(item, key));
        found.ok_or_else(|| format!("{}: the items of {} have no {key}", self.place, to.name()).into())
    }

    /// Whether two values are the same, as the lookup over them compares.
    fn same(&self, list: &FieldDescriptor, path: &str, known: &str, wanted: &str) -> String {
        let folds = self.aggregate.options.lookups.iter().any(|lookup| lookup.fold && lookup.field == path);
        let dereferenced = if list.kind().as_message().is_none() && !folds { "*" } else { "" };
        if folds { format!("{known}.eq_ignore_ascii_case(&{wanted})") } else { format!("{dereferenced}{known} == {wanted}") }
    }
}

fn clone(field: &FieldDescriptor) -> &'static str {
    if is_copy(&field.kind()) && !field.is_list() && !field.is_map() { "" } else { ".clone()" }
}

fn string(item: &MessageDescriptor, field: &str) -> Option<FieldDescriptor> {
    item.get_field_by_name(field).filter(name::is_string)
}
