//! Databases for the suite.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::port::key_store::KeyStore;
use crate::port::store::Store;

/// Makes databases for the suite.
#[async_trait]
pub trait Fixture: Send + Sync {
    /// A fresh database with the tables of [`MIGRATIONS`](super::tables::MIGRATIONS).
    async fn fresh(&self) -> Database;
}

/// A database with two processes that use it.
pub struct Database {
    /// The store of this process.
    pub store: Arc<dyn Store>,
    /// The store of another process.
    pub other: Arc<dyn Store>,
    /// The key database of this process.
    pub keys: Arc<dyn KeyStore>,
    /// The key database of another process.
    pub other_keys: Arc<dyn KeyStore>,
    /// A value that lives as long as the database.
    pub keep: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("store", &self.store).finish_non_exhaustive()
    }
}
