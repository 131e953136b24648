//! The fields of a message on the wire.

use crate::error::WireError;
use crate::wire::{GROUP_START, Raw, Reader};

/// The result of writing JSON.
pub(crate) type Write<T> = Result<T, WireError>;

/// Calls `field` with each field on the wire, by number.
pub(crate) fn each_field<'w>(parts: &[&'w [u8]], mut field: impl FnMut(u32, Raw<'w>) -> Write<()>) -> Write<()> {
    for part in parts {
        let mut reader = Reader::new(part);
        while let Some(key) = reader.key()? {
            if key & 7 == GROUP_START {
                reader.skip(key)?;
            } else {
                field(key >> 3, reader.raw(key)?)?;
            }
        }
    }
    Ok(())
}

#[cold]
pub(crate) fn wrong_wire_type() -> WireError {
    WireError::new("the field has the wire type of another kind")
}
