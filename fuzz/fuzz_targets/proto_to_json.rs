//! Bytes as any message type: a message that can be written as JSON can be read again, with the same meaning.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pavise_transcode::{FromJson, ToJson, Unknown};

fuzz_target!(|data: &[u8]| {
    let Some((schema, wire)) = pavise_fuzz::chosen(data) else { return };
    let style = ToJson { defaults: false, secrets: true };
    let mut first = Vec::new();
    if schema.to_json(wire, style, &mut first).is_err() {
        return;
    }
    let (mut again, mut second) = (Vec::new(), Vec::new());
    // An unknown number of an enumeration, or a time out of range, is written and then refused.
    if schema.to_wire(&first, FromJson { unknown: Unknown::Refuse }, &mut again).is_ok() {
        schema.to_json(&again, style, &mut second).expect("what was read can be written");
        assert_eq!(first, second, "{}", schema.name());
    }
});
