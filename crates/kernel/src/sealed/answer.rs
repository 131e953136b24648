//! The kept answers of idempotency records. One with sealed fields is kept as JSON, in which they are sealed.
//!
//! The first byte of such an answer is 0, with which no message begins.

use std::collections::BTreeSet;

use bytes::Bytes;
use pavise_transcode::{FromJson, ToJson, Unknown};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sealer::{FieldSealer, close};
use super::walk::Place;
use crate::error::{Error, Result};
use crate::port::numbers::{Rewrite, fill_json};
use crate::port::store::{Command, IdempotencyRecord};

/// Begins an answer that is to be sealed.
const MARKED: &[u8] = b"\0m";
/// Begins an answer that is sealed.
const SEALED: &[u8] = b"\0s";
const WRITE: ToJson = ToJson { defaults: false, secrets: true };
const READ: FromJson = FromJson { unknown: Unknown::Ignore };

/// A sealed answer.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    message: String,
    owner: String,
    answer: String,
}

/// Marks an answer with its message and the owner of what belongs to no entity in it.
pub(super) fn mark(message: &str, owner: &str, answer: &[u8]) -> Vec<u8> {
    [MARKED, message.as_bytes(), b"\0", owner.as_bytes(), b"\0", answer].concat()
}

fn unmark(answer: &[u8]) -> Option<(&str, &str, &[u8])> {
    let mut parts = answer.strip_prefix(MARKED)?.splitn(3, |byte| *byte == 0);
    let (message, owner) = (parts.next()?, parts.next()?);
    Some((std::str::from_utf8(message).ok()?, std::str::from_utf8(owner).ok()?, parts.next()?))
}

/// Seals the kept answer of a command, if it is marked.
pub(super) async fn seal_answer(sealer: &FieldSealer, mut command: Command) -> Result<Command> {
    let Some(record) = &mut command.record else { return Ok(command) };
    let Some((message, owner, answer)) = unmark(&record.answer) else { return Ok(command) };
    let schema = sealer.transcoder.schema(message).ok_or_else(|| Error::internal(format!("no schema of {message}")))?;
    let plan = sealer.plans.of_message(message).ok_or_else(|| Error::internal("an answer without sealed fields"))?;
    let mut json = Vec::with_capacity(answer.len() * 2);
    schema.to_json(answer, WRITE, &mut json).map_err(Error::internal)?;
    let mut value: Value = serde_json::from_slice(&json).map_err(|_| Error::internal("an answer that is no JSON"))?;
    let place = place(sealer, plan, &value, &record.key, owner);
    let mut names = BTreeSet::new();
    sealer.plans.walk(plan, &mut value, &place, &mut |slot| {
        names.insert(slot.key_name());
        Ok(true)
    })?;
    if names.is_empty() {
        record.answer = Bytes::copy_from_slice(answer);
        return Ok(command);
    }
    let keys = sealer.configured_keys()?.fetch_or_make(&names).await?;
    sealer.plans.walk(plan, &mut value, &place, &mut |slot| close(slot, &keys))?;
    let kept = KeptAnswer { message: message.to_owned(), owner: owner.to_owned(), answer: value.to_string() };
    let kept = serde_json::to_vec(&kept).map_err(Error::internal)?;
    record.answer = Bytes::from([SEALED, &kept].concat());
    // The engine writes numbers into the answer when it gives them.
    command.numbers.rewrite = command.numbers.rewrite.map(|_| {
        Rewrite::new(|bytes, given| {
            let mut kept = read(bytes).ok_or("a sealed answer cannot be read")?;
            kept.answer = fill_json(&kept.answer, given);
            Ok([SEALED, &serde_json::to_vec(&kept).map_err(|error| error.to_string())?].concat())
        })
    });
    Ok(command)
}

fn read(answer: &[u8]) -> Option<KeptAnswer> {
    serde_json::from_slice(answer.strip_prefix(SEALED)?).ok()
}

/// The place of what belongs to no entity in the answer. An answer that is an entity has its own.
fn place(sealer: &FieldSealer, plan: usize, answer: &Value, key: &str, owner: &str) -> Place {
    match sealer.plans.plans.get(plan).and_then(|plan| plan.table.as_ref()) {
        Some(table) => {
            let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
            Place::new(table, text("id"), text("ownerId"))
        }
        None => Place::new("answers", key, owner),
    }
}

/// The record with its answer as wire bytes.
pub(super) async fn open_answer(sealer: &FieldSealer, mut record: IdempotencyRecord) -> Result<IdempotencyRecord> {
    let Some(mut kept) = read(&record.answer) else { return Ok(record) };
    let unknown = || Error::internal(format!("no schema of {}", kept.message));
    let plan = sealer.plans.of_message(&kept.message).ok_or_else(unknown)?;
    let schema = sealer.transcoder.schema(&kept.message).ok_or_else(unknown)?;
    let value = serde_json::from_str(&kept.answer).map_err(|_| Error::internal("a kept answer is no JSON"))?;
    let place = place(sealer, plan, &value, &record.key, &kept.owner);
    sealer.open(vec![(plan, &mut kept.answer, place)]).await?;
    let mut wire = Vec::with_capacity(kept.answer.len());
    schema
        .to_wire(kept.answer.as_bytes(), READ, &mut wire)
        .map_err(|error| Error::internal(format!("a kept {}: {} at {}", kept.message, error.message, error.path)))?;
    record.answer = Bytes::from(wire);
    Ok(record)
}
