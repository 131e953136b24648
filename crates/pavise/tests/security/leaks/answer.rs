//! The texts in an answer, tokens and details of errors included.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use pavise_contract::Method;
use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};

use super::sender::Answer;

/// The least letters of a word that tells anything.
const LEAST: usize = 6;

/// The words of a text: names, addresses and ids, in lower case.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let of_a_word = |letter: char| letter.is_alphanumeric() || "@._+-".contains(letter);
    let words = text.split(move |letter| !of_a_word(letter)).map(|word| word.trim_matches(['.', '-', '_', '+']));
    words.filter(|word| word.chars().count() >= LEAST).map(str::to_lowercase)
}

/// Every word that the caller gets.
pub(crate) fn texts(method: &Method, answer: &Answer) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for message in &answer.messages {
        let message = DynamicMessage::decode(method.output(), message.clone()).unwrap();
        of_message(&message, &mut found);
    }
    if let Some(status) = &answer.status {
        found.extend(words(status.message()));
        let details = String::from_utf8_lossy(status.details()).replace(char::is_control, " ");
        found.extend(words(&details));
    }
    found
}

/// The page tokens in an answer.
pub(crate) fn tokens(method: &Method, answer: &Answer) -> Vec<String> {
    let messages = answer.messages.iter().map(|bytes| DynamicMessage::decode(method.output(), bytes.clone()).unwrap());
    let tokens =
        messages.filter_map(|message| Some(message.get_field_by_name("next_page_token")?.as_str()?.to_owned()));
    tokens.filter(|token| !token.is_empty()).collect()
}

/// The number of entities that a list says to hold; `None` if it is zero or was not asked for.
pub(crate) fn total(method: &Method, answer: &Answer) -> Option<usize> {
    let message = DynamicMessage::decode(method.output(), answer.messages.first()?.clone()).unwrap();
    let total = message.get_field_by_name("total_size")?.as_i32()?;
    usize::try_from(total).ok().filter(|total| *total > 0)
}

/// Every word of a message.
pub(crate) fn texts_of(message: &DynamicMessage) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    of_message(message, &mut found);
    found
}

fn of_message(message: &DynamicMessage, found: &mut BTreeSet<String>) {
    if message.descriptor().full_name() == "google.protobuf.Any" {
        return of_any(message, found);
    }
    for (_, value) in message.fields() {
        of_value(value, found);
    }
}

fn of_any(any: &DynamicMessage, found: &mut BTreeSet<String>) {
    let url = any.get_field_by_number(1).and_then(|url| url.as_str().map(str::to_owned)).unwrap_or_default();
    let name = url.rsplit('/').next().unwrap_or_default();
    let inner = any.descriptor().parent_pool().get_message_by_name(name);
    let bytes = any.get_field_by_number(2).and_then(|bytes| bytes.as_bytes().cloned()).unwrap_or_default();
    if let Some(inner) = inner {
        of_message(&DynamicMessage::decode(inner, bytes).unwrap(), found);
    }
}

fn of_value(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => of_text(text, found),
        Value::Bytes(bytes) => of_text(&String::from_utf8_lossy(bytes), found),
        Value::Message(message) => of_message(message, found),
        Value::List(items) => items.iter().for_each(|item| of_value(item, found)),
        Value::Map(entries) => entries.values().for_each(|entry| of_value(entry, found)),
        _ => {}
    }
}

/// The words of a text, and of the bytes that it may stand for: page tokens are base64.
fn of_text(text: &str, found: &mut BTreeSet<String>) {
    found.extend(words(text));
    let decoded = URL_SAFE_NO_PAD.decode(text).or_else(|_| STANDARD_NO_PAD.decode(text.trim_end_matches('=')));
    if let Some(decoded) = decoded.ok().filter(|bytes| bytes.len() >= LEAST) {
        found.extend(words(&String::from_utf8_lossy(&decoded).replace(char::is_control, " ")));
    }
}
