//! Records when the first entitlement was created.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Profile, UpdateEntitlementCreatedRequest};

impl Edit<UpdateEntitlementCreatedRequest> for Profile {
    /// The earliest time stays.
    fn edit(&mut self, request: &UpdateEntitlementCreatedRequest, _context: &EditContext) -> Result<()> {
        let times = [self.entitlement_created_at, request.entitlement_created_at];
        self.entitlement_created_at = times.into_iter().flatten().min_by_key(to_micros);
        Ok(())
    }
}
