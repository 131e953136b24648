//! The name by which people know a person.

use pavise_kernel::common::v1::PersonName;

/// The preferred or the first name, and the last: empty without a name.
pub(crate) fn display_name(name: Option<&PersonName>) -> String {
    let Some(name) = name else { return String::new() };
    let first = if name.preferred_name.is_empty() { &name.first_name } else { &name.preferred_name };
    format!("{first} {}", name.last_name).trim().to_owned()
}
