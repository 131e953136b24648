//! The tables compiled from a descriptor pool.

mod enumeration;

use std::collections::HashMap;

use pavise_contract::Sensitivity;
use prost_reflect::{DescriptorPool, FieldDescriptor, MessageDescriptor};

use crate::names::Names;
use crate::wire;
pub(crate) use enumeration::Enumeration;

/// A message's index in [`Tables::messages`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MessageId(u32);

/// An enumeration's index in [`Tables::enums`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EnumId(u32);

/// All types of a pool, by index.
pub(crate) struct Tables {
    pub(crate) messages: Vec<Message>,
    pub(crate) enums: Vec<Enumeration>,
    by_name: HashMap<String, MessageId>,
}

/// The form of a message in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An object of its fields.
    Plain,
    Timestamp,
    Duration,
    FieldMask,
    /// The platform's calendar date.
    Date,
    /// The bare value of field 1.
    Wrapper(Kind),
    Struct,
    Value,
    ListValue,
    Any,
    Empty,
}

/// The kind of one value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    String,
    Bytes,
    Enum(EnumId),
    /// `google.protobuf.NullValue`: JSON's null.
    Null,
    Message(MessageId),
}

/// The number of values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    Singular,
    Repeated {
        packed: bool,
    },
    /// A map; the field's kind is that of the values.
    Map {
        key: Kind,
    },
}

/// One message, compiled.
pub(crate) struct Message {
    pub(crate) name: Box<str>,
    pub(crate) shape: Shape,
    /// In the order in which prost writes them: by number, but all members of a oneof at the place of the first.
    pub(crate) fields: Box<[Field]>,
    /// The number of oneofs, without those that only mean `optional`.
    pub(crate) oneofs: u32,
    /// Maps a number to its index plus one, for low numbers.
    dense: Box<[u32]>,
    /// Maps a number to its index, sorted by number, for high numbers.
    sparse: Box<[(u32, u32)]>,
    /// Maps the JSON name and the proto name to the index.
    names: Names,
}

/// One field, compiled.
pub(crate) struct Field {
    pub(crate) number: u32,
    /// The name in the proto.
    pub(crate) name: Box<str>,
    /// The name in JSON.
    pub(crate) json_name: Box<str>,
    /// A comma, the JSON name in quotes, a colon.
    pub(crate) key: Box<[u8]>,
    /// The text that `defaults` prints for an unset field; `None` for no text.
    pub(crate) default: Option<Box<[u8]>>,
    pub(crate) kind: Kind,
    pub(crate) label: Label,
    /// Whether an unset field differs from a field with its default.
    pub(crate) presence: bool,
    pub(crate) secret: bool,
    /// The index of its oneof, from 0.
    pub(crate) oneof: Option<u32>,
}

impl Tables {
    /// Compiles the tables of all types in `pool`.
    pub(crate) fn compile(pool: &DescriptorPool) -> Self {
        let descriptors: Vec<MessageDescriptor> = pool.all_messages().collect();
        let enumerations: Vec<_> = pool.all_enums().collect();
        let by_name =
            descriptors.iter().zip(0..).map(|(message, id)| (message.full_name().to_owned(), MessageId(id))).collect();
        let enums_by_name = enumerations
            .iter()
            .zip(0..)
            .map(|(enumeration, id)| (enumeration.full_name().to_owned(), EnumId(id)))
            .collect();
        let enums: Vec<_> = enumerations.iter().map(Enumeration::compile).collect();
        let compiler = Compiler { messages: &by_name, enum_ids: &enums_by_name, enums: &enums };
        let messages = descriptors.iter().map(|message| compiler.message(message)).collect();
        Self { messages, enums, by_name }
    }

    pub(crate) fn message_named(&self, full_name: &str) -> Option<MessageId> {
        self.by_name.get(full_name).copied()
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from compile only")]
    #[inline]
    pub(crate) fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0 as usize]
    }

    #[expect(clippy::indexing_slicing, reason = "ids come from compile only")]
    #[inline]
    pub(crate) fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.0 as usize]
    }

    /// The JSON form of the values of `kind`, if they are messages.
    #[inline]
    pub(crate) fn shape(&self, kind: Kind) -> Option<Shape> {
        match kind {
            Kind::Message(id) => Some(self.message(id).shape),
            _ => None,
        }
    }

    /// Whether JSON's null is a value of `kind`, instead of the absence of one.
    #[inline]
    pub(crate) fn takes_null(&self, kind: Kind) -> bool {
        kind == Kind::Null || self.shape(kind) == Some(Shape::Value)
    }
}

impl Message {
    /// The name without its package.
    pub(crate) fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// The index of the field with that number.
    #[inline]
    pub(crate) fn index_of(&self, number: u32) -> Option<usize> {
        if let Some(index) = self.dense.get(number as usize) {
            return index.checked_sub(1).map(|index| index as usize);
        }
        let at = self.sparse.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.sparse.get(at).map(|(_, index)| *index as usize)
    }

    /// The index of the field with that JSON name or proto name. `guess` is tried first.
    #[inline]
    pub(crate) fn index_named(&self, name: &[u8], guess: usize) -> Option<usize> {
        if self.fields.get(guess).is_some_and(|field| *field.json_name.as_bytes() == *name) {
            return Some(guess);
        }
        self.names.get(name).map(|index| index as usize)
    }
}

impl Kind {
    /// The wire type of one value.
    #[inline]
    pub(crate) const fn wire(self) -> u32 {
        match self {
            Self::Double | Self::Fixed64 | Self::Sfixed64 => wire::FIXED64,
            Self::Float | Self::Fixed32 | Self::Sfixed32 => wire::FIXED32,
            Self::String | Self::Bytes | Self::Message(_) => wire::BYTES,
            _ => wire::VARINT,
        }
    }

    /// Whether a repeated field of it may be packed.
    #[inline]
    pub(crate) const fn packable(self) -> bool {
        self.wire() != wire::BYTES
    }

    fn default(self, enums: &[Enumeration]) -> Option<Vec<u8>> {
        Some(match self {
            Self::Double | Self::Float => b"0".to_vec(),
            Self::Int32 | Self::Uint32 | Self::Sint32 | Self::Fixed32 | Self::Sfixed32 => b"0".to_vec(),
            Self::Int64 | Self::Uint64 | Self::Sint64 | Self::Fixed64 | Self::Sfixed64 => b"\"0\"".to_vec(),
            Self::Bool => b"false".to_vec(),
            Self::String | Self::Bytes => b"\"\"".to_vec(),
            Self::Null => b"null".to_vec(),
            Self::Enum(id) => {
                let zero = enums.get(id.0 as usize)?.value(0)?;
                return zero.spelled.then(|| zero.json.to_vec());
            }
            Self::Message(_) => return None,
        })
    }
}

struct Compiler<'c> {
    messages: &'c HashMap<String, MessageId>,
    enum_ids: &'c HashMap<String, EnumId>,
    enums: &'c [Enumeration],
}

/// Numbers below this one are looked up by index.
const DENSE: u32 = 256;

impl Compiler<'_> {
    fn message(&self, descriptor: &MessageDescriptor) -> Message {
        let oneofs: Vec<_> = descriptor.oneofs().filter(|oneof| !oneof.is_synthetic()).collect();
        let mut fields: Vec<_> = descriptor
            .fields()
            .filter_map(|field| {
                let oneof = oneofs.iter().zip(0..).find(|(oneof, _)| field.containing_oneof().as_ref() == Some(*oneof));
                let place = oneof.and_then(|(oneof, _)| oneof.fields().map(|field| field.number()).min());
                Some((place.unwrap_or(field.number()), self.field(&field, oneof.map(|(_, index)| index))?))
            })
            .collect();
        fields.sort_by_key(|(place, field)| (*place, field.number));
        let fields: Box<[Field]> = fields.into_iter().map(|(_, field)| field).collect();

        let highest = fields.iter().map(|field| field.number).filter(|number| *number < DENSE).max();
        let mut dense = vec![0; highest.map_or(0, |highest| highest as usize + 1)];
        let mut sparse = Vec::new();
        for (field, index) in fields.iter().zip(0..) {
            match dense.get_mut(field.number as usize) {
                Some(slot) => *slot = index + 1,
                None => sparse.push((field.number, index)),
            }
        }
        sparse.sort_unstable();
        let json_names = fields.iter().zip(0..).map(|(field, index)| (&*field.json_name, index));
        let proto_names = fields.iter().zip(0..).map(|(field, index)| (&*field.name, index));
        Message {
            name: descriptor.full_name().into(),
            shape: shape(descriptor),
            names: Names::new(json_names.chain(proto_names)),
            oneofs: oneofs.iter().zip(1..).last().map_or(0, |(_, count)| count),
            fields,
            dense: dense.into(),
            sparse: sparse.into(),
        }
    }

    /// Compiles a field; `None` for groups, which have no JSON form here. Their bytes are skipped as an unknown field's
    /// are.
    fn field(&self, descriptor: &FieldDescriptor, oneof: Option<u32>) -> Option<Field> {
        if descriptor.is_group() {
            return None;
        }
        let mut kind = self.kind(&descriptor.kind())?;
        let mut label = Label::Singular;
        if let (true, prost_reflect::Kind::Message(entry)) = (descriptor.is_map(), descriptor.kind()) {
            label = Label::Map { key: self.kind(&entry.map_entry_key_field().kind())? };
            kind = self.kind(&entry.map_entry_value_field().kind())?;
        } else if descriptor.is_list() {
            label = Label::Repeated { packed: descriptor.is_packed() };
        }
        let mut key = vec![b','];
        crate::json::put_text(&mut key, descriptor.json_name());
        key.push(b':');
        let presence = descriptor.supports_presence();
        let default = match label {
            Label::Repeated { .. } => Some(b"[]".to_vec()),
            Label::Map { .. } => Some(b"{}".to_vec()),
            Label::Singular if presence => None,
            Label::Singular => kind.default(self.enums),
        };
        Some(Field {
            number: descriptor.number(),
            name: descriptor.name().into(),
            json_name: descriptor.json_name().into(),
            default: default.map(|value| [key.as_slice(), &value].concat().into()),
            key: key.into(),
            kind,
            label,
            presence,
            secret: Sensitivity::of(descriptor) == Sensitivity::Secret,
            oneof,
        })
    }

    fn kind(&self, kind: &prost_reflect::Kind) -> Option<Kind> {
        Some(match kind {
            prost_reflect::Kind::Enum(enumeration) if enumeration.full_name() == "google.protobuf.NullValue" => {
                Kind::Null
            }
            prost_reflect::Kind::Enum(enumeration) => Kind::Enum(*self.enum_ids.get(enumeration.full_name())?),
            prost_reflect::Kind::Message(message) => Kind::Message(*self.messages.get(message.full_name())?),
            scalar => scalar_kind(scalar)?,
        })
    }
}

fn scalar_kind(kind: &prost_reflect::Kind) -> Option<Kind> {
    use prost_reflect::Kind as Reflected;
    Some(match kind {
        Reflected::Double => Kind::Double,
        Reflected::Float => Kind::Float,
        Reflected::Int32 => Kind::Int32,
        Reflected::Int64 => Kind::Int64,
        Reflected::Uint32 => Kind::Uint32,
        Reflected::Uint64 => Kind::Uint64,
        Reflected::Sint32 => Kind::Sint32,
        Reflected::Sint64 => Kind::Sint64,
        Reflected::Fixed32 => Kind::Fixed32,
        Reflected::Fixed64 => Kind::Fixed64,
        Reflected::Sfixed32 => Kind::Sfixed32,
        Reflected::Sfixed64 => Kind::Sfixed64,
        Reflected::Bool => Kind::Bool,
        Reflected::String => Kind::String,
        Reflected::Bytes => Kind::Bytes,
        Reflected::Enum(_) | Reflected::Message(_) => return None,
    })
}

fn shape(descriptor: &MessageDescriptor) -> Shape {
    match descriptor.full_name() {
        "google.protobuf.Timestamp" => Shape::Timestamp,
        "google.protobuf.Duration" => Shape::Duration,
        "google.protobuf.FieldMask" => Shape::FieldMask,
        "pavise.common.v1.Date" => Shape::Date,
        "google.protobuf.DoubleValue" => Shape::Wrapper(Kind::Double),
        "google.protobuf.FloatValue" => Shape::Wrapper(Kind::Float),
        "google.protobuf.Int64Value" => Shape::Wrapper(Kind::Int64),
        "google.protobuf.UInt64Value" => Shape::Wrapper(Kind::Uint64),
        "google.protobuf.Int32Value" => Shape::Wrapper(Kind::Int32),
        "google.protobuf.UInt32Value" => Shape::Wrapper(Kind::Uint32),
        "google.protobuf.BoolValue" => Shape::Wrapper(Kind::Bool),
        "google.protobuf.StringValue" => Shape::Wrapper(Kind::String),
        "google.protobuf.BytesValue" => Shape::Wrapper(Kind::Bytes),
        "google.protobuf.Struct" => Shape::Struct,
        "google.protobuf.Value" => Shape::Value,
        "google.protobuf.ListValue" => Shape::ListValue,
        "google.protobuf.Any" => Shape::Any,
        "google.protobuf.Empty" => Shape::Empty,
        _ => Shape::Plain,
    }
}
