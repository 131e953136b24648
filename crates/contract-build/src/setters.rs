//! Fields that only callers of some realms set: the code that finds them in a request, and their checks.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::Realm;
use pavise_contract::{Sensitivity, is_output_only, setters_of};
use prost_reflect::{FieldDescriptor, MessageDescriptor};

use crate::floor::fields::{Known, holds, ours};
use crate::{Source, name};

/// Whether a message holds, at any depth, a field that not every caller may set.
fn has_setters(message: &MessageDescriptor, known: &mut Known) -> bool {
    holds(message, known, |field| !setters_of(field).is_empty())
}

/// Writes the method that finds the fields which callers of a realm may not set. A message without such a field has none.
pub(crate) fn find(text: &mut String, message: &MessageDescriptor, known: &mut Known) -> Result<(), Box<dyn Error>> {
    if !has_setters(message, known) {
        return Ok(());
    }
    text.push_str(
        "fn find_foreign(&self, realm: ::pavise_kernel::table::Realm, path: &str, found: &mut Vec<String>) {\n",
    );
    for field in message.fields() {
        let (ident, label, setters) = (name::field(&field), field.name(), setters_of(&field));
        let inner = field.kind().as_message().filter(|inner| has_setters(inner, known)).cloned();
        let in_oneof = field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
        if (in_oneof || field.is_map()) && (inner.is_some() || !setters.is_empty()) {
            return Err(format!("{}: set_by cannot lie below a oneof or a map", field.full_name()).into());
        }
        if !setters.is_empty() {
            let setters: Vec<String> =
                setters.iter().map(|realm| format!("::pavise_kernel::table::Realm::{realm:?}")).collect();
            writeln!(
                text,
                "if realm != ::pavise_kernel::table::Realm::Machine && ![{}].contains(&realm) && ::pavise_kernel::aggregate::is_set(&self.{ident}) {{ found.push(format!(\"{{path}}{label}\")); }}",
                setters.join(", ")
            )?;
        }
        if inner.is_some() {
            let place = if field.is_list() { format!("{label}[{{at}}]") } else { label.to_owned() };
            writeln!(
                text,
                "for (at, inner) in self.{ident}.iter().enumerate() {{ let _ = at; ::pavise_kernel::Redact::find_foreign(inner, realm, &format!(\"{{path}}{place}.\"), found); }}"
            )?;
        }
    }
    text.push_str("}\n");
    Ok(())
}

/// Checks the setters of the package's fields.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        for field in message.fields() {
            check_field(&field)?;
        }
    }
    Ok(())
}

fn check_field(field: &FieldDescriptor) -> Result<(), String> {
    let (place, setters) = (field.full_name(), setters_of(field));
    if setters.is_empty() {
        return Ok(());
    }
    if setters.contains(&Realm::Unspecified) {
        return Err(format!("{place}: set_by names the unspecified realm"));
    }
    if is_output_only(field) {
        return Err(format!("{place}: it is set by the service only, so set_by names nobody"));
    }
    if Sensitivity::of(field) == Sensitivity::Secret {
        return Err(format!("{place}: a secret is not set by realm: say in the access rule who sends it"));
    }
    Ok(())
}
