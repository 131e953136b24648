//! Keeps the last division of a role: without any, the role would be for the whole group.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Group, RemoveAuthorizedIdentityDivisionsRequest};

impl Edit<RemoveAuthorizedIdentityDivisionsRequest> for Group {
    fn edit(&mut self, request: &RemoveAuthorizedIdentityDivisionsRequest, _: &EditContext) -> Result<()> {
        if self.find_role(&request.authorized_identity_id)?.division_ids.is_empty() {
            return Err(Error::field(
                "division_ids",
                "the last division stays; remove the role, or update its divisions",
            ));
        }
        Ok(())
    }
}
