//! Raises the priority of an alert that nobody has read in time.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Alert, AlertStatus, EscalateOverdueAlertRequest};

impl Edit<EscalateOverdueAlertRequest> for Alert {
    fn edit(&mut self, _request: &EscalateOverdueAlertRequest, context: &EditContext) -> Result<()> {
        let is_due = self.escalates_at.as_ref().is_some_and(|at| to_micros(at) <= context.now());
        if is_due && self.status() == AlertStatus::Unread {
            self.raise_priority(context.now());
        }
        Ok(())
    }
}
