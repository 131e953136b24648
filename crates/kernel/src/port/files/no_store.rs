//! The store of a platform for which none is set.

use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

use super::{FileKey, FileStore, Files};
use crate::error::{Common, Error, Result};
use crate::port::chunks::Chunks;
use crate::time::Micros;

/// No store.
#[derive(Debug)]
struct NoStore;

impl Files {
    /// No files: a call that asks for one is refused.
    #[must_use]
    pub fn not_configured() -> Self {
        Self::new(Arc::new(NoStore))
    }
}

fn absent_error() -> Error {
    Error::new(Common::NotConfigured, "this server keeps no files: set --files").with("setting", "files")
}

#[async_trait]
impl FileStore for NoStore {
    async fn put(&self, _: &FileKey, _: Chunks) -> Result<u64> {
        Err(absent_error())
    }

    async fn read(&self, _: &FileKey, _: Range<u64>) -> Result<Chunks> {
        Err(absent_error())
    }

    async fn size(&self, _: &FileKey) -> Result<Option<u64>> {
        Ok(None)
    }

    async fn delete(&self, _: &FileKey) -> Result<()> {
        Ok(())
    }

    fn list(&self, _: &str) -> BoxStream<'static, Result<(FileKey, Micros)>> {
        stream::empty().boxed()
    }

    async fn tidy(&self, _: &str, _: Micros) -> Result<u64> {
        Ok(0)
    }
}
