//! The checks before a step is made: whether the buyer was a member before, and whether an authorized user is known.

use std::collections::BTreeSet;

use pavise_kernel::Result;
use tonic::Request;

use super::run::Run;
use super::subscription;
use crate::contract::identity::ListIdentitiesRequest;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{
    EntitlementStatus, GetEntitlementRequest, ListEntitlementsRequest, ProfileCollision, ProvisionStatus as Status,
    ReinstatementMatch, UpdateStatusRequest,
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

/// Finds the newest cancelled entitlement of a family that is bought now.
async fn find_earlier_membership(run: &Run) -> Result<Option<ReinstatementMatch>> {
    let provision = run.provision();
    if provision.plan_change.is_some() {
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

/// Finds the authorized users whose address another identity has.
async fn find_collisions(run: &Run) -> Result<Vec<ProfileCollision>> {
    let mut identities = IdentityServiceClient::new(run.peer_channel("identity"));
    let mut collisions = Vec::new();
    for user in
        run.provision().authorized_users.iter().filter(|user| user.identity_id.is_empty() && !user.email.is_empty())
    {
        let asked = ListIdentitiesRequest { email: user.email.clone(), page_size: 1, ..Default::default() };
        let page = identities.list_identities(Request::new(asked)).await?.into_inner();
        if let Some(known) = page.identities.into_iter().next() {
            collisions.push(ProfileCollision { authorized_user_id: user.id.clone(), identity_id: known.id });
        }
    }
    Ok(collisions)
}
