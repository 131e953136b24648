//! A declared change: the edits of an entity, as Rust.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Change, Item};
use pavise_contract::{Aggregate, Method, is_immutable, is_output_only, same_type};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::call::{self, EDIT_CONTEXT, HEAD, id};
use crate::service::is_copy;
use crate::{Source, aggregate, name, read};

type Written = Result<String, Box<dyn Error>>;

/// The body of a declared change.
pub(crate) fn body(source: &Source<'_>, method: &Method, change: &Change) -> Written {
    let place = method.descriptor.full_name().to_owned();
    let aggregate = aggregate::named(source, method, &change.aggregate)?.ok_or("change answers an aggregate")?;
    let answer = match read::answer(method, aggregate, &change.part)? {
        Some(answer) => format!("|entity| {answer}"),
        None => "Clone::clone".to_owned(),
    };
    let entity = aggregate.descriptor.clone();
    let edit = Edit { place, input: method.descriptor.input(), output: entity.clone(), aggregate };
    let mut edits = [
        each(&change.set, |field| edit.set(field, field))?,
        each(&change.assign, |assign| edit.set(&assign.field, &assign.from))?,
        each(&change.put, |item| edit.put(item))?,
        each(&change.remove_from, |item| edit.remove_from(item))?,
        each(&change.rename, |item| edit.rename(item))?,
        each(&change.mark, |field| edit.mark(field))?,
        each(&change.clear, |field| edit.clear(field))?,
    ]
    .concat();
    if !change.to.is_empty() {
        edits.push_str(&edit.status(&change.to)?);
    }
    let id = id(method, &change.id, &entity)?;
    let (before, apply) = if change.edit { (EDIT_CONTEXT, "apply_edit") } else { ("", "apply") };
    if change.edit {
        edits.push_str(&call::edit("entity"));
    }
    let check = if change.checks {
        let load = format!("let entity: {} = call.get(&request.{id}).await?;", name::message(&entity));
        load + &call::check_request(&entity, "Some(&entity)")
    } else {
        String::new()
    };
    Ok(format!(
        "{check} {before} call.{apply}::<{}, _>(&request.{id}, {answer}, |entity| {{ {edits} Ok(()) }}).await",
        name::message(&entity),
    ))
}

fn each<T>(said: &[T], write: impl Fn(&T) -> Written) -> Written {
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
struct Edit<'a> {
    place: String,
    input: MessageDescriptor,
    output: MessageDescriptor,
    aggregate: &'a Aggregate,
}

impl Edit<'_> {
    fn set(&self, field: &str, request: &str) -> Written {
        let (to, from) = (self.entity_field(field)?, self.request_field(request)?);
        if !same_type(&to, &from) {
            return Err(format!("{}: {} and {} have different types", self.place, to.name(), from.name()).into());
        }
        let (to_ident, from_ident) = (name::field(&to), name::field(&from));
        Ok(format!("entity.{to_ident} = request.{from_ident}{};\n", clone(&from)))
    }

    /// One item: a value that is not there yet, or a message made of the request's fields. One with the same key has
    /// those fields replaced and keeps its others.
    fn put(&self, put: &Item) -> Written {
        let (path, list, key, named) = (&path(put), put.list.as_str(), given(&put.key), given(&put.from));
        let to = self.entity_list(list)?;
        let ident = name::field(&to);
        let many = self
            .input
            .get_field_by_name(named.unwrap_or(list))
            .filter(|from| from.is_list() && from.kind() == Kind::String);
        if let Some(from) = many {
            return self.put_each(&to, path, key, &from);
        }
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
            let Some(from) = self.input.get_field_by_name(named).filter(|from| same_type(from, &field)) else {
                continue;
            };
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

    /// Puts an item for each of the request's texts that no item has yet.
    fn put_each(&self, to: &FieldDescriptor, path: &str, key: Option<&str>, from: &FieldDescriptor) -> Written {
        let (ident, from) = (name::field(to), name::field(from));
        let (known, made) = match (key, to.kind().as_message()) {
            (None, None) => ("known".to_owned(), "text.clone()".to_owned()),
            (Some(key), Some(item)) => {
                let key = name::field(&self.keyed(to, key)?);
                let id = if key != "id" && string(item, "id").is_some() { "id: call.new_id()," } else { "" };
                (
                    format!("known.{key}"),
                    format!("{} {{ {id} {key}: text.clone(), ..Default::default() }}", name::message(item)),
                )
            }
            _ => return Err(format!("{}: {path} takes no list of texts; name the items' key", self.place).into()),
        };
        let folds = self.folds(path);
        let same = if folds { format!("{known}.eq_ignore_ascii_case(text)") } else { format!("{known} == *text") };
        let same = if key.is_none() && !folds { "known == text".to_owned() } else { same };
        Ok(format!(
            "for text in &request.{from} {{ if !entity.{ident}.iter().any(|known| {same}) {{ entity.{ident}.push({made}); }} }}\n"
        ))
    }

    /// Gives an item another key, or replaces a text.
    fn rename(&self, rename: &Item) -> Written {
        let (path, list, key) = (&path(rename), rename.list.as_str(), given(&rename.key));
        let (Some(old), Some(new)) = (given(&rename.from), given(&rename.to)) else {
            return Err(format!("{}: rename needs a list, the old key's field and the new one's", self.place).into());
        };
        let to = self.entity_list(list)?;
        let (key, primary) = match (key, to.kind().as_message()) {
            (None, None) => ("item".to_owned(), "false".to_owned()),
            (Some(key), Some(item)) => {
                let primary = item.get_field_by_name("primary").filter(|field| field.kind() == Kind::Bool);
                let primary =
                    primary.map_or_else(|| "false".to_owned(), |field| format!("item.{}", name::field(&field)));
                (format!("&mut item.{}", name::field(&self.keyed(&to, key)?)), primary)
            }
            _ => return Err(format!("{}: {path} names no key of {list}", self.place).into()),
        };
        Ok(format!(
            "::pavise_kernel::edit::rename(&mut entity.{}, |item| {key}, |{}| {primary}, ::pavise_kernel::edit::Renaming {{ from: (&request.{}, {old:?}), to: ({}, {new:?}), fold: {} }})?;\n",
            name::field(&to),
            if primary == "false" { "_" } else { "item" },
            self.request_string(old)?,
            self.request_text(new)?,
            self.folds(path),
        ))
    }

    fn mark(&self, field: &str) -> Written {
        let found = self.entity_field(field)?;
        if found.kind() != Kind::Bool || found.is_list() {
            return Err(format!("{}: {field} is neither true nor false", self.place).into());
        }
        Ok(format!("entity.{} = true;\n", name::field(&found)))
    }

    /// Removes items by their key, or texts.
    fn remove_from(&self, remove: &Item) -> Written {
        let (path, list, key, named) =
            (&path(remove), remove.list.as_str(), given(&remove.key).unwrap_or("id"), given(&remove.from));
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
        let fits = field.is_list() && matches!(field.kind(), Kind::Message(_) | Kind::String);
        if fits { Ok(field) } else { Err(format!("{}: {to} is no repeated message or string", self.place).into()) }
    }

    fn request_string(&self, from: &str) -> Written {
        let field = self.input.get_field_by_name(from).filter(name::is_string);
        Ok(name::field(&field.ok_or_else(|| format!("{}: the request has no string field {from}", self.place))?))
    }

    /// A text of the request, or of a message in it: `update.email`.
    fn request_text(&self, path: &str) -> Written {
        let Some((outer, inner)) = path.split_once('.') else {
            return Ok(format!("&request.{}", self.request_string(path)?));
        };
        let field = self.input.get_field_by_name(outer).filter(|field| !field.is_list());
        let found = field.and_then(|field| Some((name::field(&field), string(field.kind().as_message()?, inner)?)));
        let (outer, inner) = found.ok_or_else(|| format!("{}: the request has no string field {path}", self.place))?;
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
