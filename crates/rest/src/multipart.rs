//! Reads a multipart/form-data body part by part into the request message.

use axum::body::Body;
use bytes::Bytes;
use multer::{Constraints, Field, Multipart, SizeLimit};
use pavise_kernel::{Common, Error, Result};

use crate::assemble::{add_text, check_free, unknown};
use crate::content::too_large;
use crate::route::{PartRule, Place, Route};
use crate::wire;

/// The most bytes of a part that is a plain field.
const MAX_TEXT: usize = 64 << 10;

/// Appends the parts. A part that the contract maps goes to its bytes field. Any other part must have the name of a
/// request field and is read as text.
///
/// # Errors
/// `BODY_TOO_LARGE`, `UNKNOWN_FIELD`, `INVALID_FIELD`, or `MALFORMED_JSON` for a body that is not multipart.
pub(crate) async fn add_parts(
    route: &Route,
    boundary: String,
    body: Body,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    let whole = u64::try_from(limit).unwrap_or(u64::MAX);
    let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(whole));
    let mut parts = Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
    let mut seen: Vec<Place> = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error, limit))? {
        let Some(name) = part.name().map(str::to_owned) else {
            return Err(Error::new(Common::MalformedJson, "a part has no name"));
        };
        match route.multipart.iter().find(|rule| rule.name == name) {
            Some(rule) => add_file(route, rule, part, limit, &mut seen, out).await?,
            None => add_field(route, &name, part, limit, &mut seen, out).await?,
        }
    }
    Ok(())
}

async fn add_file(
    route: &Route,
    rule: &PartRule,
    part: Field<'_>,
    limit: usize,
    seen: &mut Vec<Place>,
    out: &mut Vec<u8>,
) -> Result<()> {
    check_free(route, &rule.field, seen)
        .map_err(|_| Error::field(&rule.field.json, format!("part {} is there more than once", rule.name)))?;
    let facts = [
        (&rule.file_name, part.file_name().map(str::to_owned)),
        (&rule.content_type, part.content_type().map(ToString::to_string)),
    ];
    for (place, text) in facts {
        if let (Some(place), Some(text)) = (place, text) {
            add_text(route, place, &text, out)?;
            seen.push(place.clone());
        }
    }
    let most = if rule.max_bytes == 0 { limit } else { rule.max_bytes };
    let chunks = content(part, most, limit, &rule.field).await?;
    // The field is at the top of the request, so that its content is copied once, into its place.
    let length = chunks.iter().map(Bytes::len).sum::<usize>();
    out.reserve(length + 16);
    wire::append_chunks(rule.field.numbers.last().copied().unwrap_or_default(), length, &chunks, out);
    seen.push(rule.field.clone());
    Ok(())
}

async fn add_field(
    route: &Route,
    name: &str,
    part: Field<'_>,
    limit: usize,
    seen: &mut Vec<Place>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let Some(place) = Place::find(&route.request, name) else {
        return Err(unknown(name, "the call has no such part"));
    };
    check_free(route, &place, seen)?;
    let bytes = content(part, MAX_TEXT, limit, &place).await?.concat();
    let text = std::str::from_utf8(&bytes).map_err(|_| Error::field(&place.json, "is not UTF-8"))?;
    add_text(route, &place, text, out)?;
    seen.push(place);
    Ok(())
}

async fn content(mut part: Field<'_>, most: usize, limit: usize, place: &Place) -> Result<Vec<Bytes>> {
    let mut chunks = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error, limit))? {
        length = length.saturating_add(chunk.len());
        if length > most {
            return Err(too_large(most).violation(&place.json, format!("is larger than {most} bytes")));
        }
        chunks.push(chunk);
    }
    Ok(chunks)
}

fn broken(error: &multer::Error, limit: usize) -> Error {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => too_large(limit),
        other => Error::new(Common::MalformedJson, "the body is not multipart/form-data").because(other),
    }
}
