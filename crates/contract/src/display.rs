//! Checks the display of an aggregate: its templates, columns and tones name only what the aggregate has.

use prost_reflect::{EnumValueDescriptor, FieldDescriptor, Kind, MessageDescriptor};

use crate::field::Sensitivity;
use crate::model::Aggregate;
use crate::option::option;
use crate::options::v1::{Display, Tone, ValueUi};

/// Checks the display of an aggregate.
///
/// # Errors
/// The first fault, in words.
pub fn check_display(aggregate: &Aggregate, display: &Display) -> Result<(), String> {
    let message = &aggregate.descriptor;
    check_list(aggregate, display)?;
    if check_template(message, &display.title).map_err(|fault| format!("display.title: {fault}"))? == 0 {
        return Err("display.title has no field in braces: name at least one".to_owned());
    }
    check_template(message, &display.subtitle).map_err(|fault| format!("display.subtitle: {fault}"))?;
    if display.columns.is_empty() {
        return Err("display.columns is empty: name the fields that a list shows".to_owned());
    }
    for (at, column) in display.columns.iter().enumerate() {
        shown(message, column).map_err(|fault| format!("display.columns: {fault}"))?;
        if display.columns.iter().take(at).any(|other| other == column) {
            return Err(format!("display.columns: {column} is named twice"));
        }
    }
    let status = message.get_field_by_name("status").and_then(|field| field.kind().as_enum().cloned());
    let without =
        status.iter().flat_map(|status| status.values()).find(|value| value.number() != 0 && !has_tone(value));
    without.map_or(Ok(()), |value| {
        Err(format!("its status {} has no tone: set `value_ui.tone`, which a display needs", value.name()))
    })
}

/// Checks the place of the aggregate's list in the navigation. A child is listed on its parent's page.
fn check_list(aggregate: &Aggregate, display: &Display) -> Result<(), String> {
    let is_child = aggregate.options.parent.is_some();
    let (heading, place, key) = (!display.heading.is_empty(), display.place > 0, !display.key.is_empty());
    match (is_child, heading && place && key, heading || place || key) {
        (true, _, true) => Err("display of a child has `heading`, `place` or `key`: leave them out, because its list is on the parent's page".to_owned()),
        (false, false, _) => Err("display needs `heading`, `place` above zero and `key`".to_owned()),
        _ => Ok(()),
    }
}

fn has_tone(value: &EnumValueDescriptor) -> bool {
    let parent = value.parent_enum();
    let ui = option::<ValueUi>(&value.options(), parent.parent_pool(), "pavise.contract.v1.value_ui");
    ui.is_some_and(|ui| ui.tone() != Tone::Unspecified)
}

/// Checks the references of a template, and answers how many it has.
fn check_template(message: &MessageDescriptor, template: &str) -> Result<usize, String> {
    let (mut rest, mut count) = (template, 0);
    while let Some(at) = rest.find(['{', '}']) {
        let (_, reference) = rest.split_at(at);
        let closed = reference.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let closed = closed.filter(|(inside, _)| !inside.contains('{'));
        let (inside, after) = closed.ok_or_else(|| format!("a brace of {template:?} has no partner"))?;
        for path in inside.split('|') {
            check_path(message, path)?;
            count += 1;
        }
        rest = after;
    }
    Ok(count)
}

/// Checks a path of a template: `number`, `card.last4`, `items[].name`, `owner_id.title`.
fn check_path(message: &MessageDescriptor, path: &str) -> Result<(), String> {
    if let Some((head, "title")) = path.split_once('.')
        && head.ends_with("_id")
    {
        let field = shown(message, head)?;
        return if is_text(&field) { Ok(()) } else { Err(format!("{head} names no other entity")) };
    }
    let mut message = message.clone();
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let (name, each) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        let field = shown(&message, name)?;
        if each && !field.is_list() {
            return Err(format!("{name} of {} is no list", message.name()));
        }
        match (parts.peek(), field.kind()) {
            (None, kind) if is_value(&kind) && !field.is_map() => {}
            (None, _) => return Err(format!("{path} of {} is no single value: name a field of it", message.name())),
            (Some(_), Kind::Message(inner)) if !field.is_map() => message = inner,
            (Some(_), _) => return Err(format!("{name} of {} has no fields", message.name())),
        }
    }
    Ok(())
}

/// The field of that name, if readers may see it.
fn shown(message: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, String> {
    let field = message.get_field_by_name(name).ok_or_else(|| format!("{} has no field {name:?}", message.name()))?;
    if Sensitivity::of(&field) == Sensitivity::Secret {
        return Err(format!("{name} of {} is secret", message.name()));
    }
    Ok(field)
}

fn is_text(field: &FieldDescriptor) -> bool {
    field.kind() == Kind::String && !field.is_list()
}

/// Whether a value of this kind has one text: a scalar, a moment, a day, an amount.
fn is_value(kind: &Kind) -> bool {
    match kind {
        Kind::Bytes => false,
        Kind::Message(message) => matches!(
            message.full_name(),
            "google.protobuf.Timestamp"
                | "google.protobuf.Duration"
                | "pavise.common.v1.Date"
                | "pavise.common.v1.Money"
        ),
        _ => true,
    }
}
