//! Leads a notification to the status that a provider's event reports.

use pavise_kernel::{Call, Result};

use super::support::ranks::is_news;
use super::support::suppressed::active_key;
use crate::contract::actions;
use crate::contract::lookups::{notification, suppression};
use crate::contract::v1::*;

pub(crate) async fn apply_delivery_event(call: &Call, request: ApplyDeliveryEventRequest) -> Result<DeliveryEvent> {
    let event: DeliveryEvent = call.get(&request.delivery_event_id).await?;
    if event.status() != DeliveryEventStatus::Stored {
        return Ok(event);
    }
    let (mut unit, mut after) = (call.unit(), event.clone());
    let Some(before) = find_notification(call, &event).await? else {
        after.set_status(DeliveryEventStatus::Unknown);
        let applied = unit.update(&event, after)?;
        unit.commit().await?;
        return Ok(applied);
    };
    if let Some(suppressed) = find_suppressed(call, &before, &event).await? {
        unit.create_as(suppressed, actions::notification::SUPPRESSED)?;
    }
    if is_news(&before, &event) {
        let mut next = before.clone();
        (next.status, next.status_at) = (event.reported, event.reported_at);
        if next.provider_message_id.is_empty() && !is_taken(call, &event.provider_message_id).await? {
            next.provider_message_id.clone_from(&event.provider_message_id);
        }
        unit.update_as(&before, next, actions::notification::STATUS_UPDATED)?;
    }
    after.set_status(DeliveryEventStatus::Applied);
    after.notification_id.clone_from(&before.id);
    let applied = unit.update(&event, after)?;
    unit.commit().await?;
    Ok(applied)
}

/// The notification of an event: the one that it names, or the one with the provider's id of the message.
async fn find_notification(call: &Call, event: &DeliveryEvent) -> Result<Option<Notification>> {
    if !event.notification_id.is_empty()
        && let Some(named) = call.find_unscoped::<Notification>(&event.notification_id).await?
    {
        return Ok(Some(named));
    }
    if event.provider_message_id.is_empty() {
        return Ok(None);
    }
    call.find_unscoped_by(notification::PROVIDER_MESSAGE_ID, &event.provider_message_id).await
}

/// Whether a notification has the provider's id of a message already. One id can be that of a mail to several people.
async fn is_taken(call: &Call, provider_message_id: &str) -> Result<bool> {
    if provider_message_id.is_empty() {
        return Ok(false);
    }
    let known = call.find_id_by::<Notification>(notification::PROVIDER_MESSAGE_ID, provider_message_id).await?;
    Ok(known.is_some())
}

/// The suppression that follows from an event; `None` if there is none, or there is one already.
async fn find_suppressed(
    call: &Call,
    notification: &Notification,
    event: &DeliveryEvent,
) -> Result<Option<Suppression>> {
    let reason = match event.reported() {
        NotificationStatus::Bounce => SuppressionReason::Bounce,
        NotificationStatus::Spamreport => SuppressionReason::Spamreport,
        NotificationStatus::Unsubscribe | NotificationStatus::GroupUnsubscribe => SuppressionReason::Unsubscribe,
        _ => return Ok(None),
    };
    let (channel, address) = (notification.r#type(), notification.recipient.as_str());
    if channel != NotificationType::Email || address.is_empty() {
        return Ok(None);
    }
    let key = active_key(channel, address, reason);
    let is_known = call.find_id_by::<Suppression>(suppression::CLAIM, &key).await?.is_some();
    Ok((!is_known).then(|| Suppression::of(channel, address, reason)))
}
