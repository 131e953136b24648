//! The masks of sealed fields: the code that shows masked forms, the calls that reveal the values, and their checks.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Get, Mask};
use pavise_contract::{Aggregate, Behavior, Method, Sensitivity, Verb, mask_of, sealed_of};
use prost_reflect::{FieldDescriptor, MessageDescriptor};

use crate::floor::fields::{Known, holds, is_optional, ours};
use crate::{Source, name};

/// The type of a field with the mask YEAR.
const DATE: &str = "pavise.common.v1.Date";

/// Whether a message holds a field with a mask at any depth.
pub(crate) fn has_mask(message: &MessageDescriptor, known: &mut Known) -> bool {
    holds(message, known, |field| mask_of(field).is_some())
}

/// Whether the call answers the values of fields with a mask.
pub(crate) fn is_reveal(method: &Method) -> bool {
    matches!(&method.behavior, Behavior::Get(get) if !get.reveal.is_empty())
}

/// Writes the method that masks fields for callers of a realm. A message without such a field has none.
pub(crate) fn mask(text: &mut String, message: &MessageDescriptor, known: &mut Known) -> Result<(), Box<dyn Error>> {
    if !has_mask(message, known) {
        return Ok(());
    }
    text.push_str("fn mask(&mut self, realm: ::pavise_kernel::table::Realm) {\n");
    for field in message.fields() {
        let (ident, rule) = (name::field(&field), mask_of(&field));
        let inner = field.kind().as_message().filter(|inner| has_mask(inner, known)).cloned();
        let in_oneof = field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
        if (in_oneof || field.is_map()) && inner.is_some() {
            return Err(format!("{}: a mask cannot lie below a oneof or a map", field.full_name()).into());
        }
        if let Some((mask, clear)) = rule {
            let function = match mask {
                Mask::Last4 => "mask_last_4",
                Mask::Address => "mask_address",
                Mask::Year | Mask::Unspecified => "mask_year",
            };
            let clear: String =
                clear.iter().map(|realm| format!(" && realm != ::pavise_kernel::table::Realm::{realm:?}")).collect();
            let masked = if field.is_list() || is_optional(&field) {
                format!("for value in self.{ident}.iter_mut() {{ ::pavise_kernel::mask::{function}(value); }}")
            } else {
                format!("::pavise_kernel::mask::{function}(&mut self.{ident});")
            };
            writeln!(text, "if realm != ::pavise_kernel::table::Realm::Machine{clear} {{ {masked} }}")?;
        } else if inner.is_some() {
            writeln!(text, "for inner in self.{ident}.iter_mut() {{ ::pavise_kernel::Redact::mask(inner, realm); }}")?;
        }
    }
    text.push_str("}\n");
    Ok(())
}

/// Checks the masks of the package's fields.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        for field in message.fields() {
            check_field(&field)?;
        }
    }
    Ok(())
}

fn check_field(field: &FieldDescriptor) -> Result<(), String> {
    let place = field.full_name();
    let Some((mask, _)) = mask_of(field) else {
        let is_idle = sealed_of(field).is_some_and(|sealed| !sealed.clear_to.is_empty());
        return if is_idle { Err(format!("{place}: clear_to needs a mask: everybody gets the value")) } else { Ok(()) };
    };
    if Sensitivity::of(field) == Sensitivity::Secret {
        return Err(format!("{place}: a secret is in no answer, so it has no mask"));
    }
    let is_date = field.kind().as_message().is_some_and(|message| message.full_name() == DATE);
    let fits = if mask == Mask::Year { is_date } else { matches!(field.kind(), prost_reflect::Kind::String) };
    if fits { Ok(()) } else { Err(format!("{place}: {} does not fit its type", mask.as_str_name())) }
}

/// Checks a call that reveals, and answers the code that asks for its reason.
pub(crate) fn reason(method: &Method, get: &Get, aggregate: &Aggregate) -> Result<String, Box<dyn Error>> {
    if get.reveal.is_empty() {
        return Ok(String::new());
    }
    let place = method.descriptor.full_name();
    let found = method.descriptor.input().get_field_by_name(&get.reveal).filter(name::is_string);
    let found = found.filter(|field| !is_optional(field));
    let found = found.ok_or_else(|| format!("{place}: reveal names {}, no text of the request", get.reveal))?;
    if method.access.public || method.access.permission.is_empty() {
        return Err(format!("{place}: it reveals, so it needs a permission").into());
    }
    if !has_mask(&aggregate.descriptor, &mut Known::new()) {
        return Err(format!("{place}: it reveals, but {} has no field with a mask", aggregate.descriptor.name()).into());
    }
    if method.bindings.iter().any(|binding| binding.verb == Verb::Get) {
        return Err(format!("{place}: it reveals, so its reason belongs in a body: bind it to POST").into());
    }
    if get.optional || !get.views.is_empty() || method.output().full_name() != aggregate.descriptor.full_name() {
        return Err(format!("{place}: it reveals, so it answers the whole entity, or none").into());
    }
    Ok(format!("::pavise_kernel::mask::check_reason({:?}, &request.{})?;", get.reveal, name::field(&found)))
}

/// The function of the request that answers the reason; empty without one.
pub(crate) fn target(method: &Method) -> String {
    match &method.behavior {
        Behavior::Get(get) if !get.reveal.is_empty() => {
            let field = method.descriptor.input().get_field_by_name(&get.reveal);
            field.map_or_else(String::new, |field| {
                format!("fn reason(&self) -> &str {{ self.{}.trim() }}", name::field(&field))
            })
        }
        _ => String::new(),
    }
}
