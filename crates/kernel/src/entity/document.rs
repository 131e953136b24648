//! Converts entities to documents and back.

use pavise_transcode::{FromJson, Schema, ToJson, Transcoder, Unknown};

use crate::error::{Error, Result};
use crate::port::numbers::{Rewrite, fill_json};

/// Documents hold only the fields that are set, secrets included.
const WRITE: ToJson = ToJson { defaults: false, secrets: true };
/// Unknown fields are ignored: a document may come from another version.
const READ: FromJson = FromJson { unknown: Unknown::Ignore };

/// Writes and reads documents.
#[derive(Clone)]
pub(crate) struct Documents(Transcoder);

impl Documents {
    pub(crate) fn new(transcoder: Transcoder) -> Self {
        Self(transcoder)
    }

    fn schema(&self, name: &str) -> Result<Schema> {
        self.0.schema(name).ok_or_else(|| Error::internal(format!("no schema of {name}")))
    }

    /// The document of a message's wire bytes.
    pub(crate) fn json(&self, message: &str, wire: &[u8]) -> Result<String> {
        let mut doc = Vec::with_capacity(1024);
        self.schema(message)?.to_json(wire, WRITE, &mut doc).map_err(Error::internal)?;
        String::from_utf8(doc).map_err(Error::internal)
    }

    /// A function that writes given numbers into the wire bytes of a message.
    pub(crate) fn rewrite(&self, message: &str) -> Result<Rewrite> {
        let schema = self.schema(message)?;
        Ok(Rewrite::new(move |wire, given| {
            let mut json = Vec::with_capacity(wire.len() * 2);
            schema.to_json(wire, WRITE, &mut json).map_err(|error| error.to_string())?;
            let json = String::from_utf8(json).map_err(|error| error.to_string())?;
            let mut wire = Vec::with_capacity(wire.len());
            let filled = fill_json(&json, given);
            schema.to_wire(filled.as_bytes(), READ, &mut wire).map_err(|error| error.message.to_string())?;
            Ok(wire)
        }))
    }

    /// The wire bytes of a document; `None` if it has fields that this program does not know, or cannot be read.
    pub(crate) fn wire_of_known(&self, message: &str, doc: &str) -> Option<Vec<u8>> {
        let mut wire = Vec::with_capacity(doc.len());
        let strict = FromJson { unknown: Unknown::Refuse };
        self.0.schema(message)?.to_wire(doc.as_bytes(), strict, &mut wire).ok()?;
        Some(wire)
    }

    /// The wire bytes of a document.
    pub(crate) fn wire(&self, message: &str, doc: &str) -> Result<Vec<u8>> {
        let mut wire = Vec::with_capacity(doc.len());
        self.schema(message)?.to_wire(doc.as_bytes(), READ, &mut wire).map_err(|error| {
            Error::internal(format!("{message} in the database: {} at {}", error.message, error.path))
        })?;
        Ok(wire)
    }
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Documents")
    }
}
