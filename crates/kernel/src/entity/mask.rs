//! The masked forms of sealed fields.

use pavise_contract::common::v1::Date;

use crate::error::{Error, Result};

const DOTS: &str = "••••";
/// The characters that the mask LAST_4 leaves, and the fewest that a text with some of them left has.
const LEFT: usize = 4;
const SHORTEST: usize = 8;
/// The longest reason.
const LONGEST_REASON: usize = 500;

/// Leaves the last four characters of a text; none of a short one.
pub fn mask_last_4(text: &mut String) {
    let count = text.chars().count();
    if count > 0 {
        let left = if count < SHORTEST { 0 } else { LEFT };
        *text = DOTS.chars().chain(text.chars().skip(count - left)).collect();
    }
}

/// Leaves the first letter of an e-mail address and its domain, and the last four characters of another text.
pub fn mask_address(text: &mut String) {
    match text.split_once('@') {
        Some((local, domain)) => *text = local.chars().take(1).chain("•••@".chars()).chain(domain.chars()).collect(),
        None => mask_last_4(text),
    }
}

/// Leaves the year.
pub fn mask_year(date: &mut Date) {
    (date.month, date.day) = (0, 0);
}

/// Checks the reason of a call that reveals.
///
/// # Errors
/// When it is empty or too long.
pub fn check_reason(field: &str, reason: &str) -> Result<()> {
    match reason.trim().chars().count() {
        0 => Err(Error::missing_field(field)),
        1..=LONGEST_REASON => Ok(()),
        _ => Err(Error::field(field, format!("has at most {LONGEST_REASON} characters"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(mask: fn(&mut String), text: &str) -> String {
        let mut text = text.to_owned();
        mask(&mut text);
        text
    }

    #[test]
    fn masks_leave_what_they_say() {
        assert_eq!(masked(mask_last_4, "+15125550100"), "••••0100");
        assert_eq!(masked(mask_last_4, "1234567"), "••••", "half of a short text would tell it");
        assert_eq!(masked(mask_last_4, ""), "");
        assert_eq!(masked(mask_address, "ada@example.com"), "a•••@example.com");
        assert_eq!(masked(mask_address, "+15125550100"), "••••0100");
        let mut born = Date { year: 1987, month: 6, day: 5 };
        mask_year(&mut born);
        assert_eq!(born, Date { year: 1987, month: 0, day: 0 });
    }

    #[test]
    fn a_reason_has_words() {
        assert!(check_reason("reason", " ").is_err());
        assert!(check_reason("reason", "the member asks").is_ok());
        assert!(check_reason("reason", &"a".repeat(501)).is_err());
    }
}
