//! One field given as text, as in a path or a query.

use crate::DEPTH_LIMIT;
use crate::error::{Failure, Problem, Read, excerpt};
use crate::scalar::{self, Place};
use crate::schema::{Kind, Label, MessageId, Shape, Tables};
use crate::wellknown;
use crate::wire::{BYTES, Length, put_bytes, put_key};

/// Appends the field at `path`, even if it has its default, because it may have to overwrite another source's value.
pub(crate) fn field(tables: &Tables, id: MessageId, path: &[&str], text: &str, out: &mut Vec<u8>) -> Read<()> {
    if path.len() > DEPTH_LIMIT as usize {
        return Err(Failure::too_deep(0));
    }
    let Some((name, inner)) = path.split_first() else {
        return Err(Failure::new(Problem::UnknownField, "the path names no field", 0));
    };
    let message = tables.message(id);
    let field = message.index_named(name.as_bytes(), usize::MAX).and_then(|index| message.fields.get(index));
    let Some(field) = field else {
        let refusal = format!("{} is not a field of {}", excerpt(name), message.short_name());
        return Err(Failure::new(Problem::UnknownField, refusal, 0).inside(name));
    };
    let written = match (field.label, field.kind) {
        (Label::Map { .. }, _) => Err(Failure::invalid("cannot be given as text", 0)),
        _ if inner.is_empty() => value(tables, field.kind, Place::field(field.number), text, out),
        (Label::Singular, Kind::Message(id))
            if matches!(tables.message(id).shape, Shape::Plain | Shape::Wrapper(_)) =>
        {
            put_key(out, field.number, BYTES);
            let length = Length::open(out);
            self::field(tables, id, inner, text, out).inspect(|()| length.close(out))
        }
        _ => {
            let refusal = format!("{} has no fields that could be given as text", field.name);
            let stranger = inner.first().copied().unwrap_or_default();
            Err(Failure::new(Problem::UnknownField, refusal, 0).inside(stranger))
        }
    };
    written.map_err(|failure| failure.inside(&field.name))
}

fn value(tables: &Tables, kind: Kind, place: Place, text: &str, out: &mut Vec<u8>) -> Read<()> {
    let invalid = |refusal| Failure::invalid(refusal, 0);
    match kind {
        Kind::String => {
            place.put_key(out, BYTES);
            put_bytes(out, text.as_bytes());
        }
        Kind::Bytes => {
            place.put_key(out, BYTES);
            let length = Length::open(out);
            scalar::put_base64(out, text).map_err(invalid)?;
            length.close(out);
        }
        Kind::Bool => match text {
            "true" => place.put_varint(out, 1),
            "false" => place.put_varint(out, 0),
            _ => return Err(Failure::invalid("must be true or false", 0)),
        },
        Kind::Enum(id) => {
            let enumeration = tables.enumeration(id);
            let by_number = || scalar::int32(text).ok().filter(|number| enumeration.value(*number).is_some());
            let number = enumeration.number(text.as_bytes()).or_else(by_number);
            let number = number.ok_or_else(|| Failure::invalid(enumeration.refusal(text), 0))?;
            place.put_varint(out, i64::from(number).cast_unsigned());
        }
        Kind::Null => match text {
            "null" | "NULL_VALUE" => place.put_varint(out, 0),
            _ => return Err(Failure::invalid("must be null", 0)),
        },
        Kind::Message(id) => {
            place.put_key(out, BYTES);
            let length = Length::open(out);
            match tables.message(id).shape {
                Shape::Wrapper(kind) => value(tables, kind, Place::field(1), text, out)?,
                shape => {
                    let written = wellknown::from_text(shape, text, out);
                    let written = written.ok_or_else(|| Failure::invalid("cannot be given as text", 0))?;
                    written.map_err(|refusal| Failure::invalid(refusal, 0))?;
                }
            }
            length.close(out);
        }
        _ => scalar::put_number(out, kind, place, text).map_err(invalid)?,
    }
    Ok(())
}
