//! Replaces the groups of an identity, and its scopes if the request names them.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Identity, UpdateGroupsRequest};

impl Edit<UpdateGroupsRequest> for Identity {
    fn edit(&mut self, request: &UpdateGroupsRequest, _context: &EditContext) -> Result<()> {
        if let Some(scopes) = &request.scopes {
            self.scopes.clone_from(&scopes.grants);
        }
        Ok(())
    }
}
