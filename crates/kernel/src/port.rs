//! The storage port: what a commit and a read ask of an engine, and the suite that every engine passes.

pub(crate) mod chunks;
pub mod commit_plan;
pub mod committer;
pub mod conditions;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod counts;
pub mod files;
pub(crate) mod key_store;
pub mod migrations;
pub mod numbers;
pub mod store;
mod sync;
pub(crate) mod table_entry;
pub mod tables;
pub mod verify;
