//! Sweeps: removes files that no record names.

use std::collections::HashSet;

use async_trait::async_trait;
use futures::StreamExt as _;

use super::{ABANDONED, FileKey, Files};
use crate::error::Result;
use crate::time::Micros;

/// Files whose records are looked up at once.
const PAGE: usize = 500;

/// Knows the files that records of one folder name.
#[async_trait]
pub trait FileRecords: Send + Sync {
    /// Those of the keys that a record names.
    ///
    /// # Errors
    /// When the records cannot be read. Nothing is removed then.
    async fn named(&self, keys: &[FileKey]) -> Result<HashSet<FileKey>>;
}

/// The outcome of a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepOutcome {
    /// Files that were looked at.
    pub seen: u64,
    /// Files that no record named, which are removed.
    pub orphans: u64,
    /// Puts that never ended, whose parts are removed.
    pub unfinished: u64,
}

impl Files {
    /// Removes the files of a folder that no record names and that are as old as [`ABANDONED`]. A younger one may get its
    /// record yet. `now` is machine time, by which stores date their files.
    ///
    /// # Errors
    /// When the store or the records cannot be read.
    pub async fn sweep_folder(&self, folder: &str, now: Micros, records: &dyn FileRecords) -> Result<SweepOutcome> {
        let age = i64::try_from(ABANDONED.as_micros()).unwrap_or(i64::MAX);
        self.sweep_before(folder, now.saturating_sub(age), records).await
    }

    /// Removes the files of a folder that no record names and that were stored before that time.
    ///
    /// # Errors
    /// As [`Files::sweep_folder`].
    pub async fn sweep_before(&self, folder: &str, before: Micros, records: &dyn FileRecords) -> Result<SweepOutcome> {
        let mut swept = SweepOutcome { unfinished: self.0.tidy(folder, before).await?, ..SweepOutcome::default() };
        let mut pages = self.0.list(folder).chunks(PAGE);
        while let Some(page) = pages.next().await {
            let page = page.into_iter().collect::<Result<Vec<_>>>()?;
            swept.seen = swept.seen.saturating_add(u64::try_from(page.len()).unwrap_or(u64::MAX));
            let old: Vec<FileKey> = page.into_iter().filter(|(_, at)| *at < before).map(|(key, _)| key).collect();
            if old.is_empty() {
                continue;
            }
            let named = records.named(&old).await?;
            for key in old.iter().filter(|key| !named.contains(key)) {
                self.0.delete(key).await?;
                swept.orphans = swept.orphans.saturating_add(1);
            }
        }
        Ok(swept)
    }
}
