//! Addresses that get nothing.

use pavise_kernel::{Call, Result};

use crate::contract::lookups::suppression as lookups;
use crate::contract::v1::{NotificationCategory, NotificationType, Suppression, SuppressionReason, SuppressionStatus};

/// The reasons, the ones that count for every category first.
const REASONS: [SuppressionReason; 6] = [
    SuppressionReason::Stop,
    SuppressionReason::Bounce,
    SuppressionReason::SmsFailure,
    SuppressionReason::Staff,
    SuppressionReason::Spamreport,
    SuppressionReason::Unsubscribe,
];

impl Suppression {
    /// A new suppression of an address.
    pub(in crate::notifications) fn of(channel: NotificationType, address: &str, reason: SuppressionReason) -> Self {
        Self {
            r#type: channel.into(),
            address: address.to_owned(),
            reason: reason.into(),
            status: SuppressionStatus::Active.into(),
            ..Self::default()
        }
    }
}

/// The key of a suppression that is active: there is one of each.
pub(in crate::notifications) fn active_key(
    channel: NotificationType,
    address: &str,
    reason: SuppressionReason,
) -> String {
    format!("{}/{}/{}", channel.spelling(), reason.spelling(), address.trim().to_lowercase())
}

/// Why nothing of a category is sent to an address; `None` if it is sent. An unsubscription and a report of spam do not
/// count for the category SECURITY.
///
/// # Errors
/// When the database does not answer.
pub(in crate::notifications) async fn find_suppression(
    call: &Call,
    channel: NotificationType,
    address: &str,
    category: NotificationCategory,
) -> Result<Option<SuppressionReason>> {
    if !matches!(channel, NotificationType::Email | NotificationType::Sms) || address.is_empty() {
        return Ok(None);
    }
    for reason in REASONS {
        let is_wish = matches!(reason, SuppressionReason::Unsubscribe | SuppressionReason::Spamreport);
        if is_wish && category == NotificationCategory::Security {
            continue;
        }
        let key = active_key(channel, address, reason);
        if call.find_id_by::<Suppression>(lookups::CLAIM, &key).await?.is_some() {
            return Ok(Some(reason));
        }
    }
    Ok(None)
}
