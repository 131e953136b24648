//! Notifications that are made of a template.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Common, Error, Result};

use super::contents::{find_content, render_content};
use super::suppressed::find_suppression;
use crate::config::Config;
use crate::contract::v1::*;
use crate::shared::times::check_times;
use crate::shared::values::read_values;

/// The path of a draft in its request.
const PATH: &str = "notification.";

/// A notification of a template, ready to be written.
///
/// # Errors
/// `TEMPLATE_NOT_PUBLISHED`, `TEMPLATE_VALUE_MISSING`, `RECIPIENT_SUPPRESSED`, `INVALID_FIELD`.
pub(in crate::notifications) async fn build_notification(
    call: &Call,
    draft: &NotificationDraft,
    identity_id: &str,
) -> Result<Notification> {
    let template = call.find_unscoped::<NotificationTemplate>(&draft.template_key).await?;
    let template = template.ok_or_else(|| Error::field("notification.template_key", "names no template"))?;
    let published = template.published.as_ref().ok_or_else(|| {
        let message = format!("the template {} was never published", template.key);
        Error::new(ErrorReason::TemplateNotPublished, message)
    })?;
    let (channel, recipient, content) = choose_channel(draft, &template, published, identity_id)?;
    let values = read_values(PATH, &draft.values, &published.variables, content.locale())?;
    let rendered = render_content(content, &values)?;
    let has_code = published.variables.iter().any(|variable| variable.kind() == TemplateValueKind::Code);
    let (content, secret_content) = if has_code { (None, Some(rendered)) } else { (Some(rendered), None) };
    let notification = Notification {
        owner_id: identity_id.to_owned(),
        r#type: channel.into(),
        category: template.category,
        template_key: template.key.clone(),
        template_version: published.number,
        locale: draft.locale,
        recipient,
        content,
        secret_content,
        source: draft.source.clone(),
        deliver_on: draft.deliver_on,
        expires_at: draft.expires_at,
        ..Notification::default()
    };
    complete_notification(call, PATH, notification).await
}

/// Sets the status of a new notification: it is to be sent, waits for its time, or is dropped. `path` leads to its times.
///
/// # Errors
/// `RECIPIENT_SUPPRESSED` for a message with a code; `NOT_CONFIGURED`, `INVALID_FIELD`.
pub(in crate::notifications) async fn complete_notification(
    call: &Call,
    path: &str,
    mut notification: Notification,
) -> Result<Notification> {
    let waits = check_times(call.now(), path, notification.deliver_on.as_ref(), notification.expires_at.as_ref())?;
    let (channel, category) = (notification.r#type(), notification.category());
    let suppressed = find_suppression(call, channel, &notification.recipient, category).await?;
    let status = match suppressed {
        Some(reason) if notification.secret_content.is_some() => {
            let message = format!("nothing is sent to this address: {}", reason.spelling());
            return Err(Error::new(ErrorReason::RecipientSuppressed, message).with("suppression", reason.spelling()));
        }
        Some(reason) => {
            notification.failure = format!("the address is suppressed: {}", reason.spelling());
            NotificationStatus::Dropped
        }
        None => {
            check_configured(call, channel)?;
            if waits { NotificationStatus::Scheduled } else { NotificationStatus::Pending }
        }
    };
    notification.set_status(status);
    notification.status_at = Some(call.timestamp());
    notification.next_try_at = (status == NotificationStatus::Pending).then(|| to_timestamp(call.now()));
    Ok(notification)
}

/// Refuses a channel that nobody hands messages over by.
fn check_configured(call: &Call, channel: NotificationType) -> Result<()> {
    if channel == NotificationType::Pulse {
        return Ok(());
    }
    let Err(setting) = call.find_provided::<Config>()?.channels.find_provider(channel) else { return Ok(()) };
    let message = format!("nothing is sent by {} before {setting} is set", channel.spelling());
    Err(Error::new(Common::NotConfigured, message).with("setting", setting))
}

/// The first channel for which there is an address and a content: its address, and the content.
fn choose_channel<'p>(
    draft: &NotificationDraft,
    template: &NotificationTemplate,
    published: &'p PublishedTemplate,
    identity_id: &str,
) -> Result<(NotificationType, String, &'p TemplateContent)> {
    let types: Vec<NotificationType> =
        if draft.types.is_empty() { template.types().collect() } else { draft.types().collect() };
    for channel in types {
        let address = match channel {
            NotificationType::Email => &draft.email,
            NotificationType::Sms => &draft.phone_number,
            NotificationType::Push => &draft.device_token,
            NotificationType::Pulse | NotificationType::Unspecified => "",
        };
        let is_addressed =
            if channel == NotificationType::Pulse { !identity_id.is_empty() } else { !address.is_empty() };
        if let Some(content) = find_content(&published.contents, channel, draft.locale()).filter(|_| is_addressed) {
            return Ok((channel, address.to_owned(), content));
        }
    }
    Err(Error::field("notification.types", "has no channel for which there are both an address and a text"))
}
