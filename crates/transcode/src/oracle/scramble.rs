//! Wire bytes of a message in forms that no encoder writes but every decoder must read.

use std::collections::VecDeque;

use prost::Message as _;
use prost::encoding::encode_varint;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage as _, Value};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

/// Wire bytes that merge to `message`. Fields come in any order, lists partly packed, and messages in parts. Some
/// values are overwritten by later ones, some oneof members are replaced by others, and some fields are unknown.
pub fn scramble(message: &DynamicMessage, rng: &mut StdRng) -> Vec<u8> {
    part(message, true, rng)
}

/// As [`scramble`]. Only a `whole` message may set a field to zero: in a part, the zero would overwrite another part's
/// value.
fn part(message: &DynamicMessage, whole: bool, rng: &mut StdRng) -> Vec<u8> {
    let descriptor = message.descriptor();
    // The occurrences of one field keep their order; all others are free.
    let mut queues = Vec::new();
    for field in descriptor.fields().filter(|field| !field.is_group()) {
        let mut queue = VecDeque::new();
        if message.has_field(&field) {
            field_pieces(message, &field, rng, &mut queue);
        } else if whole && !field.supports_presence() && !field.is_list() && !field.is_map() && rng.random_bool(0.2) {
            queue.push_back(overwritten(&field));
            queue.push_back(zero(&field));
        }
        queues.push(queue);
    }
    queues.push((0..rng.random_range(0..3)).map(|_| unknown(&descriptor, rng)).collect());

    let mut wire = Vec::new();
    while let Some(queue) = queues.iter_mut().filter(|queue| !queue.is_empty()).choose(rng) {
        wire.extend(queue.pop_front().unwrap_or_default());
    }
    wire
}

fn field_pieces(message: &DynamicMessage, field: &FieldDescriptor, rng: &mut StdRng, queue: &mut VecDeque<Vec<u8>>) {
    let value = message.get_field(field);
    match &*value {
        Value::List(elements) => list_pieces(field, elements, rng, queue),
        Value::Map(entries) => {
            // The order of a hash map differs each time, and the same seed has to make the same bytes.
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| format!("{key:?}"));
            for (key, value) in entries {
                if rng.random_bool(0.3) {
                    queue.push_back(delimited(field, &entry(field, key, None, rng)));
                }
                queue.push_back(delimited(field, &entry(field, key, Some(value), rng)));
            }
        }
        Value::Message(inner) => {
            replaced(field, rng, queue);
            if rng.random_bool(0.5) {
                let (one, other) = halves(inner, rng);
                queue.push_back(delimited(field, &part(&one, false, rng)));
                queue.push_back(delimited(field, &part(&other, false, rng)));
            } else {
                queue.push_back(delimited(field, &scramble(inner, rng)));
            }
        }
        scalar => {
            replaced(field, rng, queue);
            if rng.random_bool(0.3) {
                queue.push_back(overwritten(field));
            }
            queue.push_back(keyed(field, scalar));
        }
    }
}

/// Adds values of the field and of another member of its oneof that do not count, because the field's own value
/// follows.
fn replaced(field: &FieldDescriptor, rng: &mut StdRng, queue: &mut VecDeque<Vec<u8>>) {
    let Some(oneof) = field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) else { return };
    let others = oneof.fields().filter(|other| !other.is_group() && other != field);
    if let (true, Some(other)) = (rng.random_bool(0.4), others.choose(rng)) {
        queue.push_back(overwritten(field));
        queue.push_back(overwritten(&other));
    }
}

fn list_pieces(field: &FieldDescriptor, elements: &[Value], rng: &mut StdRng, queue: &mut VecDeque<Vec<u8>>) {
    let mut packed = Vec::new();
    for element in elements {
        match element {
            Value::Message(message) => queue.push_back(delimited(field, &scramble(message, rng))),
            Value::String(_) | Value::Bytes(_) => queue.push_back(keyed(field, element)),
            scalar => {
                if rng.random() {
                    packed.extend(bare(&field.kind(), scalar));
                } else {
                    queue.push_back(delimited(field, &std::mem::take(&mut packed)));
                    queue.push_back(keyed(field, scalar));
                }
            }
        }
    }
    if !packed.is_empty() {
        queue.push_back(delimited(field, &packed));
    }
}

/// A map's entry, without the value if there is none; key and value in any order.
fn entry(field: &FieldDescriptor, key: &MapKey, value: Option<&Value>, rng: &mut StdRng) -> Vec<u8> {
    let kind = field.kind();
    let Some(entry) = kind.as_message() else { return Vec::new() };
    let mut pieces = vec![keyed(&entry.map_entry_key_field(), &Value::from(key.clone()))];
    let value_field = entry.map_entry_value_field();
    match value {
        Some(Value::Message(message)) if rng.random() => {
            let (one, other) = halves(message, rng);
            pieces.push(
                [delimited(&value_field, &part(&one, false, rng)), delimited(&value_field, &part(&other, false, rng))]
                    .concat(),
            );
        }
        Some(Value::Message(message)) => pieces.push(delimited(&value_field, &scramble(message, rng))),
        Some(value) => pieces.push(keyed(&value_field, value)),
        None => {}
    }
    if rng.random() {
        pieces.reverse();
    }
    pieces.concat()
}

/// Two messages that merge to `message`.
fn halves(message: &DynamicMessage, rng: &mut StdRng) -> (DynamicMessage, DynamicMessage) {
    let (mut one, mut other) = (DynamicMessage::new(message.descriptor()), DynamicMessage::new(message.descriptor()));
    for (field, value) in message.fields() {
        match value {
            Value::List(elements) => {
                let (left, right) = elements.split_at(rng.random_range(0..=elements.len()));
                one.set_field(&field, Value::List(left.to_vec()));
                other.set_field(&field, Value::List(right.to_vec()));
            }
            _ if rng.random() => one.set_field(&field, value.clone()),
            _ => other.set_field(&field, value.clone()),
        }
    }
    (one, other)
}

/// A value of the field that is easy to tell from others.
fn overwritten(field: &FieldDescriptor) -> Vec<u8> {
    match field.kind() {
        Kind::Message(_) => delimited(field, &[]),
        Kind::String | Kind::Bytes => delimited(field, b"overwritten"),
        Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => [key(field, 1), vec![7; 8]].concat(),
        Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => [key(field, 5), vec![7; 4]].concat(),
        _ => [key(field, 0), vec![1]].concat(),
    }
}

/// The zero value, which encoders omit.
fn zero(field: &FieldDescriptor) -> Vec<u8> {
    match field.kind() {
        Kind::Message(_) | Kind::String | Kind::Bytes => delimited(field, &[]),
        Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => [key(field, 1), vec![0; 8]].concat(),
        Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => [key(field, 5), vec![0; 4]].concat(),
        _ => [key(field, 0), vec![0]].concat(),
    }
}

/// A field that the message does not have.
fn unknown(descriptor: &MessageDescriptor, rng: &mut StdRng) -> Vec<u8> {
    let number = (1..100_000)
        .filter(|number| descriptor.get_field(*number).is_none())
        .nth(rng.random_range(0..300))
        .unwrap_or(99_999);
    let key = |wire: u32| varint(u64::from(number << 3 | wire));
    match rng.random_range(0..5) {
        0 => [key(0), varint(rng.random())].concat(),
        1 => [key(1), vec![9; 8]].concat(),
        2 => [key(2), varint(3), vec![0xff; 3]].concat(),
        // A group with a field and another group inside.
        3 => [key(3), vec![0x08, 0x01, 0x13, 0x14], key(4)].concat(),
        _ => [key(5), vec![9; 4]].concat(),
    }
}

fn key(field: &FieldDescriptor, wire: u32) -> Vec<u8> {
    varint(u64::from(field.number() << 3 | wire))
}

fn varint(value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    encode_varint(value, &mut out);
    out
}

fn delimited(field: &FieldDescriptor, bytes: &[u8]) -> Vec<u8> {
    [key(field, 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// A scalar with its key.
fn keyed(field: &FieldDescriptor, value: &Value) -> Vec<u8> {
    match (field.kind(), value) {
        (_, Value::String(text)) => delimited(field, text.as_bytes()),
        (_, Value::Bytes(bytes)) => delimited(field, bytes),
        (_, Value::Message(message)) => delimited(field, &message.encode_to_vec()),
        (kind, value) => {
            let wire = match kind {
                Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => 1,
                Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => 5,
                _ => 0,
            };
            [key(field, wire), bare(&kind, value)].concat()
        }
    }
}

/// The bytes of a scalar in a packed list.
fn bare(kind: &Kind, value: &Value) -> Vec<u8> {
    match (kind, value) {
        (_, Value::F64(value)) => value.to_le_bytes().to_vec(),
        (_, Value::F32(value)) => value.to_le_bytes().to_vec(),
        (Kind::Sfixed32, Value::I32(value)) => value.to_le_bytes().to_vec(),
        (Kind::Fixed32, Value::U32(value)) => value.to_le_bytes().to_vec(),
        (Kind::Sfixed64, Value::I64(value)) => value.to_le_bytes().to_vec(),
        (Kind::Fixed64, Value::U64(value)) => value.to_le_bytes().to_vec(),
        (Kind::Sint32, Value::I32(value)) => varint(u64::from(((value << 1) ^ (value >> 31)).cast_unsigned())),
        (Kind::Sint64, Value::I64(value)) => varint(((value << 1) ^ (value >> 63)).cast_unsigned()),
        (_, Value::I32(value) | Value::EnumNumber(value)) => varint(i64::from(*value).cast_unsigned()),
        (_, Value::I64(value)) => varint(value.cast_unsigned()),
        (_, Value::U32(value)) => varint(u64::from(*value)),
        (_, Value::U64(value)) => varint(*value),
        (_, Value::Bool(value)) => varint(u64::from(*value)),
        _ => Vec::new(),
    }
}
