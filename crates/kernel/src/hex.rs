//! Bytes as text.

use data_encoding::HEXLOWER;

/// Lower-case hexadecimal.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}
