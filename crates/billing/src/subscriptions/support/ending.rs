//! The end of a subscription: the day on which it is due, and what holds again when it is taken back.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, days_in_month, to_date, to_days, to_micros};
use pavise_kernel::{EditContext, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{CancelReason, ErrorReason, Subscription, SubscriptionStatus};

/// Checks that a group's administrator does not touch the end that a cancelled group brings.
///
/// # Errors
/// `SUBSCRIPTION_END_NOT_YOURS`.
pub(crate) fn check_end_is_theirs(subscription: &Subscription, context: &EditContext) -> Result<()> {
    let of_group =
        subscription.scheduled_cancel_on.is_some() && subscription.cancel_reason() == CancelReason::GroupCancelled;
    if of_group && context.has_role(roles::ADMINISTRATOR) {
        let why = "the plan ends with its group: ask the member service";
        return Err(Error::new(ErrorReason::SubscriptionEndNotYours, why)
            .with("cancel_reason", subscription.cancel_reason().spelling()));
    }
    Ok(())
}

/// The day on which the subscription ends by itself.
pub(crate) fn due_day(subscription: &Subscription) -> Option<Date> {
    if subscription.status() == SubscriptionStatus::Cancelled {
        return None;
    }
    let pending = subscription.status() == SubscriptionStatus::PendingCancel;
    let unpaid = last_day(subscription).filter(|_| pending).map(|last| add_days(last, 1));
    unpaid.into_iter().chain(subscription.scheduled_cancel_on).min_by_key(|day| to_days(*day))
}

/// Cancels a subscription that was not paid. It can be reinstated, and its plans end with it.
pub(crate) fn cancel_unpaid(subscription: &mut Subscription, today: Date) {
    subscription.set_status(SubscriptionStatus::Cancelled);
    subscription.set_cancel_reason(CancelReason::Reinstate);
    subscription.cancelled_on = Some(today);
    subscription.scheduled_cancel_on = None;
    subscription.ends_plans = true;
}

/// The last day of a subscription whose end is pending. A pending end from before `ends_after` was introduced counts from its
/// last change.
pub(crate) fn last_day(subscription: &Subscription) -> Option<Date> {
    let known = subscription.paid_to_date.or(subscription.ends_after);
    if known.is_some() || subscription.status() != SubscriptionStatus::PendingCancel {
        return known;
    }
    subscription.updated_at.as_ref().map(|at| last_day_unpaid(subscription, to_date(to_micros(at))))
}

/// The last day of a subscription without a paid-to date whose end is requested today. It is the day before the next
/// billing day. Without one, as with a payroll, it is the last day of the month: what was deducted counts for that month.
pub(crate) fn last_day_unpaid(subscription: &Subscription, today: Date) -> Date {
    let before_billing = subscription.next_bill_on.map(|next| add_days(next, -1));
    before_billing
        .filter(|last| to_days(*last) >= to_days(today))
        .unwrap_or(Date { day: days_in_month(today.year, today.month), ..today })
}

/// The status that holds again when the pending end is taken back. It is the status before, so that an end that is
/// taken back lifts no suspension.
pub(crate) fn status_before_end(subscription: &Subscription) -> SubscriptionStatus {
    match subscription.status_before_end() {
        // Entities from before the field was introduced.
        SubscriptionStatus::Unspecified => SubscriptionStatus::Active,
        known => known,
    }
}

/// The reason that holds again when the pending end is taken back: that of the scheduled day, if one is set.
pub(crate) fn reason_before_end(subscription: &Subscription) -> CancelReason {
    match (subscription.scheduled_cancel_on, subscription.cancel_reason_before_end()) {
        (None, _) => CancelReason::Unspecified,
        // Entities from before the field was introduced.
        (Some(_), CancelReason::Unspecified) => subscription.cancel_reason(),
        (Some(_), known) => known,
    }
}
