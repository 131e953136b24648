//! Calls that take or answer bytes.

use std::error::Error;
use std::fmt::Write as _;

use pavise_contract::options::v1::{Bytes, Raw, Upload};
use pavise_contract::{Behavior, Method, Service, Verb, is_type_rule};
use prost_reflect::{FieldDescriptor, Kind};

use crate::{Source, child, name};

/// The message of an answer of bytes.
const ANSWER: &str = "pavise.common.v1.ByteAnswer";
/// The message of an answer in another system's form.
const RAW_ANSWER: &str = "pavise.common.v1.RawAnswer";
/// The most bytes of a raw body: as many as a message may have.
const MOST_RAW: i64 = 4_000_000;
/// Headers that no call gets, because they are the caller's proof.
const PRIVATE: [&str; 3] = ["authorization", "cookie", "pavise-cookies"];

/// Checks what a call says of bytes.
pub(crate) fn check(source: &Source<'_>, method: &Method) -> Result<(), Box<dyn Error>> {
    let place = method.descriptor.full_name();
    faults(source, method).map_err(|fault| format!("{place}: {fault}").into())
}

fn faults(source: &Source<'_>, method: &Method) -> Result<(), String> {
    let (descriptor, output) = (&method.descriptor, method.output());
    let rule = method.bytes.clone().unwrap_or_default();
    let Bytes { upload, download, raw } = &rule;
    if method.bytes.is_some() {
        let Behavior::Custom(custom) = &method.behavior else { return Err("only a custom call has bytes".to_owned()) };
        let count = usize::from(upload.is_some()) + usize::from(download.is_some()) + usize::from(raw.is_some());
        if count != 1 {
            return Err("bytes is one of upload, download and raw".to_owned());
        }
        if custom.stream {
            return Err("a call with bytes has no `stream` of its own".to_owned());
        }
    }
    if upload.is_some() != descriptor.is_client_streaming() {
        return Err(if upload.is_some() {
            "an upload takes a stream of its request's message"
        } else {
            "a call takes one request, unless its bytes are an upload"
        }
        .to_owned());
    }
    if download.is_some() != (output.full_name() == ANSWER) {
        return Err(format!("a download answers {ANSWER}, and no other call does"));
    }
    if raw.is_none() && output.full_name() == RAW_ANSWER {
        return Err(format!("only a raw call answers {RAW_ANSWER}"));
    }
    if let Some(download) = download {
        let reads = matches!(&method.behavior, Behavior::Custom(custom) if custom.reads);
        if !reads || !descriptor.is_server_streaming() {
            return Err("a download reads, and answers a stream".to_owned());
        }
        check_types(&download.types)?;
        check_record(source, method, &download.record)?;
    }
    if let Some(upload) = upload {
        check_upload(source, method, upload)?;
    }
    if let Some(raw) = raw {
        check_raw(method, raw)?;
    }
    Ok(())
}

/// Checks the call that answers the record in place of the bytes.
fn check_record(source: &Source<'_>, method: &Method, record: &str) -> Result<(), String> {
    if record.is_empty() {
        return Ok(());
    }
    let service = method.descriptor.parent_service().full_name().to_owned();
    let mut siblings = source.contract.methods().filter(|(_, other)| {
        other.descriptor.name() == record && other.descriptor.parent_service().full_name() == service
    });
    let (_, found) = siblings.next().ok_or_else(|| format!("download.record names {record:?}, which is no call"))?;
    let fits = found.descriptor.input() == method.descriptor.input()
        && found.bindings.is_empty()
        && !found.descriptor.is_server_streaming()
        && found.reads();
    if fits { Ok(()) } else { Err(format!("{record} is a read of the same request with one answer and no path")) }
}

fn check_upload(source: &Source<'_>, method: &Method, upload: &Upload) -> Result<(), String> {
    if method.descriptor.is_server_streaming() {
        return Err("an upload answers one message".to_owned());
    }
    field(method, "upload.chunk", &upload.chunk, &Kind::Bytes)?;
    for (what, name) in [("upload.file_name", &upload.file_name), ("upload.content_type", &upload.content_type)] {
        if !name.is_empty() {
            field(method, what, name, &Kind::String)?;
        }
    }
    if upload.max_bytes < 1 {
        return Err("upload.max_bytes is the most bytes of a file: say how many".to_owned());
    }
    check_types(&upload.types)?;
    check_bindings(method)?;
    let input = method.descriptor.input();
    let takers = source.contract.methods().filter(|(_, other)| other.descriptor.input() == input).count();
    if takers > 1 {
        return Err(format!("{} is the request of another call, too", input.name()));
    }
    if input.package_name() != source.package {
        return Err("the request of an upload is a message of its own".to_owned());
    }
    Ok(())
}

fn check_raw(method: &Method, raw: &Raw) -> Result<(), String> {
    field(method, "raw.body", &raw.body, &Kind::Bytes)?;
    for (what, name) in [("raw.content_type", &raw.content_type), ("raw.url", &raw.url)] {
        if !name.is_empty() {
            field(method, what, name, &Kind::String)?;
        }
    }
    if !(0..=MOST_RAW).contains(&raw.max_bytes) {
        return Err(format!("raw.max_bytes is at most {MOST_RAW}: a body is one message"));
    }
    for header in &raw.headers {
        field(method, "raw.headers", &header.field, &Kind::String)?;
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if header.name.is_empty() || !header.name.bytes().all(known) {
            return Err(format!("raw.headers: {:?} is no header in lower case", header.name));
        }
        if PRIVATE.contains(&header.name.as_str()) {
            return Err(format!("raw.headers: no call gets {}", header.name));
        }
    }
    check_types(&raw.types)?;
    check_bindings(method)
}

/// Checks that each path of the call takes a body.
fn check_bindings(method: &Method) -> Result<(), String> {
    let takes = |binding: &pavise_contract::Binding| {
        binding.body == "*" && matches!(binding.verb, Verb::Post | Verb::Put | Verb::Patch)
    };
    if method.bindings.iter().all(takes) {
        return Ok(());
    }
    Err("its paths are of post, put or patch, with body \"*\"".to_owned())
}

fn check_types(types: &[String]) -> Result<(), String> {
    match types.iter().find(|one| !is_type_rule(one)) {
        Some(wrong) => Err(format!("{wrong:?} is no content type: \"text/csv\", \"image/*\"")),
        None => Ok(()),
    }
}

/// The request field of that name and kind.
fn field(method: &Method, what: &str, name: &str, kind: &Kind) -> Result<FieldDescriptor, String> {
    let single = |field: &FieldDescriptor| field.kind() == *kind && !field.is_list() && !field.supports_presence();
    let found = method.descriptor.input().get_field_by_name(name).filter(single);
    found.ok_or_else(|| format!("{what} names {name:?}, which is no single field of type {kind:?} of the request"))
}

/// Writes the body of a call that takes or answers a stream of bytes; nothing for another call.
pub(crate) fn method(
    text: &mut String,
    source: &Source<'_>,
    service: &Service,
    method: &Method,
    constant: &str,
) -> Result<bool, Box<dyn Error>> {
    let Some(bytes) = &method.bytes else { return Ok(false) };
    let (input, output) = (name::message(&method.descriptor.input()), name::message(&method.output()));
    let (function, admit) = (name::ident(method.descriptor.name()), child::admission(source, method)?);
    let work =
        format!("async move {{ {admit} crate::{}::{function}(&call, request).await }}", name::ident(&service.name));
    if bytes.download.is_some() {
        writeln!(
            text,
            "async fn {function}(&self, request: ::tonic::Request<{input}>) -> Result<::tonic::Response<::pavise_kernel::stream::Messages<{output}>>, ::tonic::Status> {{ self.kernel.serve_download({constant}, request, |call, request| {work}).await }}"
        )?;
    } else if bytes.upload.is_some() {
        writeln!(
            text,
            "async fn {function}(&self, request: ::tonic::Request<::pavise_kernel::stream::Messages<::prost::bytes::Bytes>>) -> Result<::tonic::Response<{output}>, ::tonic::Status> {{ self.kernel.serve_upload({constant}, request, |call, request: {input}| {work}).await }}"
        )?;
    }
    Ok(bytes.raw.is_none())
}

/// Code for the requests of uploads.
pub(crate) fn requests(source: &Source<'_>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for (_, method) in source.contract.methods().filter(|(service, _)| service.domain == source.domain) {
        let Some(upload) = method.bytes.as_ref().and_then(|bytes| bytes.upload.as_ref()) else { continue };
        let chunk = field(method, "upload.chunk", &upload.chunk, &Kind::Bytes)?;
        let kind = match upload.content_type.as_str() {
            "" => "None".to_owned(),
            named => {
                format!("Some(&self.{})", name::field(&field(method, "upload.content_type", named, &Kind::String)?))
            }
        };
        writeln!(
            text,
            "impl ::pavise_kernel::bytes::ChunkedRequest for {} {{
                const RULE: ::pavise_kernel::bytes::UploadRule = ::pavise_kernel::bytes::UploadRule {{ chunk: {}, most: {}, types: &{:?} }};
                fn take_chunk(&mut self) -> ::std::vec::Vec<u8> {{ ::core::mem::take(&mut self.{}) }}
                fn content_type(&self) -> Option<&str> {{ {kind} }}
            }}",
            name::message(&method.descriptor.input()),
            chunk.number(),
            upload.max_bytes,
            upload.types,
            name::field(&chunk),
        )?;
    }
    Ok(text)
}
