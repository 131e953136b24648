//! The part of a file that a caller asks for (RFC 9110, section 13 and 14).

use std::ops::Range;

use http::header::{IF_NONE_MATCH, IF_RANGE, RANGE};
use tonic::metadata::MetadataMap;

use crate::error::{Common, Error, Result};

/// The headers of a request for bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RangeConditions {
    if_none_match: Vec<String>,
    if_range: Option<String>,
    range: Option<String>,
}

/// The part of a file that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FilePart {
    /// All of it.
    Whole,
    /// Some of it.
    Range(Range<u64>),
    /// Nothing, because the caller has it.
    NotModified,
}

impl RangeConditions {
    pub(crate) fn read(metadata: &MetadataMap) -> Self {
        let headers = metadata.as_ref();
        let text = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).map(str::to_owned);
        let mut ranges = text(RANGE);
        let range = ranges.next().filter(|_| ranges.next().is_none());
        Self { if_none_match: text(IF_NONE_MATCH).collect(), if_range: text(IF_RANGE).next(), range }
    }

    /// The part of a file of that size and that strong tag, which is without quotes.
    ///
    /// # Errors
    /// `RANGE_NOT_SATISFIABLE` when the range begins after the end.
    pub(crate) fn choose_part(&self, size: u64, etag: &str) -> Result<FilePart> {
        let quoted = format!("\"{etag}\"");
        let mut tags = self.if_none_match.iter().flat_map(|line| line.split(',')).map(str::trim);
        if tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == quoted) {
            return Ok(FilePart::NotModified);
        }
        // A date, a weak tag and another tag are conditions that do not hold.
        if self.if_range.as_ref().is_some_and(|tag| tag.trim() != quoted) {
            return Ok(FilePart::Whole);
        }
        let Some(wanted) = self.range.as_deref().and_then(parse) else { return Ok(FilePart::Whole) };
        match wanted.within(size) {
            Some(range) => Ok(FilePart::Range(range)),
            None => {
                let why = format!("the file has {size} bytes, and the range has none of them");
                Err(Error::new(Common::RangeNotSatisfiable, why).with("size", size.to_string()))
            }
        }
    }
}

/// One range, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OneRange {
    From(u64, Option<u64>),
    Last(u64),
}

impl OneRange {
    fn within(self, size: u64) -> Option<Range<u64>> {
        let range = match self {
            Self::From(first, last) => first..last.map_or(size, |last| last.saturating_add(1)).min(size),
            Self::Last(count) => size.saturating_sub(count)..size,
        };
        (!range.is_empty()).then_some(range)
    }
}

/// Reads one range. Another unit, several ranges and what cannot be read count as no range.
fn parse(text: &str) -> Option<OneRange> {
    let (unit, set) = text.split_once('=')?;
    let (first, last) = set.trim().split_once('-').filter(|_| unit.trim().eq_ignore_ascii_case("bytes"))?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first.trim()), last.trim()) {
        (Some(first), "") => Some(OneRange::From(first, None)),
        (Some(first), last) => number(last).filter(|last| *last >= first).map(|last| OneRange::From(first, Some(last))),
        (None, last) if first.trim().is_empty() => number(last).map(OneRange::Last),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(headers: &[(&'static str, &'static str)], size: u64) -> Result<FilePart> {
        let mut metadata = MetadataMap::new();
        for (name, value) in headers {
            metadata.append(*name, value.parse().unwrap());
        }
        RangeConditions::read(&metadata).choose_part(size, "abc")
    }

    #[test]
    fn one_range_is_answered_and_everything_else_is_the_whole_file() {
        let of = |range| part(&[("range", range)], 10).unwrap();
        assert_eq!(of("bytes=0-0"), FilePart::Range(0..1));
        assert_eq!(of("bytes=3-"), FilePart::Range(3..10));
        assert_eq!(of("bytes=3-99"), FilePart::Range(3..10));
        assert_eq!(of("Bytes= 3-4 "), FilePart::Range(3..5));
        assert_eq!(of("bytes=-4"), FilePart::Range(6..10));
        assert_eq!(of("bytes=-40"), FilePart::Range(0..10));
        for whole in
            ["", "bytes", "bytes=", "bytes=-", "bytes=4-3", "bytes=1-2,4-5", "bytes=a-b", "bytes=+1-2", "lines=1-2"]
        {
            assert_eq!(of(whole), FilePart::Whole, "{whole}");
        }
        assert_eq!(part(&[("range", "bytes=1-2"), ("range", "bytes=1-2")], 10).unwrap(), FilePart::Whole);
        assert_eq!(part(&[], 0).unwrap(), FilePart::Whole);
    }

    #[test]
    fn a_range_after_the_end_is_refused() {
        for range in ["bytes=10-", "bytes=99-100", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert!(part(&[("range", range)], 10).unwrap_err().is(Common::RangeNotSatisfiable), "{range}");
        }
        assert!(part(&[("range", "bytes=0-")], 0).unwrap_err().is(Common::RangeNotSatisfiable));
    }

    #[test]
    fn conditions_come_first() {
        assert_eq!(part(&[("if-none-match", "\"x\", W/\"abc\"")], 10).unwrap(), FilePart::NotModified);
        assert_eq!(part(&[("if-none-match", "*"), ("range", "bytes=99-")], 10).unwrap(), FilePart::NotModified);
        assert_eq!(part(&[("if-none-match", "\"x\"")], 10).unwrap(), FilePart::Whole);
        assert_eq!(part(&[("if-range", "\"abc\""), ("range", "bytes=1-2")], 10).unwrap(), FilePart::Range(1..3));
        for stale in ["\"x\"", "W/\"abc\"", "abc", "Tue, 15 Nov 1994 12:45:26 GMT"] {
            assert_eq!(part(&[("if-range", stale), ("range", "bytes=99-")], 10).unwrap(), FilePart::Whole, "{stale}");
        }
    }
}
