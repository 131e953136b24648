//! The transcoder from its users' view.
#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod hostile;
mod oracle;
mod pool;
mod refused;
mod text;
mod to_json;
mod to_wire;

use std::sync::LazyLock;

use pavise_transcode::{FromJson, JsonError, Schema, ToJson, Transcoder, Unknown, WireError};

static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| Transcoder::new(&pool::everything()));

const PLAIN: ToJson = ToJson { defaults: false, secrets: true };
const REFUSE: FromJson = FromJson { unknown: Unknown::Refuse };
const IGNORE: FromJson = FromJson { unknown: Unknown::Ignore };

/// The schema with that name; a name without a package belongs to the tests' package.
fn schema(name: &str) -> Schema {
    TRANSCODER
        .schema(name)
        .or_else(|| TRANSCODER.schema(&format!("everything.v1.{name}")))
        .expect("the tests know their messages")
}

fn to_json(name: &str, wire: &[u8], style: ToJson) -> Result<String, WireError> {
    let mut out = Vec::new();
    schema(name).to_json(wire, style, &mut out)?;
    Ok(String::from_utf8(out).expect("JSON is text"))
}

fn to_wire(name: &str, json: &str, style: FromJson) -> Result<Vec<u8>, JsonError> {
    let mut out = Vec::new();
    schema(name).to_wire(json.as_bytes(), style, &mut out)?;
    Ok(out)
}

/// The JSON of a message that was read from JSON.
fn again(name: &str, json: &str) -> String {
    let wire = to_wire(name, json, REFUSE).unwrap_or_else(|error| panic!("{json}: {error}"));
    to_json(name, &wire, PLAIN).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// A field of wire type 2.
fn delimited(number: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(number < 16 && bytes.len() < 128);
    [&[number << 3 | 2, u8::try_from(bytes.len()).expect("checked")], bytes].concat()
}
