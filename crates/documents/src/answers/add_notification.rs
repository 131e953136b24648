//! Says who is told of an event of an answer.

use pavise_kernel::{Call, CheckRequest, Result};

use super::support::people::check_person;
use crate::contract::v1::{AddNotificationRequest, Answer};

impl CheckRequest<AddNotificationRequest> for Answer {
    async fn check_request(call: &Call, _: Option<&Self>, request: &AddNotificationRequest) -> Result<()> {
        match &request.notification {
            Some(notification) if !notification.identity_id.is_empty() => {
                check_person(call, "notification.identity_id", &notification.identity_id).await
            }
            _ => Ok(()),
        }
    }
}
