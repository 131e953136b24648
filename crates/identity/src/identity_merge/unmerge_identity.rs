//! Gives everything of a merge back, within the time limit.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::support::pair;
use super::support::plan::{retry_failed, start_processors};
use super::support::processors::IDENTITIES;
use crate::contract::lookups;
use crate::contract::v1::{
    ErrorReason, IdentityMerge, IdentityMergeStatus, MergeAction, ProcessorStatus, UnmergeIdentityRequest,
};

pub(crate) async fn unmerge_identity(call: &Call, request: UnmergeIdentityRequest) -> Result<IdentityMerge> {
    let known = find_merge(call, &request).await?;
    match (known.action(), known.status()) {
        (MergeAction::Unmerge, IdentityMergeStatus::InProgress) => return call.answer_unchanged(known).await,
        (MergeAction::Unmerge, IdentityMergeStatus::Failed) | (_, IdentityMergeStatus::Failed) => {}
        (MergeAction::Unmerge, _) => return Err(unmerge_refused_error("the merge was undone before")),
        _ => {
            call.check_transition(&known)?;
            if known.unmerge_until.as_ref().is_none_or(|until| call.now() >= to_micros(until)) {
                return Err(unmerge_refused_error("the time in which the merge could be undone is over"));
            }
        }
    }
    // A later merge moved everything on: it is undone first.
    pair::load_standing(call, &known.owner_id).await.map_err(|error| {
        if error.is(ErrorReason::IdentityMerged) {
            unmerge_refused_error("the surviving identity was merged itself; undo that first")
        } else {
            error
        }
    })?;
    pair::check_free(call, &known.both_identities(), &known.id).await?;
    let reason = request.instruction.as_ref().map(|said| said.reason.as_str()).unwrap_or_default();
    call.change(&known.id, |merge: &mut IdentityMerge| {
        if merge.action() == MergeAction::Unmerge {
            retry_failed(merge);
        } else {
            reverse(merge, call);
        }
        start_processors(call, merge);
        if !reason.is_empty() {
            reason.clone_into(&mut merge.reason);
        }
        Ok(())
    })
    .await
}

async fn find_merge(call: &Call, request: &UnmergeIdentityRequest) -> Result<IdentityMerge> {
    if !request.merge_id.is_empty() {
        return call.get(&request.merge_id).await;
    }
    if request.merged_identity_id.is_empty() {
        return Err(Error::field("merge_id", "name the merge, or the identity that went up in the other"));
    }
    let found: Option<IdentityMerge> =
        call.find_unscoped_by(lookups::identity_merge::MERGED_IDENTITY_ID, &request.merged_identity_id).await?;
    let unknown = || Error::not_found(IdentityMerge::TABLE.noun, "of these identities");
    found.filter(|merge| merge.owner_id == request.identity_id).ok_or_else(unknown)
}

fn unmerge_refused_error(message: &str) -> Error {
    Error::new(ErrorReason::UnmergeNotPossible, message)
}

/// Reverses a merge: a processor moves back what it moved.
fn reverse(merge: &mut IdentityMerge, call: &Call) {
    merge.action = MergeAction::Unmerge.into();
    merge.unmerge_until = None;
    for processor in &mut merge.processors {
        let stayed = std::mem::take(&mut processor.left_ids);
        processor.ids.retain(|id| !stayed.contains(id));
        let done = processor.ids.is_empty() && !processor.external && processor.processor != IDENTITIES;
        let status = if done { IdentityMergeStatus::Ok } else { IdentityMergeStatus::Created };
        *processor = ProcessorStatus {
            processor: std::mem::take(&mut processor.processor),
            ids: std::mem::take(&mut processor.ids),
            external: processor.external,
            status: status.into(),
            updated_at: Some(call.timestamp()),
            ..ProcessorStatus::default()
        };
    }
}
