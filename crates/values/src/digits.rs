//! Numbers that people write with separators.

/// The digits of a number that is written with separators: spaces, hyphens and dots. `None` if it has anything else.
pub(crate) fn digits_of(text: &str) -> Option<String> {
    let parts: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-' | '.')).collect();
    parts.bytes().all(|byte| byte.is_ascii_digit()).then_some(parts)
}
