//! Lets text messages go to a number again that they did not reach.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{DeleteSmsFailureRequest, ErrorReason, Suppression, SuppressionReason};

impl Edit<DeleteSmsFailureRequest> for Suppression {
    fn edit(&mut self, _request: &DeleteSmsFailureRequest, _context: &EditContext) -> Result<()> {
        if self.reason() != SuppressionReason::SmsFailure {
            return Err(Error::new(ErrorReason::SuppressionOfRecipient, "this suppression is no failure of texts"));
        }
        Ok(())
    }
}
