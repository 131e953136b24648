//! Records the identity of an authorized user.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::recorded::record_once;
use crate::contract::v1::{AddIdentityIdRequest, Provision};

impl Edit<AddIdentityIdRequest> for Provision {
    fn edit(&mut self, request: &AddIdentityIdRequest, _context: &EditContext) -> Result<()> {
        let is_taken = self.has_person(&request.identity_id);
        let user = self.authorized_user(&request.authorized_user_id)?;
        if is_taken && user.identity_id != request.identity_id {
            return Err(Error::field("identity_id", "is the buyer or another authorized user"));
        }
        record_once(&mut user.identity_id, &request.identity_id, "the authorized user has another identity already")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::ProvisionAuthorizedUser;

    #[test]
    fn an_identity_belongs_to_one_person() {
        let user = |id: &str| ProvisionAuthorizedUser { id: id.to_owned(), ..Default::default() };
        let users = vec![user("1"), user("2")];
        let mut provision = Provision { owner_id: "buyer".to_owned(), authorized_users: users, ..Default::default() };
        let mut add = |user: &str, identity: &str| {
            let (authorized_user_id, identity_id) = (user.to_owned(), identity.to_owned());
            let request = AddIdentityIdRequest { authorized_user_id, identity_id, ..Default::default() };
            provision.edit(&request, &EditContext::at(0)).map_err(|error| error.reason().to_owned())
        };
        assert_eq!(add("1", "ann"), Ok(()));
        assert_eq!(add("1", "ann"), Ok(()), "a repeat changes nothing");
        assert_eq!(add("1", "ben"), Err("ALREADY_RECORDED".to_owned()));
        assert_eq!(add("2", "ann"), Err("INVALID_FIELD".to_owned()));
        assert_eq!(add("2", "buyer"), Err("INVALID_FIELD".to_owned()));
        assert_eq!(add("3", "cat"), Err("AUTHORIZED_USER_UNKNOWN".to_owned()));
    }
}
