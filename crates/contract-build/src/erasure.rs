//! The checks of what becomes of personal data when their person is erased.

use std::collections::HashSet;
use std::error::Error;

use pavise_contract::options::v1::Erasure;
use pavise_contract::options::v1::erasure::Decision;
use pavise_contract::{Behavior, erasure_in, erasure_of, is_personal, sealed_of};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::floor::entities::aggregates;
use crate::floor::fields::{HEAD, ours};
use crate::{Source, name};

/// Checks that each personal field that the domain stores has a decision, and that its calls act on it.
pub(crate) fn check(source: &Source<'_>) -> Result<(), Box<dyn Error>> {
    for message in ours(source) {
        check_message(source, &message)?;
    }
    let mut stored = None;
    for aggregate in aggregates(source) {
        let message = &aggregate.descriptor;
        let found = find_stored(message, None, &mut HashSet::new()).map_err(|field| {
            format!(
                "{field}: it is personal data, and {} is stored with it: say in `erasure` of the field, or of a message around it, what becomes of it",
                message.name()
            )
        })?;
        stored = stored.or(found);
    }
    match stored {
        Some(field) => check_calls(source, &field),
        None => Ok(()),
    }
}

/// Checks that the domain has the two calls.
fn check_calls(source: &Source<'_>, field: &str) -> Result<(), Box<dyn Error>> {
    let own = || source.contract.methods().filter(|(service, _)| service.domain == source.domain);
    let exports = own().filter(|(_, method)| matches!(method.behavior, Behavior::ExportPerson(_))).count();
    let redacts = own().filter(|(_, method)| matches!(method.behavior, Behavior::RedactPerson(_))).count();
    for (count, call) in [(exports, "export_person"), (redacts, "redact_person")] {
        if count != 1 {
            let domain = source.domain;
            return Err(format!(
                "{field}: the domain {domain} stores personal data, and has {count} calls with {call}: declare one, in person_service.proto"
            )
            .into());
        }
    }
    Ok(())
}

/// Finds a personal field that is stored in a message; an error names one without a decision.
fn find_stored(
    message: &MessageDescriptor,
    around: Option<&Decision>,
    above: &mut HashSet<(String, bool)>,
) -> Result<Option<String>, String> {
    let own = erasure_in(message).and_then(|rule| rule.decision);
    let inside = own.as_ref().or(around);
    if !above.insert((message.full_name().to_owned(), inside.is_some())) {
        return Ok(None);
    }
    let mut found = None;
    for field in message.fields() {
        let of_field = erasure_of(&field).and_then(|rule| rule.decision);
        if of_field.is_some() || is_personal(&field) {
            match of_field.as_ref().or(inside) {
                None => return Err(field.full_name().to_owned()),
                Some(Decision::Value(_)) if !takes_text(&field) => return Err(field.full_name().to_owned()),
                Some(_) => found = Some(field.full_name().to_owned()),
            }
        } else if let Some(inner) = inner(&field) {
            found = find_stored(&inner, inside, above)?.or(found);
        }
    }
    Ok(found)
}

/// Checks the rules of a message and of its fields.
fn check_message(source: &Source<'_>, message: &MessageDescriptor) -> Result<(), String> {
    let of_message = erasure_in(message);
    if let Some(rule) = &of_message {
        check_rule(message.full_name(), message, rule)?;
    }
    for field in message.fields() {
        let place = field.full_name();
        let rule = erasure_of(&field);
        if let Some(rule) = &rule {
            check_rule(place, message, rule)?;
            if matches!(rule.decision, Some(Decision::Value(_))) && !takes_text(&field) {
                return Err(format!("{place}: only a plain text, or a list of them, takes a value when it is erased"));
            }
            if source.contract.aggregates.contains_key(message.full_name()) && HEAD.contains(&field.name()) {
                return Err(format!("{place}: the kernel reads {}, so it is not erased", field.name()));
            }
        }
        let subject = rule.map(|rule| rule.subject).filter(|subject| !subject.is_empty());
        let subject = subject.or(of_message.as_ref().map(|rule| rule.subject.clone())).unwrap_or_default();
        if let Some(sealed) = sealed_of(&field).filter(|sealed| !subject.is_empty() && sealed.subject != subject) {
            let named = if sealed.subject.is_empty() { "nobody" } else { &sealed.subject };
            return Err(format!(
                "{place}: erasure names {subject}, and sealed names {named}: the key is another person's"
            ));
        }
    }
    Ok(())
}

fn check_rule(place: &str, message: &MessageDescriptor, rule: &Erasure) -> Result<(), String> {
    let is_plain = |field: FieldDescriptor| name::is_string(&field) && sealed_of(&field).is_none();
    if !rule.subject.is_empty() && !message.get_field_by_name(&rule.subject).is_some_and(is_plain) {
        return Err(format!("{place}: erasure names {}, no plain text in the message", rule.subject));
    }
    match &rule.decision {
        Some(Decision::Blank(false)) => Err(format!("{place}: `blank` is false: set it to true or leave it out")),
        Some(Decision::Value(value)) if value.is_empty() => Err(format!("{place}: `value` is empty: say `blank`")),
        Some(Decision::Keep(reason)) if reason.is_empty() => {
            Err(format!("{place}: `keep` is empty: write the reason why it stays"))
        }
        None if rule.subject.is_empty() => Err(format!("{place}: erasure says nothing: set a decision or a subject")),
        _ => Ok(()),
    }
}

/// Whether a text can take the place of the field's value.
fn takes_text(field: &FieldDescriptor) -> bool {
    matches!(field.kind(), Kind::String) && !field.is_map() && sealed_of(field).is_none()
}

/// The message of a field, or of a map's values.
fn inner(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let message = field.kind().as_message().cloned()?;
    if field.is_map() { message.map_entry_value_field().kind().as_message().cloned() } else { Some(message) }
}
