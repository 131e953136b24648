//! Answers to security questions, in a normal form. They are normalized before they are hashed or compared, so that
//! spelling differences do not count.

use unicode_normalization::UnicodeNormalization as _;

use crate::contract::v1::SecurityQuestionType;

/// The normalized answer, or the reason why it is none.
pub(crate) fn normalize_answer(kind: SecurityQuestionType, answer: &str) -> Result<String, &'static str> {
    match kind {
        SecurityQuestionType::Unspecified => Err("is of no known type"),
        SecurityQuestionType::Text => text(answer),
        SecurityQuestionType::Date => date(answer.trim()).ok_or("must be a day: 2026-03-31"),
        SecurityQuestionType::Number => number(answer).ok_or("must be a number: -12.5"),
    }
}

/// Words: whatever their case, their spaces and the way in which their accents are encoded.
fn text(answer: &str) -> Result<String, &'static str> {
    let words = answer.nfkc().flat_map(char::to_lowercase).collect::<String>();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().filter(|letter| letter.is_alphanumeric()).count() < 2 {
        return Err("must have two letters or digits at least");
    }
    Ok(words)
}

/// A day of the calendar.
fn date(answer: &str) -> Option<String> {
    let mut parts = answer.split('-');
    let mut part = |digits: usize| {
        let text =
            parts.next().filter(|text| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))?;
        text.parse::<u32>().ok()
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (parts.next().is_none() && year >= 1 && (1..=days).contains(&day)).then(|| answer.to_owned())
}

/// A number without groups of digits, with a point if it is not whole.
fn number(answer: &str) -> Option<String> {
    let answer: String = answer.split_whitespace().collect();
    let (negative, digits) = match answer.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, answer.strip_prefix('+').unwrap_or(&answer)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(fraction) || digits.ends_with('.') {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if negative && (whole != "0" || !fraction.is_empty()) { "-" } else { "" };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each<const N: usize>(kind: SecurityQuestionType, answers: [&str; N]) -> [Option<String>; N] {
        answers.map(|answer| normalize_answer(kind, answer).ok())
    }

    #[test]
    fn words_are_compared_without_case_spaces_and_encoding() {
        let expected = Some("école d’art".to_owned());
        assert_eq!(
            each(SecurityQuestionType::Text, ["École d’Art", "  E\u{301}COLE \t d’art "]),
            [expected.clone(), expected]
        );
        assert_eq!(each(SecurityQuestionType::Text, ["", "  ", "?!", "x"]), [None, None, None, None]);
    }

    #[test]
    fn days_are_days_of_the_calendar() {
        assert_eq!(normalize_answer(SecurityQuestionType::Date, " 2024-02-29 ").unwrap(), "2024-02-29");
        for wrong in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-04-31",
            "24-1-1",
            "03/31/2026",
            "2024-01-01-01",
            "",
        ] {
            assert!(normalize_answer(SecurityQuestionType::Date, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (answers, expected) in [
            (["12.5", "+012.50", " 12.500"], "12.5"),
            (["-0.5", "-00.50", "- 0.5"], "-0.5"),
            (["0", "-0", "000.0"], "0"),
            (["1000", "1 000", "1000.0"], "1000"),
        ] {
            assert_eq!(
                each(SecurityQuestionType::Number, answers),
                [(); 3].map(|()| Some(expected.to_owned())),
                "{answers:?}"
            );
        }
        for wrong in ["1,000", "12.", ".5", "", "-", "1e3", "0x10", "1.2.3", "١٢"] {
            assert!(normalize_answer(SecurityQuestionType::Number, wrong).is_err(), "{wrong}");
        }
    }
}
