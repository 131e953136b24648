//! Suppresses an address because staff say so.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{CreateSuppressionRequest, NotificationType, Suppression, SuppressionReason};

impl Edit<CreateSuppressionRequest> for Suppression {
    fn edit(&mut self, request: &CreateSuppressionRequest, _context: &EditContext) -> Result<()> {
        let (channel, address) = match (request.email.is_empty(), request.phone_number.is_empty()) {
            (false, true) => (NotificationType::Email, &request.email),
            (true, false) => (NotificationType::Sms, &request.phone_number),
            _ => return Err(Error::field("email", "name an e-mail address or a telephone number")),
        };
        self.owner_id.clear();
        self.set_type(channel);
        self.set_reason(SuppressionReason::Staff);
        self.address.clone_from(address);
        Ok(())
    }
}
