//! Random messages of any descriptor, transcoded and compared with prost-reflect's result.
//!
//! For tests only, behind the feature `oracle`. prost-reflect knows neither the platform's spellings nor its dates. Its
//! JSON is therefore rewritten by the descriptors before the comparison, in code that shares nothing with the
//! transcoder.

mod arbitrary;
mod reference;
mod same;
mod scramble;

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, ReflectMessage as _, SerializeOptions};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value as Json;

pub use arbitrary::arbitrary;
pub use scramble::scramble;

use crate::{FromJson, Schema, ToJson, Transcoder, Unknown};

/// A pool, and the transcoder under test.
pub struct Oracle {
    pool: DescriptorPool,
    transcoder: Transcoder,
}

/// Checks `count` random messages of one type; the same `seed` makes the same messages.
///
/// # Errors
///
/// The difference from the expected result, with its message.
pub fn check(pool: &DescriptorPool, message: &MessageDescriptor, count: u64, seed: u64) -> Result<(), String> {
    Oracle::new(pool).check(message, count, seed)
}

/// The number of messages per type in the environment variable `PAVISE_TRANSCODE_MESSAGES`, or else `otherwise`.
#[must_use]
pub fn count_or(otherwise: u64) -> u64 {
    std::env::var("PAVISE_TRANSCODE_MESSAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

const REFUSE: FromJson = FromJson { unknown: Unknown::Refuse };

impl Oracle {
    /// Compiles the pool once for many checks.
    #[must_use]
    pub fn new(pool: &DescriptorPool) -> Self {
        Self { pool: pool.clone(), transcoder: Transcoder::new(pool) }
    }

    /// As the function [`check`].
    ///
    /// # Errors
    ///
    /// As the function [`check`].
    pub fn check(&self, message: &MessageDescriptor, count: u64, seed: u64) -> Result<(), String> {
        let name = message.full_name();
        let schema = self.transcoder.schema(name).ok_or_else(|| format!("{name} is not in the pool"))?;
        for number in 0..count {
            let mut rng = StdRng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let original = arbitrary(message, &mut rng);
            self.one(&schema, &original, &mut rng)
                .map_err(|error| format!("{name}, seed {seed}, message {number}: {error}"))?;
        }
        Ok(())
    }

    fn one(&self, schema: &Schema, original: &DynamicMessage, rng: &mut StdRng) -> Result<(), String> {
        let wire = original.encode_to_vec();
        self.written(schema, &wire, original)?;

        // The fields come in any order and in parts, with overwritten values and unknown fields.
        let disorder = scramble(original, rng);
        let merged = DynamicMessage::decode(original.descriptor(), disorder.as_slice())
            .map_err(|error| format!("the scrambled wire is wrong: {error}"))?;
        self.written(schema, &disorder, &merged)?;

        let mut ours = Vec::new();
        schema
            .to_json(&wire, ToJson { defaults: false, secrets: true }, &mut ours)
            .map_err(|error| format!("to_json: {error}"))?;
        read(schema, &ours, original)?;

        let theirs = serde_json::to_value(original).map_err(|error| format!("the oracle: {error}"))?;
        let with_dates = reference::dates(&self.pool, &original.descriptor(), theirs);
        read(schema, with_dates.to_string().as_bytes(), original)
    }

    /// Checks that the JSON of `wire`, in every style, is the expected JSON of `message`.
    fn written(&self, schema: &Schema, wire: &[u8], message: &DynamicMessage) -> Result<(), String> {
        for (defaults, secrets) in [(false, true), (true, true), (false, false), (true, false)] {
            let options = SerializeOptions::new().skip_default_fields(!defaults);
            let theirs = message
                .serialize_with_options(serde_json::value::Serializer, &options)
                .map_err(|error| format!("the oracle: {error}"))?;
            let expected = reference::expected(&self.pool, &message.descriptor(), theirs, secrets);
            let mut out = b"before".to_vec();
            schema
                .to_json(wire, ToJson { defaults, secrets }, &mut out)
                .map_err(|error| format!("to_json: {error}"))?;
            let json = out.strip_prefix(b"before").ok_or("to_json touched what was there before")?;
            let ours: Json = serde_json::from_slice(json)
                .map_err(|error| format!("not JSON: {error}: {}", String::from_utf8_lossy(json)))?;
            if !same::json(&ours, &expected) {
                return Err(format!("defaults {defaults}, secrets {secrets}:\nours   {ours}\ntheirs {expected}"));
            }
        }
        Ok(())
    }
}

/// Checks that `json` reads as `message`.
fn read(schema: &Schema, json: &[u8], message: &DynamicMessage) -> Result<(), String> {
    let mut out = b"before".to_vec();
    let shown = || String::from_utf8_lossy(json).into_owned();
    schema.to_wire(json, REFUSE, &mut out).map_err(|error| format!("to_wire: {error}: {}", shown()))?;
    let wire = out.strip_prefix(b"before").ok_or("to_wire touched what was there before")?;
    let back = DynamicMessage::decode(message.descriptor(), wire)
        .map_err(|error| format!("not the wire of the message: {error}: {}", shown()))?;
    if same::messages(&back, message) {
        Ok(())
    } else {
        Err(format!("read as another message: {}\n{}\n{}", shown(), text(&back), text(message)))
    }
}

/// A message as text for people.
fn text(message: &DynamicMessage) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| error.to_string())
}
