//! The W3C trace context: the `traceparent` of a request, and of the calls that it makes.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::hex::to_hex;
use crate::time::Ids;

/// The name of the header and of the metadata entry.
pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// A new trace context and its trace id.
#[must_use]
pub fn begin_trace(ids: &Ids) -> (String, String) {
    let mut bytes = [0; 24];
    ids.fill_random(&mut bytes);
    let (trace, span) = bytes.split_at(16);
    let trace = to_hex(trace);
    let mut context = String::with_capacity(55);
    for piece in ["00-", &trace, "-", &to_hex(span), "-01"] {
        context.push_str(piece);
    }
    (context, trace)
}

/// The trace id in a request's trace context, if it is valid.
#[must_use]
pub fn named_by(headers: &HeaderMap) -> Option<&str> {
    headers.get(TRACEPARENT).and_then(named_in)
}

/// The trace id in the header's value, if it is valid.
#[must_use]
pub fn named_in(context: &HeaderValue) -> Option<&str> {
    let mut parts = context.to_str().ok()?.split('-');
    let mut next = |length: usize| {
        parts.next().filter(|part| {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        })
    };
    let (version, trace, span) = (next(2)?, next(32)?, next(16)?);
    next(2)?;
    let zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    (version != "ff" && !zero(trace) && !zero(span)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_context_names_a_trace() {
        let named = |value: &'static str| {
            let headers = HeaderMap::from_iter([(TRACEPARENT, HeaderValue::from_static(value))]);
            named_by(&headers).map(ToOwned::to_owned)
        };
        assert_eq!(
            named("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").as_deref(),
            Some("4bf92f3577b34da6a3ce929d0e0e4736")
        );
        // Later versions may hold more fields.
        assert!(named("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what").is_some());
        for bad in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01",
        ] {
            assert_eq!(named(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_new_context_is_well_formed() {
        let (context, trace) = begin_trace(&Ids::from_seed(1));
        assert_eq!(named_in(&HeaderValue::try_from(context).unwrap()), Some(trace.as_str()));
    }
}
