//! Removes the personal data of all notifications to an identity.

use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Result};

use crate::contract::NOTIFICATION_TABLE;
use crate::contract::v1::{Notification, NotificationStatus, RedactNotificationsRequest, RedactNotificationsResponse};

/// Notifications that are changed in one commit.
const PAGE: u32 = 100;

pub(crate) async fn redact_notifications(
    call: &Call,
    request: RedactNotificationsRequest,
) -> Result<RedactNotificationsResponse> {
    let mut filter = Filter { owner: Some(request.identity_id), limit: PAGE, ..Filter::default() };
    let mut redacted_count = 0;
    loop {
        let rows = call.kernel().store().list(&NOTIFICATION_TABLE, &filter).await?;
        let Some(last) = rows.last() else { break };
        filter.before = Some(last.id.clone());
        let ids: Vec<String> = rows.into_iter().map(|row| row.id).collect();
        let mut unit = call.unit();
        for before in call.find_many::<Notification>(&ids).await? {
            if let Some(after) = redact_notification(call, &before) {
                unit.update(&before, after)?;
                redacted_count += 1;
            }
        }
        unit.commit().await?;
    }
    call.answer_unchanged(RedactNotificationsResponse { redacted_count }).await
}

/// A notification without personal data; `None` for one that has none.
fn redact_notification(call: &Call, before: &Notification) -> Option<Notification> {
    if before.redacted_at.is_some() {
        return None;
    }
    let mut after = before.clone();
    after.recipient.clear();
    (after.content, after.secret_content, after.source) = (None, None, None);
    after.failure.clear();
    after.redacted_at = Some(call.timestamp());
    if matches!(before.status(), NotificationStatus::Pending | NotificationStatus::Scheduled) {
        after.set_status(NotificationStatus::Cancelled);
    }
    Some(after)
}
