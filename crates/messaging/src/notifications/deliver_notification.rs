//! Hands a notification over that is due.

use pavise_kernel::time::{to_micros, to_timestamp};
use pavise_kernel::{Call, Result};

use super::support::suppressed::find_suppression;
use super::support::unsubscription::{Unsubscription, find_unsubscription};
use crate::config::Config;
use crate::contract::v1::*;
use crate::shared::channels::{HandOverError, OutgoingMessage};
use crate::shared::retries::next_try;

/// The outcome of a hand-over.
enum Outcome {
    /// The provider has it.
    Done(NotificationStatus),
    /// It is given up.
    Failed(NotificationStatus, String),
    /// It is tried again.
    Later(&'static str),
}

pub(crate) async fn deliver_notification(call: &Call, request: DeliverNotificationRequest) -> Result<Notification> {
    let notification: Notification = call.get(&request.notification_id).await?;
    if call.validate_only() || !is_due(&notification, call.now()) {
        return Ok(notification);
    }
    let config = call.find_provided::<Config>()?;
    let channel = notification.r#type();
    let provider = match channel {
        NotificationType::Pulse => Ok(NotificationProvider::Pulse),
        _ => config.channels.find_provider(channel),
    };
    if let Some(failure) = find_obstacle(call, &notification).await? {
        return record_outcome(call, &notification, Outcome::Failed(failure.0, failure.1)).await;
    }
    let provider = match provider {
        Ok(provider) => provider,
        Err(setting) => {
            let failure = format!("nothing is sent this way before {setting} is set");
            return record_outcome(call, &notification, Outcome::Failed(NotificationStatus::Failed, failure)).await;
        }
    };
    let begun = begin_attempt(call, &notification, provider).await?;
    // Its owner may have answered STOP in between: nothing is handed over after that is answered.
    let outcome = match find_obstacle(call, &begun).await? {
        Some((status, why)) => Outcome::Failed(status, why),
        None => hand_over(call, &config, &begun, provider).await,
    };
    record_outcome(call, &begun, outcome).await
}

/// Whether it is to be handed over now.
fn is_due(notification: &Notification, now: i64) -> bool {
    let has_come = |at: Option<&prost_types::Timestamp>| at.is_some_and(|at| to_micros(at) <= now);
    match notification.status() {
        NotificationStatus::Scheduled => has_come(notification.deliver_on.as_ref()),
        NotificationStatus::Pending => has_come(notification.next_try_at.as_ref()),
        _ => false,
    }
}

/// The reason why it is not sent any more: its time is over, or its recipient wants nothing.
async fn find_obstacle(call: &Call, notification: &Notification) -> Result<Option<(NotificationStatus, String)>> {
    if notification.expires_at.as_ref().is_some_and(|at| to_micros(at) <= call.now()) {
        return Ok(Some((NotificationStatus::Failed, "its time was over".to_owned())));
    }
    let (channel, category) = (notification.r#type(), notification.category());
    let suppressed = find_suppression(call, channel, &notification.recipient, category).await?;
    Ok(suppressed
        .map(|reason| (NotificationStatus::Dropped, format!("the address is suppressed: {}", reason.spelling()))))
}

/// Puts the attempt on record.
async fn begin_attempt(call: &Call, before: &Notification, provider: NotificationProvider) -> Result<Notification> {
    let mut after = before.clone();
    let attempt =
        NotificationAttempt { provider: provider.into(), at: Some(call.timestamp()), ..NotificationAttempt::default() };
    after.set_status(NotificationStatus::Pending);
    after.set_provider(provider);
    after.attempts.push(attempt);
    // If this process ends before it knows the outcome, the message is sent again, with the same id.
    after.next_try_at = next_try(call.now(), after.attempts.len().min(4), 0).map(to_timestamp);
    let mut unit = call.unit();
    let begun = unit.update(before, after)?;
    unit.commit().await?;
    Ok(begun)
}

async fn hand_over(
    call: &Call,
    config: &Config,
    notification: &Notification,
    provider: NotificationProvider,
) -> Outcome {
    let done = match notification.r#type() {
        NotificationType::Pulse => return Outcome::Done(NotificationStatus::Delivered),
        NotificationType::Email => NotificationStatus::Processed,
        NotificationType::Sms | NotificationType::Push | NotificationType::Unspecified => NotificationStatus::Sent,
    };
    let content = notification.secret_content.as_ref().or(notification.content.as_ref());
    let Some(content) = content.filter(|_| provider != NotificationProvider::Unspecified) else {
        return Outcome::Failed(NotificationStatus::Failed, "its content is gone".to_owned());
    };
    let unsubscribe_url = match find_unsubscription(call, &config.public_url, notification).await {
        Unsubscription::Link(url) => url,
        Unsubscription::Done => {
            let why = "its reader unsubscribed from such messages".to_owned();
            return Outcome::Failed(NotificationStatus::Dropped, why);
        }
        Unsubscription::Unknown => return Outcome::Later("it is not known whether its reader wants such messages"),
    };
    let message = OutgoingMessage {
        id: notification.id.clone(),
        channel: notification.r#type(),
        recipient: notification.recipient.clone(),
        subject: content.subject.clone(),
        text: content.text.clone(),
        html: content.html.clone(),
        unsubscribe_url,
    };
    match config.channels.hand_over(&message).await {
        Ok(()) => Outcome::Done(done),
        Err(HandOverError::Refused(why)) => Outcome::Failed(NotificationStatus::Failed, why.to_owned()),
        Err(HandOverError::Unavailable(why)) => Outcome::Later(why),
    }
}

/// Records the outcome.
async fn record_outcome(call: &Call, before: &Notification, outcome: Outcome) -> Result<Notification> {
    let mut after = before.clone();
    let failure = match outcome {
        Outcome::Done(status) => {
            after.set_status(status);
            String::new()
        }
        Outcome::Failed(status, why) => {
            after.set_status(status);
            after.failure.clone_from(&why);
            why
        }
        Outcome::Later(why) => {
            match next_try(call.now(), before.attempts.len(), call.kernel().ids().bits()) {
                Some(at) => after.next_try_at = Some(to_timestamp(at)),
                None => {
                    after.set_status(NotificationStatus::Failed);
                    after.failure = why.to_owned();
                }
            }
            why.to_owned()
        }
    };
    if let Some(attempt) = after.attempts.last_mut().filter(|attempt| attempt.settled_at.is_none()) {
        attempt.settled_at = Some(call.timestamp());
        attempt.failure = failure;
    }
    let mut unit = call.unit();
    let settled = unit.update(before, after)?;
    unit.commit().await?;
    Ok(settled)
}
