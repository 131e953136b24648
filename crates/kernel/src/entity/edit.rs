//! Edits of declared changes that need more than an assignment.

mod lists;

use pavise_contract::common::v1::Date;
use prost_types::Timestamp;

use crate::call::Call;
use crate::entity::aggregate::Aggregate;
use crate::error::{Error, Result};
use crate::time::{self, Ids, Micros};

pub use lists::{ItemForm, ItemId, ItemPlaces, ListEdit, RequestField, find_outer, remove};

/// The edit of a declared call whose contract says `edit`. It is pure, so that a unit test needs no kernel. It gets the
/// entity, the request, and a context with time and ids. It runs again after a conflict.
pub trait Edit<Q>: Aggregate {
    /// Edits the entity.
    ///
    /// # Errors
    /// The reason to refuse the edit, for the caller.
    fn edit(&mut self, request: &Q, context: &EditContext) -> Result<()>;
}

/// The check of a declared call whose contract says `checks`. It compares the request with other entities before the
/// write: a product that an offer names exists, a payment method belongs to the member. It only reads.
pub trait CheckRequest<Q>: Aggregate {
    /// Checks the request. `entity` is the entity before a change; a creation has none.
    ///
    /// # Errors
    /// The reason to refuse the request, for the caller.
    fn check_request(call: &Call, entity: Option<&Self>, request: &Q) -> impl Future<Output = Result<()>> + Send;
}

/// The condition of a declared list whose contract says `narrow`. It is pure.
pub trait Narrow<Q>: Aggregate {
    /// Whether the entity belongs to the list that the request asks for.
    fn fits(&self, request: &Q, context: &EditContext) -> bool;
}

/// Time, ids, and the caller's name and roles for a pure edit.
#[derive(Debug, Clone)]
pub struct EditContext {
    now: Micros,
    ids: Ids,
    actor: String,
    roles: Vec<&'static str>,
}

impl EditContext {
    /// The context of a call.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        let roles =
            call.method().access.roles.iter().map(|role| role.name).filter(|name| call.has_role(name)).collect();
        Self {
            now: call.now(),
            ids: call.kernel().ids().clone(),
            actor: call.caller().actor_identity().to_owned(),
            roles,
        }
    }

    /// A context for a test: this time, ids from a fixed seed, no caller.
    #[must_use]
    pub fn at(now: Micros) -> Self {
        Self { now, ids: Ids::from_seed(1), actor: String::new(), roles: Vec::new() }
    }

    /// The context with a caller who has that role.
    #[must_use]
    pub fn with_role(mut self, name: &'static str) -> Self {
        self.roles.push(name);
        self
    }

    /// The time of the call.
    #[must_use]
    pub fn now(&self) -> Micros {
        self.now
    }

    /// The time of the call as a message.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        time::to_timestamp(self.now)
    }

    /// The UTC day of the call.
    #[must_use]
    pub fn today(&self) -> Date {
        time::to_date(self.now)
    }

    /// A new id.
    #[must_use]
    pub fn new_id(&self) -> String {
        self.ids.next(self.now)
    }

    /// The identity that acts, as journals name it.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// Whether the caller has a role that the call's access rule names.
    #[must_use]
    pub fn has_role(&self, name: &str) -> bool {
        self.roles.contains(&name)
    }
}

/// A new key for one item of a list.
#[derive(Debug, Clone, Copy)]
pub struct ItemRename<'r> {
    /// The old key and its request field. Empty for the primary item, or for the only one.
    pub from: (&'r str, &'static str),
    /// The new key and its request field.
    pub to: (&'r str, &'static str),
    /// Whether keys are compared without case.
    pub fold: bool,
}

/// Gives one item another key; its place and its other fields stay.
///
/// # Errors
/// `INVALID_FIELD` when no item matches, or another item has the key already.
pub fn rename_item<T>(
    items: &mut [T],
    key: impl Fn(&mut T) -> &mut String,
    is_primary: impl Fn(&T) -> bool,
    renaming: ItemRename<'_>,
) -> Result<()> {
    let ItemRename { from: (old, old_field), to: (new, new_field), fold } = renaming;
    let same = |one: &str, other: &str| if fold { one.eq_ignore_ascii_case(other) } else { one == other };
    let place = if old.is_empty() {
        items.iter().position(is_primary).or((items.len() == 1).then_some(0))
    } else {
        items.iter_mut().position(|item| same(key(item), old))
    };
    let place = place.ok_or_else(|| Error::field(old_field, "names none of those that are there"))?;
    if items.iter_mut().enumerate().any(|(at, item)| at != place && same(key(item), new)) {
        return Err(Error::field(new_field, "is there already"));
    }
    if let Some(item) = items.get_mut(place) {
        new.clone_into(key(item));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Address(String, bool);

    fn renamed(items: &[(&str, bool)], old: &str, new: &str, fold: bool) -> Result<Vec<String>> {
        let mut items: Vec<Address> =
            items.iter().map(|(text, primary)| Address((*text).to_owned(), *primary)).collect();
        let renaming = ItemRename { from: (old, "email"), to: (new, "update.email"), fold };
        rename_item(&mut items, |item| &mut item.0, |item| item.1, renaming)?;
        Ok(items.into_iter().map(|item| item.0).collect())
    }

    #[test]
    fn an_item_takes_another_key_and_keeps_its_place() {
        let two = [("a", true), ("b", false)];
        assert_eq!(renamed(&two, "", "new", true).unwrap(), ["new", "b"], "the primary one");
        assert_eq!(renamed(&two, "B", "new", true).unwrap(), ["a", "new"]);
        assert_eq!(renamed(&two, "b", "B", true).unwrap(), ["a", "B"], "its own key in another spelling");
        assert_eq!(renamed(&[("a", false)], "", "new", true).unwrap(), ["new"], "the only one");
    }

    #[test]
    fn what_is_not_there_or_there_already_is_refused() {
        let two = [("a", false), ("b", false)];
        let field = |result: Result<Vec<String>>| result.unwrap_err().violations().first().map(|one| one.field.clone());
        assert_eq!(field(renamed(&two, "", "new", true)), Some("email".to_owned()), "there are two");
        assert_eq!(field(renamed(&two, "c", "new", true)), Some("email".to_owned()));
        assert_eq!(field(renamed(&two, "B", "new", false)), Some("email".to_owned()));
        assert_eq!(field(renamed(&two, "a", "B", true)), Some("update.email".to_owned()));
    }
}
