//! Converts Protobuf wire bytes to JSON and back, without a message object in between.
//!
//! The JSON is ProtoJSON with the documented spellings of enumeration values and with dates as `"2026-03-31"`.
//! [`Transcoder::new`] compiles the messages of a descriptor pool into tables once. A message is then read and written
//! in one pass. Nothing is allocated for the usual message, whose fields come in the order of their numbers.
//!
//! Architecture invariant: nothing here knows a message of a domain; all knowledge comes from the descriptors.

mod decode;
mod encode;
mod error;
mod json;
mod names;
#[cfg(feature = "oracle")]
pub mod oracle;
mod scalar;
mod schema;
mod text;
mod wellknown;
mod wire;

use std::sync::Arc;

use prost_reflect::DescriptorPool;

pub use error::{JsonError, Problem, WireError};
use schema::{MessageId, Tables};

/// The limit of nested messages in the outermost one, in both directions; prost has the same limit.
const DEPTH_LIMIT: u32 = 100;

/// All messages of a descriptor pool, compiled. A clone shares the tables.
#[derive(Clone)]
pub struct Transcoder {
    tables: Arc<Tables>,
}

/// One message of a [`Transcoder`]. A clone shares the tables.
#[derive(Clone)]
pub struct Schema {
    tables: Arc<Tables>,
    message: MessageId,
}

/// The style of the JSON that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToJson {
    /// Whether to print fields without presence that have their default: zero, empty text, `[]`, `{}`.
    pub defaults: bool,
    /// Whether to keep the fields that the contract marks secret. `false` drops them at every depth, also inside `Any`.
    pub secrets: bool,
}

/// The rules for reading JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FromJson {
    /// The rule for keys that name no field.
    pub unknown: Unknown,
}

/// The rule for a JSON key that names no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// The key is an error.
    Refuse,
    /// The key is ignored, with its value.
    Ignore,
}

impl Transcoder {
    /// Compiles every message of `pool`.
    #[must_use]
    pub fn new(pool: &DescriptorPool) -> Self {
        Self { tables: Arc::new(Tables::compile(pool)) }
    }

    /// The message with that full name, as in `pavise.common.v1.Money`.
    #[must_use]
    pub fn schema(&self, full_name: &str) -> Option<Schema> {
        let message = self.tables.message_named(full_name)?;
        Some(Schema { tables: Arc::clone(&self.tables), message })
    }
}

impl Schema {
    /// The full name of the message.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.tables.message(self.message).name
    }

    /// Appends the JSON of the message with the wire bytes `wire`. After an error, `out` is unchanged.
    ///
    /// # Errors
    ///
    /// When the bytes are not this message, or JSON cannot express them. Examples: a time out of range, an `Any` of an
    /// unknown type, text that is not UTF-8, more than a hundred levels.
    pub fn to_json(&self, wire: &[u8], style: ToJson, out: &mut Vec<u8>) -> Result<(), WireError> {
        let start = out.len();
        encode::message(&self.tables, self.message, wire, style, out).inspect_err(|_| out.truncate(start))
    }

    /// Appends the wire bytes of the message in `json`. After an error, `out` is unchanged.
    ///
    /// # Errors
    ///
    /// When `json` is not JSON or not this message; the error gives kind, place and reason.
    pub fn to_wire(&self, json: &[u8], style: FromJson, out: &mut Vec<u8>) -> Result<(), JsonError> {
        let start = out.len();
        decode::message(&self.tables, self.message, json, style, out).map_err(|failure| {
            out.truncate(start);
            failure.located(json)
        })
    }

    /// Appends the wire bytes of one field given as text, as in a path or a query. `path` names the field; more than
    /// one segment leads through singular messages. A repeated field gains one element with each call. After an error,
    /// `out` is unchanged.
    ///
    /// # Errors
    ///
    /// When the field does not exist, is a message or map without a text form, or the text is not its value.
    pub fn field_from_text(&self, path: &[&str], text: &str, out: &mut Vec<u8>) -> Result<(), JsonError> {
        let start = out.len();
        text::field(&self.tables, self.message, path, text, out).map_err(|failure| {
            out.truncate(start);
            failure.located(&[])
        })
    }
}

impl std::fmt::Debug for Transcoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Transcoder({} messages)", self.tables.messages.len())
    }
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Schema({})", self.name())
    }
}
