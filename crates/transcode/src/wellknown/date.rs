//! `pavise.common.v1.Date`: `"2026-03-31"`.

use std::io::Write as _;

use super::calendar;
use super::fields::{Write, each_field, wrong_wire_type};
use crate::wire::{Raw, VARINT, low, put_key, put_varint};

/// Writes a date. A date that does not exist is written as it is, because the reader cannot repair it.
pub(crate) fn put(out: &mut Vec<u8>, parts: &[&[u8]]) -> Write<()> {
    let (mut year, mut month, mut day) = (0, 0, 0);
    each_field(parts, |number, raw| {
        let part = match number {
            1 => &mut year,
            2 => &mut month,
            3 => &mut day,
            _ => return Ok(()),
        };
        let Raw::Varint(value) = raw else { return Err(wrong_wire_type()) };
        *part = low(value).cast_signed();
        Ok(())
    })?;
    match [year, month, day].map(u64::try_from) {
        [Ok(year @ 0..=9999), Ok(month @ 0..=99), Ok(day @ 0..=99)] => {
            out.push(b'"');
            calendar::put_date(out, year, month, day);
            out.push(b'"');
        }
        _ => drop(write!(out, "\"{year:04}-{month:02}-{day:02}\"")),
    }
    Ok(())
}

pub(super) fn from_text(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let Some((year, month, day)) = calendar::date_from_text(text) else {
        return Err("must be a date such as 2026-03-31".to_owned());
    };
    for (part, number) in [year, month, day].into_iter().zip(1..) {
        put_key(out, number, VARINT);
        put_varint(out, part.cast_unsigned());
    }
    Ok(())
}
