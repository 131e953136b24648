//! Sends a notification of a template to an address.

use pavise_kernel::{Call, Result};

use super::support::drafts::build_notification;
use crate::contract::v1::{Notification, SendNotificationRequest};

pub(crate) async fn send_notification(call: &Call, request: SendNotificationRequest) -> Result<Notification> {
    let fallback = request.fallback_locale();
    let draft = request.notification.unwrap_or_default();
    let notification = build_notification(call, &draft, &request.identity_id, fallback).await?;
    call.create(Notification { id: request.id, ..notification }).await
}
