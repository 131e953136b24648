//! The rules of passwords: long enough, not common, and without the owner's name.

use std::collections::HashSet;
use std::sync::LazyLock;

use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// The fewest and the most characters.
const LENGTH: std::ops::RangeInclusive<usize> = 10..=128;
/// The shortest name that a password may not contain; shorter ones are in too many words.
const SHORTEST_NAME: usize = 4;
/// Words that guessers try first, with whatever digits and signs around them; one a line, in lower case. More
/// than three thousand of them fit the rule of length themselves; others are words with years and the usual endings.
const COMMON: &str = include_str!("common.txt");
/// The same, for look-ups.
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| COMMON.lines().collect());

/// Refuses a password that is easy to guess. `field` is where the caller sent it, `names` the e-mail addresses and
/// usernames of its owner.
///
/// # Errors
/// `PASSWORD_NOT_ALLOWED`; the text never shows the password.
pub(crate) fn check_password<'n>(field: &str, password: &str, names: impl IntoIterator<Item = &'n str>) -> Result<()> {
    let refuse = |why: &str| Err(weak_password_error(field, why));
    if !LENGTH.contains(&password.chars().count()) {
        return refuse("must have 10 to 128 characters");
    }
    let lower = password.to_lowercase();
    let own = |name: &str| name.chars().count() >= SHORTEST_NAME && lower.contains(name);
    for name in names {
        let name = name.to_lowercase();
        let local = name.split_once('@').map_or(name.as_str(), |(local, _)| local);
        if own(&name) || own(local) {
            return refuse("must not contain your e-mail address or username");
        }
    }
    if is_common(&lower) || is_run(&lower) {
        return refuse("is one of the most common passwords");
    }
    Ok(())
}

/// The refusal of a password in that field.
pub(super) fn weak_password_error(field: &str, why: &str) -> Error {
    Error::new(ErrorReason::PasswordNotAllowed, format!("{field}: {why}")).violation(field, why)
}

/// Whether it is a word of the list or two of them, with whatever digits and signs around it, and with digits and signs
/// in the place of letters.
fn is_common(lower: &str) -> bool {
    let stem = lower.trim_matches(|letter: char| !letter.is_alphabetic());
    let unsigned = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let plain: String = lower.chars().map(unleet).collect();
    let core = plain.trim_matches(|letter: char| !letter.is_alphabetic());
    let unleeted: String = stem.chars().map(unleet).collect();
    [lower, stem, unsigned, core, &unleeted].into_iter().any(|word| WORDS.contains(word) || is_two(word))
}

/// Whether it is two words of the list, one behind the other.
fn is_two(word: &str) -> bool {
    let halves = word.char_indices().skip(1).filter_map(|(at, _)| word.split_at_checked(at));
    halves.into_iter().any(|(one, other)| WORDS.contains(one) && WORDS.contains(other))
}

/// The letter that a digit or sign is commonly written for.
fn unleet(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Whether it has fewer than four different characters, or only counts up or down.
fn is_run(lower: &str) -> bool {
    let mut letters: Vec<char> = lower.chars().collect();
    let steps: Vec<i64> = letters
        .iter()
        .zip(letters.iter().skip(1))
        .map(|(one, next)| i64::from(u32::from(*next)) - i64::from(u32::from(*one)))
        .collect();
    let counts = [1, -1].iter().any(|step| steps.iter().filter(|other| *other == step).count() + 2 >= letters.len());
    letters.sort_unstable();
    letters.dedup();
    counts || letters.len() < 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(password: &str) -> bool {
        check_password("password", password, ["ada.lovelace@example.com", "countess", "al"]).is_ok()
    }

    #[test]
    fn long_and_unusual_passwords_are_allowed() {
        for password in
            ["correct horse battery", "zwölf Boxkämpfer", "gK4-tt9!qz_a", &"xy7 ".repeat(32), "al gore rhythm"]
        {
            assert!(allowed(password), "{password}");
        }
    }

    #[test]
    fn short_long_common_and_own_ones_are_not() {
        let long = "xy7 ".repeat(33);
        let refused = [
            "",
            "short",
            "ninechars",
            &long,
            "password123",
            "Password123!",
            "P@ssw0rd2024",
            "1234567890",
            "0987654321",
            "aaaaaaaaaaaa",
            "abababababab",
            "abcdefghijkl",
            "qwertyuiop",
            "Qwertyuiop1!",
            "iloveyou2024",
            "ada.lovelace",
            "my Ada.Lovelace!",
            "countess-1815",
            "ada.lovelace@example.com",
            "administrator",
            "Welcome2024!!",
            "letmein12345",
            "2024Sunshine!",
            "dr4gonm0nkey",
            "hellofriend99",
            "jennifer1985",
            "1q2w3e4r5t6y",
            "zaq12wsxcde3",
            "1234567890!",
        ];
        for password in refused {
            assert!(!allowed(password), "{password}");
        }
    }

    #[test]
    fn the_refusal_names_the_field_and_never_the_password() {
        let error = check_password("new_password", "password123", []).unwrap_err();
        assert!(error.is(ErrorReason::PasswordNotAllowed));
        assert_eq!(error.violations()[0].field, "new_password");
        assert!(!error.to_string().contains("password123"));
    }

    #[test]
    fn more_than_three_thousand_common_passwords_that_fit_the_rule_are_refused() {
        let years = (1950..2031).map(|year| year.to_string());
        let tails = ["", "1", "12", "123", "1234", "12345", "123456", "!", "1!", "123!", "!!", "@123"];
        let tails: Vec<String> = tails.into_iter().map(str::to_owned).chain(years).collect();
        let is_short = |word: &&str| word.chars().count() < *LENGTH.start() && word.chars().all(char::is_alphabetic);
        let words = COMMON.lines().filter(is_short);
        let all = words.flat_map(|word| tails.iter().map(move |tail| format!("{word}{tail}")));
        let fitting: HashSet<String> = all.filter(|password| LENGTH.contains(&password.chars().count())).collect();
        assert!(fitting.len() > 3000, "{}", fitting.len());
        let whole = COMMON.lines().filter(|word| LENGTH.contains(&word.chars().count())).count();
        assert!(whole >= 3000, "{whole} of the list fit the rule by themselves");
        let whole_ones = COMMON.lines().filter(|word| LENGTH.contains(&word.chars().count())).map(str::to_owned);
        for password in fitting.into_iter().chain(whole_ones) {
            assert!(!allowed(&password), "{password}");
        }
        assert_eq!(WORDS.len(), COMMON.lines().count(), "each stands there once");
    }
}
