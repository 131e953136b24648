//! A notification as its reader sees it.

use pavise_kernel::Show;
use pavise_kernel::caller::Caller;

use crate::contract::v1::{Notification, NotificationType};

impl Show for Notification {
    /// The notification as others than staff see it: the content of a message in the application, and of others what was
    /// sent, where and when.
    fn show(mut self, _caller: &Caller) -> Self {
        if self.r#type() != NotificationType::Pulse {
            self.content = None;
        }
        self.failure.clear();
        self.attempts.clear();
        self.provider_message_id.clear();
        self
    }
}
