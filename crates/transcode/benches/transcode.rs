//! The time to transcode a message of usual size in both directions, next to the time of prost-reflect's DynamicMessage
//! in the same run. `cargo bench -p pavise-transcode`
#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use pavise_transcode::{FromJson, Schema, ToJson, Transcoder, Unknown};
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use protox::file::{ChainFileResolver, DescriptorSetFileResolver, GoogleFileResolver, IncludeFileResolver};

const STYLE: ToJson = ToJson { defaults: true, secrets: true };
const REFUSE: FromJson = FromJson { unknown: Unknown::Refuse };

fn main() {
    let pool = pool();
    let descriptor = pool.get_message_by_name("bench.v1.Order").expect("it is in the proto");
    let schema = Transcoder::new(&pool).schema("bench.v1.Order").expect("it is in the proto");
    let (wire, json) = order(&schema);
    println!("{} bytes on the wire, {} bytes of JSON", wire.len(), json.len());

    let mut out = Vec::with_capacity(4096);
    compare(
        "wire to JSON",
        || {
            out.clear();
            schema.to_json(black_box(&wire), STYLE, &mut out).expect("the wire is right");
            out.len()
        },
        || dynamic_to_json(&descriptor, black_box(&wire)).len(),
    );
    let disorder: Vec<u8> = [&wire, &[0x20, 5][..]].concat();
    let mut out = Vec::with_capacity(4096);
    compare(
        "wire to JSON, out of order",
        || {
            out.clear();
            schema.to_json(black_box(&disorder), STYLE, &mut out).expect("the wire is right");
            out.len()
        },
        || dynamic_to_json(&descriptor, black_box(&disorder)).len(),
    );
    // DynamicMessage reads neither the platform's dates nor its spellings.
    let plain = dynamic_to_json(&descriptor, &wire);
    let mut out = Vec::with_capacity(4096);
    compare(
        "JSON to wire",
        || {
            out.clear();
            schema.to_wire(black_box(&json), REFUSE, &mut out).expect("the JSON is right");
            out.len()
        },
        || dynamic_to_wire(&descriptor, black_box(&plain)).len(),
    );
}

/// Prints the least time of one call of each, in microseconds, and their ratio.
fn compare(what: &str, mut ours: impl FnMut() -> usize, mut theirs: impl FnMut() -> usize) {
    const ROUNDS: u32 = 60;
    const CALLS: u32 = 1_000;
    let (mut least, mut their_least) = (f64::MAX, f64::MAX);
    // The two run in turns, so that other load of the machine affects both.
    for _ in 0..ROUNDS {
        least = least.min(time(CALLS, &mut ours));
        their_least = their_least.min(time(CALLS / 5, &mut theirs));
    }
    println!("{what:28} {least:6.2} µs   DynamicMessage {their_least:6.2} µs   ratio {:.1}", their_least / least);
}

fn time(calls: u32, call: &mut impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}

fn dynamic_to_json(descriptor: &MessageDescriptor, wire: &[u8]) -> Vec<u8> {
    let message = DynamicMessage::decode(descriptor.clone(), wire).expect("the wire is right");
    serde_json::to_vec(&message).expect("the message has JSON")
}

fn dynamic_to_wire(descriptor: &MessageDescriptor, json: &[u8]) -> Vec<u8> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let message = DynamicMessage::deserialize(descriptor.clone(), &mut deserializer).expect("the JSON is right");
    message.encode_to_vec()
}

fn pool() -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches")));
    resolver.add(DescriptorSetFileResolver::decode(pavise_contract::DESCRIPTORS).expect("the set is right"));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("order.proto").expect("the proto is right");
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("the proto is right")
}

/// An order of six lines.
fn order(schema: &Schema) -> (Vec<u8>, Vec<u8>) {
    let line = |number: u32| {
        format!(
            r#"{{"lineId":"0190f2a4-7c1e-7000-8000-00000000000{number}","offerId":"0190f2a4-7c1e-7000-8000-0000000001{number}0",
            "name":"Identity protection, family plan {number}","quantity":{number},"price":{{"currency":"USD","amount":"2995"}},
            "discount":{{"currency":"USD","amount":"500"}},"startsOn":"2026-03-31","renews":true,"taxRate":0.0825}}"#
        )
    };
    let lines: Vec<_> = (1..=6).map(line).collect();
    let json = format!(
        r#"{{"orderId":"0190f2a4-7c1e-7000-8000-000000000abc","ownerId":"0190f2a4-7c1e-7000-8000-000000000def",
        "status":"PLACED","version":"12","lines":[{}],"total":{{"currency":"USD","amount":"14970"}},"locale":"en-US",
        "createdAt":"2026-03-31T13:20:00Z","updatedAt":"2026-03-31T13:20:05.123456Z",
        "labels":{{"campaign":"spring","source":"broker"}},"paymentDays":[1,8,15,22],
        "note":"Please call before 9 o'clock; the bell is \"broken\".","email":"member@example.com","signature":"3q2+7w=="}}"#,
        lines.join(",")
    );
    let (mut wire, mut compact) = (Vec::new(), Vec::new());
    schema.to_wire(json.as_bytes(), REFUSE, &mut wire).expect("the JSON is right");
    schema.to_json(&wire, STYLE, &mut compact).expect("the wire is right");
    (wire, compact)
}
