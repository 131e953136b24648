//! Authorized users are added to an entitlement. Newcomers get an identity.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use super::people::add_people;
use crate::contract::catalog::GetProductRequest;
use crate::contract::catalog::product_service_client::ProductServiceClient;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{CreateIdentityRequest, IdentityRealm};
use crate::contract::roles;
use crate::contract::v1::{AddAuthorizedUsersRequest, Entitlement, EntitlementPerson, ErrorReason};

/// Adds the people. Every check that can refuse runs before an identity is made.
pub(crate) async fn add_authorized_users(call: &Call, request: AddAuthorizedUsersRequest) -> Result<Entitlement> {
    if request.authorized_users.is_empty() && request.newcomers.is_empty() {
        return Err(Error::field("authorized_users", "is required unless there are newcomers"));
    }
    let entitlement: Entitlement = call.get(&request.entitlement_id).await?;
    call.check_transition(&entitlement)?;
    let is_limited = request.within_tier || call.has_role(roles::MEMBER);
    let most = if is_limited { load_limit(call, &entitlement).await? } else { None };
    let mut expected = entitlement.authorized_users.clone();
    add_people(&mut expected, &request.authorized_users);
    check_room(entitlement.authorized_users.len(), expected.len() + request.newcomers.len(), most)?;

    let mut added = request.authorized_users.clone();
    for (at, newcomer) in request.newcomers.iter().enumerate() {
        let (name, permission_type) = (newcomer.name.clone(), newcomer.permission_type);
        added.push(EntitlementPerson { id: make_identity(call, at).await?, permission_type, name, added_on: None });
    }
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        let before = entitlement.authorized_users.len();
        add_people(&mut entitlement.authorized_users, &added);
        // Another call may have added people meanwhile.
        check_room(before, entitlement.authorized_users.len(), most)
    })
    .await
}

/// Loads the number of people whom the tier covers. A product that the catalog does not know any more has no limit.
async fn load_limit(call: &Call, entitlement: &Entitlement) -> Result<Option<usize>> {
    let ask = GetProductRequest { product_id: entitlement.product_id.clone() };
    let product = match ProductServiceClient::new(call.peer("catalog")).get_product(Request::new(ask)).await {
        Ok(product) => product.into_inner(),
        Err(status) => {
            let error = Error::from(status);
            return if error.is(Common::NotFound) { Ok(None) } else { Err(error) };
        }
    };
    let tier = product.tiers.iter().find(|tier| tier.id == entitlement.tier_id);
    Ok(tier.and_then(|tier| usize::try_from(tier.max_authorized_users).ok()))
}

/// Refuses more people than the limit. People who are on the plan stay.
fn check_room(before: usize, after: usize, most: Option<usize>) -> Result<()> {
    match most {
        Some(most) if after > before && after > most => {
            let who = if most == 1 { "person" } else { "people" };
            let message = format!("the plan covers {most} {who} besides the holder, not {after}");
            let error = Error::new(ErrorReason::AuthorizedUsersExceeded, message);
            Err(error.with("covered", most.to_string()).with("count", after.to_string()))
        }
        _ => Ok(()),
    }
}

/// Makes an identity that cannot sign in. A repeat of the call makes no second one.
async fn make_identity(call: &Call, at: usize) -> Result<String> {
    if call.validate_only() {
        return Ok(call.new_id());
    }
    let wanted = CreateIdentityRequest { realm: IdentityRealm::User.into(), ..Default::default() };
    let request = call.peer_request(wanted, &format!("newcomer {at}"));
    Ok(IdentityServiceClient::new(call.peer("identity")).create_identity(request).await?.into_inner().id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_plan_takes_no_more_people_and_loses_none() {
        check_room(0, 2, Some(2)).unwrap();
        check_room(9, 9, Some(2)).unwrap();
        check_room(0, 99, None).unwrap();
        let refusal = check_room(2, 3, Some(2)).unwrap_err();
        assert!(refusal.is(ErrorReason::AuthorizedUsersExceeded), "{refusal}");
    }
}
