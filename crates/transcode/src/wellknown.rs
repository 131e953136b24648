//! The messages with a JSON form of their own.

pub(crate) mod any;
mod calendar;
pub(crate) mod date;
pub(crate) mod dynamic;
pub(crate) mod fields;
pub(crate) mod mask;
pub(crate) mod time;

use crate::schema::Shape;

/// Appends the wire bytes of a message with a string as its JSON form; `None` for other shapes. The error describes the
/// expected text.
pub(crate) fn from_text(shape: Shape, text: &str, out: &mut Vec<u8>) -> Option<Result<(), String>> {
    Some(match shape {
        Shape::Timestamp => time::timestamp_from_text(text, out),
        Shape::Duration => time::duration_from_text(text, out),
        Shape::FieldMask => mask::from_text(text, out),
        Shape::Date => date::from_text(text, out),
        _ => return None,
    })
}
