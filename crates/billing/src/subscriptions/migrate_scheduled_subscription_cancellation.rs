//! Takes a scheduled cancellation over from another system.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::days::check_day;
use crate::contract::v1::{CancelReason, MigrateScheduledSubscriptionCancellationRequest, Subscription};

impl Edit<MigrateScheduledSubscriptionCancellationRequest> for Subscription {
    /// Sets the day and its reason, also in the past. No day clears both.
    fn edit(
        &mut self,
        request: &MigrateScheduledSubscriptionCancellationRequest,
        _context: &EditContext,
    ) -> Result<()> {
        let day = check_day("cancel_on", request.cancel_on)?;
        match (day, request.reason()) {
            (Some(_), CancelReason::Unspecified) => return Err(Error::field("reason", "is required with a day")),
            (None, reason) if reason != CancelReason::Unspecified => {
                return Err(Error::field("reason", "goes with a day only"));
            }
            _ => {}
        }
        let last = check_day("employer_pays_until", request.employer_pays_until)?;
        if request.may_continue && request.reason() != CancelReason::GroupCancelled {
            return Err(Error::field("may_continue", "goes with GROUP_CANCELLED only"));
        }
        if last.is_some() && !request.may_continue {
            return Err(Error::field("employer_pays_until", "goes with may_continue only"));
        }
        self.scheduled_cancel_on = day;
        self.cancel_reason = request.reason;
        self.may_continue = request.may_continue;
        self.employer_pays_until = last;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn a_day_needs_a_reason() {
        let migrate = |cancel_on: Option<Date>, reason: CancelReason| {
            let mut subscription = Subscription::default();
            let reason = reason.into();
            let request = MigrateScheduledSubscriptionCancellationRequest { cancel_on, reason, ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.scheduled_cancel_on)
        };
        let past = Some(Date { year: 1969, month: 12, day: 31 });
        assert_eq!(migrate(past, CancelReason::Deceased).unwrap(), past);
        assert_eq!(migrate(None, CancelReason::Unspecified).unwrap(), None);
        assert!(migrate(past, CancelReason::Unspecified).is_err());
        assert!(migrate(None, CancelReason::Deceased).is_err());
    }

    #[test]
    fn a_member_may_go_on_only_when_the_group_is_cancelled() {
        let day = Some(Date { year: 2026, month: 6, day: 15 });
        let migrate = |reason: CancelReason, may_continue: bool, employer_pays_until: Option<Date>| {
            let reason = reason.into();
            let request = MigrateScheduledSubscriptionCancellationRequest {
                cancel_on: day,
                reason,
                may_continue,
                employer_pays_until,
                ..Default::default()
            };
            let mut subscription = Subscription::default();
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.may_continue)
        };
        assert!(migrate(CancelReason::GroupCancelled, true, day).unwrap());
        assert!(!migrate(CancelReason::GroupCancelled, false, None).unwrap());
        assert!(migrate(CancelReason::GroupCancelled, false, day).is_err());
        assert!(migrate(CancelReason::Deceased, true, None).is_err());
    }
}
