//! `Timestamp` and `Duration`.

use std::io::Write as _;

use super::calendar;
use super::calendar::put_digits as digits;
use super::fields::{Write, each_field, wrong_wire_type};
use crate::error::WireError;
use crate::wire::{Raw, VARINT, low, put_key, put_varint};

/// The seconds of 0001-01-01T00:00:00Z and of 9999-12-31T23:59:59Z.
const TIMESTAMPS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// About ten thousand years, in seconds.
const LONGEST: i64 = 315_576_000_000;
const NANOS: i32 = 1_000_000_000;
const DAY: i64 = 86_400;

pub(crate) fn put_timestamp(out: &mut Vec<u8>, parts: &[&[u8]]) -> Write<()> {
    let (seconds, nanos) = read(parts)?;
    if !TIMESTAMPS.contains(&seconds) || !(0..NANOS).contains(&nanos) {
        return Err(WireError::new("the time is not between the years 1 and 9999"));
    }
    let (year, month, day) = calendar::date(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let (year, month, day) = (year.unsigned_abs(), month.unsigned_abs(), day.unsigned_abs());
    let second = second.unsigned_abs();
    out.push(b'"');
    calendar::put_date(out, year, month, day);
    let parts = [(b'T', second / 3600), (b':', second / 60 % 60), (b':', second % 60)];
    for (separator, part) in parts {
        out.push(separator);
        digits(out, part, 10);
    }
    fraction(out, nanos.unsigned_abs());
    out.extend_from_slice(b"Z\"");
    Ok(())
}

pub(crate) fn put_duration(out: &mut Vec<u8>, parts: &[&[u8]]) -> Write<()> {
    let (seconds, nanos) = read(parts)?;
    let signs = i64::from(nanos.signum()) * seconds.signum();
    if !(-LONGEST..=LONGEST).contains(&seconds) || !(-NANOS + 1..NANOS).contains(&nanos) || signs < 0 {
        return Err(WireError::new("the duration is out of range"));
    }
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    drop(write!(out, "\"{sign}{}", seconds.unsigned_abs()));
    fraction(out, nanos.unsigned_abs());
    out.extend_from_slice(b"s\"");
    Ok(())
}

fn read(parts: &[&[u8]]) -> Write<(i64, i32)> {
    let (mut seconds, mut nanos) = (0, 0);
    each_field(parts, |number, raw| {
        match (number, raw) {
            (1, Raw::Varint(value)) => seconds = value.cast_signed(),
            (2, Raw::Varint(value)) => nanos = low(value).cast_signed(),
            (1 | 2, _) => return Err(wrong_wire_type()),
            _ => {}
        }
        Ok(())
    })?;
    Ok((seconds, nanos))
}

/// Writes the fraction with zero, three, six or nine digits.
fn fraction(out: &mut Vec<u8>, nanos: u32) {
    if nanos == 0 {
        return;
    }
    out.push(b'.');
    let nanos = u64::from(nanos);
    if nanos.is_multiple_of(1_000_000) {
        digits(out, nanos / 1_000_000, 100);
    } else if nanos.is_multiple_of(1_000) {
        digits(out, nanos / 1_000, 100_000);
    } else {
        digits(out, nanos, 100_000_000);
    }
}

pub(super) fn timestamp_from_text(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let (seconds, nanos) = timestamp(text)
        .ok_or_else(|| "must be a time such as 2026-03-31T13:20:00Z, of the years 1 to 9999".to_owned())?;
    put(out, seconds, nanos);
    Ok(())
}

pub(super) fn duration_from_text(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let (seconds, nanos) =
        duration(text).ok_or_else(|| "must be a duration such as 3.5s, of at most 315576000000 s".to_owned())?;
    put(out, seconds, nanos);
    Ok(())
}

fn put(out: &mut Vec<u8>, seconds: i64, nanos: i32) {
    if seconds != 0 {
        put_key(out, 1, VARINT);
        put_varint(out, seconds.cast_unsigned());
    }
    if nanos != 0 {
        put_key(out, 2, VARINT);
        put_varint(out, i64::from(nanos).cast_unsigned());
    }
}

/// Seconds since 1970 and nanoseconds of a time in the form of RFC 3339, with capital letters.
fn timestamp(text: &str) -> Option<(i64, i32)> {
    let (year, month, day) = calendar::date_from_text(text.get(..10)?)?;
    let clock = text.get(10..19)?;
    if clock.get(..1)? != "T" {
        return None;
    }
    let second = hours(clock.get(1..6)?)? * 60 + below(clock.get(7..9).filter(|_| clock.get(6..7) == Some(":"))?, 60)?;
    let rest = text.get(19..)?;
    let zone_at = rest.find(['Z', '+', '-'])?;
    let (fraction, zone) = rest.split_at_checked(zone_at)?;
    let offset = match zone.split_at_checked(1)? {
        ("Z", "") => 0,
        ("+", offset) => hours(offset)? * 60,
        ("-", offset) => -hours(offset)? * 60,
        _ => return None,
    };
    let seconds = calendar::days(year, month, day) * DAY + second - offset;
    Some((seconds, nanos(fraction)?)).filter(|(seconds, _)| TIMESTAMPS.contains(seconds))
}

/// The minutes of `13:20`.
fn hours(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    Some(below(hours, 24)? * 60 + below(minutes, 60)?)
}

fn below(text: &str, limit: i64) -> Option<i64> {
    (text.len() == 2).then(|| calendar::digits(text))?.filter(|value| *value < limit)
}

/// The nanoseconds of `.5`; 0 for an empty text.
fn nanos(text: &str) -> Option<i32> {
    let Some(fraction) = text.strip_prefix('.') else { return text.is_empty().then_some(0) };
    if fraction.len() > 9 {
        return None;
    }
    let scale = 10_i64.pow(9 - u32::try_from(fraction.len()).ok()?);
    i32::try_from(calendar::digits(fraction)? * scale).ok()
}

/// Seconds and nanoseconds of `-3.5s`; both carry the sign.
fn duration(text: &str) -> Option<(i64, i32)> {
    let amount = text.strip_suffix('s')?;
    let (negative, amount) = amount.strip_prefix('-').map_or((false, amount), |amount| (true, amount));
    let (whole, fraction) = amount.split_at_checked(amount.find('.').unwrap_or(amount.len()))?;
    let (seconds, nanos) = (calendar::digits(whole)?, nanos(fraction)?);
    if seconds > LONGEST || (seconds == LONGEST && nanos > 0) {
        return None;
    }
    Some(if negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2026-03-31T13:20:00Z", 1_774_963_200, 0),
            ("1969-12-31T23:59:59.500Z", -1, 500_000_000),
            ("2026-03-31T13:20:00.000001Z", 1_774_963_200, 1_000),
            ("2026-03-31T13:20:00.000000001Z", 1_774_963_200, 1),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
        ];
        for (text, seconds, nanos) in cases {
            assert_eq!(timestamp(text), Some((seconds, nanos)), "{text}");
            let (mut wire, mut json) = (Vec::new(), Vec::new());
            timestamp_from_text(text, &mut wire).unwrap();
            put_timestamp(&mut json, &[&wire]).unwrap();
            assert_eq!(String::from_utf8(json).unwrap(), format!("{text:?}"));
        }
        assert_eq!(timestamp("2026-03-31T15:20:00.25+02:00"), Some((1_774_963_200, 250_000_000)));
        assert_eq!(timestamp("2026-03-31T00:20:00-13:00"), Some((1_774_963_200, 0)));
    }

    #[test]
    fn times_that_there_are_not() {
        let cases = [
            "",
            "2026-03-31",
            "2026-03-31T13:20Z",
            "2026-03-31T13:20:00",
            "2026-03-31t13:20:00z",
            "2026-03-31 13:20:00Z",
            "2026-03-31T13:20:00z",
            "2026-03-31T24:00:00Z",
            "2026-03-31T13:60:00Z",
            "2026-03-31T23:59:60Z",
            "2026-03-31T13:20:00.Z",
            "2026-03-31T13:20:00.1234567890Z",
            "2026-03-31T13:20:00,5Z",
            "2026-03-31T13:20:00+0200",
            "2026-03-31T13:20:00+24:00",
            "2026-03-31T13:20:00Z ",
            "2026-02-30T13:20:00Z",
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-00:01",
            "10000-01-01T00:00:00Z",
        ];
        for text in cases {
            assert_eq!(timestamp(text), None, "{text}");
        }
        for (seconds, nanos) in [(253_402_300_800, 0), (-62_135_596_801, 0), (0, -1), (0, NANOS)] {
            let mut wire = Vec::new();
            put(&mut wire, seconds, nanos);
            assert!(put_timestamp(&mut Vec::new(), &[&wire]).is_err(), "{seconds} {nanos}");
        }
    }

    #[test]
    fn durations() {
        let cases = [
            ("0s", 0, 0),
            ("1s", 1, 0),
            ("-1s", -1, 0),
            ("1.500s", 1, 500_000_000),
            ("-0.500s", 0, -500_000_000),
            ("-1.000000001s", -1, -1),
            ("315576000000s", LONGEST, 0),
        ];
        for (text, seconds, nanos) in cases {
            assert_eq!(duration(text), Some((seconds, nanos)), "{text}");
            let (mut wire, mut json) = (Vec::new(), Vec::new());
            duration_from_text(text, &mut wire).unwrap();
            put_duration(&mut json, &[&wire]).unwrap();
            assert_eq!(String::from_utf8(json).unwrap(), format!("{text:?}"));
        }
        for text in ["", "s", "1", "1.s", ".5s", "1.0000000001s", "315576000001s", "--1s", "+1s", "1 s", "1e3s"] {
            assert_eq!(duration(text), None, "{text}");
        }
        for (seconds, nanos) in [(1, -1), (-1, 1), (0, NANOS), (0, i32::MIN), (LONGEST + 1, 0), (i64::MIN, 0)] {
            let mut wire = Vec::new();
            put(&mut wire, seconds, nanos);
            assert!(put_duration(&mut Vec::new(), &[&wire]).is_err(), "{seconds} {nanos}");
        }
    }
}
