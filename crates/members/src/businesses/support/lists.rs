//! Lists of which one item is primary, and no two are the same.

use std::collections::HashSet;
use std::hash::Hash;

use pavise_kernel::{Error, Result};

/// Makes the first item primary unless one is.
pub(crate) fn choose_primary<T>(items: &mut [T], primary: impl Fn(&mut T) -> &mut bool) {
    if !items.iter_mut().any(|item| *primary(item))
        && let Some(first) = items.first_mut()
    {
        *primary(first) = true;
    }
}

/// Refuses a second primary item.
///
/// # Errors
/// `INVALID_FIELD` with the place in the list.
pub(crate) fn check_one_primary<T>(list: &str, items: &[T], primary: impl Fn(&T) -> bool) -> Result<()> {
    match items.iter().enumerate().filter(|(_, item)| primary(item)).nth(1) {
        Some((at, _)) => Err(Error::field(format!("{list}[{at}].primary"), "another one is primary")),
        None => Ok(()),
    }
}

/// Refuses an item that is there already.
///
/// # Errors
/// `INVALID_FIELD` with the place in the list.
pub(crate) fn check_distinct<K: Eq + Hash>(list: &str, keys: impl Iterator<Item = K>) -> Result<()> {
    let mut seen = HashSet::new();
    for (at, key) in keys.enumerate() {
        if !seen.insert(key) {
            return Err(Error::field(format!("{list}[{at}]"), "is there already"));
        }
    }
    Ok(())
}
