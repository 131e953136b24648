//! The plan of a merge, its start, and the retry of a failed one.

use pavise_kernel::{Call, Result};

use super::processors::IDENTITIES;
use super::{pair, preview};
use crate::contract::v1::{IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus};

/// Plans a merge that is about to be made.
pub(crate) async fn plan_merge(call: &Call, merge: &mut IdentityMerge) -> Result<()> {
    pair::check_mergeable(call, &merge.owner_id, &merge.merged_identity_id).await?;
    *merge = IdentityMerge {
        id: merge.id.clone(),
        ..build_merge(call, &merge.owner_id, &merge.merged_identity_id, &merge.reason)
    };
    if call.validate_only() {
        preview::fill_preview(call, merge).await;
    }
    Ok(())
}

/// A merge with all processors of the platform, before their start.
pub(crate) fn build_merge(call: &Call, survivor: &str, merged: &str, reason: &str) -> IdentityMerge {
    let processor = |name: &str| ProcessorStatus {
        processor: name.to_owned(),
        status: IdentityMergeStatus::Created.into(),
        updated_at: Some(call.timestamp()),
        ..ProcessorStatus::default()
    };
    let names = call.kernel().owned_entities().iter().map(|owned_entity| owned_entity.processor).chain([IDENTITIES]);
    IdentityMerge {
        owner_id: survivor.to_owned(),
        merged_identity_id: merged.to_owned(),
        action: MergeAction::Merge.into(),
        reason: reason.to_owned(),
        processors: names.map(processor).collect(),
        ..IdentityMerge::default()
    }
}

/// Starts a merge; the workers take it up.
pub(crate) fn start_processors(call: &Call, merge: &mut IdentityMerge) {
    merge.status = IdentityMergeStatus::InProgress.into();
    merge.held_identity_ids = merge.both_identities();
    merge.started_at = Some(call.timestamp());
    merge.completed_at = None;
}

/// Starts each failed processor again.
pub(crate) fn retry_failed(merge: &mut IdentityMerge) {
    for processor in &mut merge.processors {
        if processor.status() == IdentityMergeStatus::Failed {
            processor.status = IdentityMergeStatus::Processing.into();
            processor.message.clear();
            processor.left_ids.clear();
        }
    }
}
