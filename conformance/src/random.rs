//! Random messages.

use anyhow::Context as _;
use prost::Message as _;
use prost_reflect::DynamicMessage;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::protos;

/// Writes `count` messages, one a line.
pub(crate) fn messages(count: u64, seed: u64, mut tell: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let pool = protos::messages()?;
    let descriptor = pool.get_message_by_name(protos::MESSAGE).context("the suite has its message")?;
    for number in 0..count {
        let mut rng = StdRng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let message = pavise_transcode::oracle::arbitrary(&descriptor, &mut rng);
        // Our facade refuses the NUL character on purpose, which one case of the suite shows.
        let json = without_nul(serde_json::to_value(&message)?);
        let message = DynamicMessage::deserialize(descriptor.clone(), &json)?;
        let wire: String = message.encode_to_vec().iter().map(|byte| format!("{byte:02x}")).collect();
        tell(&json!({"json": json, "wire": wire}).to_string())?;
    }
    Ok(())
}

fn without_nul(json: Value) -> Value {
    match json {
        Value::String(text) => Value::String(text.replace('\0', "\u{2400}")),
        Value::Array(list) => list.into_iter().map(without_nul).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (key.replace('\0', "\u{2400}"), without_nul(value))).collect()
        }
        other => other,
    }
}
