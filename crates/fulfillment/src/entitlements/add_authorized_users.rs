//! Adds authorized users to an entitlement, and gives newcomers an identity.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Result, time};

use super::support::covered::{TierCover, check_room};
use super::support::people::add_people;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{CreateIdentityRequest, IdentityRealm};
use crate::contract::roles;
use crate::contract::v1::{AddAuthorizedUsersRequest, Entitlement, EntitlementPerson};

/// Adds the people. Every check that can refuse runs before an identity is made.
pub(crate) async fn add_authorized_users(call: &Call, request: AddAuthorizedUsersRequest) -> Result<Entitlement> {
    if request.authorized_users.is_empty() && request.newcomers.is_empty() {
        return Err(Error::field("authorized_users", "is required unless there are newcomers"));
    }
    let entitlement: Entitlement = call.get(&request.entitlement_id).await?;
    call.check_transition(&entitlement)?;
    check_births(&request, call.today())?;
    let is_limited = request.within_tier || call.has_role(roles::MEMBER);
    let cover = load_cover(call, &entitlement, is_limited).await?;
    let most = cover.most.filter(|_| is_limited);
    let newcomers = request.newcomers.iter().map(|newcomer| EntitlementPerson {
        permission_type: newcomer.permission_type,
        name: newcomer.name.clone(),
        birth_date: newcomer.birth_date,
        ..EntitlementPerson::default()
    });
    let mut expected = entitlement.authorized_users.clone();
    add_people(&mut expected, &request.authorized_users);
    expected.extend(newcomers.clone());
    check_room(entitlement.authorized_users.len(), expected.len(), most)?;
    cover.check(&entitlement.authorized_users, &expected, call.today())?;
    if request.within_tier {
        cover.check_ages_known(&request.authorized_users)?;
    }

    let mut added = request.authorized_users.clone();
    for (at, newcomer) in newcomers.enumerate() {
        added.push(EntitlementPerson { id: request_identity(call, at).await?, ..newcomer });
    }
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        let before = entitlement.authorized_users.clone();
        add_people(&mut entitlement.authorized_users, &added);
        // Another call may have added people meanwhile.
        check_room(before.len(), entitlement.authorized_users.len(), most)?;
        cover.check(&before, &entitlement.authorized_users, call.today())
    })
    .await
}

/// Loads what the tier covers. The platform adds the people whom an order names: these were checked there, so that
/// nothing limits them here, unless it asks for the limit.
async fn load_cover(call: &Call, entitlement: &Entitlement, is_limited: bool) -> Result<TierCover> {
    if call.has_role(roles::PLATFORM) && !is_limited {
        return Ok(TierCover::default());
    }
    TierCover::load(call, entitlement).await
}

/// Refuses a day of birth that cannot be.
fn check_births(request: &AddAuthorizedUsersRequest, today: Date) -> Result<()> {
    let users = request.authorized_users.iter().enumerate().map(|(at, one)| ("authorized_users", at, one.birth_date));
    let newcomers = request.newcomers.iter().enumerate().map(|(at, one)| ("newcomers", at, one.birth_date));
    for (field, at, born) in users.chain(newcomers) {
        if born.is_some_and(|born| !time::is_real(born) || time::to_days(born) > time::to_days(today)) {
            return Err(Error::field(format!("{field}[{at}].birth_date"), "is no day of the past"));
        }
    }
    Ok(())
}

/// Makes an identity that cannot sign in. A repeat of the call makes no second one.
async fn request_identity(call: &Call, at: usize) -> Result<String> {
    if call.validate_only() {
        return Ok(call.new_id());
    }
    let wanted = CreateIdentityRequest { realm: IdentityRealm::User.into(), ..Default::default() };
    let request = call.peer_request(wanted, &format!("newcomer {at}"));
    Ok(IdentityServiceClient::new(call.peer_channel("identity")).create_identity(request).await?.into_inner().id)
}
