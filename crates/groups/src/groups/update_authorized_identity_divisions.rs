//! Replaces the divisions of a role.

use pavise_kernel::{Common, Edit, EditContext, Error, Result};

use crate::contract::v1::{AuthorizedIdentity, Group, UpdateAuthorizedIdentityDivisionsRequest};

impl Edit<UpdateAuthorizedIdentityDivisionsRequest> for Group {
    fn edit(&mut self, request: &UpdateAuthorizedIdentityDivisionsRequest, _: &EditContext) -> Result<()> {
        self.find_role(&request.authorized_identity_id)?.division_ids.clone_from(&request.division_ids);
        Ok(())
    }
}

impl Group {
    /// The role of somebody who acts for the group.
    pub(super) fn find_role(&mut self, id: &str) -> Result<&mut AuthorizedIdentity> {
        let found = self.authorized_identities.iter_mut().find(|person| person.id == id);
        found.ok_or_else(|| {
            let why = "names none of those that are there";
            Error::new(Common::ItemNotFound, format!("authorized_identity_id: {why}"))
                .violation("authorized_identity_id", why)
        })
    }
}
