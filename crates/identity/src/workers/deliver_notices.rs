//! The workers that deliver notices: one for each journal that has them.

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::Table;
use pavise_kernel::worker::{Feed, Work, Worker, entity};

use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{DeliverNoticeRequest, NoticeStatus};
use crate::shared::notices::Posted;

/// Delivers the notices of a journal as they are written.
#[derive(Debug)]
pub(crate) struct NoticeDelivery<N> {
    name: &'static str,
    feed: Feed,
    kind: std::marker::PhantomData<fn() -> N>,
}

impl<N: Posted> NoticeDelivery<N> {
    /// A worker of that name on that journal.
    pub(crate) fn new(name: &'static str, feed: Feed) -> Self {
        Self { name, feed, kind: std::marker::PhantomData }
    }
}

#[async_trait]
impl<N: Posted> Worker for NoticeDelivery<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn feed(&self) -> Feed {
        self.feed
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        match entity::<N>(entry)? {
            Some(notice) if notice.head().status == NoticeStatus::Pending.spelling() => {
                deliver(work, N::TABLE, notice.head().id).await
            }
            _ => Ok(()),
        }
    }
}

/// Delivers a notice of a table.
pub(super) async fn deliver(work: &Work, table: &Table, id: &str) -> Result<()> {
    let request = DeliverNoticeRequest { notice_id: id.to_owned(), table: table.name.to_owned() };
    IdentityServiceClient::new(work.peer("identity")).deliver_notice(work.request(request, id)).await?;
    Ok(())
}
