//! The names that a merge moves, counted.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ErrorReason, IdentityMerge, IdentityMergeStatus, MergeAction, MergedInto, MovedNames};

/// The merge, if its names may be moved now in that direction.
pub(crate) async fn load_running(call: &Call, id: &str, action: MergeAction) -> Result<IdentityMerge> {
    let unknown = || Error::not_found("identity merge", &id.replace('\0', ""));
    let merge: IdentityMerge = call.find_unscoped(id).await?.ok_or_else(unknown)?;
    let runs = merge.status() == IdentityMergeStatus::InProgress && merge.action() == action;
    if runs && merge.is_ready_for_names() {
        return Ok(merge);
    }
    let message = format!("the merge is not at its last step of {}", action.spelling());
    Err(Error::new(ErrorReason::IdentitiesNotMergeable, message))
}

pub(crate) fn moved_names(moved: usize, left: usize) -> MovedNames {
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    MovedNames { moved: count(moved), left: count(left) }
}

/// How many names and numbers an identity brought, with its groups and the scopes in which it had roles.
pub(crate) fn count_names(brought: &MergedInto) -> usize {
    let names = brought.emails.len() + brought.usernames.len() + brought.classic_ids.len();
    names + brought.group_ids.len() + brought.scopes.len()
}
