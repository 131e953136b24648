//! Deletes idempotency records after the longest time in which a caller repeats a call.

use std::time::Duration;

use async_trait::async_trait;

use crate::error::Result;
use crate::time::DAY;
use crate::work::worker::{JournalFeed, Work, Worker};

/// How long a key is kept, in machine time: longer than any client, proxy or worker of the platform repeats a call.
const MEMORY: i64 = 30 * DAY;
/// Time between two searches for old records.
const PERIOD: Duration = Duration::from_secs(3600);

/// Deletes old idempotency records of some journals.
#[derive(Debug, Clone)]
pub struct Forget {
    name: &'static str,
    journals: Vec<&'static str>,
}

impl Forget {
    /// A worker of that name for these journals.
    #[must_use]
    pub fn new(name: &'static str, journals: Vec<&'static str>) -> Self {
        Self { name, journals }
    }
}

#[async_trait]
impl Worker for Forget {
    fn name(&self) -> &'static str {
        self.name
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        for journal in &self.journals {
            // Records are deleted in portions, so that no writer waits long.
            while work.kernel().store().forget(journal, work.machine_now().saturating_sub(MEMORY)).await? > 0 {
                tokio::task::yield_now().await;
            }
        }
        Ok(())
    }
}
