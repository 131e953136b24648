//! The causes of failures, as they are stored and shown to operators.

use crate::error::Error;

/// The characters of a cause at most.
const LENGTH: usize = 500;
/// The digits in a row that may be a telephone number or the number of a card or a person.
const DIGITS: usize = 9;
/// The text in place of a value that may be a person's.
const MASK: &str = "***";

/// The cause of a failure. Error messages name fields and ids, never people. In case one repeats a value, e-mail addresses
/// and long numbers are masked.
pub(crate) fn cause_of(error: &Error) -> String {
    let text = error.to_string();
    let masked: String = text.split_inclusive(char::is_whitespace).map(mask_word).collect();
    match masked.char_indices().nth(LENGTH) {
        Some((end, _)) => masked.get(..end).map_or_else(String::new, |start| format!("{start}…")),
        None => masked,
    }
}

/// A word with the white space after it.
fn mask_word(word: &str) -> String {
    let bare = word.trim_end();
    let mut rest = word.get(bare.len()..).unwrap_or_default().to_owned();
    let is_number = bare.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits.len() >= DIGITS);
    if bare.contains('@') || (is_number && !has_id(bare)) {
        rest.insert_str(0, MASK);
        return rest;
    }
    word.to_owned()
}

/// Whether a word has an id in it: its numbers are no person's.
fn has_id(word: &str) -> bool {
    word.split(|letter: char| !letter.is_ascii_hexdigit() && letter != '-')
        .any(|part| uuid::Uuid::try_parse(part).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Common;

    #[test]
    fn addresses_and_numbers_are_masked_and_ids_stay() {
        let message =
            "no offer 20000000-0000-4000-8000-000000000001 for ada@example.com, +13125550123 since 2026-03-08";
        let cause = cause_of(&Error::new(Common::NotFound, message));
        assert_eq!(cause, "NOT_FOUND: no offer 20000000-0000-4000-8000-000000000001 for *** *** since 2026-03-08");
    }

    #[test]
    fn a_long_cause_ends() {
        let cause = cause_of(&Error::new(Common::NotFound, "é ".repeat(1_000)));
        assert_eq!(cause.chars().count(), LENGTH + 1);
    }
}
