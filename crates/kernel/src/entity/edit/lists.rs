//! Edits of lists: one or many items in one call, all or nothing.

use std::sync::{Mutex, PoisonError};

use crate::error::{Common, Error, Result};

/// The field of a request with items or keys.
#[derive(Debug, Clone, Copy)]
pub struct RequestField {
    /// Its name: `tiers`.
    pub name: &'static str,
    /// Whether it is repeated.
    pub many: bool,
}

impl RequestField {
    /// The path of one of its values: `tiers[2]`.
    fn path(self, at: usize) -> String {
        if self.many { format!("{}[{at}]", self.name) } else { self.name.to_owned() }
    }

    /// The path of a field of one of its values: `tiers[2].id`. A list of texts has no such field.
    fn path_of(self, at: usize, field: &str) -> String {
        if field.is_empty() { self.path(at) } else { format!("{}.{field}", self.path(at)) }
    }
}

/// The form of a list's items.
#[derive(Debug)]
pub struct ItemForm<T> {
    /// The field by which items are told apart. Empty for a list of texts or of values of an enumeration.
    pub key: &'static str,
    /// Whether two items have the same key.
    pub same: fn(&T, &T) -> bool,
    /// Reads the item's id and sets it, if it has one.
    pub id: Option<ItemId<T>>,
    /// Gives the second item the fields of the first that only the service sets.
    pub keep: fn(&T, &mut T),
}

/// The functions that read and set an item's id.
pub type ItemId<T> = (fn(&T) -> &str, fn(&mut T) -> &mut String);

/// One edit of a list: its form, the request field with the items, and the source of ids.
pub struct ListEdit<'e, T> {
    /// The form of the items.
    pub form: ItemForm<T>,
    /// The request field.
    pub from: RequestField,
    /// Makes an id.
    pub new_id: &'e dyn Fn() -> String,
}

impl<T> std::fmt::Debug for ListEdit<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListEdit").field("from", &self.from).field("key", &self.form.key).finish_non_exhaustive()
    }
}

/// The places of a request's items in the entity, so that the entity's rules name the request's fields.
#[derive(Debug, Default)]
pub struct ItemPlaces(Mutex<Vec<(String, String)>>);

impl ItemPlaces {
    /// Notes the place of each item of a request: `places` are positions in the entity's `list`.
    pub fn note_places(&self, list: &str, from: RequestField, places: &[usize]) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, place) in places.iter().enumerate() {
            let path = from.path(at);
            noted.retain(|(_, known)| *known != path);
            noted.push((format!("{list}[{place}]"), path));
        }
    }

    /// The error with the paths of the entity's items replaced by those of the request.
    #[must_use]
    pub fn translate_paths(&self, error: Error) -> Error {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        error.map_fields(|field| {
            noted.iter().find_map(|(place, path)| {
                let rest = field.strip_prefix(place.as_str())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then(|| format!("{path}{rest}"))
            })
        })
    }
}

/// Finds the item that holds a deeper list, with its position.
///
/// # Errors
/// `ITEM_NOT_FOUND` when there is none.
pub fn find_outer<'i, T>(
    items: &'i mut [T],
    is_named: impl Fn(&T) -> bool,
    field: &'static str,
) -> Result<(usize, &'i mut T)> {
    let found = items.iter_mut().enumerate().find(|(_, item)| is_named(item));
    found.ok_or_else(|| refusal(&[(field.to_owned(), Fault::Unknown)]))
}

impl<T: Clone + Default> ListEdit<'_, T> {
    /// Adds items at the end, and answers their positions. An item without an id gets one.
    ///
    /// # Errors
    /// `ITEM_EXISTS` with the path of each item whose key or id is there already. No item is then added.
    pub fn append_items(&self, items: &mut Vec<T>, new: &[T]) -> Result<Vec<usize>> {
        self.write(items, new, &mut |edited, item, wrong, at| {
            if edited.iter().any(|known| (self.form.same)(known, item)) {
                wrong.push((self.from.path_of(at, self.form.key), Fault::Taken));
            }
            None
        })
    }

    /// Adds items, or replaces those with the same keys, and answers their positions.
    ///
    /// # Errors
    /// `INVALID_FIELD` with the path of each key that the request names twice, `ITEM_EXISTS` with that of each id that
    /// another item has.
    pub fn upsert_items(&self, items: &mut Vec<T>, new: &[T]) -> Result<Vec<usize>> {
        self.write(items, new, &mut |edited, item, _, _| edited.iter().position(|known| (self.form.same)(known, item)))
    }

    /// Replaces items by those with the same keys, and answers their positions.
    ///
    /// # Errors
    /// `ITEM_NOT_FOUND` with the path of each key that no item has, and as for `put`. No item is then replaced.
    pub fn replace_items(&self, items: &mut Vec<T>, new: &[T]) -> Result<Vec<usize>> {
        self.write(items, new, &mut |edited, item, wrong, at| {
            let place = edited.iter().position(|known| (self.form.same)(known, item));
            if place.is_none() {
                wrong.push((self.from.path_of(at, self.form.key), Fault::Unknown));
            }
            place
        })
    }

    /// Writes each item at the place that `find` answers, or at the end.
    fn write(&self, items: &mut Vec<T>, new: &[T], find: &mut FindPlace<'_, T>) -> Result<Vec<usize>> {
        let (mut edited, mut places, mut wrong) = (items.clone(), Vec::new(), Vec::new());
        for (at, item) in new.iter().enumerate() {
            let mut item = item.clone();
            // An item without an id has another key than all items, where the id is the key.
            let is_nameless = self.form.key == "id" && self.form.id.is_some_and(|(id, _)| id(&item).is_empty());
            let found = find(if is_nameless { &[] } else { &edited }, &item, &mut wrong, at);
            let known = found.and_then(|place| edited.get(place));
            (self.form.keep)(known.unwrap_or(&T::default()), &mut item);
            if let Some((id, set_id)) = self.form.id {
                if id(&item).is_empty() {
                    *set_id(&mut item) = known.map_or_else(self.new_id, |known| id(known).to_owned());
                }
                let mut others = edited.iter().enumerate().filter(|(place, _)| Some(*place) != found);
                if self.form.key != "id" && others.any(|(_, other)| id(other) == id(&item)) {
                    wrong.push((self.from.path_of(at, "id"), Fault::Taken));
                }
            }
            let place = found.unwrap_or(edited.len());
            if places.contains(&place) {
                wrong.push((self.from.path_of(at, self.form.key), Fault::Twice));
            }
            places.push(place);
            match edited.get_mut(place) {
                Some(known) => *known = item,
                None => edited.push(item),
            }
        }
        refuse(&wrong)?;
        *items = edited;
        Ok(places)
    }
}

/// Finds the place of an item among those of a list, or adds the path of what is wrong with it.
type FindPlace<'f, T> = dyn FnMut(&[T], &T, &mut Vec<(String, Fault)>, usize) -> Option<usize> + 'f;

/// Removes the items with these keys. Where `missing_ok` is set, a key that no item has is passed over.
///
/// # Errors
/// `ITEM_NOT_FOUND` with the path of each key that no item has. No item is then removed.
pub fn remove<T: Clone, K>(
    items: &mut Vec<T>,
    keys: &[K],
    from: RequestField,
    has_key: impl Fn(&T, &K) -> bool,
    missing_ok: bool,
) -> Result<()> {
    let (mut edited, mut wrong) = (items.clone(), Vec::new());
    for (at, key) in keys.iter().enumerate() {
        let before = edited.len();
        edited.retain(|item| !has_key(item, key));
        if edited.len() == before && !missing_ok {
            wrong.push((from.path(at), Fault::Unknown));
        }
    }
    refuse(&wrong)?;
    *items = edited;
    Ok(())
}

/// The reason why an item or a key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Another item has the key or the id.
    Taken,
    /// No item has the key.
    Unknown,
    /// The request names the key twice.
    Twice,
}

impl Fault {
    fn reason(self) -> Common {
        match self {
            Self::Taken => Common::ItemExists,
            Self::Unknown => Common::ItemNotFound,
            Self::Twice => Common::InvalidField,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Taken => "is there already",
            Self::Unknown => "names none of those that are there",
            Self::Twice => "is named twice",
        }
    }
}

/// Refuses the fields that are wrong, if there are any.
fn refuse(wrong: &[(String, Fault)]) -> Result<()> {
    if wrong.is_empty() { Ok(()) } else { Err(refusal(wrong)) }
}

/// The error of fields that are wrong. The first one gives the reason.
fn refusal(wrong: &[(String, Fault)]) -> Error {
    let first = wrong.first().map(|(field, fault)| (fault.reason(), format!("{field}: {}", fault.description())));
    let (reason, message) = first.unwrap_or((Common::InvalidField, String::new()));
    let error = Error::new(reason, message);
    wrong.iter().fold(error, |error, (field, fault)| error.violation(field, fault.description()))
}

#[cfg(test)]
mod tests;
