//! One person's data: their export, and their erasure.
//!
//! Both read the journals of a domain in portions, because an entry stays where a row has another owner or is gone. An entry
//! that may have something of the person leads to its entity, and all entries of the entity are read: those of a time
//! when it belonged to nobody, too. A visit of a document finds the fields of the person, as the contract says it.
//!
//! An erasure writes documents anew in their places. Versions, clocks, times and actions stay, so that a replay still
//! gives the state. Each part of it can be repeated, and a process may end between any two.

mod export;
pub(crate) mod plan;
mod portion;
mod redact;
mod walk;

pub use export::{ExportPart, PersonalField};
pub use portion::PersonPlace;
pub use redact::{ErasureCounts, RedactPart};

/// The bytes in the place of an erased answer. No message begins with its first byte.
pub(crate) const ERASED_ANSWER: &[u8] = b"\0e";
