//! Random messages.

use prost::Message as _;
use prost_reflect::{
    DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage as _, Value,
};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

/// A message with random fields set. JSON can express all of them.
pub fn arbitrary(descriptor: &MessageDescriptor, rng: &mut StdRng) -> DynamicMessage {
    Generator { rng, values: 200 }.message(descriptor, 0)
}

struct Generator<'r> {
    rng: &'r mut StdRng,
    /// How many more fields may be set, so that recursive messages end.
    values: u32,
}

/// From this depth on, only well-known messages are set.
const DEPTH: u32 = 6;

impl Generator<'_> {
    fn message(&mut self, descriptor: &MessageDescriptor, depth: u32) -> DynamicMessage {
        let mut message = DynamicMessage::new(descriptor.clone());
        match descriptor.full_name() {
            "google.protobuf.Timestamp" => {
                set(&mut message, "seconds", Value::I64(self.rng.random_range(-62_135_596_800..=253_402_300_799)));
                set(&mut message, "nanos", Value::I32(self.nanos()));
            }
            "google.protobuf.Duration" => {
                let sign = if self.rng.random() { 1 } else { -1 };
                set(&mut message, "seconds", Value::I64(sign * self.rng.random_range(0..315_576_000_000)));
                set(&mut message, "nanos", Value::I32(if sign < 0 { -self.nanos() } else { self.nanos() }));
            }
            "pavise.common.v1.Date" => {
                set(&mut message, "year", Value::I32(self.rng.random_range(1..=9999)));
                set(&mut message, "month", Value::I32(self.rng.random_range(1..=12)));
                set(&mut message, "day", Value::I32(self.rng.random_range(1..=28)));
            }
            "google.protobuf.FieldMask" => {
                let paths = (0..self.rng.random_range(0..4)).map(|_| self.path()).collect();
                set(&mut message, "paths", Value::List(paths));
            }
            "google.protobuf.Any" => self.any(&mut message, depth),
            "google.protobuf.Value" => self.json(&mut message, depth),
            "google.protobuf.DoubleValue" => set(&mut message, "value", Value::F64(self.rng.random_range(-1e9..1e9))),
            "google.protobuf.FloatValue" => set(&mut message, "value", Value::F32(self.rng.random_range(-1e9..1e9))),
            _ => self.fields(&mut message, depth),
        }
        message
    }

    fn fields(&mut self, message: &mut DynamicMessage, depth: u32) {
        let descriptor = message.descriptor();
        let share = [0.1, 0.5, 0.9].into_iter().choose(self.rng).unwrap_or(0.5);
        let fields = descriptor.fields().filter(|field| !field.is_group()).collect::<Vec<_>>();
        for field in &fields {
            let alone = field.containing_oneof().is_none_or(|oneof| oneof.is_synthetic());
            if alone && self.rng.random_bool(share) {
                self.field(message, field, depth);
            }
        }
        for oneof in descriptor.oneofs().filter(|oneof| !oneof.is_synthetic()) {
            if let Some(field) = oneof.fields().filter(|field| !field.is_group()).choose(self.rng) {
                self.field(message, &field, depth);
            }
        }
    }

    fn field(&mut self, message: &mut DynamicMessage, field: &FieldDescriptor, depth: u32) {
        let Some(left) = self.values.checked_sub(1) else { return };
        self.values = left;
        let kind = field.kind();
        if let (true, Some(entry)) = (field.is_map(), kind.as_message()) {
            let (key, value) = (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
            if depth < DEPTH || leaf(&value) {
                let count = self.rng.random_range(0..4);
                let entries = (0..count).map(|_| (self.key(&key), self.value(&value, depth))).collect();
                message.set_field(field, Value::Map(entries));
            }
        } else if depth < DEPTH || leaf(&kind) {
            let value = if field.is_list() {
                let count = self.rng.random_range(0..5);
                Value::List((0..count).map(|_| self.value(&kind, depth)).collect())
            } else {
                self.singular(field, &kind, depth)
            };
            message.set_field(field, value);
        }
    }

    fn singular(&mut self, field: &FieldDescriptor, kind: &Kind, depth: u32) -> Value {
        match kind {
            // JSON loses the difference between an unset field and one that is set to the unspecified value.
            Kind::Enum(descriptor) if field.supports_presence() => {
                let spelled =
                    |value: &prost_reflect::EnumValueDescriptor| pavise_contract::spelling::of(value).is_some();
                Value::EnumNumber(
                    descriptor.values().filter(spelled).choose(self.rng).map_or(0, |value| value.number()),
                )
            }
            _ => self.value(kind, depth),
        }
    }

    fn value(&mut self, kind: &Kind, depth: u32) -> Value {
        match kind {
            Kind::Double => Value::F64(self.double()),
            Kind::Float => Value::F32(self.float()),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(self.bits().cast_signed()),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(self.long_bits().cast_signed()),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(self.bits()),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(self.long_bits()),
            Kind::Bool => Value::Bool(self.rng.random()),
            Kind::String => Value::String(self.text()),
            Kind::Bytes => {
                let length = self.rng.random_range(0..20);
                Value::Bytes((0..length).map(|_| self.rng.random::<u8>()).collect::<Vec<_>>().into())
            }
            Kind::Enum(descriptor) => Value::EnumNumber(self.enumeration(descriptor)),
            Kind::Message(descriptor) => Value::Message(self.message(descriptor, depth + 1)),
        }
    }

    fn enumeration(&mut self, descriptor: &EnumDescriptor) -> i32 {
        descriptor.values().choose(self.rng).map_or(0, |value| value.number())
    }

    fn key(&mut self, kind: &Kind) -> MapKey {
        match self.value(kind, 0) {
            Value::Bool(value) => MapKey::Bool(value),
            Value::I32(value) => MapKey::I32(value),
            Value::I64(value) => MapKey::I64(value),
            Value::U32(value) => MapKey::U32(value),
            Value::U64(value) => MapKey::U64(value),
            Value::String(value) => MapKey::String(value),
            _ => MapKey::Bool(false),
        }
    }

    /// An `Any` of a type in the same pool, or an empty one at the depth limit.
    fn any(&mut self, any: &mut DynamicMessage, depth: u32) {
        let pool = any.descriptor().parent_pool().clone();
        let inside = |message: &MessageDescriptor| {
            let special = matches!(message.full_name(), "google.protobuf.Timestamp" | "pavise.common.v1.Date");
            !message.is_map_entry() && (depth < DEPTH || special)
        };
        let Some(descriptor) = pool.all_messages().filter(inside).choose(self.rng) else { return };
        let message = self.message(&descriptor, depth + 1);
        set(any, "type_url", Value::String(format!("type.googleapis.com/{}", descriptor.full_name())));
        set(any, "value", Value::Bytes(message.encode_to_vec().into()));
    }

    /// A `Value` that is always set.
    fn json(&mut self, value: &mut DynamicMessage, depth: u32) {
        let choices = if depth < DEPTH { 6 } else { 4 };
        match self.rng.random_range(0..choices) {
            0 => set(value, "null_value", Value::EnumNumber(0)),
            1 => set(value, "number_value", Value::F64(self.rng.random_range(-1e9..1e9))),
            2 => set(value, "string_value", Value::String(self.text())),
            3 => set(value, "bool_value", Value::Bool(self.rng.random())),
            choice => {
                let name = if choice == 4 { "struct_value" } else { "list_value" };
                let Some(field) = value.descriptor().get_field_by_name(name) else { return };
                let inner = self.value(&field.kind(), depth);
                value.set_field(&field, inner);
            }
        }
    }

    /// A number with few or many bits, sometimes an extreme one.
    fn long_bits(&mut self) -> u64 {
        match self.rng.random_range(0..8) {
            0 => 0,
            1 => u64::MAX,
            2 => i64::MAX.unsigned_abs(),
            3 => i64::MIN.unsigned_abs(),
            4 => 9_007_199_254_740_993,
            _ => self.rng.random::<u64>() >> self.rng.random_range(0..64),
        }
    }

    fn bits(&mut self) -> u32 {
        match self.rng.random_range(0..8) {
            0 => 0,
            1 => u32::MAX,
            2 => i32::MAX.unsigned_abs(),
            3 => i32::MIN.unsigned_abs(),
            _ => self.rng.random::<u32>() >> self.rng.random_range(0..32),
        }
    }

    /// Never minus zero, which prost-reflect takes for unset.
    fn double(&mut self) -> f64 {
        let value = match self.rng.random_range(0..8) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => f64::MAX,
            4 => self.rng.random_range(-1e3..1e3),
            _ => f64::from_bits(self.rng.random()),
        };
        if value == 0.0 { 0.0 } else { value }
    }

    fn float(&mut self) -> f32 {
        let value = match self.rng.random_range(0..8) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => f32::MAX,
            4 => self.rng.random_range(-1e3..1e3),
            _ => f32::from_bits(self.rng.random()),
        };
        if value == 0.0 { 0.0 } else { value }
    }

    fn nanos(&mut self) -> i32 {
        let scale = [0, 1, 1_000, 1_000_000].into_iter().choose(self.rng).unwrap_or(1);
        self.rng.random_range(0..1_000) * scale
    }

    fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "a",
            "order",
            "with some words ",
            "\"",
            "\\",
            "/",
            "\n",
            "\t",
            "\u{0}",
            "\u{1f}",
            "\u{7f}",
            "é",
            "€",
            "🦀",
            "\u{2028}",
            "<&>",
        ];
        let count = self.rng.random_range(0..8);
        (0..count).filter_map(|_| PIECES.iter().copied().choose(self.rng)).collect()
    }

    fn path(&mut self) -> Value {
        const PATHS: &[&str] = &["id", "display_name", "owner.user_id", "a_b_c.d", "f1"];
        Value::String(PATHS.iter().copied().choose(self.rng).unwrap_or("id").to_owned())
    }
}

/// Whether a value of this kind is never recursive.
fn leaf(kind: &Kind) -> bool {
    kind.as_message().is_none_or(|message| {
        let well_known = message.package_name() == "google.protobuf";
        well_known && message.parent_file().name() != "google/protobuf/descriptor.proto"
    })
}

fn set(message: &mut DynamicMessage, field: &str, value: Value) {
    message.set_field_by_name(field, value);
}
