//! Raises the priority of an alert by one step.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Alert, EscalateAlertRequest};

impl Edit<EscalateAlertRequest> for Alert {
    fn edit(&mut self, _request: &EscalateAlertRequest, context: &EditContext) -> Result<()> {
        self.raise_priority(context.now());
        Ok(())
    }
}
