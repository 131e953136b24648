//! The workers that deliver notices.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::store::Filter;
use pavise_kernel::table::Table;
use pavise_kernel::time::{HOUR, Micros};
use pavise_kernel::worker::{Feed, Work, Worker, entity};

use super::Posted;
use crate::contract::v1::DeliverNoticeRequest;
use crate::contract::v1::identity_service_client::IdentityServiceClient;

/// How old a notice is when its worker has given up on it.
const LEFT: Micros = HOUR;
/// How often those are looked for.
const EVERY: Duration = Duration::from_secs(600);
/// How many are read at once.
const PAGE: u32 = 200;

/// Delivers the notices of a journal as they are written.
#[derive(Debug)]
pub(crate) struct Delivery<N> {
    name: &'static str,
    feed: Feed,
    kind: std::marker::PhantomData<fn() -> N>,
}

impl<N: Posted> Delivery<N> {
    /// Of a service of this domain; `path` is the gRPC path of its ReadJournal.
    pub(crate) fn new(name: &'static str, service: &'static str, path: &'static str) -> Self {
        Self { name, feed: Feed::Journal { domain: "identity", service, path }, kind: std::marker::PhantomData }
    }
}

#[async_trait]
impl<N: Posted> Worker for Delivery<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn feed(&self) -> Feed {
        self.feed
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        match entity::<N>(entry)? {
            Some(notice) if notice.head().status == "PENDING" => deliver(work, N::TABLE, notice.head().id).await,
            _ => Ok(()),
        }
    }
}

/// Tries the notices again that their worker has given up on, until they are delivered or their time is over.
#[derive(Debug)]
pub(crate) struct Leftovers {
    tables: Vec<&'static Table>,
}

impl Leftovers {
    /// In these tables.
    pub(crate) fn new(tables: Vec<&'static Table>) -> Self {
        Self { tables }
    }
}

#[async_trait]
impl Worker for Leftovers {
    fn name(&self) -> &'static str {
        "identity.notices.leftovers"
    }

    fn feed(&self) -> Feed {
        Feed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        for table in &self.tables {
            let mut filter = Filter { statuses: vec!["PENDING".to_owned()], limit: PAGE, ..Filter::default() };
            loop {
                let page = work.kernel().store().list(table, &filter).await?;
                let Some(last) = page.last() else { break };
                filter.before = Some(last.id.clone());
                for row in page.iter().filter(|row| work.now() >= row.created_at.saturating_add(LEFT)) {
                    // Who does not take this one takes none of the others now.
                    deliver(work, table, &row.id).await?;
                }
            }
        }
        Ok(())
    }
}

async fn deliver(work: &Work, table: &Table, id: &str) -> Result<()> {
    let request = DeliverNoticeRequest { notice_id: id.to_owned(), table: table.name.to_owned() };
    IdentityServiceClient::new(work.peer("identity")).deliver_notice(work.request(request, id)).await?;
    Ok(())
}
