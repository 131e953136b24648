//! Makes an alert that belongs to no identity.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Alert, CreateAlertRequest};

impl Edit<CreateAlertRequest> for Alert {
    fn edit(&mut self, _request: &CreateAlertRequest, _context: &EditContext) -> Result<()> {
        self.owner_id.clear();
        Ok(())
    }
}
