//! Says who is told of an event of an answer.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use super::support::people::check_person;
use crate::contract::v1::{AddNotificationRequest, Answer, ReminderChannel};

impl CheckRequest<AddNotificationRequest> for Answer {
    async fn check_request(call: &Call, _: Option<&Self>, request: &AddNotificationRequest) -> Result<()> {
        let Some(notification) = &request.notification else { return Ok(()) };
        if notification.channel() == ReminderChannel::Push {
            let why = "is PUSH: no telephone of anybody is known, so that nobody gets push messages";
            return Err(Error::field("notification.channel", why));
        }
        if notification.identity_id.is_empty() {
            return Ok(());
        }
        check_person(call, "notification.identity_id", &notification.identity_id).await
    }
}
