//! Fields of a provision are corrected.

use pavise_kernel::{Edit, EditContext, Error, Result, email};

use crate::contract::v1::{AuthorizedUserCorrection, Provision, ProvisionAuthorizedUser, UpdateProvisionFieldsRequest};

impl Edit<UpdateProvisionFieldsRequest> for Provision {
    /// Changes only the fields that the request sets.
    fn edit(&mut self, request: &UpdateProvisionFieldsRequest, _context: &EditContext) -> Result<()> {
        if let Some(method) = &request.payment_method_id {
            self.payment_method_id.clone_from(method);
        }
        if let Some(code) = &request.postal_code {
            self.postal_code.clone_from(code);
        }
        if let Some(area) = request.service_area {
            self.service_area = area;
        }
        if let Some(locale) = request.market_locale {
            self.market_locale = locale;
        }
        if let Some(partner) = request.co_brand_partner {
            self.co_brand_partner = partner;
        }
        if request.business.is_some() {
            self.business.clone_from(&request.business);
        }
        for correction in &request.authorized_users {
            correct_user(self.authorized_user(&correction.authorized_user_id)?, correction);
        }
        check_distinct(&self.authorized_users)
    }
}

fn correct_user(user: &mut ProvisionAuthorizedUser, correction: &AuthorizedUserCorrection) {
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

/// Refuses two authorized users with one address.
fn check_distinct(users: &[ProvisionAuthorizedUser]) -> Result<()> {
    for (at, user) in users.iter().enumerate() {
        let again =
            users.iter().take(at).any(|other| !user.email.is_empty() && email::is_same(&other.email, &user.email));
        if again {
            return Err(Error::field(
                "authorized_users",
                format!("authorized user {} has the address of another", user.id),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fields_of_the_request_change() {
        let user = |id: &str, email: &str| ProvisionAuthorizedUser {
            id: id.to_owned(),
            first_name: "Ann".to_owned(),
            email: email.to_owned(),
            ..Default::default()
        };
        let users = vec![user("1", "a@x.org"), user("2", "b@x.org")];
        let provision = Provision { postal_code: "75001".to_owned(), authorized_users: users, ..Default::default() };
        let correct = |email: &str| {
            let correction = AuthorizedUserCorrection {
                authorized_user_id: "2".to_owned(),
                email: Some(email.to_owned()),
                ..Default::default()
            };
            let mut provision = provision.clone();
            let request = UpdateProvisionFieldsRequest { authorized_users: vec![correction], ..Default::default() };
            provision.edit(&request, &EditContext::at(0)).map(|()| provision)
        };
        let expected =
            Provision { authorized_users: vec![user("1", "a@x.org"), user("2", "c@x.org")], ..provision.clone() };
        assert_eq!(correct("c@x.org").unwrap(), expected);
        assert!(correct("A@X.org").is_err(), "another user has the address");
    }
}
