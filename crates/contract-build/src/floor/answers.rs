//! The answers of reads: parts and views of an entity.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::View;
use pavise_contract::{Aggregate, Method, same_type};

use crate::name;

type Written = Result<String, Box<dyn Error>>;

/// The answer made from `entity`, a reference, if it is not the entity itself: a part or a view.
pub(crate) fn answer(method: &Method, aggregate: &Aggregate, part: &str) -> Result<Option<String>, Box<dyn Error>> {
    let (place, output) = (method.descriptor.full_name(), method.output());
    let message = &aggregate.descriptor;
    if part.is_empty() {
        let own = output.full_name() == message.full_name();
        return Ok((!own).then(|| format!("{}::from(entity)", name::message(&output))));
    }
    let field = message.get_field_by_name(part);
    let field = field.ok_or_else(|| format!("{place}: {} has no field {part}", message.name()))?;
    let fits = !field.is_list() && field.kind().as_message().is_some_and(|kind| kind.full_name() == output.full_name());
    if !fits {
        return Err(format!(
            "{place}: the field {part} of {} is not of the answer's type {}: name a field of that type in `part`",
            message.name(),
            output.name()
        )
        .into());
    }
    Ok(Some(format!("entity.{}.clone().unwrap_or_default()", name::field(&field))))
}

pub(crate) fn is_lookup(aggregate: &Aggregate, name: &str) -> bool {
    aggregate.options.lookups.iter().any(|lookup| lookup.field == name)
}

/// Checks that the aggregate has these statuses.
pub(crate) fn known(place: &str, aggregate: &Aggregate, statuses: &[String]) -> Result<(), Box<dyn Error>> {
    match statuses.iter().find(|status| !aggregate.statuses.contains(status)) {
        Some(status) => Err(format!("{place}: {} has no status {status}", aggregate.descriptor.name()).into()),
        None => Ok(()),
    }
}

/// The expression that shows `entity`, an owned value, to the caller; `None` if there are no views.
pub(crate) fn view(method: &Method, aggregate: &Aggregate, views: &[View]) -> Result<Option<String>, Box<dyn Error>> {
    let place = method.descriptor.full_name();
    let Some((last, others)) = views.split_last() else { return Ok(None) };
    if !last.role.is_empty() || others.iter().any(|view| view.role.is_empty()) {
        return Err(format!(
            "{place}: a view names no role: give each view a `role` but the last, which is for all others"
        )
        .into());
    }
    let mut text = String::new();
    for View { message, role, show } in views {
        if !role.is_empty() {
            if !method.access.roles.iter().any(|known| known.name == *role) {
                return Err(format!("{place}: the access rule has no role {role}: declare it in `access.roles`").into());
            }
            write!(text, "if call.has_role({role:?}) ")?;
        }
        let shown = match (show, message.is_empty()) {
            (false, _) => shown(place, aggregate, message)?,
            (true, true) => "::pavise_kernel::Show::show(entity, call.caller())".to_owned(),
            (true, false) => return Err(format!("{place}: a view has `message` and `show`: keep one of them").into()),
        };
        if others.is_empty() {
            return Ok(Some(shown));
        }
        write!(text, "{{ {shown} }}")?;
        if !role.is_empty() {
            text.push_str(" else ");
        }
    }
    Ok(Some(text))
}

/// The entity with the fields of a view's message.
fn shown(place: &str, aggregate: &Aggregate, message: &str) -> Written {
    let entity = &aggregate.descriptor;
    if message.is_empty() {
        return Ok("entity".to_owned());
    }
    let full = format!("{}.{message}", entity.package_name());
    let view = entity.parent_pool().get_message_by_name(&full);
    let view = view.ok_or_else(|| format!("{place}: there is no message {full}"))?;
    let mut fields = String::new();
    for field in view.fields() {
        let own = entity.get_field_by_name(field.name()).filter(|own| same_type(own, &field));
        let own = own.ok_or_else(|| {
            format!("{place}: {} of {message} is no field of the same type of {}", field.name(), entity.name())
        })?;
        write!(fields, "{ident}: entity.{ident},", ident = name::field(&own))?;
    }
    Ok(format!("{} {{ {fields} ..Default::default() }}", name::message(entity)))
}
