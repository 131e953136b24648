//! Replaces what people say of themselves.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::items::prepare_items;
use crate::contract::roles;
use crate::contract::v1::{Profile, UpdateProfileRequest};

impl Edit<UpdateProfileRequest> for Profile {
    /// Fields that only staff set stay when a member replaces the rest: a member's request cannot have it.
    fn edit(&mut self, request: &UpdateProfileRequest, context: &EditContext) -> Result<()> {
        if context.has_role(roles::STAFF) {
            self.account_identifiers.clone_from(&request.account_identifiers);
            self.employee_id.clone_from(&request.employee_id);
            self.service_flags.clone_from(&request.service_flags);
        }
        self.prepare_lists(context)
    }
}

impl Profile {
    /// Prepares the lists of a request that sets all of them.
    pub(super) fn prepare_lists(&mut self, context: &EditContext) -> Result<()> {
        prepare_items(&mut self.emails, context)?;
        prepare_items(&mut self.phone_numbers, context)?;
        prepare_items(&mut self.addresses, context)?;
        prepare_items(&mut self.account_identifiers, context)
    }
}
