//! JSON of any message type: accepted JSON keeps its meaning when it is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pavise_transcode::{FromJson, ToJson, Unknown};

fuzz_target!(|data: &[u8]| {
    let Some((schema, json)) = pavise_fuzz::chosen(data) else { return };
    let mut wire = Vec::new();
    if schema.to_wire(json, FromJson { unknown: Unknown::Refuse }, &mut wire).is_err() {
        return;
    }
    let mut first = Vec::new();
    let style = ToJson { defaults: false, secrets: true };
    schema.to_json(&wire, style, &mut first).expect("what was read can be written");
    let (mut again, mut second) = (Vec::new(), Vec::new());
    schema.to_wire(&first, FromJson { unknown: Unknown::Refuse }, &mut again).expect("what was written can be read");
    schema.to_json(&again, style, &mut second).expect("and written again");
    assert_eq!(first, second, "{}: {}", schema.name(), String::from_utf8_lossy(json));
});
