//! Ends a subscription on its day.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Result};

use super::support::ending::{due_day, reason_before_end};
use crate::contract::v1::{EndSubscriptionRequest, Subscription, SubscriptionStatus};

impl Edit<EndSubscriptionRequest> for Subscription {
    /// Cancels it if its day has come. The reason stays; on a scheduled day it is the reason of that day.
    fn edit(&mut self, _request: &EndSubscriptionRequest, context: &EditContext) -> Result<()> {
        let Some(day) = due_day(self).filter(|day| to_days(*day) <= to_days(context.today())) else { return Ok(()) };
        if self.status() == SubscriptionStatus::PendingCancel && self.scheduled_cancel_on == Some(day) {
            self.set_cancel_reason(reason_before_end(self));
        }
        self.set_status(SubscriptionStatus::Cancelled);
        // The due day, not today: a late run of the worker must not extend the cover.
        self.cancelled_on = Some(day);
        self.scheduled_cancel_on = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CancelReason;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::DAY;

    fn day(day: i32) -> Date {
        Date { year: 1970, month: 1, day }
    }

    fn end(mut subscription: Subscription, today: i64) -> Subscription {
        subscription.edit(&EndSubscriptionRequest::default(), &EditContext::at((today - 1) * DAY)).unwrap();
        subscription
    }

    #[test]
    fn it_ends_on_the_due_day_however_late_the_call_is() {
        let pending = Subscription {
            status: SubscriptionStatus::PendingCancel.into(),
            cancel_reason: CancelReason::MemberRequestedCancel.into(),
            paid_to_date: Some(day(9)),
            ..Subscription::default()
        };
        assert_eq!(end(pending.clone(), 9), pending, "the day is paid for");
        let ended = end(pending, 12);
        assert_eq!((ended.status(), ended.cancelled_on), (SubscriptionStatus::Cancelled, Some(day(10))));
        assert_eq!(ended.cancel_reason(), CancelReason::MemberRequestedCancel);
    }

    #[test]
    fn on_a_scheduled_day_it_ends_for_the_reason_of_that_day() {
        let pending = Subscription {
            status: SubscriptionStatus::PendingCancel.into(),
            cancel_reason: CancelReason::MemberRequestedCancel.into(),
            cancel_reason_before_end: CancelReason::NoLongerEmployed.into(),
            scheduled_cancel_on: Some(day(10)),
            paid_to_date: Some(day(20)),
            ..Subscription::default()
        };
        let ended = end(pending, 10);
        assert_eq!((ended.cancel_reason(), ended.scheduled_cancel_on), (CancelReason::NoLongerEmployed, None));
    }
}
