//! `Any`: the members of the inner message, and `@type`. A message that is not an object in JSON stands under `value`.

use super::fields::{Write, each_field, wrong_wire_type};
use crate::decode::{Decoder, Skip};
use crate::encode::Encoder;
use crate::error::{Failure, Problem, Read, WireError, excerpt};
use crate::json::{self, Lexer, Quoted};
use crate::schema::{MessageId, Shape, Tables};
use crate::wire::{BYTES, Length, Raw, put_key};

const TYPE: &str = "@type";
const VALUE: &str = "value";

pub(crate) fn put(encoder: &mut Encoder<'_, '_>, parts: &[&[u8]], depth: u32) -> Write<()> {
    let (mut url, mut value): (&[u8], &[u8]) = (&[], &[]);
    each_field(parts, |number, raw| {
        match (number, raw) {
            (1, Raw::Bytes(bytes)) => url = bytes,
            (2, Raw::Bytes(bytes)) => value = bytes,
            (1 | 2, _) => return Err(wrong_wire_type()),
            _ => {}
        }
        Ok(())
    })?;
    if url.is_empty() && value.is_empty() {
        encoder.out.extend_from_slice(b"{}");
        return Ok(());
    }
    let url = std::str::from_utf8(url).map_err(|_| WireError::new("text is not UTF-8"))?;
    let id = message_of(encoder.tables, url).ok_or_else(|| WireError::new(format!("{} is not known", excerpt(url))))?;
    if depth >= crate::DEPTH_LIMIT {
        return Err(WireError::too_deep());
    }
    encoder.out.extend_from_slice(b"{\"@type\":");
    json::put_text(encoder.out, url);
    let message = encoder.tables.message(id);
    if message.shape == Shape::Plain {
        encoder.fields(message, &[value], depth + 1, false)?;
    } else {
        encoder.out.extend_from_slice(b",\"value\":");
        encoder.message(id, &[value], depth + 1)?;
    }
    encoder.out.push(b'}');
    Ok(())
}

/// The message in the last segment of a type URL.
fn message_of(tables: &Tables, url: &str) -> Option<MessageId> {
    tables.message_named(url.rsplit('/').next()?)
}

/// Appends the body of the next `Any`.
pub(crate) fn read(decoder: &mut Decoder<'_, '_, '_>, depth: u32) -> Read<()> {
    let start = decoder.json.at();
    if decoder.json.peek() != Some(b'{') {
        return Err(decoder.json.mismatch("must be an object"));
    }
    let Some((url, at)) = find_type(decoder.json, depth)? else {
        decoder.json.take(b'{');
        if decoder.json.take(b'}') {
            return Ok(());
        }
        return Err(Failure::invalid("is missing", start).inside(TYPE));
    };
    let text = url.text()?;
    let id = message_of(decoder.tables, &text)
        .ok_or_else(|| Failure::invalid(format!("{} is not a known type", excerpt(&text)), at).inside(TYPE))?;
    if depth >= crate::DEPTH_LIMIT {
        return Err(Failure::too_deep(start));
    }
    put_key(decoder.out, 1, BYTES);
    decoder.put_quoted(url)?;
    put_key(decoder.out, 2, BYTES);
    let length = Length::open(decoder.out);
    if decoder.tables.message(id).shape == Shape::Plain {
        decoder.members(id, Skip::Type, depth + 1)?;
    } else {
        read_special(decoder, id, depth + 1)?;
    }
    length.close(decoder.out);
    Ok(())
}

/// The `@type` of the next object, and its place.
fn find_type(mut json: Lexer<'_>, depth: u32) -> Read<Option<(Quoted<'_>, usize)>> {
    json.take(b'{');
    let mut more = !json.take(b'}');
    while more {
        let key = json.key()?;
        json.peek();
        let at = json.at();
        if key.text()? == TYPE {
            if json.peek() != Some(b'"') {
                return Err(json.mismatch("must be a string").inside(TYPE));
            }
            return Ok(Some((json.string()?, at)));
        }
        json.skip(depth)?;
        more = json.more(b'}')?;
    }
    Ok(None)
}

/// Reads the message under `value`.
fn read_special(decoder: &mut Decoder<'_, '_, '_>, id: MessageId, depth: u32) -> Read<()> {
    let start = decoder.json.at();
    let (mut types, mut values) = (0, 0);
    decoder.json.expect(b'{', "`{`")?;
    let mut more = true;
    while more {
        decoder.json.peek();
        let at = decoder.json.at();
        let key = decoder.json.key()?.text()?;
        match &*key {
            TYPE => {
                types += 1;
                decoder.json.skip(depth)?;
            }
            VALUE if values == 0 => {
                values += 1;
                decoder.message(id, depth).map_err(|failure| failure.inside(VALUE))?;
            }
            VALUE => values += 1,
            _ => decoder.unknown(&key, "an Any of this type", at, depth)?,
        }
        if types > 1 || values > 1 {
            return Err(Failure::new(Problem::InvalidValue, "is given twice", at).inside(&key));
        }
        more = decoder.json.more(b'}')?;
    }
    if values == 0 && decoder.tables.message(id).shape != Shape::Empty {
        return Err(Failure::invalid("is missing", start).inside(VALUE));
    }
    Ok(())
}
