//! Suppresses a number that text messages do not reach.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{AddSmsFailureRequest, NotificationType, Suppression, SuppressionReason};

impl Edit<AddSmsFailureRequest> for Suppression {
    fn edit(&mut self, request: &AddSmsFailureRequest, _context: &EditContext) -> Result<()> {
        self.owner_id.clear();
        self.set_type(NotificationType::Sms);
        self.set_reason(SuppressionReason::SmsFailure);
        self.address.clone_from(&request.phone_number);
        Ok(())
    }
}
