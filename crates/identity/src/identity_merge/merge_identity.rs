//! Planning a merge, beginning it, and beginning again what failed.

use pavise_kernel::{Call, Error, Result};

use super::{IDENTITIES, pair, preview};
use crate::contract::v1::{IdentityMerge, IdentityMergeStatus, MergeAction, MergeIdentityRequest, ProcessorStatus};

/// Plans a merge that is about to be made.
pub(super) async fn plan(call: &Call, merge: &mut IdentityMerge) -> Result<()> {
    pair::mergeable(call, &merge.owner_id, &merge.merged_identity_id).await?;
    *merge = IdentityMerge { id: merge.id.clone(), ..planned(call, &merge.owner_id, &merge.merged_identity_id, &merge.reason) };
    if call.validate_only() {
        preview::fill(call, merge).await;
    }
    Ok(())
}

pub(crate) async fn merge_identity(call: &Call, request: MergeIdentityRequest) -> Result<IdentityMerge> {
    let request = &request;
    let reason = request.instruction.as_ref().map(|said| said.reason.as_str()).unwrap_or_default();
    let (survivor, merged) = (&request.identity_id, &request.merged_identity_id);
    if !request.merge_id.is_empty() {
        let known: IdentityMerge = call.get(&request.merge_id).await?;
        if !merged.is_empty() && known.merged_identity_id != *merged {
            return Err(Error::field("merged_identity_id", "is not the one of this merge"));
        }
        return begin(call, &known, reason).await;
    }
    if merged.is_empty() {
        return Err(Error::field("merged_identity_id", "name the identity that goes up in the other, or a merge"));
    }
    // The same merge asked for again is answered, or begun again where it failed.
    if let Some(known) = pair::held(call, merged).await?
        && known.owner_id == *survivor
        && known.merged_identity_id == *merged
    {
        return begin(call, &known, reason).await;
    }
    pair::mergeable(call, survivor, merged).await?;
    let mut merge = planned(call, survivor, merged, reason);
    pair::free(call, &merge.both(), "").await?;
    started(call, &mut merge);
    if call.validate_only() {
        preview::fill(call, &mut merge).await;
    }
    call.create(merge).await
}

/// Begins a merge that was planned, or again one that failed.
async fn begin(call: &Call, known: &IdentityMerge, reason: &str) -> Result<IdentityMerge> {
    if known.action() == MergeAction::Unmerge {
        return Err(Error::field("merge_id", "is being undone, or was; merge the identities anew"));
    }
    if known.status() == IdentityMergeStatus::Created {
        pair::mergeable(call, &known.owner_id, &known.merged_identity_id).await?;
        pair::free(call, &known.both(), &known.id).await?;
    }
    call.change(&known.id, |merge: &mut IdentityMerge| {
        let failed = merge.status() == IdentityMergeStatus::Failed;
        started(call, merge);
        if failed {
            retry_failed(merge);
        }
        if !reason.is_empty() {
            reason.clone_into(&mut merge.reason);
        }
        Ok(())
    })
    .await
}

/// A merge with all processors of the platform, of which nothing is done.
fn planned(call: &Call, survivor: &str, merged: &str, reason: &str) -> IdentityMerge {
    let processor = |name: &str| ProcessorStatus {
        processor: name.to_owned(),
        status: IdentityMergeStatus::Created.into(),
        updated_at: Some(call.timestamp()),
        ..ProcessorStatus::default()
    };
    let names = call.kernel().holdings().iter().map(|holding| holding.processor).chain([IDENTITIES]);
    IdentityMerge {
        owner_id: survivor.to_owned(),
        merged_identity_id: merged.to_owned(),
        action: MergeAction::Merge.into(),
        reason: reason.to_owned(),
        processors: names.map(processor).collect(),
        ..IdentityMerge::default()
    }
}

/// Has the workers take a merge up.
pub(super) fn started(call: &Call, merge: &mut IdentityMerge) {
    merge.status = IdentityMergeStatus::InProgress.into();
    merge.held_identity_ids = merge.both();
    merge.started_at = Some(call.timestamp());
    merge.completed_at = None;
}

/// Has each processor that failed try again.
pub(super) fn retry_failed(merge: &mut IdentityMerge) {
    for processor in &mut merge.processors {
        if processor.status() == IdentityMergeStatus::Failed {
            processor.status = IdentityMergeStatus::Processing.into();
            processor.message.clear();
            processor.left_ids.clear();
        }
    }
}
