//! Removes authorized users from an entitlement.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Entitlement, RemoveAuthorizedUsersRequest};

impl Edit<RemoveAuthorizedUsersRequest> for Entitlement {
    /// Removes the people. A person who is not on the list does not matter.
    fn edit(&mut self, request: &RemoveAuthorizedUsersRequest, _context: &EditContext) -> Result<()> {
        self.authorized_users.retain(|known| !request.person_ids.contains(&known.id));
        Ok(())
    }
}
