//! `identity.wake_processors`: wakes processors of a merge that wait for a part of the platform.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::Result;
use pavise_kernel::store::Filter;
use pavise_kernel::time::to_micros;
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use super::support::merge_report::{Report, load_merge};
use crate::contract::IDENTITY_MERGE_TABLE;
use crate::contract::v1::{IdentityMergeStatus, ProcessorStatus};

/// How often waiting processors are looked at.
const EVERY: Duration = Duration::from_secs(2);

/// Wakes processors that waited long enough for a part of the platform.
#[derive(Debug)]
pub(crate) struct WakeProcessors;

#[async_trait]
impl Worker for WakeProcessors {
    fn name(&self) -> &'static str {
        "identity.wake_processors"
    }

    fn key_name(&self) -> &'static str {
        "identity.merge.waiting"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let filter = Filter {
            statuses: vec![IdentityMergeStatus::InProgress.spelling().to_owned()],
            limit: 500,
            ..Filter::default()
        };
        for row in work.kernel().store().list(&IDENTITY_MERGE_TABLE, &filter).await? {
            let merge = load_merge(work.kernel(), &row.id).await?;
            for processor in merge.processors.iter().filter(|one| is_due(one, work.now())) {
                let report = Report::of_status(IdentityMergeStatus::Processing).keep_left(processor);
                report.send(work.kernel(), &merge.id, &processor.processor).await?;
            }
        }
        Ok(())
    }
}

/// Whether a processor has waited long enough.
fn is_due(processor: &ProcessorStatus, now: i64) -> bool {
    let waits = processor.status() == IdentityMergeStatus::Created && !processor.external;
    waits && processor.next_attempt_at.as_ref().is_some_and(|at| now >= to_micros(at))
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::to_timestamp;

    use super::*;

    #[test]
    fn only_a_processor_of_the_platform_that_waits_is_woken_in_time() {
        let waiting = ProcessorStatus {
            status: IdentityMergeStatus::Created.into(),
            next_attempt_at: Some(to_timestamp(100)),
            ..ProcessorStatus::default()
        };
        assert!(!is_due(&waiting, 99));
        assert!(is_due(&waiting, 100));
        assert!(!is_due(&ProcessorStatus { external: true, ..waiting.clone() }, 100));
        assert!(!is_due(&ProcessorStatus { next_attempt_at: None, ..waiting.clone() }, 100));
        assert!(!is_due(&ProcessorStatus { status: IdentityMergeStatus::Failed.into(), ..waiting }, 100));
    }
}
