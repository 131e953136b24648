//! The parts of people's names.

/// A part of a name with single spaces and none at its ends; `None` if it has characters that no name has.
pub(crate) fn normalize_part(text: &str) -> Option<String> {
    if text.chars().any(|letter| letter.is_control() || matches!(letter, '<' | '>')) {
        return None;
    }
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
