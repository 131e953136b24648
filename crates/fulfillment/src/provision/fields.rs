//! Fields of a provision are corrected.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{AuthorizedUserCorrection, Provision, ProvisionAuthorizedUser, UpdateProvisionFieldsRequest};

/// Changes what the request sets and nothing else.
pub(super) async fn update(call: &Call, request: UpdateProvisionFieldsRequest) -> Result<Provision> {
    call.change::<Provision>(&request.provision_id, |provision| {
        if let Some(method) = &request.payment_method_id {
            provision.payment_method_id.clone_from(method);
        }
        if let Some(code) = &request.postal_code {
            provision.postal_code.clone_from(code);
        }
        if let Some(area) = request.service_area {
            provision.service_area = area;
        }
        if let Some(locale) = request.market_locale {
            provision.market_locale = locale;
        }
        if let Some(partner) = request.co_brand_partner {
            provision.co_brand_partner = partner;
        }
        if request.business.is_some() {
            provision.business.clone_from(&request.business);
        }
        for correction in &request.authorized_users {
            correct(provision.authorized_user(&correction.authorized_user_id)?, correction);
        }
        distinct(&provision.authorized_users)
    })
    .await
}

fn correct(user: &mut ProvisionAuthorizedUser, correction: &AuthorizedUserCorrection) {
    for (place, value) in [
        (&mut user.first_name, &correction.first_name),
        (&mut user.last_name, &correction.last_name),
        (&mut user.email, &correction.email),
        (&mut user.phone, &correction.phone),
    ] {
        if let Some(value) = value {
            place.clone_from(value);
        }
    }
    if let Some(relation) = correction.relation_type {
        user.relation_type = relation;
    }
}

fn distinct(users: &[ProvisionAuthorizedUser]) -> Result<()> {
    for (at, user) in users.iter().enumerate() {
        let again = users.iter().take(at).any(|other| !user.email.is_empty() && other.email.eq_ignore_ascii_case(&user.email));
        if again {
            return Err(Error::field("authorized_users", format!("authorized user {} has the address of another", user.id)));
        }
    }
    Ok(())
}
