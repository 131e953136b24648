//! The body of a call that takes a file: a form, or the file itself. It goes on in chunks as it arrives.

use std::sync::{Arc, Mutex, PoisonError};

use async_stream::try_stream;
use axum::body::Body;
use bytes::{BufMut as _, Bytes, BytesMut};
use futures::{Stream, StreamExt as _};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http_body::Frame;
use http_body_util::StreamBody;
use multer::{Field, Multipart};
use pavise_kernel::bytes::CHUNK;
use pavise_kernel::{Common, Error, Result};
use prost::encoding::{WireType, encode_key, encode_varint};
use tonic::Status;

use crate::assemble::add_text;
use crate::byte_rule::UploadRule;
use crate::content::too_large;
use crate::multipart::{self, Form};
use crate::route::Route;
use crate::upstream;

/// The first message, and the file's content after it.
pub(crate) struct Arriving {
    pub(crate) fields: Vec<u8>,
    content: Content,
}

/// The content of a file, until the end of the body.
enum Content {
    Body(Body),
    Part(Box<(Field<'static>, Multipart<'static>)>),
}

/// The refusal of a body that has begun to go on.
#[derive(Clone, Default)]
pub(crate) struct Refusal(Arc<Mutex<Option<Error>>>);

impl Refusal {
    /// Takes it, if there is one. The answer of the call then tells only that its request broke off.
    pub(crate) fn take(&self) -> Option<Error> {
        self.lock().take()
    }

    fn set(&self, error: Error) -> Status {
        *self.lock() = Some(error);
        Status::cancelled("the body was refused")
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the body up to the file. `frame` has the fields of path and query.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE`, and the refusals of a form's fields.
pub(crate) async fn read(
    route: &Route,
    rule: &UploadRule,
    parts: &Parts,
    body: Body,
    fields: Vec<u8>,
) -> Result<Arriving> {
    let encoding = parts.headers.get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(unsupported(rule, "an encoded body"));
    }
    let kind = parts.headers.get(CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or("a type that is not ASCII"));
    let kind = kind.unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("multipart/form-data") {
        refuse_length(parts, rule.most.saturating_add(multipart::AROUND))?;
        let Ok(boundary) = multer::parse_boundary(kind) else {
            return Err(unsupported(rule, "multipart/form-data without a boundary"));
        };
        return form(route, rule, Form::open(boundary, body, rule.most), fields).await;
    }
    refuse_length(parts, rule.most)?;
    let mut fields = fields;
    name_type(route, rule, essence, &mut fields)?;
    Ok(Arriving { fields, content: Content::Body(body) })
}

async fn form(route: &Route, rule: &UploadRule, mut form: Form, mut fields: Vec<u8>) -> Result<Arriving> {
    let part = form.read_fields(route, &rule.part, &mut fields).await?;
    let Some(part) = part else {
        return Err(Error::field(&rule.chunk.json, format!("the form has no part {} with the file", rule.part)));
    };
    if let (Some(place), Some(name)) = (&rule.file_name, part.file_name()) {
        add_text(route, place, name, &mut fields)?;
    }
    let kind = part.content_type().map(|kind| kind.essence_str().to_owned()).unwrap_or_default();
    name_type(route, rule, &kind, &mut fields)?;
    Ok(Arriving { fields, content: Content::Part(Box::new((part, form.into_parts()))) })
}

/// Checks the file's content type and gives it to the request.
fn name_type(route: &Route, rule: &UploadRule, kind: &str, fields: &mut Vec<u8>) -> Result<()> {
    if !rule.types.is_empty() && !rule.types.iter().any(|one| pavise_contract::takes_type(one, kind)) {
        let what = if kind.is_empty() { "a file without a content type" } else { kind };
        return Err(unsupported(rule, what));
    }
    match &rule.content_type {
        Some(place) if !kind.is_empty() => add_text(route, place, kind, fields),
        _ => Ok(()),
    }
}

fn refuse_length(parts: &Parts, most: u64) -> Result<()> {
    let length = parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most) { Err(too_large(size(most))) } else { Ok(()) }
}

fn size(most: u64) -> usize {
    usize::try_from(most).unwrap_or(usize::MAX)
}

fn unsupported(rule: &UploadRule, what: &str) -> Error {
    let types = if rule.types.is_empty() { "the file itself".to_owned() } else { rule.types.join(" or ") };
    let shown: String = what.chars().take(60).collect();
    Error::new(Common::UnsupportedMediaType, format!("send multipart/form-data, or {types}, not {shown}"))
}

impl Arriving {
    /// The body of the call: the first message, and one for each chunk. A body that is refused breaks it off.
    pub(crate) fn into_body(self, rule: &UploadRule, refusal: Refusal) -> Result<tonic::body::Body, Status> {
        let first = upstream::close_frame(self.fields)?;
        let field = rule.chunk.numbers.last().copied().unwrap_or_default();
        let (part, most) = (rule.part.clone(), rule.most);
        let mut content = Box::pin(bounded(pieces(self.content, part), most));
        let frames = try_stream! {
            yield Frame::data(first);
            while let Some(piece) = content.next().await {
                let mut piece = piece.map_err(|error| refusal.set(error))?;
                while !piece.is_empty() {
                    let chunk = piece.split_to(piece.len().min(CHUNK));
                    yield Frame::data(head(field, chunk.len()));
                    yield Frame::data(chunk);
                }
            }
        };
        let frames: std::pin::Pin<Box<dyn Stream<Item = Result<Frame<Bytes>, Status>> + Send>> = Box::pin(frames);
        Ok(tonic::body::Body::new(StreamBody::new(frames)))
    }
}

/// The frame and the field of a chunk, before its bytes.
fn head(field: u32, length: usize) -> Bytes {
    let mut inner = BytesMut::with_capacity(16);
    encode_key(field, WireType::LengthDelimited, &mut inner);
    encode_varint(u64::try_from(length).unwrap_or(u64::MAX), &mut inner);
    let whole = u32::try_from(inner.len().saturating_add(length)).unwrap_or(u32::MAX);
    let mut out = BytesMut::with_capacity(upstream::PREFIX + inner.len());
    out.put_u8(0);
    out.put_u32(whole);
    out.put(inner);
    out.freeze()
}

/// The pieces of the file as they come. Nothing may follow the file in a form.
fn pieces(content: Content, part: String) -> impl Stream<Item = Result<Bytes>> + Send {
    try_stream! {
        match content {
            Content::Body(body) => {
                let mut data = body.into_data_stream();
                while let Some(piece) = data.next().await {
                    yield piece.map_err(|cause| Error::new(Common::MalformedJson, "the body breaks off").because(cause))?;
                }
            }
            Content::Part(both) => {
                let (mut file, mut form) = *both;
                while let Some(piece) = file.chunk().await.map_err(|error| multipart::broken(&error))? {
                    yield piece;
                }
                drop(file);
                if let Some(more) = form.next_field().await.map_err(|error| multipart::broken(&error))? {
                    let name: String = more.name().unwrap_or_default().chars().take(100).collect();
                    Err(Error::field(name, format!("comes after the part {part}, which is the last one")))?;
                }
            }
        }
    }
}

/// The pieces, until they are more than that many bytes.
fn bounded(pieces: impl Stream<Item = Result<Bytes>> + Send, most: u64) -> impl Stream<Item = Result<Bytes>> + Send {
    try_stream! {
        let mut left = most;
        for await piece in pieces {
            let piece = piece?;
            let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            left = left.checked_sub(length).ok_or_else(|| too_large(size(most)))?;
            yield piece;
        }
    }
}
