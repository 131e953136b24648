//! Schedules the cancellation of a subscription.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::days::require_day;
use super::support::ending::check_end_is_theirs;
use crate::contract::v1::{ScheduleSubscriptionCancellationRequest, Subscription};

impl Edit<ScheduleSubscriptionCancellationRequest> for Subscription {
    /// Sets a day in the future and its reason.
    fn edit(&mut self, request: &ScheduleSubscriptionCancellationRequest, context: &EditContext) -> Result<()> {
        check_end_is_theirs(self, context)?;
        let day = require_day("cancel_on", request.cancel_on)?;
        if to_days(day) <= to_days(context.today()) {
            return Err(Error::field("cancel_on", "must be later than today"));
        }
        self.scheduled_cancel_on = Some(day);
        self.cancel_reason = request.reason;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::CancelReason;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn the_day_lies_in_the_future() {
        let schedule = |day: i32| {
            let cancel_on = Some(Date { year: 1970, month: 1, day });
            let reason = CancelReason::NoLongerEmployed.into();
            let mut subscription = Subscription::default();
            let request = ScheduleSubscriptionCancellationRequest { cancel_on, reason, ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription)
        };
        assert!(schedule(1).is_err());
        assert!(schedule(32).is_err());
        let scheduled = schedule(2).unwrap();
        assert_eq!(scheduled.scheduled_cancel_on.map(|day| day.day), Some(2));
        assert_eq!(scheduled.cancel_reason(), CancelReason::NoLongerEmployed);
    }
}
