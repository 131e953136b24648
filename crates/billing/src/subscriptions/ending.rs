//! Letting a subscription end on the day it is paid to, taking that back, and ending it when its day has come.

use pavise_kernel::caller::Realm;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{add_days, days};
use pavise_kernel::{Call, Error, Result, Settle};
use prost_types::Timestamp;

use crate::contract::v1::{
    CancelReason, ErrorReason, PendingCancelSubscriptionRequest, RemovePendingCancelSubscriptionRequest, Subscription,
    SubscriptionStatus, SuspendReason,
};

impl Settle for Subscription {
    /// Where it stood before its end was asked for, and why it was to end on a day that was set, is kept for as long as the
    /// end is pending, whoever asked; and the day on which it ends by itself follows from what it is.
    fn settle(&mut self, before: Option<&Self>, _at: &Timestamp) -> Result<()> {
        if self.status() != SubscriptionStatus::PendingCancel {
            self.status_before_end = SubscriptionStatus::Unspecified.into();
            self.cancel_reason_before_end = CancelReason::Unspecified.into();
        } else if let Some(before) = before.filter(|before| before.status() != SubscriptionStatus::PendingCancel) {
            self.status_before_end = before.status;
            let scheduled = before.scheduled_cancel_on.map_or(CancelReason::Unspecified, |_| before.cancel_reason());
            self.cancel_reason_before_end = scheduled.into();
        }
        let suspended = [self.status(), self.status_before_end()].contains(&SubscriptionStatus::Suspended);
        if !suspended {
            self.suspend_reason = SuspendReason::Unspecified.into();
        }
        self.due_to_end_on = due(self).map(text).unwrap_or_default();
        Ok(())
    }
}

/// The day on which it ends by itself. One that nothing was paid on waits for somebody to say the day.
fn due(subscription: &Subscription) -> Option<Date> {
    if subscription.status() == SubscriptionStatus::Cancelled {
        return None;
    }
    let pending = subscription.status() == SubscriptionStatus::PendingCancel;
    let unpaid = subscription.paid_to_date.filter(|_| pending).map(|last| add_days(last, 1));
    unpaid.into_iter().chain(subscription.scheduled_cancel_on).min_by_key(|day| days(*day))
}

/// A day as text that sorts by day.
pub(crate) fn text(Date { year, month, day }: Date) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// Lets it end. An end that the member asks for is recorded as their own wish, so that they can take it back.
pub(super) async fn end(call: &Call, request: &PendingCancelSubscriptionRequest) -> Result<Subscription> {
    let by_member = call.caller().realm == Realm::User;
    let reason = if by_member { CancelReason::MemberRequestedCancel } else { request.reason() };
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.status = SubscriptionStatus::PendingCancel.into();
        if reason != CancelReason::Unspecified {
            subscription.cancel_reason = reason.into();
        }
        Ok(())
    })
    .await
}

/// Takes the end back.
pub(super) async fn keep(call: &Call, request: &RemovePendingCancelSubscriptionRequest) -> Result<Subscription> {
    let by_member = match call.caller().realm {
        Realm::User => true,
        // An administrator who names no group of his asks for himself.
        Realm::GroupAdmin => request.group_id.is_empty(),
        Realm::Internal | Realm::Machine | Realm::Partner | Realm::Unspecified => false,
    };
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        if by_member {
            may_be_kept(subscription, call.today())?;
        }
        subscription.cancel_reason = reason_before_end(subscription).into();
        subscription.status = before_end(subscription).into();
        Ok(())
    })
    .await
}

/// Ends it if its day has come. What was said of the end stays said: of a day that was set, what was said of that day.
pub(super) async fn end_due(call: &Call, id: &str) -> Result<Subscription> {
    let today = call.today();
    call.change::<Subscription>(id, |subscription| {
        let Some(day) = due(subscription).filter(|day| days(*day) <= days(today)) else { return Ok(()) };
        if subscription.status() == SubscriptionStatus::PendingCancel && subscription.scheduled_cancel_on == Some(day) {
            subscription.cancel_reason = reason_before_end(subscription).into();
        }
        subscription.status = SubscriptionStatus::Cancelled.into();
        // Not today: a platform that stood still covers nobody for longer.
        subscription.cancelled_on = Some(day);
        subscription.scheduled_cancel_on = None;
        Ok(())
    })
    .await
}

/// Where it stands again: not higher than before, so that nobody gets out of a suspension by ending his plan and thinking
/// better of it.
fn before_end(subscription: &Subscription) -> SubscriptionStatus {
    match subscription.status_before_end() {
        // Ends that are older than the record of it.
        SubscriptionStatus::Unspecified => SubscriptionStatus::Active,
        known => known,
    }
}

/// Why it ends again when the pending end is taken back: for what was said of the day that was set, if one was.
pub(super) fn reason_before_end(subscription: &Subscription) -> CancelReason {
    match (subscription.scheduled_cancel_on, subscription.cancel_reason_before_end()) {
        (None, _) => CancelReason::Unspecified,
        // Ends that are older than the record of it.
        (Some(_), CancelReason::Unspecified) => subscription.cancel_reason(),
        (Some(_), known) => known,
    }
}

/// Whether the member himself may take the end back.
fn may_be_kept(subscription: &Subscription, today: Date) -> Result<()> {
    let reason = subscription.cancel_reason();
    if reason != CancelReason::MemberRequestedCancel {
        let why = match reason.spelling() {
            "" => "you did not ask for this end".to_owned(),
            spelling => format!("you did not ask for this end: it was set as {spelling}"),
        };
        return Err(Error::new(ErrorReason::SubscriptionEndNotYours, why).with("cancel_reason", reason.spelling()));
    }
    match subscription.paid_to_date {
        Some(last) if days(last) < days(today) => {
            let why = format!("the last day that is paid for, {}, is over", text(last));
            Err(Error::new(ErrorReason::SubscriptionEndPassed, why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = Date { year: 2026, month: 1, day: 15 };

    fn ending(reason: CancelReason) -> Subscription {
        Subscription { status: SubscriptionStatus::PendingCancel.into(), cancel_reason: reason.into(), ..Subscription::default() }
    }

    #[test]
    fn a_member_takes_back_his_own_wish_and_nobody_elses_decision() {
        may_be_kept(&ending(CancelReason::MemberRequestedCancel), TODAY).unwrap();
        for reason in [
            CancelReason::Unspecified,
            CancelReason::NoLongerEmployed,
            CancelReason::LeaveOfAbsence,
            CancelReason::Deceased,
            CancelReason::Reinstate,
            CancelReason::Unprocessed,
        ] {
            let refusal = may_be_kept(&ending(reason), TODAY).unwrap_err();
            assert!(refusal.is(ErrorReason::SubscriptionEndNotYours), "{reason:?}: {refusal}");
        }
    }

    #[test]
    fn the_last_day_that_is_paid_for_is_the_last_to_think_better_of_it() {
        let paid_to =
            |day: i32| Subscription { paid_to_date: Some(Date { day, ..TODAY }), ..ending(CancelReason::MemberRequestedCancel) };
        may_be_kept(&paid_to(16), TODAY).unwrap();
        may_be_kept(&paid_to(15), TODAY).unwrap();
        let refusal = may_be_kept(&paid_to(14), TODAY).unwrap_err();
        assert!(refusal.is(ErrorReason::SubscriptionEndPassed) && refusal.message().contains("2026-01-14"), "{refusal}");
    }

    #[test]
    fn it_ends_by_itself_after_what_is_paid_for_or_on_the_day_that_was_set() {
        let day = |day: i32| Some(Date { day, ..TODAY });
        let due_on = |status: SubscriptionStatus, paid_to_date: Option<Date>, scheduled_cancel_on: Option<Date>| {
            let mut one = Subscription { status: status.into(), paid_to_date, scheduled_cancel_on, ..Subscription::default() };
            one.settle(None, &Timestamp::default()).unwrap();
            one.due_to_end_on
        };
        use SubscriptionStatus::{Active, Cancelled, PendingCancel, Precancel};
        assert_eq!(due_on(PendingCancel, day(31), None), "2026-02-01");
        assert_eq!(due_on(PendingCancel, day(31), day(20)), "2026-01-20", "whichever comes first");
        assert_eq!(due_on(PendingCancel, day(18), day(20)), "2026-01-19");
        assert_eq!(due_on(PendingCancel, None, None), "", "nobody said a day");
        for status in [Active, Precancel] {
            assert_eq!((due_on(status, day(18), None), due_on(status, day(18), day(20))), (String::new(), "2026-01-20".into()));
        }
        assert_eq!(due_on(Cancelled, day(18), day(20)), "");
    }

    #[test]
    fn where_it_stood_is_kept_while_the_end_is_pending() {
        let stood = |status: SubscriptionStatus| Subscription { status: status.into(), ..Subscription::default() };
        for status in [SubscriptionStatus::Active, SubscriptionStatus::Suspended, SubscriptionStatus::Precancel] {
            let mut ended = stood(SubscriptionStatus::PendingCancel);
            ended.settle(Some(&stood(status)), &Timestamp::default()).unwrap();
            assert_eq!(before_end(&ended), status);
            let before = ended.clone();
            ended.settle(Some(&before), &Timestamp::default()).unwrap();
            assert_eq!(before_end(&ended), status, "another change leaves it");
            ended.status = SubscriptionStatus::Cancelled.into();
            ended.settle(Some(&before), &Timestamp::default()).unwrap();
            assert_eq!(ended.status_before_end(), SubscriptionStatus::Unspecified);
        }
        assert_eq!(before_end(&ending(CancelReason::MemberRequestedCancel)), SubscriptionStatus::Active, "an older end");
    }
}
