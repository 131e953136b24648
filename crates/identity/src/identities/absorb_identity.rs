//! Moves the names of the merged identity and ends its sign-ins, in one commit.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    AbsorbIdentityRequest, Credential, CredentialStatus, Identity, IdentityStatus, MergeAction, MergedInto, MovedNames,
};
use crate::identity_merge::{count_names, load_running, load_standing, moved_names};
use crate::sessions;
use crate::shared::scopes;

pub(crate) async fn absorb_identity(call: &Call, request: AbsorbIdentityRequest) -> Result<MovedNames> {
    let merge = load_running(call, &request.merge_id, MergeAction::Merge).await?;
    let before: Option<Identity> = call.find_unscoped(&merge.merged_identity_id).await?;
    if let Some(into) = before.and_then(|identity| identity.merged)
        && into.merge_id == merge.id
    {
        return call.answer_unchanged(moved_names(count_names(&into), 0)).await;
    }
    let survivor = load_standing(call, &merge.owner_id).await?;
    let merged = load_standing(call, &merge.merged_identity_id).await?;
    call.check_transition(&merged)?;
    let mut unit = call.unit();
    sessions::revoke_all(call, &mut unit, &merged.id, None).await?;
    let credential: Option<Credential> = call.find_unscoped(&merged.id).await?;
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
        scopes: scopes::find_beyond(&merged.scopes, &survivor.scopes),
    };
    // A group that both administer is not moved, so an unmerge leaves it in place. So it is with roles.
    brought.group_ids.retain(|group| !survivor.group_ids.contains(group));
    let count = count_names(&brought);
    unit.update(&survivor, join_identities(&survivor, &brought))?;
    unit.update(&merged, into_merged(&merged, brought))?;
    unit.commit_answer(moved_names(count, 0)).await
}

/// The surviving identity with the names of the other. If they do not all fit, the merge is refused.
fn join_identities(survivor: &Identity, brought: &MergedInto) -> Identity {
    let mut after = survivor.clone();
    after.emails.extend(brought.emails.iter().cloned());
    after.usernames.extend(brought.usernames.iter().cloned());
    after.classic_ids.extend(brought.classic_ids.iter().cloned());
    after.group_ids.extend(brought.group_ids.iter().cloned());
    scopes::add_roles(&mut after.scopes, &brought.scopes);
    after.one_primary();
    after
}

fn into_merged(merged: &Identity, brought: MergedInto) -> Identity {
    Identity {
        status: IdentityStatus::Merged.into(),
        emails: Vec::new(),
        usernames: Vec::new(),
        classic_ids: Vec::new(),
        group_ids: Vec::new(),
        scopes: Vec::new(),
        merged: Some(brought),
        ..merged.clone()
    }
}
