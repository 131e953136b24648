//! Whether values are of the types of their items.

use std::collections::HashSet;

use pavise_kernel::time::is_real;
use pavise_kernel::{Common, Error, Result};
use prost::Message as _;

use crate::contract::v1::QuestionItemType as Type;
use crate::contract::v1::{AnswerValue, QuestionItem};
use crate::shared::logic::{ContentIndex, is_answered};
use crate::shared::violations::Violations;

/// The most bytes of an answer's values.
const MOST_BYTES: usize = 256 * 1024;

/// Refuses values of unknown items, of wrong rows, and of other types than their items have. Values without any answer
/// are left out of what is kept.
pub(crate) fn admit_values(index: &ContentIndex<'_>, values: Vec<AnswerValue>) -> Result<Vec<AnswerValue>> {
    let length: usize = values.iter().map(AnswerValue::encoded_len).sum();
    if length > MOST_BYTES {
        return Err(Error::field("values", format!("has {length} bytes, and at most {MOST_BYTES} are allowed")));
    }
    let (mut wrong, mut places) = (Violations::default(), HashSet::new());
    for (at, value) in values.iter().enumerate() {
        let place = format!("values[{at}]");
        if !places.insert((value.item_id.as_str(), value.row)) {
            wrong.add(format!("{place}.item_id"), "is there already");
        }
        let found = index.find_item(&value.item_id).and_then(|at| index.items.get(at).copied());
        let Some(indexed) = found else {
            wrong.add(format!("{place}.item_id"), format!("the questionnaire has no item {}", value.item_id));
            continue;
        };
        if indexed.group.is_some() != (value.row > 0) {
            let rule =
                if indexed.group.is_some() { "must be 1 to 50 in a group" } else { "must be 0 outside of groups" };
            wrong.add(format!("{place}.row"), rule);
        }
        if let Some((field, fault)) = find_fault(indexed.item, value) {
            wrong.add(format!("{place}.{field}"), fault);
        }
    }
    wrong.refuse_as(Common::InvalidField)?;
    let has_answer = |value: &AnswerValue| {
        let item = index.find_item(&value.item_id).and_then(|at| index.items.get(at));
        item.is_some_and(|indexed| is_answered(indexed.item, value))
    };
    Ok(values.into_iter().filter(has_answer).collect())
}

/// The files that values name, each once.
pub(crate) fn list_files(values: &[AnswerValue]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for id in values.iter().flat_map(|value| &value.file_ids) {
        if !found.contains(id) {
            found.push(id.clone());
        }
    }
    found
}

/// The field of a value that its item does not take, and why.
fn find_fault(item: &QuestionItem, value: &AnswerValue) -> Option<(&'static str, &'static str)> {
    let kind = item.r#type();
    let own = match kind {
        Type::Text | Type::LongText if item.sealed => "sealed_text",
        Type::Text | Type::LongText | Type::Email => "text",
        Type::Number | Type::Repeat => "number",
        Type::Money => "money",
        Type::Date => "date",
        Type::Boolean => "boolean",
        Type::Choice | Type::Choices => "choices",
        Type::Address => "address",
        Type::Phone => "phone",
        Type::Person => "person",
        Type::File => "file_ids",
        Type::Info | Type::Unspecified => "",
    };
    if let Some(field) = list_set(value).into_iter().find(|field| *field != own) {
        return Some((field, "is not of the type of the item"));
    }
    match kind {
        Type::Number if value.number.is_some_and(|number| !number.is_finite()) => Some(("number", "is no number")),
        Type::Repeat if value.number.is_some_and(|number| number.fract() != 0.0 || number < 0.0) => {
            Some(("number", "is no count"))
        }
        Type::Date if value.date.is_some_and(|day| !is_real(day)) => Some(("date", "the calendar has no such day")),
        Type::Choice if value.choices.len() > 1 => Some(("choices", "one choice is taken")),
        Type::Choice | Type::Choices => {
            let is_known = |id: &String| item.choices.iter().any(|choice| choice.id == *id);
            (!value.choices.iter().all(is_known)).then_some(("choices", "the item has no such choice"))
        }
        Type::Money => {
            let other = value.money.as_ref().is_some_and(|money| item.currency != 0 && money.currency != item.currency);
            other.then_some(("money", "is in another currency than the item"))
        }
        Type::Email if !value.text.is_empty() && !is_address(&value.text) => Some(("text", "is no e-mail address")),
        _ => None,
    }
}

fn is_address(text: &str) -> bool {
    use pavise_kernel::values::{Format, to_normal_form};
    to_normal_form(Format::Email, text).is_ok()
}

/// The fields of a value that are set.
fn list_set(value: &AnswerValue) -> Vec<&'static str> {
    let set = [
        ("text", !value.text.is_empty()),
        ("sealed_text", !value.sealed_text.is_empty()),
        ("number", value.number.is_some()),
        ("money", value.money.is_some()),
        ("date", value.date.is_some()),
        ("boolean", value.boolean.is_some()),
        ("choices", !value.choices.is_empty()),
        ("address", value.address.is_some()),
        ("phone", value.phone.is_some()),
        ("person", value.person.is_some()),
        ("file_ids", !value.file_ids.is_empty()),
    ];
    set.into_iter().filter(|(_, is_set)| *is_set).map(|(field, _)| field).collect()
}
