//! Entities that belong to nobody: the cart of a visitor, a card that is added before the sign-up.
//!
//! The id of such an entity is the right to it. So the id has 128 random bits, and only calls that name it find the
//! entity: no list, search, title or stream has it, but for staff and programs. When the entity gets an owner, the id
//! alone gives nothing any more. An entity that nobody claims ends after some days.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use pavise_contract::table::Table;
use prost::encoding::string;

use crate::error::{Common, Result};
use crate::port::store::{Filter, StoredRow};
use crate::read::unowned_filter::days_before;
use crate::time::Ids;
use crate::work::worker::{JournalFeed, Work, Worker};

/// Entities that one run ends at most.
const AT_ONCE: usize = 500;
/// Entities that are read at once.
const PAGE: u32 = 200;
/// Time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// An aggregate whose entities end without an owner. Generated.
#[derive(Debug)]
pub struct UnownedRule {
    /// The name of the worker.
    pub worker: &'static str,
    /// The domain.
    pub domain: &'static str,
    /// The table, whose rule has the days.
    pub table: &'static Table,
    /// The gRPC path of the call that ends one entity.
    pub path: &'static str,
    /// The number of the request's field with the entity's id.
    pub id: u32,
}

/// Ends what nobody claimed.
#[derive(Debug)]
pub struct UnownedWorker(&'static UnownedRule);

impl UnownedWorker {
    /// The worker of an aggregate.
    #[must_use]
    pub fn new(unowned: &'static UnownedRule) -> Self {
        Self(unowned)
    }

    async fn end(&self, work: &Work, row: &StoredRow) -> Result<()> {
        let mut message = Vec::new();
        string::encode(self.0.id, &row.id, &mut message);
        let request = work.new_request(Bytes::from(message), &row.id);
        match work.call_raw(self.0.domain, self.0.path, request).await {
            // Somebody claimed or changed it since.
            Err(error) if error.is(Common::NotFound) => Ok(()),
            other => other.map(|_| ()),
        }
    }
}

#[async_trait]
impl Worker for UnownedWorker {
    fn name(&self) -> &'static str {
        self.0.worker
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let table = self.0.table;
        let Some(rule) = &table.unowned else { return Ok(()) };
        let until = days_before(work.now(), rule.days);
        // Ids begin with the time, so that the index of owners finds those that were made before.
        let before = Some(Ids::least_after(until));
        let mut filter = Filter { owner: Some(String::new()), before, limit: PAGE, ..Filter::default() };
        let (mut ended, mut failure) = (0, None);
        loop {
            let rows = work.kernel().store().list(table, &filter).await?;
            let Some(last) = rows.last().map(|row| row.id.clone()) else { break };
            for row in rows.iter().filter(|row| row.updated_at <= until) {
                if let Err(error) = self.end(work, row).await {
                    failure = Some(error);
                }
                ended += 1;
                if ended >= AT_ONCE {
                    return failure.map_or(Ok(()), Err);
                }
            }
            filter.before = Some(last);
        }
        failure.map_or(Ok(()), Err)
    }
}
