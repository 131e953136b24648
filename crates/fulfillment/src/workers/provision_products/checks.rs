//! The checks before a step is made: whether the buyer was a member before, and whether an authorized user is known.

use std::collections::BTreeSet;

use pavise_kernel::Result;
use pavise_kernel::time::to_days;
use pavise_kernel::values::{Format, to_normal_form};
use tonic::Request;

use super::run::Run;
use super::subscription;
use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::members::{MatchProfilesRequest, ProfileMatchReason};
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{
    CollisionReason, EntitlementStatus, GetEntitlementRequest, ListEntitlementsRequest, ProfileCollision,
    ProvisionAuthorizedUser, ProvisionStatus as Status, ReinstatementMatch, UpdateStatusRequest,
};
use crate::shared::answer::found_or_none;

/// Moves the provision on, or to a status in which people decide.
pub(super) async fn check_buyer_and_users(run: &mut Run) -> Result<()> {
    if let Some(earlier) = find_earlier_membership(run).await? {
        return run
            .update_status(UpdateStatusRequest {
                status: Status::PotentialReinstatement.into(),
                r#match: Some(earlier),
                ..Default::default()
            })
            .await;
    }
    let collisions = find_collisions(run).await?;
    if collisions.is_empty() {
        return run.move_to(Status::InProgress).await;
    }
    run.update_status(UpdateStatusRequest {
        status: Status::PendingProfileReview.into(),
        collisions,
        ..Default::default()
    })
    .await
}

/// Checks whether the earlier membership can still come back.
pub(super) async fn check_match(run: &mut Run) -> Result<()> {
    let reinstatement = run.provision().reinstatement.clone().unwrap_or_default();
    let asked = GetEntitlementRequest {
        identity_id: run.provision().owner_id.clone(),
        entitlement_id: reinstatement.entitlement_id,
    };
    let mut entitlements = EntitlementServiceClient::new(run.peer_channel("fulfillment"));
    let cancelled = found_or_none(entitlements.get_entitlement(Request::new(asked)).await)?
        .is_some_and(|it| it.status() == EntitlementStatus::Cancelled);
    let match_holds = cancelled && subscription::may_be_reinstated(run, &reinstatement.subscription_id).await?;
    run.update_status(UpdateStatusRequest {
        status: Status::ReinstateChecked.into(),
        match_holds,
        ..Default::default()
    })
    .await
}

/// Finds the newest cancelled entitlement of a family that is bought now. A plan that begins later is always a new one: an
/// earlier one would cover at once.
async fn find_earlier_membership(run: &Run) -> Result<Option<ReinstatementMatch>> {
    let provision = run.provision();
    let begins_later = provision.effective_on.is_some_and(|day| to_days(day) > to_days(run.today()));
    if provision.plan_change.is_some() || begins_later {
        return Ok(None);
    }
    let mut entitlements = EntitlementServiceClient::new(run.peer_channel("fulfillment"));
    let mut families = BTreeSet::new();
    for line in provision.lines.iter().filter(|line| !line.family.is_empty()) {
        if !families.insert(&line.family) {
            continue;
        }
        let asked = ListEntitlementsRequest {
            identity_id: provision.owner_id.clone(),
            status: EntitlementStatus::Cancelled.into(),
            family: line.family.clone(),
            page_size: 1,
            ..Default::default()
        };
        let page = entitlements.list_entitlements(Request::new(asked)).await?.into_inner();
        if let Some(earlier) = page.entitlements.into_iter().next() {
            return Ok(Some(ReinstatementMatch {
                entitlement_id: earlier.id,
                subscription_id: earlier.subscription_id,
                line_id: line.id.clone(),
            }));
        }
    }
    Ok(None)
}

/// Finds the authorized users who may be people whom the platform knows: by the address with which somebody signs in, or by
/// what profiles say.
async fn find_collisions(run: &Run) -> Result<Vec<ProfileCollision>> {
    let mut collisions = Vec::new();
    for user in run.provision().authorized_users.iter().filter(|user| user.identity_id.is_empty()) {
        let known = match find_by_email(run, user).await? {
            None => find_by_profile(run, user).await?,
            known => known,
        };
        if let Some((identity_id, reason)) = known {
            let authorized_user_id = user.id.clone();
            collisions.push(ProfileCollision { authorized_user_id, identity_id, reason: reason.into() });
        }
    }
    Ok(collisions)
}

async fn find_by_email(run: &Run, user: &ProvisionAuthorizedUser) -> Result<Option<(String, CollisionReason)>> {
    if user.email.is_empty() {
        return Ok(None);
    }
    let mut identities = IdentityServiceClient::new(run.peer_channel("identity"));
    let asked = ListIdentitiesRequest { email: user.email.clone(), page_size: 1, ..Default::default() };
    let page = identities.list_identities(Request::new(asked)).await?.into_inner();
    Ok(page.identities.into_iter().next().map(|known| (known.id, CollisionReason::Email)))
}

/// The surest match of profiles. The people of the provision itself are no collision.
async fn find_by_profile(run: &Run, user: &ProvisionAuthorizedUser) -> Result<Option<(String, CollisionReason)>> {
    let Some(asked) = build_match_request(user) else { return Ok(None) };
    let mut profiles = ProfileServiceClient::new(run.peer_channel("members"));
    let answer = profiles.match_profiles(Request::new(asked)).await?.into_inner();
    let known = answer.matches.into_iter().find(|one| !run.provision().has_person(&one.identity_id));
    Ok(known.map(|one| (one.identity_id.clone(), to_collision(one.reason()))))
}

/// The description of a person on the provision; `None` where it tells nobody from another.
fn build_match_request(user: &ProvisionAuthorizedUser) -> Option<MatchProfilesRequest> {
    // A provision has any text as telephone.
    let is_phone = |text: &&str| !text.is_empty() && to_normal_form(Format::Phone, text).is_ok();
    let phone_number = Some(user.phone.trim()).filter(is_phone).unwrap_or_default().to_owned();
    (user.birth_date.is_some() || !phone_number.is_empty()).then(|| MatchProfilesRequest {
        first_name: user.first_name.clone(),
        last_name: user.last_name.clone(),
        date_of_birth: user.birth_date,
        phone_number,
        ..MatchProfilesRequest::default()
    })
}

fn to_collision(reason: ProfileMatchReason) -> CollisionReason {
    match reason {
        ProfileMatchReason::NationalIdentifier => CollisionReason::NationalIdentifier,
        ProfileMatchReason::AccountIdentifier => CollisionReason::AccountIdentifier,
        ProfileMatchReason::NameAndBirth => CollisionReason::NameAndBirth,
        ProfileMatchReason::PhoneAndName => CollisionReason::PhoneAndName,
        ProfileMatchReason::Unspecified => CollisionReason::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_tells_nobody_from_another() {
        let user = ProvisionAuthorizedUser { first_name: "Ben".into(), last_name: "Lee".into(), ..Default::default() };
        assert_eq!(build_match_request(&user), None);
        let vague = ProvisionAuthorizedUser { phone: "ask his mother".into(), ..user.clone() };
        assert_eq!(build_match_request(&vague), None);
        let known = ProvisionAuthorizedUser { phone: " 512 555 0101 ".into(), ..user };
        assert_eq!(build_match_request(&known).unwrap().phone_number, "512 555 0101");
    }
}
