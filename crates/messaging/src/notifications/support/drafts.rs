//! Notifications that are made of a template.

use std::time::Duration;

use pavise_kernel::common::v1::Locale;
use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Common, Error, Result};
use tonic::Request;

use super::contents::{find_content, render_content};
use super::suppressed::find_suppression;
use crate::config::Config;
use crate::contract::members::GetProfileRequest;
use crate::contract::members::profile_service_client::ProfileServiceClient;
use crate::contract::v1::*;
use crate::shared::times::check_times;
use crate::shared::values::read_values;

/// The path of a draft in its request.
const PATH: &str = "notification.";
/// How long a message waits for the reader's profile.
const PATIENCE: Duration = Duration::from_secs(2);

/// A notification of a template, ready to be written. Without a locale it gets that of the reader's profile, or else
/// `fallback`.
///
/// # Errors
/// `TEMPLATE_NOT_PUBLISHED`, `TEMPLATE_VALUE_MISSING`, `RECIPIENT_SUPPRESSED`, `INVALID_FIELD`.
pub(in crate::notifications) async fn build_notification(
    call: &Call,
    draft: &NotificationDraft,
    identity_id: &str,
    fallback: Locale,
) -> Result<Notification> {
    let locale = match draft.locale() {
        Locale::Unspecified => find_locale(call, identity_id).await.unwrap_or(fallback),
        given => given,
    };
    let draft = &NotificationDraft { locale: locale.into(), ..draft.clone() };
    let template = call.find_unscoped::<NotificationTemplate>(&draft.template_key).await?;
    let template = template.ok_or_else(|| Error::field("notification.template_key", "names no template"))?;
    let published = template.published.as_ref().ok_or_else(|| {
        let message = format!("the template {} was never published", template.key);
        Error::new(ErrorReason::TemplateNotPublished, message)
    })?;
    let (channel, recipient, content) = choose_channel(draft, &template, published, identity_id)?;
    let values = read_values(PATH, &draft.values, &published.variables, content.locale())?;
    let rendered = render_content(content, &values, &call.find_provided::<Config>()?.public_url)?;
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
        Some(reason) if notification.secret_content.is_some() => return Err(suppressed_error(reason)),
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

/// The refusal of a message with a code to an address that gets nothing.
pub(in crate::notifications) fn suppressed_error(reason: SuppressionReason) -> Error {
    let message = format!("nothing is sent to this address: {}", reason.spelling());
    Error::new(ErrorReason::RecipientSuppressed, message).with("suppression", reason.spelling())
}

/// The provider of a channel; refuses one that nobody hands messages over by.
///
/// # Errors
/// `NOT_CONFIGURED`, naming the setting.
pub(in crate::notifications) fn check_configured(
    call: &Call,
    channel: NotificationType,
) -> Result<NotificationProvider> {
    if channel == NotificationType::Pulse {
        return Ok(NotificationProvider::Pulse);
    }
    call.find_provided::<Config>()?.channels.find_provider(channel).map_err(|setting| {
        let message = format!("nothing is sent by {} before {setting} is set", channel.spelling());
        Error::new(Common::NotConfigured, message).with("setting", setting)
    })
}

/// The locale in the profile of an identity; `None` where it says none, or no profile is found in time: a message does not
/// wait for it.
async fn find_locale(call: &Call, identity_id: &str) -> Option<Locale> {
    if identity_id.is_empty() {
        return None;
    }
    let mut request = Request::new(GetProfileRequest { identity_id: identity_id.to_owned() });
    request.set_timeout(PATIENCE);
    let found = ProfileServiceClient::new(call.peer_channel("members")).get_profile(request).await;
    found.ok().map(|found| found.into_inner().locale()).filter(|locale| *locale != Locale::Unspecified)
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
