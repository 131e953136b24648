//! Sends a notification of a template to an identity.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Result};

use super::support::drafts::build_notification;
use crate::contract::v1::{CreateNotificationRequest, Notification};

pub(crate) async fn create_notification(call: &Call, request: CreateNotificationRequest) -> Result<Notification> {
    let draft = request.notification.unwrap_or_default();
    let notification = build_notification(call, &draft, &request.identity_id, Locale::Unspecified).await?;
    call.create(notification).await
}
