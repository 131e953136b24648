//! Replaces the groups of an identity, and its scopes if the request names them.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{ErrorReason, Identity, IdentityRealm, UpdateGroupsRequest};

impl Edit<UpdateGroupsRequest> for Identity {
    fn edit(&mut self, request: &UpdateGroupsRequest, context: &EditContext) -> Result<()> {
        if self.realm() == IdentityRealm::GroupAdmin && !context.has_role(roles::PROGRAM) {
            let message = "change the authorized identities of the group; the roles follow within seconds";
            return Err(Error::new(ErrorReason::KeptByGroup, message));
        }
        if let Some(scopes) = &request.scopes {
            self.scopes.clone_from(&scopes.grants);
        }
        Ok(())
    }
}
