//! Sends a notification again, as a new one.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Error, Result};

use super::support::drafts::complete_notification;
use crate::contract::actions;
use crate::contract::v1::{ErrorReason, Notification, NotificationStatus, ResendNotificationRequest};

pub(crate) async fn resend_notification(call: &Call, request: ResendNotificationRequest) -> Result<Notification> {
    let before: Notification = call.get(&request.notification_id).await?;
    call.check_transition(&before)?;
    let is_over = before.expires_at.as_ref().is_some_and(|at| to_micros(at) <= call.now());
    if before.content.is_none() || is_over {
        let why = if is_over { "its time is over" } else { "its content is gone" };
        return Err(Error::new(ErrorReason::NotResendable, format!("it cannot be sent again: {why}")));
    }
    let again = Notification {
        owner_id: before.owner_id.clone(),
        r#type: before.r#type,
        category: before.category,
        template_key: before.template_key.clone(),
        template_version: before.template_version,
        locale: before.locale,
        recipient: before.recipient.clone(),
        content: before.content.clone(),
        source: before.source.clone(),
        expires_at: before.expires_at,
        resent_from_id: before.id.clone(),
        ..Notification::default()
    };
    let again = complete_notification(call, "", again).await?;
    let mut after = before.clone();
    after.set_status(NotificationStatus::Resent);
    let mut unit = call.unit();
    unit.update_as(&before, after, actions::notification::RESENT)?;
    let made = unit.create(again)?;
    unit.commit_answer(made).await
}
