//! The rules of every subscription.

use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::{Derive, Result};
use prost_types::Timestamp;

use super::support::change_start::find_change_day;
use super::support::dunning::next_dun_day;
use super::support::ending::{last_day, last_day_unpaid};
use super::support::period::find_bills_on;
use super::support::waiting_prices::drop_stale_prices;
use crate::contract::v1::{CancelReason, Subscription, SubscriptionStatus, SuspendReason};

impl Derive for Subscription {
    /// Keeps the status before a pending end, and the reason of a scheduled day, for as long as the end is pending.
    /// A pending end without a paid-to date gets a last day, and keeps it. Clears the reason of a suspension that is over.
    /// Sets the days on which it is billed, changed and dunned. New prices wait for the plan that they were announced for.
    fn derive(&mut self, before: Option<&Self>, at: &Timestamp) -> Result<()> {
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
        // A payment brings it back also on the way from a suspension to the end.
        let was_suspended =
            is_suspended || [self.status(), self.status_before_end()].contains(&SubscriptionStatus::Precancel);
        if !was_suspended {
            self.suspended_for = SuspendReason::Unspecified.into();
        }
        self.due_to_dun_on = next_dun_day(self, before, to_date(to_micros(at)));
        self.bills_on = find_bills_on(self);
        // A change that waits for its day ends with the subscription. One that is being paid is settled first.
        if self.status() == SubscriptionStatus::Cancelled {
            self.change = self.change.take().filter(|change| !change.invoice_id.is_empty());
        }
        self.due_to_change_on = find_change_day(self);
        match before.filter(|_| self.status() != SubscriptionStatus::Cancelled) {
            Some(before) => drop_stale_prices(self, (&before.offer_id, before.billing_period)),
            None => self.waiting_prices.clear(),
        }
        let needs_day = self.status() == SubscriptionStatus::PendingCancel && self.paid_to_date.is_none();
        self.ends_after = needs_day.then(|| {
            let pending = before
                .filter(|before| before.status() == SubscriptionStatus::PendingCancel && before.paid_to_date.is_none());
            let known = pending.and_then(last_day);
            known.unwrap_or_else(|| last_day_unpaid(self, to_date(to_micros(at))))
        });
        self.ends_plans &= self.status() == SubscriptionStatus::Cancelled;
        self.may_continue &= ends_with_group(self);
        if !self.may_continue {
            self.employer_pays_until = None;
        }
        Ok(())
    }
}

/// Whether the scheduled end of a running subscription is that of its group.
fn ends_with_group(subscription: &Subscription) -> bool {
    let reason = match subscription.status() {
        SubscriptionStatus::Cancelled => return false,
        SubscriptionStatus::PendingCancel => subscription.cancel_reason_before_end(),
        _ => subscription.cancel_reason(),
    };
    subscription.scheduled_cancel_on.is_some() && reason == CancelReason::GroupCancelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subscriptions::support::days::format_day;
    use crate::subscriptions::support::ending::{due_day, status_before_end};
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
        assert_eq!(due_on(PendingCancel, None, None), "1970-02-01", "no day is known: the end of the month");
        for status in [Active, Precancel] {
            assert_eq!(
                (due_on(status, day(18), None), due_on(status, day(18), day(20))),
                (String::new(), "2026-01-20".into())
            );
        }
        assert_eq!(due_on(Cancelled, day(18), day(20)), "");
    }

    #[test]
    fn a_pending_end_without_a_paid_day_has_a_last_day_and_keeps_it() {
        let first = |next_bill_on: Option<Date>| {
            let status = SubscriptionStatus::PendingCancel.into();
            let mut pending = Subscription { status, next_bill_on, ..Subscription::default() };
            // 15 January 2026.
            pending.derive(None, &Timestamp { seconds: 1_768_435_200, nanos: 0 }).unwrap();
            pending
        };
        let payroll = first(None);
        assert_eq!(payroll.ends_after, Some(Date { day: 31, ..TODAY }));
        assert_eq!(first(Some(Date { day: 23, ..TODAY })).ends_after, Some(Date { day: 22, ..TODAY }));
        assert_eq!(first(Some(Date { day: 9, ..TODAY })).ends_after, Some(Date { day: 31, ..TODAY }), "a past day");
        let mut later = payroll.clone();
        later.derive(Some(&payroll), &Timestamp { seconds: 1_778_435_200, nanos: 0 }).unwrap();
        assert_eq!(later.ends_after, payroll.ends_after, "another change keeps it");
        // An end from before there was such a day: it counts from the last change.
        let updated_at = Some(Timestamp { seconds: 1_768_435_200, nanos: 0 });
        let early = Subscription { ends_after: None, updated_at, ..payroll.clone() };
        later.derive(Some(&early), &Timestamp { seconds: 1_778_435_200, nanos: 0 }).unwrap();
        assert_eq!(later.ends_after, payroll.ends_after);
        let mut paid = Subscription { paid_to_date: Some(TODAY), ..payroll.clone() };
        paid.derive(Some(&payroll), &Timestamp::default()).unwrap();
        assert_eq!(paid.ends_after, None, "the paid day counts");
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

    #[test]
    fn a_member_may_go_on_while_the_end_is_that_of_the_group() {
        let ending = |change: &dyn Fn(&mut Subscription)| {
            let mut subscription = Subscription {
                status: SubscriptionStatus::Active.into(),
                scheduled_cancel_on: Some(TODAY),
                cancel_reason: CancelReason::GroupCancelled.into(),
                may_continue: true,
                employer_pays_until: Some(TODAY),
                ..Subscription::default()
            };
            change(&mut subscription);
            subscription.derive(None, &Timestamp::default()).unwrap();
            assert_eq!(subscription.may_continue, subscription.employer_pays_until.is_some());
            subscription.may_continue
        };
        assert!(ending(&|_| {}));
        assert!(!ending(&|one| one.scheduled_cancel_on = None));
        assert!(!ending(&|one| one.set_cancel_reason(CancelReason::NoLongerEmployed)));
        assert!(!ending(&|one| one.set_status(SubscriptionStatus::Cancelled)));
        assert!(ending(&|one| {
            one.set_status(SubscriptionStatus::PendingCancel);
            one.set_cancel_reason(CancelReason::MemberRequestedCancel);
            one.set_cancel_reason_before_end(CancelReason::GroupCancelled);
        }));
    }
}
