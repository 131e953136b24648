//! Brings a subscription back.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::ending::reason_before_end;
use crate::contract::v1::{ActivateSubscriptionRequest, CancelReason, ErrorReason, Subscription, SubscriptionStatus};

impl Edit<ActivateSubscriptionRequest> for Subscription {
    /// Makes it ACTIVE. A cancelled one comes back only when it was cancelled to be reinstated.
    fn edit(&mut self, _request: &ActivateSubscriptionRequest, _context: &EditContext) -> Result<()> {
        match self.status() {
            SubscriptionStatus::Cancelled => {
                check_reinstatable(self)?;
                self.set_cancel_reason(CancelReason::Unspecified);
                self.cancelled_on = None;
                self.scheduled_cancel_on = None;
                // It is billed again, and what is still owed shows then.
                self.delinquent_since = None;
            }
            SubscriptionStatus::PendingCancel => self.set_cancel_reason(reason_before_end(self)),
            // A scheduled cancellation stays: RemoveScheduledSubscriptionCancellation clears it.
            SubscriptionStatus::Active
            | SubscriptionStatus::Suspended
            | SubscriptionStatus::Precancel
            | SubscriptionStatus::CatchingUp
            | SubscriptionStatus::Unspecified => {}
        }
        self.set_status(SubscriptionStatus::Active);
        Ok(())
    }
}

fn check_reinstatable(subscription: &Subscription) -> Result<()> {
    let why = if subscription.do_not_reinstate {
        "the subscription is marked never to be reinstated".to_owned()
    } else if subscription.cancel_reason() != CancelReason::Reinstate {
        format!("the subscription was cancelled as {}", subscription.cancel_reason().spelling())
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorReason::SubscriptionNotReinstatable, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    const DAY: Option<Date> = Some(Date { year: 2026, month: 1, day: 20 });

    fn activate(mut subscription: Subscription) -> Result<Subscription> {
        subscription.edit(&ActivateSubscriptionRequest::default(), &EditContext::at(0))?;
        Ok(subscription)
    }

    #[test]
    fn a_cancelled_subscription_comes_back_for_one_reason_only() {
        let cancelled = |reason: CancelReason, never: bool| Subscription {
            status: SubscriptionStatus::Cancelled.into(),
            cancel_reason: reason.into(),
            cancelled_on: DAY,
            scheduled_cancel_on: DAY,
            do_not_reinstate: never,
            ..Subscription::default()
        };
        let back = activate(cancelled(CancelReason::Reinstate, false)).unwrap();
        assert_eq!((back.status(), back.cancel_reason()), (SubscriptionStatus::Active, CancelReason::Unspecified));
        assert_eq!((back.cancelled_on, back.scheduled_cancel_on), (None, None));
        assert!(activate(cancelled(CancelReason::Reinstate, true)).is_err());
        for reason in [
            CancelReason::NoLongerEmployed,
            CancelReason::LeaveOfAbsence,
            CancelReason::MemberRequestedCancel,
            CancelReason::Deceased,
            CancelReason::Unprocessed,
            CancelReason::Unspecified,
        ] {
            let refused = activate(cancelled(reason, false)).unwrap_err();
            assert!(refused.is(ErrorReason::SubscriptionNotReinstatable), "{reason:?}");
        }
    }

    #[test]
    fn a_scheduled_cancellation_stays_with_its_reason() {
        let pending = Subscription {
            status: SubscriptionStatus::PendingCancel.into(),
            cancel_reason: CancelReason::MemberRequestedCancel.into(),
            cancel_reason_before_end: CancelReason::NoLongerEmployed.into(),
            scheduled_cancel_on: DAY,
            ..Subscription::default()
        };
        let back = activate(pending).unwrap();
        assert_eq!(
            (back.status(), back.cancel_reason(), back.scheduled_cancel_on),
            (SubscriptionStatus::Active, CancelReason::NoLongerEmployed, DAY)
        );
    }
}
