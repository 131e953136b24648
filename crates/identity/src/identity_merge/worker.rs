//! The workers of merges: one moves the names when every domain has handed over its own, one wakes processors that wait.

use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::holdings::may_pass;
use pavise_kernel::store::Filter;
use pavise_kernel::table::Holding;
use pavise_kernel::time::micros;
use pavise_kernel::worker::{Feed, Work, Worker, entity};
use pavise_kernel::{Error, Kernel, Result};

use super::IDENTITIES;
use crate::contract::IDENTITY_MERGE_TABLE;
use crate::contract::v1::identity_merge_service_client::IdentityMergeServiceClient;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{
    AbsorbIdentityRequest, GetIdentityMergeRequest, IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus,
    ReleaseIdentityRequest, UpdateProcessorStatusRequest,
};

/// The worker's name.
pub(super) const NAME: &str = "identity.merge";
/// How often those that wait are looked at.
const EVERY: Duration = Duration::from_secs(2);

/// Moves the names of each merge in progress, after the domains' own workers have moved all else.
#[derive(Debug)]
pub(crate) struct Merging;

#[async_trait]
impl Worker for Merging {
    fn name(&self) -> &'static str {
        NAME
    }

    fn feed(&self) -> Feed {
        let path = "/pavise.identity.v1.IdentityMergeService/ReadJournal";
        Feed::Journal { domain: "identity", service: "identity_merge", path }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(then) = entity::<IdentityMerge>(entry)? else { return Ok(()) };
        if then.status() != IdentityMergeStatus::InProgress {
            return Ok(());
        }
        let merge = current(work.kernel(), &then.id).await?;
        // Each report is an entry of its own: only the last one finds the merge as it is, and goes on from there.
        if merge.version != then.version {
            return Ok(());
        }
        if !merge.is_ready_for_names() || !merge.processor(IDENTITIES).is_some_and(has_turn) {
            return Ok(());
        }
        Run::new(work.kernel(), merge, &entry.request_id).move_names().await
    }
}

/// Wakes processors that waited long enough for a part of the platform.
#[derive(Debug)]
pub(crate) struct Waiting;

#[async_trait]
impl Worker for Waiting {
    fn name(&self) -> &'static str {
        "identity.merge.waiting"
    }

    fn feed(&self) -> Feed {
        Feed::Every(EVERY)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let filter = Filter { statuses: vec!["IN_PROGRESS".to_owned()], limit: 500, ..Filter::default() };
        for row in work.kernel().store().list(&IDENTITY_MERGE_TABLE, &filter).await? {
            let merge = current(work.kernel(), &row.id).await?;
            for processor in merge.processors.iter().filter(|one| is_due(one, work.now())) {
                let report = Report::to(IdentityMergeStatus::Processing).keeping(processor);
                report.send(work.kernel(), &merge.id, &processor.processor).await?;
            }
        }
        Ok(())
    }
}

/// Whether a processor has waited long enough.
fn is_due(processor: &ProcessorStatus, now: i64) -> bool {
    let waits = processor.status() == IdentityMergeStatus::Created && !processor.external;
    waits && processor.next_attempt_at.as_ref().is_some_and(|at| now >= micros(at))
}

async fn current(kernel: &Kernel, id: &str) -> Result<IdentityMerge> {
    let work = Work::new(kernel, NAME, String::new(), "");
    let request = GetIdentityMergeRequest { merge_id: id.to_owned() };
    Ok(IdentityMergeServiceClient::new(work.peer("identity")).get_identity_merge(request).await?.into_inner())
}

/// What a processor has to report.
#[derive(Debug, Default)]
struct Report {
    status: IdentityMergeStatus,
    ids: Vec<String>,
    left: Vec<String>,
    message: String,
}

impl Report {
    fn to(status: IdentityMergeStatus) -> Self {
        Self { status, ..Self::default() }
    }

    /// What it said before stays said.
    fn keeping(mut self, before: &ProcessorStatus) -> Self {
        self.left.clone_from(&before.left_ids);
        self.message.clone_from(&before.message);
        self
    }

    fn because(mut self, error: &Error) -> Self {
        self.message = format!("{}: {}", error.reason(), error.message()).chars().take(300).collect();
        self
    }

    async fn send(self, kernel: &Kernel, merge: &str, processor: &str) -> Result<IdentityMerge> {
        let request = UpdateProcessorStatusRequest {
            merge_id: merge.to_owned(),
            processor: processor.to_owned(),
            status: self.status.into(),
            ids: self.ids,
            left_ids: self.left,
            message: self.message,
        };
        // A report says how things are, and does no harm twice: it needs no key.
        let work = Work::new(kernel, NAME, String::new(), "");
        Ok(IdentityMergeServiceClient::new(work.peer("identity")).update_processor_status(request).await?.into_inner())
    }
}

/// Whether a processor has something to do now: it has not begun, or was not done.
fn has_turn(processor: &ProcessorStatus) -> bool {
    match processor.status() {
        IdentityMergeStatus::Created => processor.next_attempt_at.is_none(),
        status => status == IdentityMergeStatus::Processing,
    }
}

/// The last step of a merge.
struct Run<'a> {
    kernel: &'a Kernel,
    merge: IdentityMerge,
    moving: Work,
}

impl<'a> Run<'a> {
    fn new(kernel: &'a Kernel, merge: IdentityMerge, request_id: &str) -> Self {
        let occasion = format!("{} {}", merge.id, merge.action().spelling());
        Self { kernel, moving: Work::new(kernel, NAME, occasion, request_id), merge }
    }

    async fn report(&mut self, processor: &str, report: Report) -> Result<()> {
        self.merge = report.send(self.kernel, &self.merge.id, processor).await?;
        Ok(())
    }

    /// Moves the names, then looks once more for what came to the merged identity while it could still sign in.
    async fn move_names(mut self) -> Result<()> {
        let mut client = IdentityServiceClient::new(self.moving.peer("identity"));
        let merge_id = self.merge.id.clone();
        let moved = match self.merge.action() {
            MergeAction::Unmerge => client.release_identity(ReleaseIdentityRequest { merge_id }).await,
            MergeAction::Merge | MergeAction::Unspecified => client.absorb_identity(AbsorbIdentityRequest { merge_id }).await,
        };
        let moved = match moved.map_err(Error::from) {
            Ok(moved) => moved.into_inner(),
            Err(error) => return self.report(IDENTITIES, halted(&error)).await,
        };
        if self.merge.action() == MergeAction::Merge {
            match self.find_late().await {
                Ok(false) => {}
                Ok(true) => return Ok(()),
                Err(error) => return self.report(IDENTITIES, halted(&error)).await,
            }
        }
        let report = if moved.left == 0 {
            Report::to(IdentityMergeStatus::Ok)
        } else {
            let message = format!("{} names or numbers stayed: the surviving identity does not have them any more", moved.left);
            Report { message, ..Report::to(IdentityMergeStatus::Warning) }
        };
        self.report(IDENTITIES, report).await
    }

    /// Whether there is something more to move. Its domain moves it, and the names have their turn again afterwards.
    async fn find_late(&mut self) -> Result<bool> {
        let mut late = false;
        for holding in self.kernel.holdings() {
            let Some(before) = self.merge.processor(holding.processor).cloned() else { continue };
            let ids = self.find_new(holding, &before).await?;
            if !ids.is_empty() {
                let report = Report { ids, ..Report::to(IdentityMergeStatus::Processing).keeping(&before) };
                self.report(holding.processor, report).await?;
                late = true;
            }
        }
        Ok(late)
    }

    /// What belongs to the merged identity beyond what was recorded.
    async fn find_new(&self, holding: &Holding, before: &ProcessorStatus) -> Result<Vec<String>> {
        let mut ids = self.moving.list_holdings(holding, &self.merge.merged_identity_id).await?;
        ids.retain(|id| !before.ids.contains(id));
        Ok(ids)
    }
}

/// Where a refusal of a whole step leaves a processor: waiting, or failed.
fn halted(error: &Error) -> Report {
    let status = if may_pass(error) { IdentityMergeStatus::Created } else { IdentityMergeStatus::Failed };
    Report::to(status).because(error)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::timestamp;

    use super::*;

    #[test]
    fn only_a_processor_of_the_platform_that_waits_is_woken_in_time() {
        let waiting = ProcessorStatus {
            status: IdentityMergeStatus::Created.into(),
            next_attempt_at: Some(timestamp(100)),
            ..ProcessorStatus::default()
        };
        assert!(!is_due(&waiting, 99));
        assert!(is_due(&waiting, 100));
        assert!(!is_due(&ProcessorStatus { external: true, ..waiting.clone() }, 100));
        assert!(!is_due(&ProcessorStatus { next_attempt_at: None, ..waiting.clone() }, 100));
        assert!(!is_due(&ProcessorStatus { status: IdentityMergeStatus::Failed.into(), ..waiting }, 100));
    }
}
