//! Converts scalars from text to wire bytes, for JSON and for plain text.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::json::number::{self, NotWhole, Whole};
use crate::schema::Kind;
use crate::wire::{FIXED32, FIXED64, VARINT, put_key, put_varint, zigzag32, zigzag64};

/// The destination of a value: the number of its field, if a key is written, and whether zero is omitted.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) number: Option<u32>,
    pub(crate) drop_zero: bool,
}

impl Place {
    /// A field with that number, written even if it is zero.
    pub(crate) const fn field(number: u32) -> Self {
        Self { number: Some(number), drop_zero: false }
    }

    /// An element of a packed list.
    pub(crate) const PACKED: Self = Self { number: None, drop_zero: false };

    #[inline]
    pub(crate) fn put_key(self, out: &mut Vec<u8>, wire: u32) {
        if let Some(number) = self.number {
            put_key(out, number, wire);
        }
    }

    #[inline]
    pub(crate) fn put_varint(self, out: &mut Vec<u8>, value: u64) {
        if value != 0 || !self.drop_zero {
            self.put_key(out, VARINT);
            put_varint(out, value);
        }
    }

    #[inline]
    fn put_fixed32(self, out: &mut Vec<u8>, value: u32) {
        if value != 0 || !self.drop_zero {
            self.put_key(out, FIXED32);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }

    #[inline]
    fn put_fixed64(self, out: &mut Vec<u8>, value: u64) {
        if value != 0 || !self.drop_zero {
            self.put_key(out, FIXED64);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// The error of a value, for the caller.
pub(crate) type Refusal = Cow<'static, str>;

/// Writes the number of `text`, in JSON's grammar; NaN and the infinities are words.
#[inline]
pub(crate) fn put_number(out: &mut Vec<u8>, kind: Kind, place: Place, text: &str) -> Result<(), Refusal> {
    match kind {
        Kind::Int32 => place.put_varint(out, i64::from(int32(text)?).cast_unsigned()),
        Kind::Sint32 => place.put_varint(out, u64::from(zigzag32(int32(text)?))),
        Kind::Sfixed32 => place.put_fixed32(out, int32(text)?.cast_unsigned()),
        Kind::Uint32 => place.put_varint(out, u64::from(uint32(text)?)),
        Kind::Fixed32 => place.put_fixed32(out, uint32(text)?),
        Kind::Int64 => place.put_varint(out, int64(text)?.cast_unsigned()),
        Kind::Sint64 => place.put_varint(out, zigzag64(int64(text)?)),
        Kind::Sfixed64 => place.put_fixed64(out, int64(text)?.cast_unsigned()),
        Kind::Uint64 => place.put_varint(out, uint64(text)?),
        Kind::Fixed64 => place.put_fixed64(out, uint64(text)?),
        Kind::Double => place.put_fixed64(out, double(text)?.to_bits()),
        Kind::Float => place.put_fixed32(out, float(text)?.to_bits()),
        _ => return Err(Cow::Borrowed("is not a number")),
    }
    Ok(())
}

/// A signed whole number of 32 bits, as enumerations have.
pub(crate) fn int32(text: &str) -> Result<i32, Refusal> {
    let number = whole(text).map(|whole| whole.and_then(Whole::signed))?;
    number.and_then(|number| i32::try_from(number).ok()).ok_or_else(|| between(i32::MIN, i32::MAX))
}

fn int64(text: &str) -> Result<i64, Refusal> {
    whole(text)?.and_then(Whole::signed).ok_or_else(|| between(i64::MIN, i64::MAX))
}

fn uint32(text: &str) -> Result<u32, Refusal> {
    let number = whole(text)?.and_then(Whole::unsigned).and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| between(u32::MIN, u32::MAX))
}

fn uint64(text: &str) -> Result<u64, Refusal> {
    whole(text)?.and_then(Whole::unsigned).ok_or_else(|| between(u64::MIN, u64::MAX))
}

/// `None` for a number of more than 64 bits.
#[inline]
fn whole(text: &str) -> Result<Option<Whole>, Refusal> {
    match number::whole(text) {
        Ok(whole) => Ok(Some(whole)),
        Err(NotWhole::TooLarge) => Ok(None),
        Err(NotWhole::Other) => Err(Cow::Borrowed("must be a whole number")),
    }
}

#[cold]
fn between(low: impl std::fmt::Display, high: impl std::fmt::Display) -> Refusal {
    Cow::Owned(format!("must be between {low} and {high}"))
}

fn double(text: &str) -> Result<f64, Refusal> {
    match text {
        "NaN" => Ok(f64::NAN),
        "Infinity" => Ok(f64::INFINITY),
        "-Infinity" => Ok(f64::NEG_INFINITY),
        _ => number::double(text).ok_or_else(|| not_a_number(text)),
    }
}

fn float(text: &str) -> Result<f32, Refusal> {
    match text {
        "NaN" => Ok(f32::NAN),
        "Infinity" => Ok(f32::INFINITY),
        "-Infinity" => Ok(f32::NEG_INFINITY),
        _ => number::float(text).ok_or_else(|| not_a_number(text)),
    }
}

#[cold]
fn not_a_number(text: &str) -> Refusal {
    Cow::Borrowed(match number::length(text.as_bytes()) {
        Some(length) if length == text.len() => "is a number that is too large",
        _ => "must be a number",
    })
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Appends the bytes of `text`, which is base64 in either alphabet, with or without padding.
pub(crate) fn put_base64(out: &mut Vec<u8>, text: &str) -> Result<(), Refusal> {
    let engine = if text.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    engine.decode_vec(text, out).map_err(|_| Cow::Borrowed("must be base64"))
}
