//! `identity.retry_notices`: retries notices which their own worker gave up.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::store::Filter;
use pavise_kernel::table::Table;
use pavise_kernel::time::{HOUR, Micros};
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use super::support::delivery::deliver_notice;
use crate::contract::v1::NoticeStatus;
use crate::contract::{INVITATION_NOTICE_TABLE, NOTICE_TABLE};

/// How old a notice is when its worker has given up on it.
const LEFT: Micros = HOUR;
/// How often those are looked for.
const EVERY: Duration = Duration::from_secs(600);
/// How many are read at once.
const PAGE: u32 = 200;

/// Retries notices that their worker gave up, until they are delivered or expired.
#[derive(Debug)]
pub(crate) struct RetryNotices;

/// The tables that have notices.
const TABLES: [&Table; 2] = [&NOTICE_TABLE, &INVITATION_NOTICE_TABLE];

#[async_trait]
impl Worker for RetryNotices {
    fn name(&self) -> &'static str {
        "identity.retry_notices"
    }

    fn key_name(&self) -> &'static str {
        "identity.notices.leftovers"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        for table in TABLES {
            let mut filter = Filter {
                statuses: vec![NoticeStatus::Pending.spelling().to_owned()],
                limit: PAGE,
                ..Filter::default()
            };
            loop {
                let page = work.kernel().store().list(table, &filter).await?;
                let Some(last) = page.last() else { break };
                filter.before = Some(last.id.clone());
                for row in page.iter().filter(|row| work.now() >= row.created_at.saturating_add(LEFT)) {
                    // Where this one is not taken, the others would not be, either.
                    deliver_notice(work, table, &row.id).await?;
                }
            }
        }
        Ok(())
    }
}
