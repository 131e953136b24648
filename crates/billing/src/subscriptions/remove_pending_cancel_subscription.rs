//! Takes the pending end of a subscription back.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::days::format_day;
use super::support::ending::{last_day, reason_before_end, status_before_end};
use crate::contract::roles;
use crate::contract::v1::{CancelReason, ErrorReason, RemovePendingCancelSubscriptionRequest, Subscription};

impl Edit<RemovePendingCancelSubscriptionRequest> for Subscription {
    /// Restores the status before the end. A member takes back only an end that they asked for.
    fn edit(&mut self, request: &RemovePendingCancelSubscriptionRequest, context: &EditContext) -> Result<()> {
        // An administrator without a group in the request acts as a member.
        let by_member =
            context.has_role(roles::MEMBER) || context.has_role(roles::ADMINISTRATOR) && request.group_id.is_empty();
        if by_member {
            check_member_may_keep(self, context.today())?;
        }
        self.set_cancel_reason(reason_before_end(self));
        self.set_status(status_before_end(self));
        Ok(())
    }
}

/// Refuses an end that the member did not ask for, and one whose last paid day is over.
fn check_member_may_keep(subscription: &Subscription, today: Date) -> Result<()> {
    let reason = subscription.cancel_reason();
    if reason != CancelReason::MemberRequestedCancel {
        let why = match reason.spelling() {
            "" => "you did not ask for this end".to_owned(),
            spelling => format!("you did not ask for this end: it was set as {spelling}"),
        };
        return Err(Error::new(ErrorReason::SubscriptionEndNotYours, why).with("cancel_reason", reason.spelling()));
    }
    match last_day(subscription) {
        Some(last) if to_days(last) < to_days(today) => {
            let why = format!("the last day of the subscription, {}, is over", format_day(last));
            Err(Error::new(ErrorReason::SubscriptionEndPassed, why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SubscriptionStatus;
    use pavise_kernel::time::DAY;

    const TODAY: Date = Date { year: 1970, month: 1, day: 15 };

    fn pending(reason: CancelReason) -> Subscription {
        Subscription {
            status: SubscriptionStatus::PendingCancel.into(),
            status_before_end: SubscriptionStatus::Suspended.into(),
            cancel_reason: reason.into(),
            ..Subscription::default()
        }
    }

    fn keep(mut subscription: Subscription, role: &'static str, group: &str) -> Result<Subscription> {
        let request = RemovePendingCancelSubscriptionRequest { group_id: group.to_owned(), ..Default::default() };
        subscription.edit(&request, &EditContext::at(14 * DAY).with_role(role))?;
        Ok(subscription)
    }

    #[test]
    fn a_member_takes_back_their_own_end_only() {
        let kept = keep(pending(CancelReason::MemberRequestedCancel), roles::MEMBER, "").unwrap();
        assert_eq!((kept.status(), kept.cancel_reason()), (SubscriptionStatus::Suspended, CancelReason::Unspecified));
        for reason in [
            CancelReason::Unspecified,
            CancelReason::NoLongerEmployed,
            CancelReason::LeaveOfAbsence,
            CancelReason::Deceased,
            CancelReason::Reinstate,
            CancelReason::Unprocessed,
        ] {
            let refusal = keep(pending(reason), roles::MEMBER, "").unwrap_err();
            assert!(refusal.is(ErrorReason::SubscriptionEndNotYours), "{reason:?}: {refusal}");
            assert!(
                keep(pending(reason), roles::ADMINISTRATOR, "").is_err(),
                "without a group an administrator acts as a member"
            );
            keep(pending(reason), roles::ADMINISTRATOR, "group").unwrap();
            keep(pending(reason), roles::STAFF, "").unwrap();
        }
    }

    #[test]
    fn the_last_paid_day_is_the_last_to_take_the_end_back() {
        let paid_to = |day: i32| Subscription {
            paid_to_date: Some(Date { day, ..TODAY }),
            ..pending(CancelReason::MemberRequestedCancel)
        };
        keep(paid_to(16), roles::MEMBER, "").unwrap();
        keep(paid_to(15), roles::MEMBER, "").unwrap();
        let refusal = keep(paid_to(14), roles::MEMBER, "").unwrap_err();
        assert!(
            refusal.is(ErrorReason::SubscriptionEndPassed) && refusal.message().contains("1970-01-14"),
            "{refusal}"
        );
    }
}
