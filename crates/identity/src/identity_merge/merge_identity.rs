//! Begins a merge, or begins a failed one again.

use pavise_kernel::{Call, Error, Result};

use super::support::plan::{build_merge, retry_failed, start_processors};
use super::support::{pair, preview};
use crate::contract::v1::{IdentityMerge, IdentityMergeStatus, MergeAction, MergeIdentityRequest};

pub(crate) async fn merge_identity(call: &Call, request: MergeIdentityRequest) -> Result<IdentityMerge> {
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
    // A repeated request answers the merge, or starts it again if it failed.
    if let Some(known) = pair::find_open_merge(call, merged).await?
        && known.owner_id == *survivor
        && known.merged_identity_id == *merged
    {
        return begin(call, &known, reason).await;
    }
    pair::check_mergeable(call, survivor, merged).await?;
    let mut merge = build_merge(call, survivor, merged, reason);
    pair::check_free(call, &merge.both_identities(), "").await?;
    start_processors(call, &mut merge);
    if call.validate_only() {
        preview::fill_preview(call, &mut merge).await;
    }
    call.create(merge).await
}

/// Begins a merge that was planned, or again one that failed.
async fn begin(call: &Call, known: &IdentityMerge, reason: &str) -> Result<IdentityMerge> {
    if known.action() == MergeAction::Unmerge {
        return Err(Error::field("merge_id", "is being undone, or was; merge the identities anew"));
    }
    if known.status() == IdentityMergeStatus::Created {
        pair::check_mergeable(call, &known.owner_id, &known.merged_identity_id).await?;
        pair::check_free(call, &known.both_identities(), &known.id).await?;
    }
    call.change(&known.id, |merge: &mut IdentityMerge| {
        let failed = merge.status() == IdentityMergeStatus::Failed;
        start_processors(call, merge);
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
