//! Values of shared types, and texts with formats: the code that checks them and brings them into their normal form.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::Format;
use pavise_contract::{can_be_empty, format_of, is_checked_value, key_of};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::floor::fields::{Known, holds, is_optional, ours};
use crate::{Source, name};

/// The messages of requests and entities, at any depth. Answers are not checked.
pub(crate) fn written_messages(source: &Source<'_>) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut open: Vec<MessageDescriptor> =
        source.contract.methods().map(|(_, method)| method.descriptor.input()).collect();
    open.extend(source.contract.aggregates.values().map(|aggregate| aggregate.descriptor.clone()));
    while let Some(message) = open.pop() {
        if found.insert(message.full_name().to_owned()) {
            open.extend(message.fields().filter_map(|field| field.kind().as_message().cloned()));
        }
    }
    found
}

/// Checks the declarations of the package's values.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        if is_checked_value(&message) {
            let place = message.full_name();
            return Err(format!("{place}: value_type.checked is for messages of pavise.common.v1").into());
        }
        for field in message.fields().filter(|field| format_of(field) == Format::Unspecified) {
            if can_be_empty(&field) {
                return Err(format!("{}: can_be_empty is for a text with a format", field.full_name()).into());
            }
        }
    }
    Ok(())
}

/// Whether the field is such a value itself.
fn is_value(field: &FieldDescriptor) -> bool {
    format_of(field) != Format::Unspecified
        || field
            .kind()
            .as_message()
            .is_some_and(|inner| is_checked_value(inner) || (field.is_list() && key_of(inner).is_some()))
}

/// Writes the methods that check and normalize the message's values. A message without any has none.
pub(crate) fn write_checks(
    text: &mut String,
    message: &MessageDescriptor,
    known: &mut Known,
) -> Result<(), Box<dyn Error>> {
    if !holds(message, known, is_value) {
        return Ok(());
    }
    let (mut check, mut normalize) = (String::new(), String::new());
    for field in message.fields() {
        let holds_some = field.kind().as_message().is_some_and(|inner| holds(inner, known, is_value));
        if !is_value(&field) && !holds_some {
            continue;
        }
        if field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic()) || field.is_map() {
            return Err(format!("{}: a value with rules cannot lie below a oneof or a map", field.full_name()).into());
        }
        match field.kind() {
            Kind::String => write_text_checks(&mut check, &mut normalize, &field)?,
            Kind::Message(inner) => write_message_checks(&mut check, &mut normalize, (&field, &inner), holds_some)?,
            _ => return Err(format!("{}: only a text has a format", field.full_name()).into()),
        }
    }
    writeln!(
        text,
        "fn find_value_errors(&self, path: &str, found: &mut Vec<::pavise_kernel::values::ValueError>) {{ {check} }}
        fn normalize(&mut self) {{ {normalize} }}"
    )?;
    Ok(())
}

fn write_text_checks(check: &mut String, normalize: &mut String, field: &FieldDescriptor) -> std::fmt::Result {
    let (ident, label) = (name::field(field), field.name());
    let format = format!("::pavise_kernel::values::Format::{:?}", format_of(field));
    let (one, change) = ("::pavise_kernel::values::check_text", "::pavise_kernel::values::normalize_text");
    if field.is_list() {
        writeln!(
            check,
            "::pavise_kernel::values::check_texts({format}, &self.{ident}, &format!(\"{{path}}{label}\"), found);"
        )?;
        writeln!(normalize, "for text in &mut self.{ident} {{ {change}({format}, text); }}")
    } else if is_optional(field) {
        writeln!(
            check,
            "if let Some(text) = &self.{ident} {{ {one}({format}, text, || format!(\"{{path}}{label}\"), found); }}"
        )?;
        writeln!(normalize, "if let Some(text) = &mut self.{ident} {{ {change}({format}, text); }}")
    } else {
        writeln!(check, "{one}({format}, &self.{ident}, || format!(\"{{path}}{label}\"), found);")?;
        writeln!(normalize, "{change}({format}, &mut self.{ident});")
    }
}

fn write_message_checks(
    check: &mut String,
    normalize: &mut String,
    (field, inner): (&FieldDescriptor, &MessageDescriptor),
    holds_some: bool,
) -> Result<(), Box<dyn Error>> {
    let (ident, label) = (name::field(field), field.name());
    if let Some(key) = key_of(inner).filter(|_| field.is_list()) {
        let of = inner.get_field_by_name(&key).ok_or_else(|| format!("{}: it has no {key}", inner.full_name()))?;
        let of = name::field(&of);
        writeln!(
            check,
            "::pavise_kernel::values::check_keys(self.{ident}.iter().map(|item| &item.{of}), {key:?}, &format!(\"{{path}}{label}\"), found);"
        )?;
    }
    let is_checked = is_checked_value(inner);
    if !is_checked && !holds_some {
        return Ok(());
    }
    if !is_checked && inner.package_name() != field.parent_message().package_name() {
        let (place, inner) = (field.full_name(), inner.full_name());
        return Err(format!("{place}: {inner} has values with rules, so it needs value_type.checked").into());
    }
    let of = if is_checked { "::pavise_kernel::values::Value" } else { "::pavise_kernel::Redact" };
    let place = if field.is_list() { format!("{label}[{{at}}]") } else { label.to_owned() };
    writeln!(
        check,
        "for (at, inner) in self.{ident}.iter().enumerate() {{ let _ = at; {of}::find_value_errors(inner, &format!(\"{{path}}{place}.\"), found); }}"
    )?;
    writeln!(normalize, "for inner in self.{ident}.iter_mut() {{ {of}::normalize(inner); }}")?;
    Ok(())
}
