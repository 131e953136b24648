//! Edits of a list by whole items or by keys, one or many in one call.

use pavise_contract::is_output_only;
use pavise_contract::options::v1::Item;
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use super::{Edit, Written, clone, given, string};
use crate::name;

/// The code that makes the note of where a request's items are in the entity.
pub(crate) const PLACES: &str = "let places = ::pavise_kernel::edit::ItemPlaces::default();";

/// A list of an entity, or of an item of its list.
struct List {
    field: FieldDescriptor,
    /// Finds the outer item, of a deeper list.
    find: String,
    /// The list as Rust: `&mut entity.tiers`.
    rust: String,
    /// The list's path as an expression: `"tiers"`.
    path: String,
    /// The path of its lookups: `contracts.variants`.
    lookup: String,
}

impl List {
    /// The type of an item, as Rust.
    fn item_type(&self) -> String {
        match self.field.kind() {
            Kind::Message(item) => name::message(&item),
            Kind::Enum(_) => "i32".to_owned(),
            _ => "String".to_owned(),
        }
    }

    fn item(&self) -> Option<MessageDescriptor> {
        self.field.kind().as_message().cloned()
    }
}

impl Edit<'_> {
    /// Adds items.
    pub(crate) fn append(&self, item: &Item) -> Written {
        self.list_edit("add_items", "append_items", item)
    }

    /// Replaces items.
    pub(crate) fn replace_items(&self, item: &Item) -> Written {
        if self.list(&item.list)?.item().is_none() {
            return Err(format!(
                "{}: replace_items replaces messages, and {} is not a list of messages",
                self.place, item.list
            )
            .into());
        }
        self.list_edit("replace_items", "replace_items", item)
    }

    /// Adds or replaces items.
    pub(super) fn put_items(&self, item: &Item) -> Written {
        self.list_edit("upsert_items", "upsert_items", item)
    }

    /// Whether the edit takes whole items, or values of an enumeration.
    pub(super) fn takes_items(&self, item: &Item) -> Result<bool, Box<dyn std::error::Error>> {
        let list = self.list(&item.list)?;
        let from = self.input.get_field_by_name(self.from(item));
        Ok(match list.field.kind() {
            Kind::Enum(_) => true,
            Kind::Message(_) => !list.find.is_empty() || from.is_some_and(|from| from.kind() == list.field.kind()),
            _ => !list.find.is_empty(),
        })
    }

    /// Removes items by their keys, or texts.
    pub(crate) fn remove_items(&self, remove: &Item) -> Written {
        let list = self.list(&remove.list)?;
        if !remove.to.is_empty() {
            return Err(format!("{}: `to` is for rename_items only: leave it out", self.place).into());
        }
        let key = list.item().map(|_| given(&remove.key).unwrap_or("id"));
        let named = given(&remove.from).unwrap_or(key.unwrap_or(list.field.name()));
        let (known, kind) = match key {
            Some(key) => {
                let key = self.key(&list, key)?;
                (format!("item.{}", name::field(&key)), key.kind())
            }
            None => ("item".to_owned(), list.field.kind()),
        };
        let from = self.values(named, &kind)?;
        let same = self.equal(&lookup(&list, key), &known, "key", key.is_none());
        let (find, rust) = (list.find.replace("(at, outer)", "(_, outer)"), &list.rust);
        Ok(format!(
            "{{ {find} ::pavise_kernel::edit::remove({rust}, {}, {}, |item: &{}, key| {same}, {})?; }}\n",
            slice(&from),
            request_field(&from),
            list.item_type(),
            remove.missing_ok,
        ))
    }

    /// The code of an option that edits a list, by the kernel's edit of that name.
    fn list_edit(&self, option: &str, edit: &str, item: &Item) -> Written {
        let list = self.list(&item.list)?;
        if item.missing_ok || !item.to.is_empty() {
            return Err(format!("{}: `missing_ok` and `to` are not for {option}: leave them out", self.place).into());
        }
        let from = self.values(self.from(item), &list.field.kind())?;
        let key = list.item().map(|_| given(&item.key).unwrap_or("id"));
        let (key_name, one, other) = match key {
            Some(key) => {
                let field = name::field(&self.key(&list, key)?);
                (key, format!("one.{field}"), format!("other.{field}"))
            }
            None => ("", "one".to_owned(), "other".to_owned()),
        };
        let same = match self.folds(&lookup(&list, key)) {
            true => format!("{one}.eq_ignore_ascii_case(&{other})"),
            false => format!("{one} == {other}"),
        };
        let (ty, List { find, rust, path, .. }) = (list.item_type(), &list);
        let (id, keep) = self.owned(edit, &list, key)?;
        Ok(format!(
            "{{ {find}
            let edit = ::pavise_kernel::edit::ListEdit {{
                form: ::pavise_kernel::edit::ItemForm::<{ty}> {{ key: {key_name:?}, same: |one, other| {same}, id: {id}, keep: {keep} }},
                from: {},
                new_id: &|| call.new_id(),
            }};
            places.note_places({path}, edit.from, &edit.{edit}({rust}, {})?); }}\n",
            request_field(&from),
            slice(&from),
        ))
    }

    /// The id of a list's items, and the fields that only the service sets.
    fn owned(
        &self,
        edit: &str,
        list: &List,
        key: Option<&str>,
    ) -> Result<(String, String), Box<dyn std::error::Error>> {
        let Some(item) = list.item() else { return Ok(("None".to_owned(), "|_, _| ()".to_owned())) };
        let id = string(&item, "id");
        let kept: String = item
            .fields()
            .filter(|field| is_output_only(field) && (edit == "append_items" || key != Some(field.name())))
            .map(|field| format!("item.{0} = known.{0}{1};", name::field(&field), clone(&field)))
            .collect();
        if let Some(id) = id.as_ref().filter(|id| edit == "upsert_items" && key == Some("id") && is_output_only(id)) {
            return Err(format!(
                "{}: upsert_items takes ids from the request, and {} is set by the service only",
                self.place,
                id.full_name()
            )
            .into());
        }
        let id = id.map_or_else(|| "None".to_owned(), |_| "Some((|item| &item.id, |item| &mut item.id))".to_owned());
        let keep = if kept.is_empty() { "|_, _| ()".to_owned() } else { format!("|known, item| {{ {kept} }}") };
        Ok((id, keep))
    }

    /// The list that an edit names: `tiers`, or `contracts[contract_id].variants`.
    fn list(&self, named: &str) -> Result<List, Box<dyn std::error::Error>> {
        let Some((outer, rest)) = named.split_once('[') else {
            let field = self.entity_list(named)?;
            let rust = format!("&mut entity.{}", name::field(&field));
            return Ok(List { field, find: String::new(), rust, path: format!("{named:?}"), lookup: named.to_owned() });
        };
        let (by, inner) = rest.split_once("].").ok_or_else(|| {
            format!("{}: name a deeper list as in contracts[contract_id].variants, not {named}", self.place)
        })?;
        let outer = self.entity_list(outer)?;
        let item = outer.kind().as_message().cloned();
        let item =
            item.ok_or_else(|| format!("{}: the items of {} are not messages with lists", self.place, outer.name()))?;
        let key = keyed(&item, by).or_else(|| keyed(&item, "id"));
        let key = key.ok_or_else(|| {
            format!("{}: the items of {} have no field {by} and no field id to find one by", self.place, outer.name())
        })?;
        let from = self.request_field(by)?;
        if from.is_list() || from.kind() != key.kind() {
            return Err(format!("{}: {by} and {} have different types", self.place, key.full_name()).into());
        }
        let field = item.get_field_by_name(inner).filter(|field| field.is_list() && !is_output_only(field));
        let field = field
            .ok_or_else(|| format!("{}: {} has no list {inner} that a caller may set", self.place, item.name()))?;
        let same = self.equal(
            &format!("{}.{}", outer.name(), key.name()),
            &format!("item.{}", name::field(&key)),
            &format!("request.{}", name::field(&from)),
            false,
        );
        let find = format!(
            "let (at, outer) = ::pavise_kernel::edit::find_outer(&mut entity.{}, |item| {same}, {by:?})?;",
            name::field(&outer)
        );
        let path = format!("&format!(\"{}[{{at}}].{inner}\")", outer.name());
        let lookup = format!("{}.{inner}", outer.name());
        Ok(List { rust: format!("&mut outer.{}", name::field(&field)), field, find, path, lookup })
    }

    /// The request field that an edit of items takes them from.
    fn from<'i>(&self, item: &'i Item) -> &'i str {
        given(&item.from).unwrap_or_else(|| item.list.rsplit('.').next().unwrap_or_default())
    }

    /// The request field with values of that type, one or many.
    fn values(&self, named: &str, kind: &Kind) -> Result<FieldDescriptor, Box<dyn std::error::Error>> {
        let found = self.input.get_field_by_name(named).filter(|field| field.kind() == *kind && !field.is_map());
        let what = match kind {
            Kind::Message(item) => item.name().to_owned(),
            Kind::Enum(values) => values.name().to_owned(),
            _ => "string".to_owned(),
        };
        found.ok_or_else(|| format!("{}: the request has no {what} field {named}", self.place).into())
    }

    /// The field by which a list's items are told apart.
    fn key(&self, list: &List, key: &str) -> Result<FieldDescriptor, Box<dyn std::error::Error>> {
        let found = list.item().and_then(|item| keyed(&item, key));
        found.ok_or_else(|| format!("{}: the items of {} have no {key}", self.place, list.field.name()).into())
    }

    /// Whether a known value equals a key, as the lookup on it compares.
    fn equal(&self, lookup: &str, known: &str, key: &str, is_scalar: bool) -> String {
        let borrowed = !key.contains('.');
        if self.folds(lookup) {
            return format!("{known}.eq_ignore_ascii_case({}{key})", if borrowed { "" } else { "&" });
        }
        let known = if is_scalar { format!("*{known}") } else { known.to_owned() };
        format!("{known} == {}{key}", if borrowed { "*" } else { "" })
    }
}

/// The path of a list's key, as a lookup names it.
fn lookup(list: &List, key: Option<&str>) -> String {
    key.map_or_else(|| list.lookup.clone(), |key| format!("{}.{key}", list.lookup))
}

/// A field that can tell items apart.
fn keyed(item: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    let fits = |field: &FieldDescriptor| !field.is_list() && matches!(field.kind(), Kind::String | Kind::Enum(_));
    item.get_field_by_name(name).filter(fits)
}

/// The code of the values in a request's field.
fn slice(from: &FieldDescriptor) -> String {
    let field = name::field(from);
    match from.kind() {
        _ if from.is_list() => format!("&request.{field}"),
        Kind::Message(_) => format!("request.{field}.as_slice()"),
        _ => format!("::core::slice::from_ref(&request.{field})"),
    }
}

/// The code of a request's field in paths.
fn request_field(from: &FieldDescriptor) -> String {
    format!("::pavise_kernel::edit::RequestField {{ name: {:?}, many: {} }}", from.name(), from.is_list())
}
