//! `FieldMask`: `"displayName,owner.userId"`.

use super::fields::{Write, each_field, wrong_wire_type};
use crate::error::{WireError, excerpt};
use crate::wire::{BYTES, Raw, put_bytes, put_key};

pub(crate) fn put(out: &mut Vec<u8>, parts: &[&[u8]]) -> Write<()> {
    let mut camel = String::new();
    each_field(parts, |number, raw| {
        if number != 1 {
            return Ok(());
        }
        let Raw::Bytes(path) = raw else { return Err(wrong_wire_type()) };
        let path = std::str::from_utf8(path).map_err(|_| WireError::new("text is not UTF-8"))?;
        if !camel.is_empty() {
            camel.push(',');
        }
        to_camel(path, &mut camel).ok_or_else(|| WireError::new("a path of the mask has no JSON name"))
    })?;
    crate::json::put_text(out, &camel);
    Ok(())
}

/// Reads a list of paths, each in JSON names or in proto names.
pub(super) fn from_text(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    for path in text.split(',').filter(|path| !path.is_empty()) {
        let snake = to_snake(path).ok_or_else(|| format!("{} is not the path of a field", excerpt(path)))?;
        put_key(out, 1, BYTES);
        put_bytes(out, snake.as_bytes());
    }
    Ok(())
}

/// Appends the JSON form of a path. `None` if that form would not read back as the same path, or the path is empty.
fn to_camel(path: &str, camel: &mut String) -> Option<()> {
    if path.is_empty() {
        return None;
    }
    let mut letters = path.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => camel.push(letters.next().filter(char::is_ascii_lowercase)?.to_ascii_uppercase()),
            ',' | 'A'..='Z' => return None,
            _ => camel.push(letter),
        }
    }
    Some(())
}

fn to_snake(path: &str) -> Option<String> {
    let mut snake = String::with_capacity(path.len() + 8);
    for letter in path.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    // Refuses a mixture of both forms, and a path that could not be written again.
    let mixed = path.contains('_') && path.contains(|letter: char| letter.is_ascii_uppercase());
    (!mixed && to_camel(&snake, &mut String::new()).is_some()).then_some(snake)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(text: &str) -> Option<String> {
        let (mut wire, mut json) = (Vec::new(), Vec::new());
        from_text(text, &mut wire).ok()?;
        put(&mut json, &[&wire]).ok()?;
        String::from_utf8(json).ok()
    }

    #[test]
    fn both_forms_of_a_path_are_read_and_one_is_written() {
        assert_eq!(there_and_back("").as_deref(), Some("\"\""));
        assert_eq!(there_and_back("displayName,owner.userId,f1").as_deref(), Some("\"displayName,owner.userId,f1\""));
        assert_eq!(there_and_back("display_name").as_deref(), Some("\"displayName\""));
    }

    #[test]
    fn paths_that_have_no_way_back_are_refused() {
        for text in ["foo__bar", "foo_3", "foo_", "foo_barBaz", "foo_Bar"] {
            assert_eq!(there_and_back(text), None, "{text}");
        }
        for path in ["", "fooBar", "foo__bar", "foo_3_bar", "foo,bar"] {
            let mut wire = Vec::new();
            put_key(&mut wire, 1, BYTES);
            put_bytes(&mut wire, path.as_bytes());
            assert!(put(&mut Vec::new(), &[&wire]).is_err(), "{path}");
        }
    }
}
