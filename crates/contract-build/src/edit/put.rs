//! Edits of a list by single fields of a request: an item put together from them, a text, another key.

use std::fmt::Write as _;

use pavise_contract::options::v1::Item;
use pavise_contract::{is_output_only, same_type};
use prost_reflect::{FieldDescriptor, Kind};

use super::{Edit, Written, clone, given, path, string};
use crate::name;

impl Edit<'_> {
    /// One item: a value that is not there yet, or a message made of the request's fields. One with the same key has
    /// those fields replaced and keeps its others.
    pub(crate) fn put(&self, put: &Item) -> Written {
        if self.takes_items(put)? {
            return self.put_items(put);
        }
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
            return Err(format!(
                "{}: upsert_items makes an item of the request's fields, but none is a field of {}: name the items in `from`",
                self.place,
                item.name()
            )
            .into());
        }
        let id = string(&item, "id").filter(|_| self.input.get_field_by_name("id").is_none());
        let id = if id.is_some() { "id: call.new_id()," } else { "" };
        let made = format!("{} {{ {id} {made} ..Default::default() }}", name::message(&item));
        let Some(key) = key else { return Ok(format!("entity.{ident}.push({made});\n")) };
        let key_field = string(&item, key)
            .ok_or_else(|| format!("{}: {path} is not a text field: name a text in `key`", self.place))?;
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
            _ => {
                return Err(format!(
                    "{}: {path} is given as texts: name the field of the items that each text is in `key`",
                    self.place
                )
                .into());
            }
        };
        let folds = self.folds(path);
        let same = if folds { format!("{known}.eq_ignore_ascii_case(text)") } else { format!("{known} == *text") };
        let same = if key.is_none() && !folds { "known == text".to_owned() } else { same };
        Ok(format!(
            "for text in &request.{from} {{ if !entity.{ident}.iter().any(|known| {same}) {{ entity.{ident}.push({made}); }} }}\n"
        ))
    }

    /// Gives an item another key, or replaces a text.
    pub(crate) fn rename(&self, rename: &Item) -> Written {
        let (path, list, key) = (&path(rename), rename.list.as_str(), given(&rename.key));
        let (Some(old), Some(new)) = (given(&rename.from), given(&rename.to)) else {
            return Err(format!(
                "{}: rename_items says too little: name the `list`, the old key's field in `from` and the new key's in `to`",
                self.place
            )
            .into());
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
            _ => {
                return Err(format!(
                    "{}: {path} has no key: name the field of {list} that tells items apart in `key`",
                    self.place
                )
                .into());
            }
        };
        Ok(format!(
            "::pavise_kernel::edit::rename_item(&mut entity.{}, |item| {key}, |{}| {primary}, ::pavise_kernel::edit::ItemRename {{ from: (&request.{}, {old:?}), to: ({}, {new:?}), fold: {} }})?;\n",
            name::field(&to),
            if primary == "false" { "_" } else { "item" },
            self.request_string(old)?,
            self.request_text(new)?,
            self.folds(path),
        ))
    }
}
