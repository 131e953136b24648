//! The request fields that get a file, or the body of a request as it is.

use http::HeaderName;
use pavise_contract::options::v1::{Raw, RawHeader, Upload};
use prost_reflect::{Kind, MessageDescriptor};

use crate::place::Place;

/// The request fields of a file.
pub(crate) struct UploadRule {
    pub(crate) part: String,
    pub(crate) chunk: Place,
    pub(crate) most: u64,
    pub(crate) types: Vec<String>,
    pub(crate) file_name: Option<Place>,
    pub(crate) content_type: Option<Place>,
}

impl UploadRule {
    pub(crate) fn of(request: &MessageDescriptor, rule: &Upload) -> Option<Self> {
        Some(Self {
            part: rule.part_name().to_owned(),
            chunk: text_field(request, &rule.chunk, &Kind::Bytes)?,
            most: u64::try_from(rule.max_bytes).ok()?,
            types: rule.types.clone(),
            file_name: named_field(request, &rule.file_name)?,
            content_type: named_field(request, &rule.content_type)?,
        })
    }

    /// Whether a field is set from the file, and from nothing else.
    pub(crate) fn is_own(&self, place: &Place) -> bool {
        self.chunk == *place || self.content_type.as_ref() == Some(place)
    }
}

/// The request fields that get the body, its type, the headers and the address.
pub(crate) struct RawRule {
    pub(crate) body: Place,
    pub(crate) most: usize,
    pub(crate) types: Vec<String>,
    pub(crate) content_type: Option<Place>,
    pub(crate) url: Option<Place>,
    pub(crate) headers: Vec<(HeaderName, Place)>,
}

impl RawRule {
    pub(crate) fn of(request: &MessageDescriptor, rule: &Raw) -> Option<Self> {
        let header = |header: &RawHeader| {
            let name = HeaderName::try_from(&header.name).ok()?;
            Some((name, text_field(request, &header.field, &Kind::String)?))
        };
        Some(Self {
            body: text_field(request, &rule.body, &Kind::Bytes)?,
            most: usize::try_from(rule.most()).ok()?,
            types: rule.types.clone(),
            content_type: named_field(request, &rule.content_type)?,
            url: named_field(request, &rule.url)?,
            headers: rule.headers.iter().map(header).collect::<Option<_>>()?,
        })
    }

    /// Whether a field is set from the body, the headers or the address, and from nothing else.
    pub(crate) fn is_own(&self, place: &Place) -> bool {
        let named = [Some(&self.body), self.content_type.as_ref(), self.url.as_ref()];
        named.into_iter().flatten().chain(self.headers.iter().map(|(_, field)| field)).any(|own| own == place)
    }
}

fn text_field(request: &MessageDescriptor, name: &str, kind: &Kind) -> Option<Place> {
    let field = request.get_field_by_name(name).filter(|field| field.kind() == *kind)?;
    Place::find(request, field.name())
}

/// The place of a field that need not be named.
fn named_field(request: &MessageDescriptor, name: &str) -> Option<Option<Place>> {
    if name.is_empty() { Some(None) } else { text_field(request, name, &Kind::String).map(Some) }
}
