//! The port of the key database: the wrapped data keys of sealed fields.

use std::fmt;

use async_trait::async_trait;

use super::store::StoreResult;
use crate::time::Micros;

/// A data key as the key database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedKey {
    /// Its name: `p/` and a person's id, or `e/`, a table and an entity's id.
    pub name: String,
    /// The id of the master key that wraps it.
    pub master: String,
    /// The wrapped bytes; empty when the key was destroyed.
    pub wrapped: Vec<u8>,
    /// When it was made, or destroyed.
    pub at: Micros,
}

impl WrappedKey {
    /// Whether it was destroyed.
    #[must_use]
    pub fn is_destroyed(&self) -> bool {
        self.wrapped.is_empty()
    }
}

/// The key database. It is a store of its own, so that a restored database brings no destroyed key back.
///
/// Invariant: a name has one row for ever. A destroyed key leaves its row, without the bytes.
#[async_trait]
pub trait KeyStore: Send + Sync + fmt::Debug + 'static {
    /// The keys with these names, destroyed ones, too, in no order.
    async fn keys(&self, names: &[String]) -> StoreResult<Vec<WrappedKey>>;

    /// Adds keys. One whose name is there already is left out.
    async fn add(&self, keys: &[WrappedKey]) -> StoreResult<()>;

    /// Destroys keys. A name without a key is destroyed beforehand.
    async fn destroy(&self, names: &[String], at: Micros) -> StoreResult<()>;

    /// The destroyed keys, in the order of their names after `after`: the list of the erased.
    async fn destroyed(&self, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>>;

    /// Keys that another master key wraps, in the order of their names after `after`.
    async fn wrapped_otherwise(&self, master: &str, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>>;

    /// Replaces wrapped keys, each if it is still the first one of its pair. Answers how many were replaced.
    async fn rewrap(&self, pairs: &[(WrappedKey, WrappedKey)]) -> StoreResult<u64>;

    /// Closes it when its process ends, so that what it has can be copied. It is not used afterwards.
    async fn close(&self) {}
}
