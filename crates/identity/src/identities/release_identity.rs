//! Gives the merged identity its names back, as far as the surviving one still has them.

use pavise_kernel::{Call, Error, Result, email};

use crate::contract::v1::{
    Credential, CredentialStatus, Email, Identity, IdentityStatus, MergeAction, MergedInto, MovedNames,
    ReleaseIdentityRequest,
};
use crate::identity_merge::{count_names, load_running, moved_names};
use crate::shared::scopes;

pub(crate) async fn release_identity(call: &Call, request: ReleaseIdentityRequest) -> Result<MovedNames> {
    let merge = load_running(call, &request.merge_id, MergeAction::Unmerge).await?;
    let (survivor, merged) =
        (load_identity(call, &merge.owner_id).await?, load_identity(call, &merge.merged_identity_id).await?);
    // Released before; or the merge failed before anything was taken.
    let Some(brought) = merged.merged.clone().filter(|into| into.merge_id == merge.id) else {
        return call.answer_unchanged(moved_names(0, 0)).await;
    };
    call.check_transition(&merged)?;
    let parted = parted(&survivor, &merged, &brought);
    let mut unit = call.unit();
    // An invalidated password is not restored.
    let credential: Option<Credential> = call.find_unscoped(&merged.id).await?;
    if let Some(credential) = credential.filter(|one| one.status() == CredentialStatus::Disabled) {
        unit.update(&credential, Credential { status: CredentialStatus::Active.into(), ..credential.clone() })?;
    }
    unit.update(&survivor, parted.survivor)?;
    unit.update(&merged, parted.merged)?;
    unit.commit_answer(moved_names(parted.moved, parted.left)).await
}

async fn load_identity(call: &Call, id: &str) -> Result<Identity> {
    call.find_unscoped(id).await?.ok_or_else(|| Error::not_found("identity", id))
}

/// Two identities after they were taken apart.
#[derive(Debug)]
struct PartedIdentities {
    survivor: Identity,
    merged: Identity,
    moved: usize,
    left: usize,
}

fn parted(survivor: &Identity, merged: &Identity, brought: &MergedInto) -> PartedIdentities {
    let mut survivor = survivor.clone();
    let mut merged = Identity { status: IdentityStatus::Active.into(), merged: None, ..merged.clone() };
    for email in &brought.emails {
        if let Some(own) = taken(&mut survivor.emails, |own: &Email| email::is_same(&own.address, &email.address)) {
            merged.emails.push(Email { primary: email.primary, ..own });
        }
    }
    for username in &brought.usernames {
        merged.usernames.extend(taken(&mut survivor.usernames, |own| own.eq_ignore_ascii_case(username)));
    }
    for number in &brought.classic_ids {
        merged.classic_ids.extend(taken(&mut survivor.classic_ids, |own| own.key == number.key));
    }
    for group in &brought.group_ids {
        merged.group_ids.extend(taken(&mut survivor.group_ids, |own| own == group));
    }
    merged.scopes = scopes::take_roles(&mut survivor.scopes, &brought.scopes);
    survivor.one_primary();
    merged.one_primary();
    let lists = [merged.emails.len(), merged.usernames.len(), merged.classic_ids.len(), merged.group_ids.len()];
    let moved = lists.into_iter().sum::<usize>() + merged.scopes.len();
    PartedIdentities { survivor, merged, moved, left: count_names(brought).saturating_sub(moved) }
}

/// Takes the first that fits out of a list.
fn taken<T>(list: &mut Vec<T>, fits: impl Fn(&T) -> bool) -> Option<T> {
    let place = list.iter().position(fits)?;
    Some(list.remove(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(address: &str, primary: bool) -> Email {
        Email { address: address.into(), primary, ..Email::default() }
    }

    #[test]
    fn names_that_the_survivor_gave_up_since_stay_away() {
        let survivor = Identity {
            emails: vec![email("a@example.com", true), email("B@example.com", false)],
            usernames: vec!["ada".into()],
            ..Identity::default()
        };
        let brought = MergedInto {
            emails: vec![email("b@example.com", true), email("gone@example.com", false)],
            usernames: vec!["bob".into()],
            ..MergedInto::default()
        };
        let parted = parted(&survivor, &Identity::default(), &brought);
        assert_eq!(parted.merged.emails, [email("B@example.com", true)]);
        assert_eq!(parted.survivor.emails, [email("a@example.com", true)]);
        assert_eq!(parted.survivor.usernames, ["ada"]);
        assert_eq!((parted.moved, parted.left), (1, 2));
    }

    #[test]
    fn a_survivor_that_loses_its_primary_address_gets_another() {
        let survivor = Identity {
            emails: vec![email("a@example.com", false), email("b@example.com", true)],
            ..Identity::default()
        };
        let brought = MergedInto { emails: vec![email("b@example.com", false)], ..MergedInto::default() };
        let parted = parted(&survivor, &Identity::default(), &brought);
        assert_eq!(parted.survivor.emails, [email("a@example.com", true)]);
        assert_eq!(parted.merged.emails, [email("b@example.com", true)]);
    }
}
