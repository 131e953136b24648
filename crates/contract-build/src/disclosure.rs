//! The code that tells whose personal data an answer has.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::Sensitivity;
use prost_reflect::{FieldDescriptor, MessageDescriptor};

use crate::floor::fields::{Known, holds};
use crate::{Source, name};

/// Whether a message holds personal data at any depth.
fn has_personal(message: &MessageDescriptor, known: &mut Known) -> bool {
    holds(message, known, is_personal)
}

fn is_personal(field: &FieldDescriptor) -> bool {
    Sensitivity::of(field) == Sensitivity::Personal
}

/// Writes the method that names the owners of the personal data in a message. A message without such data has none.
///
/// The data of an entity belong to its owner. Other messages have the data of the owner that the request names.
pub(crate) fn disclose(
    text: &mut String,
    source: &Source<'_>,
    message: &MessageDescriptor,
    known: &mut Known,
) -> Result<(), Box<dyn Error>> {
    if !has_personal(message, known) {
        return Ok(());
    }
    text.push_str("fn disclose(&self, to: &mut ::pavise_kernel::DisclosedOwners) {\n");
    let kind = message.name();
    match source.contract.aggregates.get(message.full_name()) {
        Some(aggregate) if aggregate.options.parent.is_none() && !aggregate.options.shared => {
            writeln!(text, "to.add_owner({kind:?}, &self.owner_id);")?;
        }
        Some(_) => writeln!(text, "to.add_named({kind:?});")?,
        None => parts(text, source, message, known)?,
    }
    text.push_str("}\n");
    Ok(())
}

fn parts(
    text: &mut String,
    source: &Source<'_>,
    message: &MessageDescriptor,
    known: &mut Known,
) -> Result<(), Box<dyn Error>> {
    let kind = message.name();
    let mut names = false;
    for field in message.fields() {
        let inner = field.kind().as_message().filter(|inner| has_personal(inner, known)).cloned();
        let Some(inner) = inner else {
            names |= is_personal(&field);
            continue;
        };
        let in_oneof = field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
        // Only messages of the package can tell; a shared one, such as an address, belongs to the message around it.
        if is_personal(&field) || field.is_map() || in_oneof || inner.package_name() != source.package {
            names = true;
        } else {
            let ident = name::field(&field);
            writeln!(text, "for inner in self.{ident}.iter() {{ ::pavise_kernel::Redact::disclose(inner, to); }}")?;
        }
    }
    if names {
        writeln!(text, "to.add_named({kind:?});")?;
    }
    Ok(())
}
