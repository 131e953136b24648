//! The messages with a JSON form of their own.

pub(crate) mod any;
mod calendar;
pub(crate) mod date;
pub(crate) mod dynamic;
pub(crate) mod mask;
pub(crate) mod time;

use crate::encode::Write;
use crate::schema::Shape;
use crate::wire::{Raw, Reader};

/// Calls `field` with each field on the wire, by number.
pub(crate) fn each_field<'w>(parts: &[&'w [u8]], mut field: impl FnMut(u32, Raw<'w>) -> Write<()>) -> Write<()> {
    for part in parts {
        let mut reader = Reader::new(part);
        while let Some(key) = reader.key()? {
            if key & 7 == crate::wire::GROUP_START {
                reader.skip(key)?;
            } else {
                field(key >> 3, reader.raw(key)?)?;
            }
        }
    }
    Ok(())
}

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
