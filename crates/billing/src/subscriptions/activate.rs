//! Bringing a subscription back.

use pavise_kernel::{Call, Error, Result};

use super::ending;
use crate::contract::v1::{CancelReason, ErrorReason, Subscription, SubscriptionStatus};

/// Makes it ACTIVE again; a cancelled one only when it was cancelled to be reinstated.
pub(super) async fn activate(call: &Call, id: &str) -> Result<Subscription> {
    call.change::<Subscription>(id, |subscription| {
        match subscription.status() {
            SubscriptionStatus::Cancelled => {
                reinstatable(subscription)?;
                subscription.cancel_reason = CancelReason::Unspecified.into();
                subscription.cancelled_on = None;
                subscription.scheduled_cancel_on = None;
            }
            SubscriptionStatus::PendingCancel => subscription.cancel_reason = ending::reason_before_end(subscription).into(),
            // A day that was set for its end is taken back by the call for that, and by no other.
            SubscriptionStatus::Active
            | SubscriptionStatus::Suspended
            | SubscriptionStatus::Precancel
            | SubscriptionStatus::CatchingUp
            | SubscriptionStatus::Unspecified => {}
        }
        subscription.status = SubscriptionStatus::Active.into();
        Ok(())
    })
    .await
}

fn reinstatable(subscription: &Subscription) -> Result<()> {
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

    #[test]
    fn reinstate_is_the_one_reason_to_come_back_from() {
        let cancelled = |reason: CancelReason, never: bool| Subscription {
            cancel_reason: reason.into(),
            do_not_reinstate: never,
            ..Subscription::default()
        };
        assert!(reinstatable(&cancelled(CancelReason::Reinstate, false)).is_ok());
        assert!(reinstatable(&cancelled(CancelReason::Reinstate, true)).is_err());
        for reason in [
            CancelReason::NoLongerEmployed,
            CancelReason::LeaveOfAbsence,
            CancelReason::MemberRequestedCancel,
            CancelReason::Deceased,
            CancelReason::Unprocessed,
            CancelReason::Unspecified,
        ] {
            assert!(reinstatable(&cancelled(reason, false)).is_err(), "{reason:?}");
        }
    }
}
