//! Ends an entitlement on its day.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{EndEntitlementRequest, Entitlement, EntitlementStatus, EntitlementStatusReason};

impl Edit<EndEntitlementRequest> for Entitlement {
    /// Cancels it if its last day is over, for the reason of the cancellation that set the day.
    fn edit(&mut self, _request: &EndEntitlementRequest, context: &EditContext) -> Result<()> {
        let is_over = self.ends_on.is_some_and(|last| to_days(last) < to_days(context.today()));
        if !is_over || self.status() == EntitlementStatus::Cancelled {
            return Ok(());
        }
        self.set_status_reason(match self.ends_for() {
            EntitlementStatusReason::Unspecified => EntitlementStatusReason::LastDayOver,
            named => named,
        });
        self.set_status(EntitlementStatus::Cancelled);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::DAY;

    #[test]
    fn it_is_over_on_the_day_after_its_last() {
        let end = |ends_on: Option<Date>, ends_for: EntitlementStatusReason, today: i64| {
            let status = EntitlementStatus::Suspended.into();
            let mut plan = Entitlement { status, ends_on, ends_for: ends_for.into(), ..Default::default() };
            plan.edit(&EndEntitlementRequest::default(), &EditContext::at((today - 1) * DAY)).unwrap();
            (plan.status(), plan.status_reason())
        };
        let last = Some(Date { year: 1970, month: 1, day: 9 });
        let stays = (EntitlementStatus::Suspended, EntitlementStatusReason::Unspecified);
        assert_eq!(end(None, EntitlementStatusReason::Unspecified, 400), stays);
        assert_eq!(end(last, EntitlementStatusReason::Unspecified, 9), stays, "its last day can be used");
        for (set_for, reason) in [
            (EntitlementStatusReason::Unspecified, EntitlementStatusReason::LastDayOver),
            (EntitlementStatusReason::Internal, EntitlementStatusReason::Internal),
        ] {
            assert_eq!(end(last, set_for, 10), (EntitlementStatus::Cancelled, reason));
        }
    }
}
