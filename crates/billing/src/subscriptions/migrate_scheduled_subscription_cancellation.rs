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
        self.scheduled_cancel_on = day;
        self.cancel_reason = request.reason;
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
}
