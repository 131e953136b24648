//! Reads the path and the query of an address.

use std::borrow::Cow;

use pavise_kernel::{Common, Error, Result};

use crate::template::Variable;

/// A segment between two slashes, raw and decoded.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    raw: &'a str,
    text: Cow<'a, str>,
}

impl AsRef<str> for Piece<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Splits a path and decodes its pieces one by one, so that `%2F` does not part them.
pub(crate) fn pieces(path: &str) -> Result<Vec<Piece<'_>>> {
    let mut found = Vec::with_capacity(8);
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(found);
    }
    for raw in path.split('/') {
        let text = decode(raw).ok_or_else(|| malformed("the path", raw))?;
        found.push(Piece { raw, text });
    }
    Ok(found)
}

/// Whether the last colon of the last piece was sent unencoded, so that it may begin an action.
pub(crate) fn ends_with_action(pieces: &[Piece<'_>]) -> bool {
    let after = pieces.last().and_then(|last| last.raw.rsplit_once(':'));
    after.is_some_and(|(_, after)| !after.contains("%3A") && !after.contains("%3a"))
}

/// The value of a variable in a path. `action` is the length of `:action` at its end, or zero.
pub(crate) fn value<'a>(pieces: &'a [Piece<'a>], variable: &Variable, action: usize) -> Cow<'a, str> {
    let end = variable.count.map_or(pieces.len(), |count| variable.start + count).min(pieces.len());
    let cut = if end == pieces.len() { action } else { 0 };
    let own = pieces.get(variable.start..end).unwrap_or_default();
    match own {
        [one] if variable.count == Some(1) => Cow::Borrowed(shortened(&one.text, cut)),
        several => {
            let mut joined = String::new();
            for (at, piece) in several.iter().enumerate() {
                if at > 0 {
                    joined.push('/');
                }
                joined.push_str(&keeping_slashes(piece.raw));
            }
            joined.truncate(joined.len().saturating_sub(cut));
            Cow::Owned(joined)
        }
    }
}

fn shortened(text: &str, by: usize) -> &str {
    text.get(..text.len().saturating_sub(by)).unwrap_or(text)
}

/// Decodes all but `%2F` and `%2f`, which stay: in a value of several segments they would look like its own slashes.
fn keeping_slashes(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut start = 0;
    let decoded = |from: usize, to: usize| {
        let part = raw.get(from..to).unwrap_or_default();
        decode(part).unwrap_or(Cow::Borrowed(part))
    };
    for (at, _) in raw.match_indices('%') {
        let slash = raw.get(at..at + 3).filter(|code| code.eq_ignore_ascii_case("%2f"));
        if let Some(slash) = slash {
            out.push_str(&decoded(start, at));
            out.push_str(slash);
            start = at + 3;
        }
    }
    out.push_str(&decoded(start, raw.len()));
    out
}

/// The pairs of a query, decoded, in order.
pub(crate) fn query(query: &str) -> Result<Vec<(Cow<'_, str>, Cow<'_, str>)>> {
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = plus_decode(key).ok_or_else(|| malformed("the query", key))?;
        let Some(value) = plus_decode(value) else {
            let what = "the value is not percent-encoded UTF-8";
            return Err(malformed("the query", value).violation(key, what));
        };
        pairs.push((key, value));
    }
    Ok(pairs)
}

fn plus_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('+') {
        return decode(text);
    }
    let spaced = text.replace('+', " ");
    decode(&spaced).map(|decoded| Cow::Owned(decoded.into_owned()))
}

/// Percent-decodes; `None` where the encoding is broken or the result is not UTF-8.
fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('%') {
        let mut digits = after.bytes().take(2).filter(u8::is_ascii_hexdigit);
        (digits.next().is_some() && digits.next().is_some()).then_some(())?;
        rest = after;
    }
    percent_encoding::percent_decode_str(text).decode_utf8().ok()
}

fn malformed(place: &str, text: &str) -> Error {
    // Cut, so that the refusal does not repeat a long address whole.
    let shown: String = text.chars().take(60).collect();
    Error::new(Common::MalformedPath, format!("{place} has {shown}, which is not percent-encoded UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(start: usize, count: Option<usize>) -> Variable {
        Variable { field: vec!["name".to_owned()], start, count }
    }

    #[test]
    fn an_encoded_slash_stays_inside_its_segment() {
        let read = pieces("/v1/orders/a%2Fb%20c/x").unwrap();
        assert_eq!(read.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["v1", "orders", "a/b c", "x"]);
        assert_eq!(value(&read, &variable(2, Some(1)), 0), "a/b c");
        assert_eq!(value(&read, &variable(2, None), 0), "a%2Fb c/x");
        assert_eq!(value(&read, &variable(1, Some(2)), 0), "orders/a%2Fb c");
        assert_eq!(value(&read, &variable(4, None), 0), "", "no segment is left");
        let read = pieces("/v1/%C3%A9%2f%252F%2F").unwrap();
        assert_eq!(value(&read, &variable(1, None), 0), "é%2f%2F%2F", "as they were sent, and decoded once");
    }

    #[test]
    fn an_action_is_no_part_of_the_value() {
        let read = pieces("/v1/orders/7:close").unwrap();
        assert!(ends_with_action(&read));
        assert_eq!(value(&read, &variable(2, Some(1)), ":close".len()), "7");
        assert!(!ends_with_action(&pieces("/v1/orders/7%3Aclose").unwrap()));
        assert!(!ends_with_action(&pieces("/v1/orders/a:7%3aclose").unwrap()), "its last colon is part of the value");
        assert!(ends_with_action(&pieces("/v1/orders/a%3A7:close").unwrap()));
    }

    #[test]
    fn the_root_has_no_pieces() {
        assert!(pieces("/").unwrap().is_empty());
        assert_eq!(pieces("//").unwrap().len(), 2);
    }

    #[test]
    fn broken_percent_encoding_is_refused() {
        for path in ["/%", "/%2", "/%zz", "/%ff", "/a%C3", "/%+1", "/%é"] {
            assert!(pieces(path).unwrap_err().is(Common::MalformedPath), "{path}");
        }
        assert!(query("a=%ff").unwrap_err().is(Common::MalformedPath));
        assert!(query("%ff=a").unwrap_err().is(Common::MalformedPath));
    }

    #[test]
    fn a_query_is_decoded_in_order() {
        let read = query("a=1&b=x+y%2B&a=&c&&d=1=2").unwrap();
        let read: Vec<(&str, &str)> = read.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(read, [("a", "1"), ("b", "x y+"), ("a", ""), ("c", ""), ("d", "1=2")]);
    }
}
