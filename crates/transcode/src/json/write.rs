//! Writes JSON scalars.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::lexer::first_special;

/// Writes a string if the bytes are UTF-8, and answers whether they are.
#[inline]
pub(crate) fn put_utf8(out: &mut Vec<u8>, bytes: &[u8]) -> bool {
    // Two passes over short text are cheaper than one combined pass.
    let text = if bytes.is_ascii() {
        bytes
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.as_bytes(),
            Err(_) => return false,
        }
    };
    out.push(b'"');
    match first_special(text) {
        None => out.extend_from_slice(text),
        Some(at) => put_escaped(out, text, at),
    }
    out.push(b'"');
    true
}

/// Writes a string.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_utf8(out, text.as_bytes());
}

#[inline(never)]
fn put_escaped(out: &mut Vec<u8>, mut text: &[u8], first: usize) {
    let mut special = Some(first);
    while let Some(at) = special {
        let (plain, rest) = text.split_at_checked(at).unwrap_or((text, &[]));
        out.extend_from_slice(plain);
        let Some((byte, rest)) = rest.split_first() else { return };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            _ => out.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 15)]),
        }
        text = rest;
        special = first_special(text);
    }
    out.extend_from_slice(text);
}

const fn hex(digit: u8) -> u8 {
    if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
}

/// Writes bytes as base64 in quotes.
pub(crate) fn put_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    if let Some(place) = out.get_mut(start..) {
        // The reserved place has exactly the length of the padded form.
        let written = STANDARD.encode_slice(bytes, place).unwrap_or_default();
        out.truncate(start + written);
    }
    out.push(b'"');
}

#[inline]
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    put_unsigned(out, value.unsigned_abs());
}

#[inline]
pub(crate) fn put_unsigned(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + decimal(value % 10);
        value /= 10;
        count += 1;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(digits.len() - count..).unwrap_or_default());
}

#[expect(clippy::cast_possible_truncation, reason = "a decimal digit")]
const fn decimal(digit: u64) -> u8 {
    digit as u8
}

/// Writes the shortest number that reads back as `value`, or the name of a value that is no number.
pub(crate) fn put_double(out: &mut Vec<u8>, value: f64) {
    if let Some(whole) = whole(value) {
        put_signed(out, whole);
    } else if !value.is_finite() {
        out.extend_from_slice(not_finite(value));
    } else if value == 0.0 || (1e-6..1e21).contains(&value.abs()) {
        drop(write!(out, "{value}"));
    } else {
        drop(write!(out, "{value:e}"));
    }
}

/// As [`put_double`], with as many digits as 32 bits need.
pub(crate) fn put_float(out: &mut Vec<u8>, value: f32) {
    if !value.is_finite() {
        out.extend_from_slice(not_finite(f64::from(value)));
    } else if value == 0.0 || (1e-6..1e21).contains(&value.abs()) {
        drop(write!(out, "{value}"));
    } else {
        drop(write!(out, "{value:e}"));
    }
}

/// The whole number of a double, if it is a common one.
fn whole(value: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "what is cut off makes it another number")]
    let whole = value as i32;
    // Minus zero has other bits than zero.
    (f64::from(whole).to_bits() == value.to_bits()).then_some(i64::from(whole))
}

fn not_finite(value: f64) -> &'static [u8] {
    if value.is_nan() {
        b"\"NaN\""
    } else if value > 0.0 {
        b"\"Infinity\""
    } else {
        b"\"-Infinity\""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn integers() {
        for value in [0, 1, -1, 9, 10, 99, 100, i64::MAX, i64::MIN] {
            assert_eq!(written(|out| put_signed(out, value)), value.to_string());
        }
        assert_eq!(written(|out| put_unsigned(out, u64::MAX)), u64::MAX.to_string());
    }

    #[test]
    fn doubles_are_short_and_come_back() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1e20, "100000000000000000000"),
            (1e21, "1e21"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::from_bits(1), "5e-324"),
            (f64::NAN, "\"NaN\""),
            (f64::INFINITY, "\"Infinity\""),
            (f64::NEG_INFINITY, "\"-Infinity\""),
        ];
        for (value, text) in cases {
            assert_eq!(written(|out| put_double(out, value)), text);
            if value.is_finite() {
                assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
            }
        }
        assert_eq!(written(|out| put_float(out, 0.1)), "0.1");
        assert_eq!(written(|out| put_float(out, f32::MAX)), "3.4028235e38");
    }

    #[test]
    fn strings_are_escaped_where_they_must_be() {
        assert_eq!(
            written(|out| put_text(out, "plain, and long enough for words")),
            r#""plain, and long enough for words""#
        );
        assert_eq!(
            written(|out| put_text(out, "a\"b\\c\nd\re\tf\u{8}g\u{c}h\u{1}i\u{1f}")),
            r#""a\"b\\c\nd\re\tf\bg\fh\u0001i\u001f""#
        );
        assert_eq!(written(|out| put_text(out, "grüße 🦀 \u{7f}")), "\"grüße 🦀 \u{7f}\"");
        assert!(!put_utf8(&mut Vec::new(), b"\xff"));
    }

    #[test]
    fn bytes_are_base64_with_padding() {
        assert_eq!(written(|out| put_base64(out, b"")), r#""""#);
        assert_eq!(written(|out| put_base64(out, b"\xfb\xff")), r#""+/8=""#);
    }
}
