//! The keys of the console: one for each aggregate with a display.

use std::collections::BTreeMap;

use prost_reflect::DynamicMessage;

use super::read;

/// The keys of the console's own pages.
const OWN: [&str; 4] = ["h", "j", "p", "x"];

/// Checks that each key is one or two small letters and that no key begins with another one's.
pub(super) fn check_keys<'a>(aggregates: impl Iterator<Item = (&'a str, &'a DynamicMessage)>) -> Result<(), String> {
    let mut taken: BTreeMap<String, &str> = OWN.iter().map(|key| ((*key).to_owned(), "the console")).collect();
    for (name, said) in aggregates {
        let key = read::message(said, "display").map(|display| read::text(&display, "key")).unwrap_or_default();
        if key.is_empty() {
            continue;
        }
        if key.len() > 2 || !key.chars().all(|letter| letter.is_ascii_lowercase()) {
            return Err(format!("{name}: display.key is one or two small letters, and not {key:?}"));
        }
        let clash = taken.iter().find(|(other, _)| other.starts_with(&key) || key.starts_with(other.as_str()));
        if let Some((other, holder)) = clash {
            return Err(format!("{name}: display.key {key:?} begins as {other:?}, the key of {holder}"));
        }
        taken.insert(key, name);
    }
    Ok(())
}
