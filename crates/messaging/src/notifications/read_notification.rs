//! Records that a member read a message in the application.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Notification, NotificationType, ReadNotificationRequest};

impl Edit<ReadNotificationRequest> for Notification {
    fn edit(&mut self, _request: &ReadNotificationRequest, context: &EditContext) -> Result<()> {
        if self.r#type() != NotificationType::Pulse {
            return Err(Error::field("notification_id", "names no message in the application"));
        }
        if self.read_at.is_none() {
            self.read_at = Some(context.timestamp());
        }
        Ok(())
    }
}
