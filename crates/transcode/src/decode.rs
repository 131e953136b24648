//! Converts JSON to wire bytes.

mod seen;

use std::borrow::Cow;

use crate::error::{Failure, Problem, Read, excerpt};
use crate::json::{Lexer, Quoted};
use crate::scalar::{self, Place};
use crate::schema::{EnumId, Field, Kind, Label, Message, MessageId, Shape, Tables};
use crate::wire::{BYTES, Length, put_bytes, put_key};
use crate::{DEPTH_LIMIT, FromJson, Unknown, wellknown};
pub(crate) use seen::Keys;
use seen::Seen;

/// Appends the wire bytes of a message.
pub(crate) fn message(tables: &Tables, id: MessageId, json: &[u8], style: FromJson, out: &mut Vec<u8>) -> Read<()> {
    let mut decoder = Decoder { tables, style, json: Lexer::new(json)?, out };
    decoder.message(id, 0)?;
    decoder.json.end()
}

/// The state that goes from value to value.
pub(crate) struct Decoder<'t, 'j, 'o> {
    pub(crate) tables: &'t Tables,
    style: FromJson,
    pub(crate) json: Lexer<'j>,
    pub(crate) out: &'o mut Vec<u8>,
}

/// Keys of an object that are allowed but name no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    Nothing,
    /// The `@type` of an `Any`.
    Type,
}

impl<'t, 'j> Decoder<'t, 'j, '_> {
    /// Reads the body of the next message. `depth` is the number of messages around it.
    pub(crate) fn message(&mut self, id: MessageId, depth: u32) -> Read<()> {
        if depth > DEPTH_LIMIT {
            return Err(Failure::too_deep(self.json.at()));
        }
        match self.tables.message(id).shape {
            Shape::Plain | Shape::Empty => self.members(id, Skip::Nothing, depth),
            Shape::Wrapper(kind) => self.value(kind, Place { number: Some(1), drop_zero: true }, depth),
            Shape::Struct => wellknown::dynamic::read_struct(self, depth),
            Shape::Value => wellknown::dynamic::read_value(self, depth),
            Shape::ListValue => wellknown::dynamic::read_list(self, depth),
            Shape::Any => wellknown::any::read(self, depth),
            shape @ (Shape::Timestamp | Shape::Duration | Shape::FieldMask | Shape::Date) => {
                let (quoted, at) = self.quoted()?;
                let text = quoted.text()?;
                let written = wellknown::from_text(shape, &text, self.out);
                written.unwrap_or(Ok(())).map_err(|refusal| Failure::invalid(refusal, at))
            }
        }
    }

    /// Reads the fields of the next object.
    pub(crate) fn members(&mut self, id: MessageId, skip: Skip, depth: u32) -> Read<()> {
        let message = self.tables.message(id);
        if !self.json.take(b'{') {
            return Err(self.json.mismatch("must be an object"));
        }
        let mut seen = Seen::of(message);
        let mut types = 0;
        // Members usually come in the order of the fields.
        let mut guess = 0;
        let mut more = !self.json.take(b'}');
        while more {
            self.json.peek();
            let at = self.json.at();
            let key = self.json.key()?;
            let name = match key.plain() {
                Some(plain) => Cow::Borrowed(plain),
                None => key.text()?,
            };
            if let Some(index) = message.index_named(name.as_bytes(), guess) {
                guess = index + 1;
                self.member(message, index, &mut seen, at, depth)?;
            } else if skip == Skip::Type && name == "@type" {
                types += 1;
                if types > 1 {
                    return Err(Failure::invalid("is given twice", at).inside(&name));
                }
                self.json.skip(depth)?;
            } else {
                self.unknown(&name, message.short_name(), at, depth)?;
            }
            more = self.json.more(b'}')?;
        }
        Ok(())
    }

    /// Handles the value of a key that names no field of `parent`.
    #[cold]
    pub(crate) fn unknown(&mut self, key: &str, parent: &str, at: usize, depth: u32) -> Read<()> {
        match self.style.unknown {
            Unknown::Ignore => self.json.skip(depth),
            Unknown::Refuse => {
                let message = format!("{} is not a field of {parent}", excerpt(key));
                Err(Failure::new(Problem::UnknownField, message, at).inside(key))
            }
        }
    }

    #[inline]
    fn member(&mut self, message: &'t Message, index: usize, seen: &mut Seen, at: usize, depth: u32) -> Read<()> {
        let Some(field) = message.fields.get(index) else { return Ok(()) };
        if seen.again(index) {
            return Err(Failure::invalid("is given twice", at).inside(&field.name));
        }
        if self.json.peek() == Some(b'n') && !(field.label == Label::Singular && self.tables.takes_null(field.kind)) {
            return self.json.word("null");
        }
        if let Some(oneof) = field.oneof
            && seen.again(message.fields.len() + oneof as usize)
        {
            let message = "cannot be given together with another field of the same choice";
            return Err(Failure::invalid(message, at).inside(&field.name));
        }
        self.field(field, depth).map_err(|failure| failure.inside(&field.name))
    }

    #[inline]
    fn field(&mut self, field: &Field, depth: u32) -> Read<()> {
        match field.label {
            Label::Singular => {
                let place = Place { number: Some(field.number), drop_zero: !field.presence };
                self.value(field.kind, place, depth)
            }
            Label::Repeated { packed } => self.list(field, packed, depth),
            Label::Map { key } => self.map(field, key, depth),
        }
    }

    fn list(&mut self, field: &Field, packed: bool, depth: u32) -> Read<()> {
        if !self.json.take(b'[') {
            return Err(self.json.mismatch("must be a list"));
        }
        if self.json.take(b']') {
            return Ok(());
        }
        let mut place = Place::field(field.number);
        let mut length = None;
        if packed && field.kind.packable() {
            put_key(self.out, field.number, BYTES);
            length = Some(Length::open(self.out));
            place = Place::PACKED;
        }
        let nullable = self.tables.takes_null(field.kind);
        let mut index = 0;
        loop {
            self.not_null(nullable)
                .and_then(|()| self.value(field.kind, place, depth))
                .map_err(|failure| failure.inside_index(index))?;
            index += 1;
            if !self.json.more(b']')? {
                break;
            }
        }
        if let Some(length) = length {
            length.close(self.out);
        }
        Ok(())
    }

    fn not_null(&mut self, nullable: bool) -> Read<()> {
        if self.json.peek() == Some(b'n') && !nullable {
            let at = self.json.at();
            self.json.word("null")?;
            return Err(Failure::invalid("must not be null", at));
        }
        Ok(())
    }

    fn map(&mut self, field: &Field, key_kind: Kind, depth: u32) -> Read<()> {
        if !self.json.take(b'{') {
            return Err(self.json.mismatch("must be an object"));
        }
        if depth >= DEPTH_LIMIT {
            return Err(Failure::too_deep(self.json.at()));
        }
        let nullable = self.tables.takes_null(field.kind);
        let mut keys = Keys::default();
        let mut more = !self.json.take(b'}');
        while more {
            self.json.peek();
            let at = self.json.at();
            let key = self.json.key()?.text()?;
            put_key(self.out, field.number, BYTES);
            let entry = Length::open(self.out);
            let canonical = self.map_key(key_kind, &key, at).map_err(|failure| failure.inside_key(&key))?;
            // A map's entry is a message of its own.
            self.not_null(nullable)
                .and_then(|()| self.value(field.kind, Place::field(2), depth + 1))
                .map_err(|failure| failure.inside_key(&key))?;
            entry.close(self.out);
            keys.add(canonical.map_or(key, Cow::Owned), at)?;
            more = self.json.more(b'}')?;
        }
        Ok(())
    }

    /// Writes a map's key. A number in an unusual form is returned in its usual form.
    fn map_key(&mut self, kind: Kind, key: &str, at: usize) -> Read<Option<String>> {
        match kind {
            Kind::String => {
                put_key(self.out, 1, BYTES);
                put_bytes(self.out, key.as_bytes());
                Ok(None)
            }
            Kind::Bool => match key {
                "true" | "false" => {
                    Place::field(1).put_varint(self.out, u64::from(key == "true"));
                    Ok(None)
                }
                _ => Err(Failure::invalid("has a key that is not true or false", at)),
            },
            _ => {
                let written = scalar::put_number(self.out, kind, Place::field(1), key);
                written.map_err(|refusal| Failure::invalid(format!("has a key that {refusal}"), at))?;
                Ok(crate::json::number::canonical(key))
            }
        }
    }

    /// Reads the next value. `depth` is the depth of its message.
    #[inline]
    pub(crate) fn value(&mut self, kind: Kind, place: Place, depth: u32) -> Read<()> {
        match kind {
            Kind::String => {
                let (quoted, _) = self.quoted()?;
                if !(place.drop_zero && quoted.is_empty()) {
                    place.put_key(self.out, BYTES);
                    self.put_quoted(quoted)?;
                }
                Ok(())
            }
            Kind::Message(id) => {
                place.put_key(self.out, BYTES);
                let length = Length::open(self.out);
                self.message(id, depth + 1)?;
                length.close(self.out);
                Ok(())
            }
            Kind::Enum(id) => self.enumeration(id, place),
            Kind::Bool => self.boolean(place),
            Kind::Bytes => self.bytes(place),
            Kind::Null => self.null(place),
            _ => self.number(kind, place),
        }
    }

    fn number(&mut self, kind: Kind, place: Place) -> Read<()> {
        let next = self.json.peek();
        let at = self.json.at();
        let written = match next {
            Some(b'-' | b'0'..=b'9') => scalar::put_number(self.out, kind, place, self.json.number()?),
            Some(b'"') => scalar::put_number(self.out, kind, place, &self.json.string()?.text()?),
            _ => return Err(self.json.mismatch("must be a number")),
        };
        written.map_err(|refusal| Failure::invalid(refusal, at))
    }

    fn enumeration(&mut self, id: EnumId, place: Place) -> Read<()> {
        let enumeration = self.tables.enumeration(id);
        let next = self.json.peek();
        let at = self.json.at();
        let number = match next {
            Some(b'"') => {
                let text = self.json.string()?.text()?;
                enumeration.number(text.as_bytes()).ok_or_else(|| Failure::invalid(enumeration.refusal(&text), at))?
            }
            Some(b'-' | b'0'..=b'9') => {
                let text = self.json.number()?;
                let number = scalar::int32(text).ok().filter(|number| enumeration.value(*number).is_some());
                number.ok_or_else(|| Failure::invalid(enumeration.refusal(text), at))?
            }
            _ => return Err(self.json.mismatch("must be a string")),
        };
        place.put_varint(self.out, i64::from(number).cast_unsigned());
        Ok(())
    }

    fn boolean(&mut self, place: Place) -> Read<()> {
        let value = match self.json.peek() {
            Some(b't') => {
                self.json.word("true")?;
                1
            }
            Some(b'f') => {
                self.json.word("false")?;
                0
            }
            _ => return Err(self.json.mismatch("must be true or false")),
        };
        place.put_varint(self.out, value);
        Ok(())
    }

    fn bytes(&mut self, place: Place) -> Read<()> {
        let (quoted, at) = self.quoted()?;
        if place.drop_zero && quoted.is_empty() {
            return Ok(());
        }
        place.put_key(self.out, BYTES);
        let length = Length::open(self.out);
        scalar::put_base64(self.out, &quoted.text()?).map_err(|refusal| Failure::invalid(refusal, at))?;
        length.close(self.out);
        Ok(())
    }

    fn null(&mut self, place: Place) -> Read<()> {
        let next = self.json.peek();
        let at = self.json.at();
        let is_null = match next {
            Some(b'n') => self.json.word("null").map(|()| true)?,
            Some(b'"') => self.json.string()?.text()? == "NULL_VALUE",
            Some(b'0') => scalar::int32(self.json.number()?) == Ok(0),
            _ => false,
        };
        if !is_null {
            return Err(if self.json.at() == at {
                self.json.mismatch("must be null")
            } else {
                Failure::invalid("must be null", at)
            });
        }
        place.put_varint(self.out, 0);
        Ok(())
    }

    /// Reads the next string, and answers its place.
    #[inline]
    fn quoted(&mut self) -> Read<(Quoted<'j>, usize)> {
        if self.json.peek() != Some(b'"') {
            return Err(self.json.mismatch("must be a string"));
        }
        let at = self.json.at();
        Ok((self.json.string()?, at))
    }

    /// Writes a string with its length before it.
    #[inline]
    pub(crate) fn put_quoted(&mut self, quoted: Quoted<'j>) -> Read<()> {
        if let Some(plain) = quoted.plain() {
            put_bytes(self.out, plain.as_bytes());
            return Ok(());
        }
        let length = Length::open(self.out);
        quoted.put(self.out)?;
        length.close(self.out);
        Ok(())
    }
}
