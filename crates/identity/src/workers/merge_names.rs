//! `identity.merge_names`: moves the names of a merge when every domain has handed over its own.

use async_trait::async_trait;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::owned_entities::may_pass;
use pavise_kernel::table::OwnedEntity;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Error, Kernel, Result};

use super::support::merge_report::{Report, load_merge};
use crate::contract::feeds;
use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{
    AbsorbIdentityRequest, IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus, ReleaseIdentityRequest,
};
use crate::identity_merge::{IDENTITIES, KEY_NAME};

/// Moves the names of each merge in progress, after the domains' own workers have moved all else.
#[derive(Debug)]
pub(crate) struct MergeNames;

#[async_trait]
impl Worker for MergeNames {
    fn name(&self) -> &'static str {
        "identity.merge_names"
    }

    fn key_name(&self) -> &'static str {
        KEY_NAME
    }

    fn feed(&self) -> JournalFeed {
        feeds::IDENTITY_MERGE
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(then) = decode_entity::<IdentityMerge>(entry)? else { return Ok(()) };
        if then.status() != IdentityMergeStatus::InProgress {
            return Ok(());
        }
        let merge = load_merge(work.kernel(), &then.id).await?;
        // Each report is an entry of its own: only the last one finds this version of the merge.
        if merge.version != then.version {
            return Ok(());
        }
        if !merge.is_ready_for_names() || !merge.find_processor(IDENTITIES).is_some_and(has_turn) {
            return Ok(());
        }
        Run::new(work.kernel(), merge, &entry.request_id).move_names().await
    }
}

/// Whether a processor has work now.
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
        Self { kernel, moving: Work::new(kernel, KEY_NAME, occasion, request_id), merge }
    }

    async fn report(&mut self, processor: &str, report: Report) -> Result<()> {
        self.merge = report.send(self.kernel, &self.merge.id, processor).await?;
        Ok(())
    }

    /// Moves the names. Then it looks for records that were made while the merged identity could still sign in.
    async fn move_names(mut self) -> Result<()> {
        let mut client = IdentityServiceClient::new(self.moving.peer_channel("identity"));
        let merge_id = self.merge.id.clone();
        let moved = match self.merge.action() {
            MergeAction::Unmerge => client.release_identity(ReleaseIdentityRequest { merge_id }).await,
            MergeAction::Merge | MergeAction::Unspecified => {
                client.absorb_identity(AbsorbIdentityRequest { merge_id }).await
            }
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
            Report::of_status(IdentityMergeStatus::Ok)
        } else {
            let message =
                format!("{} names or numbers stayed: the surviving identity does not have them any more", moved.left);
            Report { message, ..Report::of_status(IdentityMergeStatus::Warning) }
        };
        self.report(IDENTITIES, report).await
    }

    /// Whether something new was found. Its domain moves it, and the names are moved again afterwards.
    async fn find_late(&mut self) -> Result<bool> {
        let mut late = false;
        for owned_entity in self.kernel.owned_entities() {
            let Some(before) = self.merge.find_processor(owned_entity.processor).cloned() else { continue };
            let ids = self.find_new(owned_entity, &before).await?;
            if !ids.is_empty() {
                let report = Report { ids, ..Report::of_status(IdentityMergeStatus::Processing).keep_left(&before) };
                self.report(owned_entity.processor, report).await?;
                late = true;
            }
        }
        Ok(late)
    }

    /// The ids of the merged identity that are not recorded yet.
    async fn find_new(&self, owned_entity: &OwnedEntity, before: &ProcessorStatus) -> Result<Vec<String>> {
        let mut ids = self.moving.list_owned_entities(owned_entity, &self.merge.merged_identity_id).await?;
        ids.retain(|id| !before.ids.contains(id));
        Ok(ids)
    }
}

/// The report of a refused step: the processor waits, or has failed.
fn halted(error: &Error) -> Report {
    let status = if may_pass(error) { IdentityMergeStatus::Created } else { IdentityMergeStatus::Failed };
    Report::of_status(status).with_cause(error)
}
