//! Suppresses an e-mail address because staff say so.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateSuppressionRequest, NotificationType, Suppression, SuppressionReason};

impl Edit<CreateSuppressionRequest> for Suppression {
    fn edit(&mut self, request: &CreateSuppressionRequest, _context: &EditContext) -> Result<()> {
        self.owner_id.clear();
        self.set_type(NotificationType::Email);
        self.set_reason(SuppressionReason::Staff);
        self.address.clone_from(&request.email);
        Ok(())
    }
}
