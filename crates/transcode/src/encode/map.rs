//! Maps. Entries come in any order, and the last entry of a key counts. They are written in the order of the keys, so
//! that the same map always gives the same text.

use super::{Encoder, Write, wrong_wire_type};
use crate::error::WireError;
use crate::json;
use crate::schema::{Field, Kind};
use crate::wire::{Raw, Reader, low, unzigzag32, unzigzag64};

/// A map's key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'w> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Text(&'w [u8]),
}

struct Entry<'w> {
    key: Key<'w>,
    value: Option<Raw<'w>>,
    /// Further parts of the value, if it is a message in several parts.
    more: Vec<&'w [u8]>,
}

impl<'t> Encoder<'t, '_> {
    /// Writes a map from its next entry to the last one of this run.
    pub(super) fn map_run(
        &mut self,
        field: &'t Field,
        key_kind: Kind,
        key: u32,
        reader: &mut Reader<'_>,
        depth: u32,
        first: &mut bool,
    ) -> Write<()> {
        let mut entries = Vec::new();
        loop {
            entries.push(reader.raw(key)?);
            if !reader.again(key)? {
                break;
            }
        }
        self.map(field, key_kind, entries.into_iter(), depth, first)
    }

    /// Writes a map of these entries, with its key.
    pub(super) fn map<'w>(
        &mut self,
        field: &'t Field,
        key_kind: Kind,
        entries: impl Iterator<Item = Raw<'w>>,
        depth: u32,
        first: &mut bool,
    ) -> Write<()> {
        self.put_member(&field.key, first);
        self.entries(key_kind, field.kind, entries, depth)
    }

    /// Writes the object of these entries. `depth` is the depth of the map's message.
    pub(crate) fn entries<'w>(
        &mut self,
        key_kind: Kind,
        kind: Kind,
        entries: impl Iterator<Item = Raw<'w>>,
        depth: u32,
    ) -> Write<()> {
        let mut entries = entries.map(|raw| entry(key_kind, kind, raw)).collect::<Write<Vec<_>>>()?;
        // The sort is stable: of entries with the same key, the last on the wire stays last.
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        let mut separator = b'{';
        let mut entries = entries.into_iter().peekable();
        while let Some(entry) = entries.next() {
            if entries.peek().is_some_and(|next| next.key == entry.key) {
                continue;
            }
            self.out.push(separator);
            separator = b',';
            self.entry_key(&entry.key)?;
            self.out.push(b':');
            // A map's entry is a message of its own, and its value is one level deeper.
            match (entry.value, kind) {
                (None, _) => self.zero(kind, depth + 1)?,
                (Some(raw), Kind::Message(id)) if !entry.more.is_empty() => {
                    let mut parts = entry.more;
                    parts.insert(0, message_bytes(raw)?);
                    self.message(id, &parts, depth + 2)?;
                }
                (Some(raw), _) => self.value(kind, raw, depth + 1)?,
            }
        }
        if separator == b'{' {
            self.out.push(b'{');
        }
        self.out.push(b'}');
        Ok(())
    }

    fn entry_key(&mut self, key: &Key<'_>) -> Write<()> {
        if let Key::Text(text) = key {
            return if json::put_utf8(self.out, text) { Ok(()) } else { Err(WireError::new("a key is not UTF-8")) };
        }
        self.out.push(b'"');
        match key {
            Key::Bool(value) => self.out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Key::Signed(value) => json::put_signed(self.out, *value),
            Key::Unsigned(value) => json::put_unsigned(self.out, *value),
            Key::Text(_) => {}
        }
        self.out.push(b'"');
        Ok(())
    }
}

fn entry<'w>(key_kind: Kind, kind: Kind, raw: Raw<'w>) -> Write<Entry<'w>> {
    let mut entry = Entry { key: zero_key(key_kind), value: None, more: Vec::new() };
    let mut reader = Reader::new(message_bytes(raw)?);
    while let Some(key) = reader.key()? {
        match key >> 3 {
            1 => entry.key = map_key(key_kind, reader.raw(key)?)?,
            2 => {
                let raw = reader.raw(key)?;
                match (kind, entry.value) {
                    (Kind::Message(_), Some(_)) => entry.more.push(message_bytes(raw)?),
                    _ => entry.value = Some(raw),
                }
            }
            _ => reader.skip(key)?,
        }
    }
    Ok(entry)
}

/// The bytes of a field that is a message.
pub(super) fn message_bytes(raw: Raw<'_>) -> Write<&[u8]> {
    match raw {
        Raw::Bytes(bytes) => Ok(bytes),
        _ => Err(wrong_wire_type()),
    }
}

fn zero_key(kind: Kind) -> Key<'static> {
    match kind {
        Kind::Bool => Key::Bool(false),
        Kind::String => Key::Text(&[]),
        Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64 => Key::Unsigned(0),
        _ => Key::Signed(0),
    }
}

fn map_key(kind: Kind, raw: Raw<'_>) -> Write<Key<'_>> {
    Ok(match (kind, raw) {
        (Kind::String, Raw::Bytes(text)) => Key::Text(text),
        (Kind::Bool, Raw::Varint(value)) => Key::Bool(value != 0),
        (Kind::Int32, Raw::Varint(value)) => Key::Signed(i64::from(low(value).cast_signed())),
        (Kind::Int64, Raw::Varint(value)) | (Kind::Sfixed64, Raw::Fixed64(value)) => Key::Signed(value.cast_signed()),
        (Kind::Sint32, Raw::Varint(value)) => Key::Signed(i64::from(unzigzag32(low(value)))),
        (Kind::Sint64, Raw::Varint(value)) => Key::Signed(unzigzag64(value)),
        (Kind::Sfixed32, Raw::Fixed32(value)) => Key::Signed(i64::from(value.cast_signed())),
        (Kind::Uint32, Raw::Varint(value)) => Key::Unsigned(u64::from(low(value))),
        (Kind::Uint64, Raw::Varint(value)) | (Kind::Fixed64, Raw::Fixed64(value)) => Key::Unsigned(value),
        (Kind::Fixed32, Raw::Fixed32(value)) => Key::Unsigned(u64::from(value)),
        _ => return Err(wrong_wire_type()),
    })
}
