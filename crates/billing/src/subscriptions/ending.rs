//! The end of a subscription: the day on which it is due, and what holds again when it is taken back.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, days};

use crate::contract::v1::{CancelReason, Subscription, SubscriptionStatus};

/// The day on which the subscription ends by itself. A pending end without a paid-to date has none until a day is set.
pub(super) fn due_day(subscription: &Subscription) -> Option<Date> {
    if subscription.status() == SubscriptionStatus::Cancelled {
        return None;
    }
    let pending = subscription.status() == SubscriptionStatus::PendingCancel;
    let unpaid = subscription.paid_to_date.filter(|_| pending).map(|last| add_days(last, 1));
    unpaid.into_iter().chain(subscription.scheduled_cancel_on).min_by_key(|day| days(*day))
}

/// The status that holds again when the pending end is taken back. It is the status before, so that an end that is
/// taken back lifts no suspension.
pub(super) fn status_before_end(subscription: &Subscription) -> SubscriptionStatus {
    match subscription.status_before_end() {
        // Entities from before the field was introduced.
        SubscriptionStatus::Unspecified => SubscriptionStatus::Active,
        known => known,
    }
}

/// The reason that holds again when the pending end is taken back: that of the scheduled day, if one is set.
pub(super) fn reason_before_end(subscription: &Subscription) -> CancelReason {
    match (subscription.scheduled_cancel_on, subscription.cancel_reason_before_end()) {
        (None, _) => CancelReason::Unspecified,
        // Entities from before the field was introduced.
        (Some(_), CancelReason::Unspecified) => subscription.cancel_reason(),
        (Some(_), known) => known,
    }
}
