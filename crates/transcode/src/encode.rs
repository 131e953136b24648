//! Converts wire bytes to JSON.

mod grouped;
mod map;

use crate::error::WireError;
use crate::json;
use crate::schema::{Field, Kind, Label, Message, MessageId, Shape, Tables};
use crate::wellknown::fields::{Write, each_field, wrong_wire_type};
use crate::wire::{self, Raw, Reader, low, unzigzag32, unzigzag64};
use crate::{DEPTH_LIMIT, ToJson, wellknown};

/// Appends the JSON of a message.
pub(crate) fn message(tables: &Tables, id: MessageId, wire: &[u8], style: ToJson, out: &mut Vec<u8>) -> Write<()> {
    Encoder { tables, style, out, unordered: false }.message(id, &[wire], 0)
}

/// The state that goes from message to message.
pub(crate) struct Encoder<'t, 'o> {
    pub(crate) tables: &'t Tables,
    pub(crate) style: ToJson,
    pub(crate) out: &'o mut Vec<u8>,
    /// Set once a message's fields were out of order. Further messages are then not taken to be in order. At most one
    /// message is so started again, and disorder at every depth costs one pass per depth instead of twice as many.
    unordered: bool,
}

impl<'t> Encoder<'t, '_> {
    /// Writes a message. Its wire bytes come in `parts` that count as joined. A singular message field that occurs more
    /// than once on the wire is the merger of all occurrences.
    pub(crate) fn message(&mut self, id: MessageId, parts: &[&[u8]], depth: u32) -> Write<()> {
        if depth > DEPTH_LIMIT {
            return Err(WireError::too_deep());
        }
        let message = self.tables.message(id);
        match message.shape {
            Shape::Plain => {
                self.out.push(b'{');
                self.fields(message, parts, depth, true)?;
                self.out.push(b'}');
                Ok(())
            }
            Shape::Timestamp => wellknown::time::put_timestamp(self.out, parts),
            Shape::Duration => wellknown::time::put_duration(self.out, parts),
            Shape::FieldMask => wellknown::mask::put(self.out, parts),
            Shape::Date => wellknown::date::put(self.out, parts),
            Shape::Wrapper(kind) => self.wrapper(kind, parts),
            Shape::Struct => wellknown::dynamic::put_struct(self, message, parts, depth),
            Shape::Value => wellknown::dynamic::put_value(self, message, parts, depth),
            Shape::ListValue => wellknown::dynamic::put_list(self, message, parts, depth),
            Shape::Any => wellknown::any::put(self, parts, depth),
            Shape::Empty => {
                each_field(parts, |_, _| Ok(()))?;
                self.out.extend_from_slice(b"{}");
                Ok(())
            }
        }
    }

    /// Writes the members of a message's object. `first` is true if no member stands before them.
    pub(crate) fn fields(&mut self, message: &'t Message, parts: &[&[u8]], depth: u32, first: bool) -> Write<()> {
        let wire = match parts {
            [] => &[],
            [wire] => *wire,
            _ => return self.grouped(message, parts, depth, first),
        };
        // One bit tracks each oneof.
        if self.unordered || message.oneofs > u64::BITS {
            return self.grouped(message, parts, depth, first);
        }
        let start = self.out.len();
        // An error may only mean that one part was taken for the whole message, while another part follows.
        if let Ok(true) = self.ordered(message, wire, depth, first) {
            return Ok(());
        }
        self.unordered = true;
        self.out.truncate(start);
        self.grouped(message, parts, depth, first)
    }

    /// Writes the members in the order of the wire. Answers `false` as soon as a field is out of order or occurs a
    /// second time. The caller then discards the text written so far.
    fn ordered(&mut self, message: &'t Message, wire: &[u8], depth: u32, mut first: bool) -> Write<bool> {
        let mut reader = Reader::new(wire);
        let mut passed = 0;
        let mut oneofs = 0_u64;
        while let Some(key) = reader.key()? {
            let Some(index) = message.index_of(key >> 3) else {
                reader.skip(key)?;
                continue;
            };
            let Some(field) = message.fields.get(index).filter(|_| index >= passed) else { return Ok(false) };
            if let Some(oneof) = field.oneof {
                if oneofs & (1 << oneof) != 0 {
                    return Ok(false);
                }
                oneofs |= 1 << oneof;
            }
            if self.style.defaults {
                self.defaults(message, passed..index, &mut first);
            }
            passed = index + 1;
            if field.secret && !self.style.secrets {
                reader.skip(key)?;
                while reader.again(key)? {
                    reader.skip(key)?;
                }
                continue;
            }
            let written = match field.label {
                Label::Singular => reader.raw(key).and_then(|raw| self.singular(field, raw, depth, &mut first)),
                Label::Repeated { .. } => self.run(field, key, &mut reader, depth, &mut first),
                Label::Map { key: kind } => self.map_run(field, kind, key, &mut reader, depth, &mut first),
            };
            written.map_err(|error| error.inside(&field.name))?;
        }
        if self.style.defaults {
            self.defaults(message, passed..message.fields.len(), &mut first);
        }
        Ok(true)
    }

    /// Writes the members of fields that are unset and have no presence.
    pub(crate) fn defaults(&mut self, message: &Message, passed: std::ops::Range<usize>, first: &mut bool) {
        for field in message.fields.get(passed).unwrap_or_default() {
            if let Some(member) = &field.default
                && (self.style.secrets || !field.secret)
            {
                self.put_member(member, first);
            }
        }
    }

    /// Writes text that starts with a comma; the first member omits the comma.
    #[inline]
    fn put_member(&mut self, member: &[u8], first: &mut bool) {
        let from = usize::from(std::mem::take(first));
        self.out.extend_from_slice(member.get(from..).unwrap_or_default());
    }

    /// Writes a singular field with its key, unless it has its default and no presence.
    #[inline]
    pub(crate) fn singular(&mut self, field: &'t Field, raw: Raw<'_>, depth: u32, first: &mut bool) -> Write<()> {
        if let Kind::Enum(id) = field.kind
            && let Raw::Varint(number) = raw
            && low(number) == 0
            && self.tables.enumeration(id).value(0).is_some_and(|zero| !zero.spelled)
        {
            // The unspecified value has no spelling.
            return Ok(());
        }
        if !field.presence && is_zero(field.kind, raw)? {
            if self.style.defaults {
                self.put_member(field.default.as_deref().unwrap_or_default(), first);
            }
            return Ok(());
        }
        self.put_member(&field.key, first);
        self.value(field.kind, raw, depth)
    }

    /// Writes a repeated field from its next occurrence to the last one of this run.
    fn run(&mut self, field: &'t Field, key: u32, reader: &mut Reader<'_>, depth: u32, first: &mut bool) -> Write<()> {
        let list = self.open_list(field, first);
        let mut first_element = true;
        loop {
            let raw = reader.raw(key)?;
            self.elements(field.kind, raw, depth, &mut first_element)?;
            if !reader.again(key)? {
                break;
            }
        }
        self.close_list(&list, first_element, first);
        Ok(())
    }

    /// Starts a list. Answers the position and state to return to if the list turns out to be empty.
    pub(crate) fn open_list(&mut self, field: &Field, first: &mut bool) -> (usize, bool) {
        let start = (self.out.len(), *first);
        self.put_member(&field.key, first);
        self.out.push(b'[');
        start
    }

    pub(crate) fn close_list(&mut self, (start, was_first): &(usize, bool), empty: bool, first: &mut bool) {
        if empty && !self.style.defaults {
            self.out.truncate(*start);
            *first = *was_first;
        } else {
            self.out.push(b']');
        }
    }

    /// Writes one occurrence of a repeated field: one element, or many in packed form.
    #[inline]
    pub(crate) fn elements(&mut self, kind: Kind, raw: Raw<'_>, depth: u32, first: &mut bool) -> Write<()> {
        let Raw::Bytes(packed) = raw else { return self.element(kind, raw, depth, first) };
        if !kind.packable() {
            return self.element(kind, raw, depth, first);
        }
        let mut reader = Reader::new(packed);
        while !reader.is_empty() {
            let raw = match kind.wire() {
                wire::FIXED32 => Raw::Fixed32(reader.fixed32()?),
                wire::FIXED64 => Raw::Fixed64(reader.fixed64()?),
                _ => Raw::Varint(reader.varint()?),
            };
            self.element(kind, raw, depth, first)?;
        }
        Ok(())
    }

    #[inline]
    fn element(&mut self, kind: Kind, raw: Raw<'_>, depth: u32, first: &mut bool) -> Write<()> {
        if !std::mem::take(first) {
            self.out.push(b',');
        }
        self.value(kind, raw, depth)
    }

    /// Writes a value of any kind. `depth` is the depth of its message.
    #[inline]
    pub(crate) fn value(&mut self, kind: Kind, raw: Raw<'_>, depth: u32) -> Write<()> {
        match (kind, raw) {
            (Kind::String, Raw::Bytes(bytes)) => {
                if !json::put_utf8(self.out, bytes) {
                    return Err(WireError::new("text is not UTF-8"));
                }
            }
            (Kind::Message(id), Raw::Bytes(wire)) => return self.message(id, &[wire], depth + 1),
            (Kind::Enum(id), Raw::Varint(number)) => {
                let number = low(number).cast_signed();
                match self.tables.enumeration(id).value(number) {
                    Some(value) => self.out.extend_from_slice(&value.json),
                    None => json::put_signed(self.out, i64::from(number)),
                }
            }
            _ => return self.scalar(kind, raw),
        }
        Ok(())
    }

    fn scalar(&mut self, kind: Kind, raw: Raw<'_>) -> Write<()> {
        let out = &mut *self.out;
        match (kind, raw) {
            (Kind::Bool, Raw::Varint(value)) => out.extend_from_slice(if value == 0 { b"false" } else { b"true" }),
            (Kind::Int32, Raw::Varint(value)) => json::put_signed(out, i64::from(low(value).cast_signed())),
            (Kind::Sint32, Raw::Varint(value)) => json::put_signed(out, i64::from(unzigzag32(low(value)))),
            (Kind::Sfixed32, Raw::Fixed32(value)) => json::put_signed(out, i64::from(value.cast_signed())),
            (Kind::Uint32, Raw::Varint(value)) => json::put_unsigned(out, u64::from(low(value))),
            (Kind::Fixed32, Raw::Fixed32(value)) => json::put_unsigned(out, u64::from(value)),
            (Kind::Int64, Raw::Varint(value)) | (Kind::Sfixed64, Raw::Fixed64(value)) => {
                quote(out, |out| json::put_signed(out, value.cast_signed()));
            }
            (Kind::Sint64, Raw::Varint(value)) => quote(out, |out| json::put_signed(out, unzigzag64(value))),
            (Kind::Uint64, Raw::Varint(value)) | (Kind::Fixed64, Raw::Fixed64(value)) => {
                quote(out, |out| json::put_unsigned(out, value));
            }
            (Kind::Double, Raw::Fixed64(bits)) => json::put_double(out, f64::from_bits(bits)),
            (Kind::Float, Raw::Fixed32(bits)) => json::put_float(out, f32::from_bits(bits)),
            (Kind::Bytes, Raw::Bytes(bytes)) => json::put_base64(out, bytes),
            (Kind::Null, Raw::Varint(_)) => out.extend_from_slice(b"null"),
            _ => return Err(wrong_wire_type()),
        }
        Ok(())
    }

    /// Writes a value that the wire omits because it is zero.
    pub(crate) fn zero(&mut self, kind: Kind, depth: u32) -> Write<()> {
        match kind {
            Kind::Message(id) => self.message(id, &[], depth + 1),
            Kind::String | Kind::Bytes => self.value(kind, Raw::Bytes(&[]), depth),
            _ => match kind.wire() {
                wire::FIXED32 => self.value(kind, Raw::Fixed32(0), depth),
                wire::FIXED64 => self.value(kind, Raw::Fixed64(0), depth),
                _ => self.value(kind, Raw::Varint(0), depth),
            },
        }
    }

    fn wrapper(&mut self, kind: Kind, parts: &[&[u8]]) -> Write<()> {
        let mut value = None;
        each_field(parts, |number, raw| {
            if number == 1 {
                value = Some(raw);
            }
            Ok(())
        })?;
        match value {
            Some(raw) => self.value(kind, raw, 0),
            None => self.zero(kind, 0),
        }
    }
}

#[inline]
fn quote(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

/// Whether the value is its kind's default. Minus zero is not the default.
#[inline]
fn is_zero(kind: Kind, raw: Raw<'_>) -> Write<bool> {
    match (kind.wire(), raw) {
        (wire::VARINT, Raw::Varint(value)) => Ok(match kind {
            Kind::Bool | Kind::Int64 | Kind::Uint64 | Kind::Sint64 => value == 0,
            _ => low(value) == 0,
        }),
        (wire::BYTES, Raw::Bytes(bytes)) => Ok(bytes.is_empty()),
        (wire::FIXED32, Raw::Fixed32(value)) => Ok(value == 0),
        (wire::FIXED64, Raw::Fixed64(value)) => Ok(value == 0),
        _ => Err(wrong_wire_type()),
    }
}
