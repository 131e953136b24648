//! Reads the fields of a multipart/form-data body, up to the part with the file.

use axum::body::Body;
use multer::{Constraints, Field, Multipart, SizeLimit};
use pavise_kernel::{Common, Error, Result};

use crate::assemble::{add_text, check_free, unknown};
use crate::content::too_large;
use crate::place::Place;
use crate::route::Route;

/// The most bytes of a part that is a plain field.
const MAX_TEXT: usize = 16 << 10;
/// The most bytes of all plain fields, which are one message.
const MAX_FIELDS: usize = 48 << 10;
/// The most bytes of a form beside its file.
pub(crate) const AROUND: u64 = 256 << 10;

/// A form that is read part by part.
pub(crate) struct Form {
    parts: Multipart<'static>,
    seen: Vec<Place>,
    length: usize,
}

impl Form {
    /// A form with a file of at most `most` bytes.
    pub(crate) fn open(boundary: String, body: Body, most: u64) -> Self {
        let whole = SizeLimit::new().whole_stream(most.saturating_add(AROUND));
        let constraints = Constraints::new().size_limit(whole);
        let parts = Multipart::with_constraints(body.into_data_stream(), boundary, constraints);
        Self { parts, seen: Vec::new(), length: 0 }
    }

    /// Appends the parts before the file, each of which has the name of a request field and is read as text. Answers the
    /// part with the file.
    ///
    /// # Errors
    /// `BODY_TOO_LARGE`, `UNKNOWN_FIELD`, `INVALID_FIELD`, or `MALFORMED_JSON` for a body that is not multipart.
    pub(crate) async fn read_fields(
        &mut self,
        route: &Route,
        file: &str,
        out: &mut Vec<u8>,
    ) -> Result<Option<Field<'static>>> {
        while let Some(part) = self.parts.next_field().await.map_err(|error| broken(&error))? {
            let Some(name) = part.name().map(str::to_owned) else {
                return Err(Error::new(Common::MalformedJson, "a part has no name"));
            };
            if name == file {
                return Ok(Some(part));
            }
            self.add_field(route, &name, part, out).await?;
        }
        Ok(None)
    }

    /// The parts after the file.
    pub(crate) fn into_parts(self) -> Multipart<'static> {
        self.parts
    }

    async fn add_field(&mut self, route: &Route, name: &str, part: Field<'_>, out: &mut Vec<u8>) -> Result<()> {
        let own = |place: &Place| !route.upload.as_ref().is_some_and(|rule| rule.is_own(place));
        let Some(place) = Place::find(&route.request, name).filter(own) else {
            return Err(unknown(name, "the call has no such part"));
        };
        check_free(route, &place, &self.seen)?;
        let bytes = text(part, &place).await?;
        self.length = self.length.saturating_add(bytes.len());
        if self.length > MAX_FIELDS {
            return Err(too_large(MAX_FIELDS).violation(&place.json, "the fields are longer than a form's may be"));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| Error::field(&place.json, "is not UTF-8"))?;
        add_text(route, &place, text, out)?;
        self.seen.push(place);
        Ok(())
    }
}

async fn text(mut part: Field<'_>, place: &Place) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error))? {
        if text.len().saturating_add(chunk.len()) > MAX_TEXT {
            let why = format!("is larger than {MAX_TEXT} bytes");
            return Err(too_large(MAX_TEXT).violation(&place.json, why));
        }
        text.extend_from_slice(&chunk);
    }
    Ok(text)
}

/// The refusal of a form that cannot be read on.
pub(crate) fn broken(error: &multer::Error) -> Error {
    match error {
        multer::Error::StreamSizeExceeded { limit } | multer::Error::FieldSizeExceeded { limit, .. } => {
            too_large(usize::try_from(*limit).unwrap_or(usize::MAX))
        }
        other => Error::new(Common::MalformedJson, "the body is not multipart/form-data").because(other),
    }
}
