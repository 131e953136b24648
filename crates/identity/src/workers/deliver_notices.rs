//! `identity.deliver_notices`: delivers the notices of identities.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use super::support::delivery::deliver_entry;
use crate::contract::feeds;
use crate::contract::v1::Notice;

/// The worker.
#[derive(Debug)]
pub(crate) struct DeliverNotices;

#[async_trait]
impl Worker for DeliverNotices {
    fn name(&self) -> &'static str {
        "identity.deliver_notices"
    }

    fn key_name(&self) -> &'static str {
        "identity.notices"
    }

    fn feed(&self) -> JournalFeed {
        feeds::IDENTITIES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        deliver_entry::<Notice>(work, entry).await
    }
}
