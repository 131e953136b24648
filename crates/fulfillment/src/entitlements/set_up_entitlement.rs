//! Records that a member has set up an entitlement.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Entitlement, SetUpEntitlementRequest, SetupStatus};

impl Edit<SetUpEntitlementRequest> for Entitlement {
    fn edit(&mut self, _request: &SetUpEntitlementRequest, _context: &EditContext) -> Result<()> {
        self.set_setup_status(SetupStatus::Setup);
        Ok(())
    }
}
