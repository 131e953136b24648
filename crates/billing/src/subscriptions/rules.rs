//! The rules of every subscription.

use pavise_kernel::{Derive, Result};
use prost_types::Timestamp;

use crate::contract::v1::{CancelReason, Subscription, SubscriptionStatus, SuspendReason};

impl Derive for Subscription {
    /// Keeps the status before a pending end, and the reason of a scheduled day, for as long as the end is pending.
    /// Clears the reason of a suspension that is over.
    fn derive(&mut self, before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        if self.status() != SubscriptionStatus::PendingCancel {
            self.status_before_end = SubscriptionStatus::Unspecified.into();
            self.cancel_reason_before_end = CancelReason::Unspecified.into();
        } else if let Some(before) = before.filter(|before| before.status() != SubscriptionStatus::PendingCancel) {
            self.status_before_end = before.status;
            let scheduled = before.scheduled_cancel_on.map_or(CancelReason::Unspecified, |_| before.cancel_reason());
            self.cancel_reason_before_end = scheduled.into();
        }
        let is_suspended = [self.status(), self.status_before_end()].contains(&SubscriptionStatus::Suspended);
        if !is_suspended {
            self.suspend_reason = SuspendReason::Unspecified.into();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::days::format_day;
    use super::super::ending::{due_day, status_before_end};
    use super::*;
    use pavise_kernel::common::v1::Date;

    const TODAY: Date = Date { year: 2026, month: 1, day: 15 };

    #[test]
    fn a_subscription_ends_after_its_paid_days_or_on_the_scheduled_day() {
        let day = |day: i32| Some(Date { day, ..TODAY });
        let due_on = |status: SubscriptionStatus, paid_to_date: Option<Date>, scheduled_cancel_on: Option<Date>| {
            let mut one =
                Subscription { status: status.into(), paid_to_date, scheduled_cancel_on, ..Subscription::default() };
            <Subscription as pavise_kernel::Aggregate>::derive(&mut one, None, &Timestamp::default()).unwrap();
            assert_eq!(one.due_to_end_on, due_day(&one).map(format_day).unwrap_or_default(), "{status:?}");
            one.due_to_end_on
        };
        use SubscriptionStatus::{Active, Cancelled, PendingCancel, Precancel};
        assert_eq!(due_on(PendingCancel, day(31), None), "2026-02-01");
        assert_eq!(due_on(PendingCancel, day(31), day(20)), "2026-01-20", "the earlier day");
        assert_eq!(due_on(PendingCancel, day(18), day(20)), "2026-01-19");
        assert_eq!(due_on(PendingCancel, None, None), "", "no day is known");
        for status in [Active, Precancel] {
            assert_eq!(
                (due_on(status, day(18), None), due_on(status, day(18), day(20))),
                (String::new(), "2026-01-20".into())
            );
        }
        assert_eq!(due_on(Cancelled, day(18), day(20)), "");
    }

    #[test]
    fn the_status_before_is_kept_while_the_end_is_pending() {
        let stood = |status: SubscriptionStatus| Subscription { status: status.into(), ..Subscription::default() };
        for status in [SubscriptionStatus::Active, SubscriptionStatus::Suspended, SubscriptionStatus::Precancel] {
            let mut ended = stood(SubscriptionStatus::PendingCancel);
            ended.derive(Some(&stood(status)), &Timestamp::default()).unwrap();
            assert_eq!(status_before_end(&ended), status);
            let before = ended.clone();
            ended.derive(Some(&before), &Timestamp::default()).unwrap();
            assert_eq!(status_before_end(&ended), status, "another change keeps it");
            ended.status = SubscriptionStatus::Cancelled.into();
            ended.derive(Some(&before), &Timestamp::default()).unwrap();
            assert_eq!(ended.status_before_end(), SubscriptionStatus::Unspecified);
        }
        let old = stood(SubscriptionStatus::PendingCancel);
        assert_eq!(status_before_end(&old), SubscriptionStatus::Active, "an entity without the field");
    }
}
