//! More people may use an entitlement: some who have an identity, and some for whom one is made.

use pavise_kernel::caller::Realm;
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use super::people;
use crate::contract::catalog::GetProductRequest;
use crate::contract::catalog::product_service_client::ProductServiceClient;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{CreateIdentityRequest, IdentityRealm};
use crate::contract::v1::{AddAuthorizedUsersRequest, Entitlement, EntitlementPerson, ErrorReason};

/// Adds them. Whose it is, whether it takes people now and whether there is room is clear before anybody is made.
pub(super) async fn add(call: &Call, request: &AddAuthorizedUsersRequest) -> Result<Entitlement> {
    if request.authorized_users.is_empty() && request.newcomers.is_empty() {
        return Err(Error::field("authorized_users", "name somebody"));
    }
    let entitlement: Entitlement = call.get(&request.entitlement_id).await?;
    call.permit(&entitlement)?;
    let bound = request.within_tier || call.caller().realm == Realm::User;
    let most = if bound { most(call, &entitlement).await? } else { None };
    let mut expected = entitlement.authorized_users.clone();
    people::put(&mut expected, &request.authorized_users);
    fits(entitlement.authorized_users.len(), expected.len() + request.newcomers.len(), most)?;

    let mut added = request.authorized_users.clone();
    for (at, newcomer) in request.newcomers.iter().enumerate() {
        let (name, permission_type) = (newcomer.name.clone(), newcomer.permission_type);
        added.push(EntitlementPerson { id: identity(call, at).await?, permission_type, name, added_on: None });
    }
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        let before = entitlement.authorized_users.len();
        people::put(&mut entitlement.authorized_users, &added);
        // Somebody else may have been faster.
        fits(before, entitlement.authorized_users.len(), most)
    })
    .await
}

/// How many people a member may have on the plan: as many as its tier covers. Staff and programs see to that themselves
/// where they do not ask for it, and so does nobody for what the catalogue does not know any more.
async fn most(call: &Call, entitlement: &Entitlement) -> Result<Option<usize>> {
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

/// Nobody is added to a plan that is full; who is on it stays.
fn fits(before: usize, after: usize, most: Option<usize>) -> Result<()> {
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

/// An identity without a name to sign in with, once however often the call is repeated.
async fn identity(call: &Call, at: usize) -> Result<String> {
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
    fn a_full_plan_takes_nobody_and_loses_nobody() {
        fits(0, 2, Some(2)).unwrap();
        fits(9, 9, Some(2)).unwrap();
        fits(0, 99, None).unwrap();
        let refusal = fits(2, 3, Some(2)).unwrap_err();
        assert!(refusal.is(ErrorReason::AuthorizedUsersExceeded), "{refusal}");
    }
}
