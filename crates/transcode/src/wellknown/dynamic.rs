//! `Struct`, `Value` and `ListValue`: plain JSON.

use super::fields::{Write, each_field, wrong_wire_type};
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::error::{Failure, Read, WireError};
use crate::json;
use crate::schema::{Kind, Message};
use crate::wire::{BYTES, FIXED64, Length, Raw, VARINT, put_bytes, put_key, put_varint};

/// The numbers of `Value`'s fields.
const NULL: u32 = 1;
const NUMBER: u32 = 2;
const STRING: u32 = 3;
const BOOL: u32 = 4;
const STRUCT: u32 = 5;
const LIST: u32 = 6;

pub(crate) fn put_struct(encoder: &mut Encoder<'_, '_>, message: &Message, parts: &[&[u8]], depth: u32) -> Write<()> {
    let mut entries = Vec::new();
    each_field(parts, |number, raw| {
        if number == 1 {
            entries.push(raw);
        }
        Ok(())
    })?;
    encoder.entries(Kind::String, kind_of(message, 1)?, entries.into_iter(), depth)
}

pub(crate) fn put_list(encoder: &mut Encoder<'_, '_>, message: &Message, parts: &[&[u8]], depth: u32) -> Write<()> {
    let kind = kind_of(message, 1)?;
    let mut first = true;
    encoder.out.push(b'[');
    each_field(parts, |number, raw| if number == 1 { encoder.elements(kind, raw, depth, &mut first) } else { Ok(()) })?;
    encoder.out.push(b']');
    Ok(())
}

pub(crate) fn put_value(encoder: &mut Encoder<'_, '_>, message: &Message, parts: &[&[u8]], depth: u32) -> Write<()> {
    // The last member on the wire is the set one. A message in several parts is joined if no other member lies in
    // between.
    let mut set = (NULL, Raw::Varint(0));
    let mut members = Vec::new();
    each_field(parts, |number, raw| {
        if (NULL..=LIST).contains(&number) {
            if number != set.0 {
                members.clear();
            }
            if let (STRUCT | LIST, Raw::Bytes(bytes)) = (number, raw) {
                members.push(bytes);
            }
            set = (number, raw);
        }
        Ok(())
    })?;
    match set {
        (NULL, Raw::Varint(_)) => encoder.out.extend_from_slice(b"null"),
        (NUMBER, Raw::Fixed64(bits)) => {
            let number = f64::from_bits(bits);
            if !number.is_finite() {
                return Err(WireError::new("a value is a number that JSON does not have"));
            }
            json::put_double(encoder.out, number);
        }
        (STRING, Raw::Bytes(_)) => return encoder.value(Kind::String, set.1, depth),
        (BOOL, Raw::Varint(_)) => return encoder.value(Kind::Bool, set.1, depth),
        (STRUCT | LIST, Raw::Bytes(_)) => match kind_of(message, set.0)? {
            Kind::Message(id) => return encoder.message(id, &members, depth + 1),
            _ => return Err(wrong_wire_type()),
        },
        _ => return Err(wrong_wire_type()),
    }
    Ok(())
}

fn kind_of(message: &Message, number: u32) -> Write<Kind> {
    let field = message.index_of(number).and_then(|index| message.fields.get(index));
    field.map(|field| field.kind).ok_or_else(|| WireError::new("the pool has another Struct than protobuf's"))
}

/// Appends the body of the next `Value`.
pub(crate) fn read_value(decoder: &mut Decoder<'_, '_, '_>, depth: u32) -> Read<()> {
    if depth > crate::DEPTH_LIMIT {
        return Err(Failure::too_deep(decoder.json.at()));
    }
    match decoder.json.peek() {
        Some(b'n') => {
            decoder.json.word("null")?;
            put_key(decoder.out, NULL, VARINT);
            put_varint(decoder.out, 0);
        }
        Some(b't') => read_bool(decoder, "true", 1)?,
        Some(b'f') => read_bool(decoder, "false", 0)?,
        Some(b'"') => {
            let text = decoder.json.string()?;
            put_key(decoder.out, STRING, BYTES);
            decoder.put_quoted(text)?;
        }
        Some(b'-' | b'0'..=b'9') => {
            let at = decoder.json.at();
            let number = decoder.json.number()?;
            let number =
                json::number::double(number).ok_or_else(|| Failure::invalid("is a number that is too large", at))?;
            put_key(decoder.out, NUMBER, FIXED64);
            decoder.out.extend_from_slice(&number.to_le_bytes());
        }
        Some(b'[') => {
            put_key(decoder.out, LIST, BYTES);
            let length = Length::open(decoder.out);
            read_list(decoder, depth + 1)?;
            length.close(decoder.out);
        }
        Some(b'{') => {
            put_key(decoder.out, STRUCT, BYTES);
            let length = Length::open(decoder.out);
            read_struct(decoder, depth + 1)?;
            length.close(decoder.out);
        }
        _ => return Err(decoder.json.unexpected("a value")),
    }
    Ok(())
}

fn read_bool(decoder: &mut Decoder<'_, '_, '_>, word: &str, value: u64) -> Read<()> {
    decoder.json.word(word)?;
    put_key(decoder.out, BOOL, VARINT);
    put_varint(decoder.out, value);
    Ok(())
}

/// Appends the body of the next `ListValue`.
pub(crate) fn read_list(decoder: &mut Decoder<'_, '_, '_>, depth: u32) -> Read<()> {
    if depth > crate::DEPTH_LIMIT {
        return Err(Failure::too_deep(decoder.json.at()));
    }
    if !decoder.json.take(b'[') {
        return Err(decoder.json.mismatch("must be a list"));
    }
    let mut index = 0;
    let mut more = !decoder.json.take(b']');
    while more {
        put_key(decoder.out, 1, BYTES);
        let length = Length::open(decoder.out);
        read_value(decoder, depth + 1).map_err(|failure| failure.inside_index(index))?;
        length.close(decoder.out);
        index += 1;
        more = decoder.json.more(b']')?;
    }
    Ok(())
}

/// Appends the body of the next `Struct`. Its entries are messages of their own, one level deeper.
pub(crate) fn read_struct(decoder: &mut Decoder<'_, '_, '_>, depth: u32) -> Read<()> {
    if depth >= crate::DEPTH_LIMIT {
        return Err(Failure::too_deep(decoder.json.at()));
    }
    if !decoder.json.take(b'{') {
        return Err(decoder.json.mismatch("must be an object"));
    }
    let mut keys = crate::decode::Keys::default();
    let mut more = !decoder.json.take(b'}');
    while more {
        let at = decoder.json.at();
        let key = decoder.json.key()?.text()?;
        put_key(decoder.out, 1, BYTES);
        let entry = Length::open(decoder.out);
        put_key(decoder.out, 1, BYTES);
        put_bytes(decoder.out, key.as_bytes());
        put_key(decoder.out, 2, BYTES);
        let length = Length::open(decoder.out);
        read_value(decoder, depth + 2).map_err(|failure| failure.inside_key(&key))?;
        length.close(decoder.out);
        entry.close(decoder.out);
        keys.add(key, at)?;
        more = decoder.json.more(b'}')?;
    }
    Ok(())
}
