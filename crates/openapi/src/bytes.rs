//! The bodies of calls that take or answer bytes.

use pavise_contract::options::v1::{Bytes, Raw, Upload};
use pavise_contract::{Binding, Method};
use prost_reflect::FieldDescriptor;
use serde_json::{Map, Value, json};

use crate::component::Components;
use crate::schema;
use crate::schema::way::{Way, has_text, put};

/// The request fields that come from the body, the headers or the address: no query has them.
pub(crate) fn own_fields(method: &Method) -> Vec<String> {
    let Some(Bytes { upload, raw, .. }) = &method.bytes else { return Vec::new() };
    let mut own = Vec::new();
    if let Some(upload) = upload {
        own.extend([upload.chunk.clone(), upload.content_type.clone()]);
    }
    if let Some(raw) = raw {
        own.extend([raw.body.clone(), raw.content_type.clone(), raw.url.clone()]);
        own.extend(raw.headers.iter().map(|header| header.field.clone()));
    }
    own
}

/// Whether the body is a file or an event, so that fields are in the query whatever the binding says.
pub(crate) fn has_own_body(method: &Method) -> bool {
    method.bytes.as_ref().is_some_and(|bytes| bytes.upload.is_some() || bytes.raw.is_some())
}

/// The body of a call that takes bytes. `in_path` are the fields of the path.
pub(crate) fn body(components: &mut Components<'_>, method: &Method, in_path: &[String]) -> Option<Value> {
    let bytes = method.bytes.as_ref()?;
    let content = match (&bytes.upload, &bytes.raw) {
        (Some(upload), _) => of_upload(components, method, upload, in_path),
        (None, Some(raw)) => of_raw(raw),
        (None, None) => return None,
    };
    Some(json!({"required": bytes.upload.is_some(), "content": content}))
}

fn of_upload(
    components: &mut Components<'_>,
    method: &Method,
    upload: &Upload,
    in_path: &[String],
) -> Map<String, Value> {
    let mut content = typed(&upload.types, &json!({"schema": binary(upload.max_bytes)}));
    let mut properties = Map::new();
    let own = own_fields(method);
    let plain = |field: &FieldDescriptor| {
        let is_taken = |names: &[String]| names.iter().any(|name| name == field.name());
        let is_text = field.kind().as_message().is_none_or(has_text);
        !field.is_map() && is_text && !is_taken(&own) && !is_taken(in_path) && upload.file_name != field.name()
    };
    for field in method.descriptor.input().fields().filter(plain) {
        properties.insert(field.json_name().to_owned(), schema::field(components, &field, Way::Text).schema);
    }
    properties.insert(upload.part_name().to_owned(), binary(upload.max_bytes));
    let mut form = Map::from_iter([(
        "schema".to_owned(),
        json!({"type": "object", "properties": properties, "required": [upload.part_name()], "additionalProperties": false}),
    )]);
    if !upload.types.is_empty() {
        form.insert("encoding".to_owned(), json!({upload.part_name(): {"contentType": upload.types.join(", ")}}));
    }
    content.insert("multipart/form-data".to_owned(), Value::Object(form));
    content
}

fn of_raw(raw: &Raw) -> Map<String, Value> {
    typed(&raw.types, &json!({"schema": binary(raw.most())}))
}

/// The parameters of the headers that become request fields.
pub(crate) fn headers(method: &Method) -> Vec<Value> {
    let raw = method.bytes.as_ref().and_then(|bytes| bytes.raw.as_ref());
    let headers = raw.map(|raw| raw.headers.as_slice()).unwrap_or_default();
    let header = |name: &str| json!({"name": name, "in": "header", "required": false, "schema": {"type": "string"}});
    headers.iter().map(|one| header(&one.name)).collect()
}

/// The parameters of a download: the part of a file, and its conditions.
pub(crate) fn range(method: &Method, binding: &Binding) -> Vec<Value> {
    let is_get = binding.verb == pavise_contract::Verb::Get;
    if !is_get || !answers_bytes(method) {
        return Vec::new();
    }
    let header = |name: &str, why: &str| json!({"name": name, "in": "header", "required": false, "schema": {"type": "string"}, "description": why});
    vec![
        header("Range", "One range of bytes, of a file whose size is known: `bytes=0-1023`."),
        header(
            "If-Range",
            "The ETag of the file that the range is of. The whole file is answered if it is another one.",
        ),
        header("If-None-Match", "The ETag of the file that the caller has."),
    ]
}

/// Whether the call answers bytes.
pub(crate) fn answers_bytes(method: &Method) -> bool {
    method.bytes.as_ref().is_some_and(|bytes| bytes.download.is_some())
}

/// Whether the call answers in another system's form.
pub(crate) fn answers_raw(method: &Method) -> bool {
    method.output().full_name() == "pavise.common.v1.RawAnswer"
}

/// The content of a download.
pub(crate) fn answer(method: &Method) -> Map<String, Value> {
    let download = method.bytes.as_ref().and_then(|bytes| bytes.download.as_ref());
    let types = download.map(|download| download.types.as_slice()).unwrap_or_default();
    typed(types, &json!({"schema": binary(0)}))
}

fn typed(types: &[String], content: &Value) -> Map<String, Value> {
    if types.is_empty() {
        return Map::from_iter([("*/*".to_owned(), content.clone())]);
    }
    types.iter().map(|kind| (kind.clone(), content.clone())).collect()
}

fn binary(most: i64) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("string")), ("format".to_owned(), json!("binary"))]);
    put(&mut schema, "maxLength", Some(most).filter(|most| *most > 0));
    Value::Object(schema)
}
