//! Makes the request message of a call from path, query and body.

use bytes::Bytes;
use pavise_kernel::{Common, Error, Result};
use pavise_transcode::{FromJson, JsonError, Problem, Unknown};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::path::{self, Piece};
use crate::place::Place;
use crate::refusal::json_path;
use crate::route::{BodyRule, Route};
use crate::wire;

/// JSON bodies are read strictly.
const STRICT: FromJson = FromJson { unknown: Unknown::Refuse };
/// No engine stores the NUL character, and one of them cannot even search for it.
const NO_NUL: &str = "must not hold the NUL character";
const NUL_ESCAPE: &[u8] = b"\\u0000";

/// Appends a JSON body to the message `out`.
///
/// # Errors
/// When the body is not JSON, has unknown fields or values that do not fit.
pub(crate) fn add_json(route: &Route, json: &Bytes, out: &mut Vec<u8>) -> Result<()> {
    read_json(route, json, out)?;
    // JSON writes the character only as this escape; reading the value tells similar text apart.
    if memchr::memmem::find(json, NUL_ESCAPE).is_some()
        && let Ok(value) = serde_json::from_slice::<Value>(json)
    {
        let below = if let BodyRule::Field { place, .. } = &route.body { place.json.as_str() } else { "" };
        if let Some(field) = nul(&value, below) {
            return Err(Error::field(json_path(&field, Some(&route.request)), NO_NUL));
        }
    }
    Ok(())
}

/// The path of the first text with a NUL character.
fn nul(value: &Value, at: &str) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(|| at.to_owned()),
        Value::Array(list) => list.iter().enumerate().find_map(|(index, one)| nul(one, &format!("{at}[{index}]"))),
        Value::Object(fields) => fields.iter().find_map(|(key, one)| {
            if key.contains('\0') {
                return Some(at.to_owned());
            }
            nul(one, &if at.is_empty() { key.clone() } else { format!("{at}.{key}") })
        }),
        _ => None,
    }
}

fn read_json(route: &Route, json: &Bytes, out: &mut Vec<u8>) -> Result<()> {
    match &route.body {
        BodyRule::Nothing => no_content(json),
        BodyRule::All => {
            let start = out.len();
            route.input.to_wire(json, STRICT, out).map_err(|error| refused(route, error, ""))?;
            let message = out.get(start..).unwrap_or_default();
            for (_, place) in &route.variables {
                if wire::holds(message, &place.numbers) {
                    return Err(Error::field(&place.json, "is in the path already; leave it out of the body"));
                }
            }
            Ok(())
        }
        BodyRule::Field { place, schema: Some(schema) } => {
            let mut inner = Vec::with_capacity(json.len());
            schema.to_wire(json, STRICT, &mut inner).map_err(|error| refused(route, error, &place.json))?;
            wire::append(place.numbers.last().copied().unwrap_or_default(), &inner, out);
            Ok(())
        }
        BodyRule::Field { place, schema: None } => {
            // Read as one value first, so that trailing text cannot become another field of the request.
            let value: &RawValue = serde_json::from_slice(json).map_err(|error| malformed(&error.to_string()))?;
            let wrapped = format!("{{\"{}\":{}}}", place.json, value.get());
            route.input.to_wire(wrapped.as_bytes(), STRICT, out).map_err(|error| refused(route, error, ""))
        }
    }
}

/// A call without a body accepts `{}`, which many clients send anyway, and nothing else.
fn no_content(json: &Bytes) -> Result<()> {
    match serde_json::from_slice::<Value>(json) {
        Ok(Value::Object(fields)) => match fields.keys().next() {
            None => Ok(()),
            Some(field) => Err(unknown(field, "the call takes no body")),
        },
        Ok(_) => Err(malformed("the call takes no body; send nothing or {}")),
        Err(error) => Err(malformed(&error.to_string())),
    }
}

/// Appends the values of the path.
///
/// # Errors
/// `INVALID_FIELD` for a value that does not fit its field.
pub(crate) fn add_path(route: &Route, pieces: &[Piece<'_>], out: &mut Vec<u8>) -> Result<()> {
    let action = if route.template.action.is_empty() { 0 } else { route.template.action.len() + 1 };
    for (variable, place) in &route.variables {
        add_text(route, place, &path::value(pieces, variable, action), out)?;
    }
    Ok(())
}

/// Appends the values of the query. Keys for which `ignore` is true are skipped.
///
/// # Errors
/// `UNKNOWN_FIELD`, or `INVALID_FIELD` for a key that stands elsewhere, comes twice, or has a value that does not
/// fit.
pub(crate) fn add_query(route: &Route, query: &str, ignore: impl Fn(&str) -> bool, out: &mut Vec<u8>) -> Result<()> {
    let mut seen: Vec<Place> = Vec::new();
    for (key, value) in path::query(query)? {
        if ignore(&key) {
            continue;
        }
        let Some(place) = Place::find(&route.request, &key) else {
            // The sender of an event adds what it likes, and the call gets the whole address.
            if route.raw.is_some() {
                continue;
            }
            return Err(unknown(&key, "the call has no such field"));
        };
        if route.takes_itself(&place) {
            return Err(Error::field(place.json, "belongs in the body, not in the query"));
        }
        match &route.body {
            // The body is a file or an event, and has no fields.
            BodyRule::All if route.upload.is_some() || route.raw.is_some() => {}
            BodyRule::All => return Err(Error::field(place.json, "belongs in the body, not in the query")),
            BodyRule::Field { place: body, .. } if body.meets(&place) => {
                return Err(Error::field(place.json, "belongs in the body, not in the query"));
            }
            BodyRule::Field { .. } | BodyRule::Nothing => {}
        }
        check_free(route, &place, &seen)?;
        add_text(route, &place, &value, out)?;
        seen.push(place);
    }
    Ok(())
}

/// Refuses a field that the path or an earlier key has set.
pub(crate) fn check_free(route: &Route, place: &Place, seen: &[Place]) -> Result<()> {
    if route.variables.iter().any(|(_, taken)| taken.meets(place)) {
        return Err(Error::field(&place.json, "is in the path already"));
    }
    for earlier in seen {
        if !place.list && earlier.numbers == place.numbers {
            return Err(Error::field(&place.json, "is there more than once"));
        }
        if place.oneof.is_some() && earlier.oneof == place.oneof && earlier.numbers != place.numbers {
            return Err(Error::field(&place.json, format!("cannot be there together with {}", earlier.json)));
        }
    }
    Ok(())
}

/// Appends one field from text.
pub(crate) fn add_text(route: &Route, place: &Place, text: &str, out: &mut Vec<u8>) -> Result<()> {
    if text.contains('\0') {
        return Err(Error::field(&place.json, NO_NUL));
    }
    let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
    route.input.field_from_text(&names, text, out).map_err(|error| {
        let message = if error.message.is_empty() { "does not fit".to_owned() } else { error.message };
        Error::field(&place.json, message)
    })
}

/// The refusal of a field that the call does not have.
pub(crate) fn unknown(field: &str, why: &str) -> Error {
    // Cut, so that the refusal does not repeat a long key whole.
    let field: String = field.chars().take(100).collect();
    Error::new(Common::UnknownField, format!("{field} is not a field of this call")).violation(field, why)
}

fn malformed(message: &str) -> Error {
    Error::new(Common::MalformedJson, message)
}

/// The refusal of JSON that the transcoder rejects; `below` is the field whose value the JSON is.
fn refused(route: &Route, error: JsonError, below: &str) -> Error {
    let field = match (below, error.path.as_str()) {
        (below, "") => below.to_owned(),
        ("", path) => path.to_owned(),
        (below, path) if path.starts_with('[') => format!("{below}{path}"),
        (below, path) => format!("{below}.{path}"),
    };
    let field = json_path(&field, Some(&route.request));
    let at = format!("at line {} column {}", error.line, error.column);
    match error.problem {
        // The message contains the place.
        Problem::Malformed => malformed(&error.message),
        Problem::UnknownField => unknown(&field, &at),
        Problem::InvalidValue | Problem::TooDeep if field.is_empty() => {
            Error::new(Common::InvalidField, format!("{} {at}", error.message))
        }
        Problem::InvalidValue | Problem::TooDeep => Error::field(field, error.message),
    }
}
