//! Lets messages go to a suppressed address again.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{ErrorReason, LiftSuppressionRequest, Suppression, SuppressionReason};

impl Edit<LiftSuppressionRequest> for Suppression {
    fn edit(&mut self, _request: &LiftSuppressionRequest, _context: &EditContext) -> Result<()> {
        if self.reason() == SuppressionReason::Stop {
            let message = "the owner of the number answered STOP: only their START ends that";
            return Err(Error::new(ErrorReason::SuppressionOfRecipient, message));
        }
        Ok(())
    }
}
