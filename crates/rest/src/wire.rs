//! The few functions of the facade on encoded messages.

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint, skip_field};

/// Appends a length-delimited field.
pub(crate) fn append(number: u32, content: &[u8], out: &mut Vec<u8>) {
    append_chunks(number, content.len(), &[content], out);
}

/// Appends a length-delimited field whose content comes in chunks of that total length.
pub(crate) fn append_chunks<C: AsRef<[u8]>>(number: u32, length: usize, chunks: &[C], out: &mut Vec<u8>) {
    encode_key(number, WireType::LengthDelimited, out);
    encode_varint(u64::try_from(length).unwrap_or(u64::MAX), out);
    for chunk in chunks {
        out.extend_from_slice(chunk.as_ref());
    }
}

/// Whether a message has the field at that path of numbers.
pub(crate) fn holds(message: &[u8], path: &[u32]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    let mut left = message;
    while !left.is_empty() {
        let Ok((number, kind)) = decode_key(&mut left) else { return false };
        if number != *first {
            if skip_field(kind, number, &mut left, DecodeContext::default()).is_err() {
                return false;
            }
            continue;
        }
        if rest.is_empty() {
            return true;
        }
        let Some(inner) = (kind == WireType::LengthDelimited).then(|| content(&mut left)).flatten() else {
            return false;
        };
        if holds(inner, rest) {
            return true;
        }
    }
    false
}

/// The last value of an integer field; zero when it is not there.
pub(crate) fn integer(message: &[u8], wanted: u32) -> u64 {
    let mut left = message;
    let mut found = 0;
    while !left.is_empty() {
        let Ok((number, kind)) = decode_key(&mut left) else { break };
        if number == wanted && kind == WireType::Varint {
            let Ok(value) = decode_varint(&mut left) else { break };
            found = value;
        } else if skip_field(kind, number, &mut left, DecodeContext::default()).is_err() {
            break;
        }
    }
    found
}

fn content<'a>(left: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(decode_varint(left).ok()?).ok()?;
    let (inner, rest) = left.split_at_checked(length)?;
    *left = rest;
    Some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_at_any_depth_and_broken_messages_hold_none() {
        let mut inner = Vec::new();
        append(3, b"x", &mut inner);
        let mut message = vec![0x08, 0x96, 0x01];
        append(2, &inner, &mut message);
        assert!(holds(&message, &[1]) && holds(&message, &[2]) && holds(&message, &[2, 3]));
        assert!(!holds(&message, &[3]) && !holds(&message, &[2, 1]) && !holds(&message, &[1, 1]));
        assert!(!holds(&[0x12, 0x7f, 0x00], &[5]) && !holds(&[0xff], &[1]));
        assert_eq!((integer(&message, 1), integer(&message, 2), integer(&[0xff], 1)), (150, 0, 0));
    }
}
