//! The storage port, as far as a committer knows it.

use std::fmt;

use async_trait::async_trait;
pub(crate) use pavise_kernel::store::{Command, Head, Outcome, StoreError, Stored};
use tokio::sync::broadcast;

/// These calls are the port's own: what the committer asks beyond them does not compile here.
#[async_trait]
pub(crate) trait Store: Send + Sync + fmt::Debug + 'static {
    fn lane(&self, journal: &'static str) -> &'static str;

    async fn commit(&self, batch: &[Command]) -> Stored<Vec<Outcome>>;

    async fn head(&self, journal: &str) -> Stored<Head>;

    fn hints(&self) -> Option<broadcast::Receiver<String>>;
}
