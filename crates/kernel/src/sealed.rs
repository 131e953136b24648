//! Personal data that is sealed wherever it is stored: in documents, journal entries and kept answers.
//!
//! The contract marks the fields with `sealed`. Each person has a data key, wrapped by the master key in a store of its
//! own. A value in the database names its key. So who destroys a person's key erases these values everywhere, in old
//! journal entries and backups, too.
//!
//! Commands are sealed before the committer gets them, in the task of their caller. `SealedStore` opens what an
//! engine reads, a page at a time. Everything above them sees plain values: edits, lookups, the verification of journals.

mod answer;
mod backfill;
mod cipher;
mod commit;
mod earlier;
mod keys;
pub mod person;
mod plan;
mod rotation;
mod sealer;
mod store;
mod walk;

pub use cipher::MasterKeys;
pub use keys::Keys;
pub use sealer::FieldSealer;
pub(crate) use store::SealedStore;
pub use walk::{name_key_of, person_of};

pub use crate::port::key_store::{KeyStore, WrappedKey};
