//! The part of the storage port that a committer uses.

use std::fmt;

use async_trait::async_trait;
pub(crate) use pavise_kernel::store::{Command, JournalHead, Outcome, StoreError, StoreResult};
use tokio::sync::broadcast;

/// The calls have the port's own signatures. The committer cannot compile here if it uses another call.
#[async_trait]
pub(crate) trait Store: Send + Sync + fmt::Debug + 'static {
    fn lane(&self, journal: &'static str) -> &'static str;

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>>;

    async fn head(&self, journal: &str) -> StoreResult<JournalHead>;

    fn hints(&self) -> Option<broadcast::Receiver<String>>;
}
