//! The lists of a profile: e-mail addresses, telephone numbers, postal addresses, account identifiers. Each has one primary
//! item when it has any.

use pavise_kernel::{Common, EditContext, Error, Result, email};
use prost_types::Timestamp;

use crate::contract::v1::{AccountIdentifier, ProfileAddress, ProfileEmail, ProfilePhoneNumber};

/// The most items of a list.
const MOST: usize = 20;

/// An item of a list of a profile.
pub(crate) trait ProfileItem: Clone {
    /// The name of the list.
    const LIST: &'static str;
    /// The name of the items.
    const NOUN: &'static str;

    fn id(&self) -> &str;
    fn id_mut(&mut self) -> &mut String;
    fn is_primary(&self) -> bool;
    fn set_primary(&mut self, primary: bool);
    fn added_at_mut(&mut self) -> &mut Option<Timestamp>;
    /// Whether both are of one thing.
    fn is_same(&self, other: &Self) -> bool;
}

macro_rules! profile_item {
    ($item:ty, $list:literal, $noun:literal, $same:expr) => {
        impl ProfileItem for $item {
            const LIST: &'static str = $list;
            const NOUN: &'static str = $noun;

            fn id(&self) -> &str {
                &self.id
            }

            fn id_mut(&mut self) -> &mut String {
                &mut self.id
            }

            fn is_primary(&self) -> bool {
                self.primary
            }

            fn set_primary(&mut self, primary: bool) {
                self.primary = primary;
            }

            fn added_at_mut(&mut self) -> &mut Option<Timestamp> {
                &mut self.added_at
            }

            fn is_same(&self, other: &Self) -> bool {
                let same: fn(&Self, &Self) -> bool = $same;
                same(self, other)
            }
        }
    };
}

profile_item!(ProfileEmail, "emails", "e-mail addresses", |one, other| email::is_same(&one.address, &other.address));
profile_item!(ProfilePhoneNumber, "phone_numbers", "telephone numbers", |one, other| {
    (&one.number, &one.extension) == (&other.number, &other.extension)
});
profile_item!(ProfileAddress, "addresses", "addresses", |one, other| one.address == other.address);
profile_item!(AccountIdentifier, "account_identifiers", "account identifiers", |one, other| {
    (one.r#type, &one.value) == (other.r#type, &other.value)
});

/// Gives each item its time, and makes exactly one primary: the one just marked, else the former one, else the first.
pub(crate) fn derive_items<T: ProfileItem>(items: &mut [T], before: &[T], at: &Timestamp) {
    let had = |item: &T| before.iter().find(|known| known.id() == item.id());
    for item in items.iter_mut() {
        let known = had(item).cloned().and_then(|mut known| *known.added_at_mut());
        let added_at = item.added_at_mut();
        *added_at = known.or(*added_at).or(Some(*at));
    }
    let was = |item: &T| had(item).is_some_and(T::is_primary);
    let chosen = items.iter().rposition(|item| item.is_primary() && !was(item));
    let chosen = chosen.or_else(|| items.iter().position(was)).unwrap_or(0);
    for (place, item) in items.iter_mut().enumerate() {
        item.set_primary(place == chosen);
    }
}

/// Checks that a list is not too long, and has nothing twice.
pub(crate) fn check_items<T: ProfileItem>(items: &[T]) -> Result<()> {
    if items.len() > MOST {
        return Err(Error::field(format!("{}[{MOST}]", T::LIST), format!("a profile has at most {MOST} {}", T::NOUN)));
    }
    for (at, item) in items.iter().enumerate() {
        let earlier = items.get(..at).unwrap_or_default();
        if earlier.iter().any(|known| known.is_same(item)) {
            return Err(Error::field(format!("{}[{at}]", T::LIST), "is there already"));
        }
        if earlier.iter().any(|known| known.id() == item.id()) {
            return Err(Error::field(format!("{}[{at}].id", T::LIST), "is there already"));
        }
    }
    Ok(())
}

/// Prepares the items of a request that sets a whole list: each gets an id, and one at most is primary.
pub(crate) fn prepare_items<T: ProfileItem>(items: &mut [T], context: &EditContext) -> Result<()> {
    let mut primaries = items.iter().enumerate().filter(|(_, item)| item.is_primary()).map(|(at, _)| at);
    if let (Some(_), Some(second)) = (primaries.next(), primaries.next()) {
        return Err(Error::field(format!("{}[{second}].primary", T::LIST), "only one is primary"));
    }
    for item in items.iter_mut().filter(|item| item.id().is_empty()) {
        *item.id_mut() = context.new_id();
    }
    Ok(())
}

/// Replaces the item with that id. It keeps the id.
pub(crate) fn replace_item<T: ProfileItem>(items: &mut [T], field: &str, id: &str, new: Option<&T>) -> Result<()> {
    let Some(place) = items.iter_mut().find(|item| item.id() == id) else {
        let why = "names none of those that are there";
        return Err(Error::new(Common::NotFound, format!("{field}: {why}")).violation(field, why));
    };
    let Some(new) = new else { return Ok(()) };
    let id = std::mem::take(place.id_mut());
    *place = new.clone();
    *place.id_mut() = id;
    Ok(())
}
