//! The slower way for messages whose fields are out of order: it gathers each field's occurrences, then writes.

use std::ops::Range;

use super::{Encoder, Write};
use crate::schema::{Field, Kind, Label, Message};
use crate::wire::{Raw, Reader};

/// One occurrence of a field on the wire.
struct Occurrence<'w> {
    index: usize,
    raw: Raw<'w>,
}

impl<'t> Encoder<'t, '_> {
    pub(super) fn grouped(&mut self, message: &'t Message, parts: &[&[u8]], depth: u32, mut first: bool) -> Write<()> {
        let mut occurrences = occurrences(message, parts)?;
        // The sort is stable, because the order on the wire counts within a field.
        occurrences.sort_by_key(|occurrence| occurrence.index);
        let mut passed = 0;
        for group in occurrences.chunk_by(|one, next| one.index == next.index) {
            let Some((index, field)) =
                group.first().and_then(|one| message.fields.get(one.index).map(|field| (one.index, field)))
            else {
                continue;
            };
            if self.style.defaults {
                self.defaults(message, passed..index, &mut first);
            }
            passed = index + 1;
            if field.secret && !self.style.secrets {
                continue;
            }
            self.group(field, group, depth, &mut first).map_err(|error| error.inside(&field.name))?;
        }
        if self.style.defaults {
            self.defaults(message, Range { start: passed, end: message.fields.len() }, &mut first);
        }
        Ok(())
    }

    /// Writes all occurrences of one field.
    fn group(&mut self, field: &'t Field, group: &[Occurrence<'_>], depth: u32, first: &mut bool) -> Write<()> {
        match (field.label, field.kind, group) {
            (Label::Map { key }, ..) => self.map(field, key, group.iter().map(|one| one.raw), depth, first),
            (Label::Repeated { .. }, ..) => {
                let list = self.open_list(field, first);
                let mut first_element = true;
                for one in group {
                    self.elements(field.kind, one.raw, depth, &mut first_element)?;
                }
                self.close_list(&list, first_element, first);
                Ok(())
            }
            (Label::Singular, Kind::Message(id), [_, _, ..]) => {
                let parts = group.iter().map(|one| super::map::message_bytes(one.raw)).collect::<Write<Vec<_>>>()?;
                self.put_member(&field.key, first);
                self.message(id, &parts, depth + 1)
            }
            // The last occurrence overwrites the others, which only have to be readable.
            (Label::Singular, _, [.., last]) => self.singular(field, last.raw, depth, first),
            (Label::Singular, _, []) => Ok(()),
        }
    }
}

/// The relevant fields of a message, in their order on the wire. Unknown fields are left out, and members of a oneof
/// that a later member replaced.
fn occurrences<'w>(message: &Message, parts: &[&'w [u8]]) -> Write<Vec<Occurrence<'w>>> {
    let mut occurrences = Vec::new();
    for part in parts {
        let mut reader = Reader::new(part);
        while let Some(key) = reader.key()? {
            match message.index_of(key >> 3) {
                Some(index) => {
                    let raw = reader.raw(key).map_err(|error| match message.fields.get(index) {
                        Some(field) => error.inside(&field.name),
                        None => error,
                    })?;
                    occurrences.push(Occurrence { index, raw });
                }
                None => reader.skip(key)?,
            }
        }
    }
    if message.oneofs == 0 {
        return Ok(occurrences);
    }
    // The loop runs from the end: the first member that it meets is the set one. Occurrences before another member's
    // are dropped.
    let mut members = vec![Member::None; message.oneofs as usize];
    let mut kept = Vec::with_capacity(occurrences.len());
    for occurrence in occurrences.into_iter().rev() {
        let oneof = message.fields.get(occurrence.index).and_then(|field| field.oneof);
        let keep = match oneof.and_then(|oneof| members.get_mut(oneof as usize)) {
            None => true,
            Some(member @ Member::None) => {
                *member = Member::Set(occurrence.index);
                true
            }
            Some(Member::Set(index)) if *index == occurrence.index => true,
            Some(member) => {
                *member = Member::Cleared;
                false
            }
        };
        if keep {
            kept.push(occurrence);
        }
    }
    kept.reverse();
    Ok(kept)
}

/// The state of a oneof while reading from the end.
#[derive(Clone, Copy)]
enum Member {
    None,
    Set(usize),
    /// A replaced member was met: no earlier occurrence counts.
    Cleared,
}
