//! AbsorbIdentity: the merged identity gives its names away and cannot sign in any more, all in one commit.

use pavise_kernel::{Call, Error, Result};

use super::pair::standing;
use crate::contract::v1::{
    AbsorbIdentityRequest, Credential, CredentialStatus, ErrorReason, Identity, IdentityMerge, IdentityMergeStatus,
    IdentityStatus, MergeAction, MergedInto, MovedNames,
};
use crate::sessions;

pub(crate) async fn absorb_identity(call: &Call, request: &AbsorbIdentityRequest) -> Result<MovedNames> {
    let merge = running(call, &request.merge_id, MergeAction::Merge).await?;
    let before: Option<Identity> = call.find(&merge.merged_identity_id).await?;
    if let Some(into) = before.and_then(|identity| identity.merged)
        && into.merge_id == merge.id
    {
        return Ok(moved(size(&into), 0));
    }
    let survivor = standing(call, &merge.owner_id).await?;
    let merged = standing(call, &merge.merged_identity_id).await?;
    call.permit(&merged)?;
    let mut unit = call.unit();
    sessions::revoke_all(call, &mut unit, &merged.id, None).await?;
    let credential: Option<Credential> = call.find(&merged.id).await?;
    if let Some(credential) = credential.filter(|one| one.status() == CredentialStatus::Active) {
        unit.update(&credential, Credential { status: CredentialStatus::Disabled.into(), ..credential.clone() })?;
    }
    let mut brought = MergedInto {
        identity_id: survivor.id.clone(),
        merge_id: merge.id,
        merged_at: Some(call.timestamp()),
        emails: merged.emails.clone(),
        usernames: merged.usernames.clone(),
        classic_ids: merged.classic_ids.clone(),
        group_ids: merged.group_ids.clone(),
    };
    // A group that both administer is no gift, and does not leave again.
    brought.group_ids.retain(|group| !survivor.group_ids.contains(group));
    let count = size(&brought);
    unit.update(&survivor, joined(&survivor, &brought))?;
    unit.update(&merged, emptied(&merged, brought))?;
    unit.answer(moved(count, 0)).await
}

/// The merge, if its names may be moved that way now.
pub(super) async fn running(call: &Call, id: &str, action: MergeAction) -> Result<IdentityMerge> {
    let unknown = || Error::not_found("identity merge", &id.replace('\0', ""));
    let merge: IdentityMerge = call.find(id).await?.ok_or_else(unknown)?;
    let runs = merge.status() == IdentityMergeStatus::InProgress && merge.action() == action;
    if runs && merge.is_ready_for_names() {
        return Ok(merge);
    }
    let message = format!("the merge is not at its last step of {}", action.spelling());
    Err(Error::new(ErrorReason::IdentitiesNotMergeable, message))
}

pub(super) fn moved(moved: usize, left: usize) -> MovedNames {
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    MovedNames { moved: count(moved), left: count(left) }
}

/// How many names and numbers an identity brought.
pub(super) fn size(brought: &MergedInto) -> usize {
    brought.emails.len() + brought.usernames.len() + brought.classic_ids.len() + brought.group_ids.len()
}

/// The surviving identity with what the other brought. What does not fit is refused as a whole: none of it may get lost.
fn joined(survivor: &Identity, brought: &MergedInto) -> Identity {
    let mut after = survivor.clone();
    after.emails.extend(brought.emails.iter().cloned());
    after.usernames.extend(brought.usernames.iter().cloned());
    after.classic_ids.extend(brought.classic_ids.iter().cloned());
    after.group_ids.extend(brought.group_ids.iter().cloned());
    after.one_primary();
    after
}

fn emptied(merged: &Identity, brought: MergedInto) -> Identity {
    Identity {
        status: IdentityStatus::Merged.into(),
        emails: Vec::new(),
        usernames: Vec::new(),
        classic_ids: Vec::new(),
        group_ids: Vec::new(),
        merged: Some(brought),
        ..merged.clone()
    }
}

impl Identity {
    /// Makes its first primary e-mail address the only one, or its first address, where none is primary.
    pub(super) fn one_primary(&mut self) {
        let place = self.emails.iter().position(|email| email.primary).unwrap_or(0);
        for (at, email) in self.emails.iter_mut().enumerate() {
            email.primary = at == place;
        }
    }
}
