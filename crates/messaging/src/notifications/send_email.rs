//! Sends a mail without a template.

use pavise_kernel::{Call, Result};

use super::support::drafts::complete_notification;
use crate::contract::v1::*;

pub(crate) async fn send_email(call: &Call, request: SendEmailRequest) -> Result<SendEmailResponse> {
    let category = match request.category() {
        NotificationCategory::Unspecified => NotificationCategory::Account,
        given => given,
    };
    let content = NotificationContent { subject: request.subject, text: request.text, html: request.html };
    let (mut unit, mut notifications) = (call.unit(), Vec::new());
    for recipient in request.recipients {
        let notification = Notification {
            r#type: NotificationType::Email.into(),
            category: category.into(),
            recipient,
            content: Some(content.clone()),
            source: request.source.clone(),
            deliver_on: request.deliver_on,
            expires_at: request.expires_at,
            ..Notification::default()
        };
        notifications.push(unit.create(complete_notification(call, "", notification).await?)?);
    }
    unit.commit_answer(SendEmailResponse { notifications }).await
}
