//! One pass of a domain through its processors of a merge.

use pavise_kernel::owned_entities::may_pass;
use pavise_kernel::table::OwnedEntity;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Kernel, OwnerMove, Result};

use super::report::Report;
use super::share::{NAME, Share};
use pavise_identity_client::v1::{IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus};

pub(super) struct Run<'a> {
    kernel: &'a Kernel,
    merge: IdentityMerge,
    /// The work under which all things are moved. It is the same each time the merge is resumed.
    moving: Work,
}

impl<'a> Run<'a> {
    pub(super) fn new(kernel: &'a Kernel, merge: IdentityMerge, request_id: &str) -> Self {
        let way = if is_undone(&merge) { "UNMERGE" } else { "MERGE" };
        let moving = Work::new(kernel, NAME, format!("{} {way}", merge.id), request_id);
        Self { kernel, merge, moving }
    }

    pub(super) async fn process_all(mut self, shares: &[Share]) -> Result<()> {
        for share in shares {
            if self.processor(share.owned_entity).is_some_and(has_turn) {
                self.process(share).await?;
            }
        }
        Ok(())
    }

    fn processor(&self, owned_entity: &OwnedEntity) -> Option<&ProcessorStatus> {
        self.merge.processors.iter().find(|known| known.processor == owned_entity.processor)
    }

    async fn report(&mut self, owned_entity: &OwnedEntity, report: Report) -> Result<()> {
        self.merge = report.send(self.kernel, &self.merge.id, owned_entity.processor).await?;
        Ok(())
    }

    /// Records the things to move, then moves them. An unmerge moves the recorded things back.
    async fn process(&mut self, share: &Share) -> Result<()> {
        if !is_undone(&self.merge) {
            match self.find_new(share.owned_entity).await {
                Ok(new) if new.is_empty() => {}
                Ok(ids) => {
                    self.report(share.owned_entity, Report { ids, ..Report::to(IdentityMergeStatus::Processing) })
                        .await?
                }
                Err(error) => return self.report(share.owned_entity, Report::halted(&error)).await,
            }
        }
        let report = self.move_recorded(share).await;
        self.report(share.owned_entity, report).await
    }

    /// The merged identity's things that are not recorded yet.
    async fn find_new(&self, owned_entity: &'static OwnedEntity) -> Result<Vec<String>> {
        let mut ids = self.moving.list_owned_entities(owned_entity, &self.merge.merged_identity_id).await?;
        ids.retain(|id| !self.processor(owned_entity).is_some_and(|known| known.ids.contains(id)));
        Ok(ids)
    }

    async fn move_recorded(&self, share: &Share) -> Report {
        let ids = self.processor(share.owned_entity).map(|known| known.ids.as_slice()).unwrap_or_default();
        let (mut left, mut wait, mut refusal) = (Vec::new(), None, None);
        for id in ids {
            match self.move_one(share, id).await {
                Ok(()) => {}
                Err(error) if may_pass(&error) || share.waits_for(&error) => wait = Some(error),
                Err(error) => {
                    left.push(id.clone());
                    refusal = Some(error);
                }
            }
        }
        let report = match (&wait, &refusal) {
            (Some(error), _) => Report::to(IdentityMergeStatus::Created).because(error),
            (None, Some(error)) => Report::refused(error),
            (None, None) => Report::to(IdentityMergeStatus::Ok),
        };
        Report { left, ..report }
    }

    async fn move_one(&self, share: &Share, id: &str) -> Result<()> {
        let (survivor, merged) = (&self.merge.owner_id, &self.merge.merged_identity_id);
        let undone = is_undone(&self.merge);
        let (from, to) = if undone { (survivor, merged) } else { (merged, survivor) };
        let thing = OwnerMove { merge: &self.merge.id, undone, id, from, to };
        match (&share.move_to_owner, &share.owned_entity.transfer) {
            (Some(move_to_owner), _) => move_to_owner.move_to_owner(&self.moving, &thing).await,
            (None, Some(transfer)) => self.moving.transfer_entity(share.owned_entity, transfer, &thing).await,
            (None, None) => Err(Error::internal(format!("nothing moves {}", share.owned_entity.processor))),
        }
    }
}

fn is_undone(merge: &IdentityMerge) -> bool {
    merge.action() == MergeAction::Unmerge
}

/// Whether a processor has work now: it has not begun, or is in progress.
fn has_turn(processor: &ProcessorStatus) -> bool {
    match processor.status() {
        IdentityMergeStatus::Created => processor.next_attempt_at.is_none(),
        status => status == IdentityMergeStatus::Processing,
    }
}
