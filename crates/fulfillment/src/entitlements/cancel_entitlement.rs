//! Ends an entitlement.

use pavise_kernel::time::to_days;
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CancelEntitlementRequest, Entitlement, EntitlementStatus};

impl Edit<CancelEntitlementRequest> for Entitlement {
    /// Sets the last day: today, unless the request names one. An entitlement that begins later ends on its first day.
    /// It can be used until a named day that is still to come, unless it begins on that day or later.
    fn edit(&mut self, request: &CancelEntitlementRequest, context: &EditContext) -> Result<()> {
        let today = context.today();
        let last_day = request.ends_on.unwrap_or(today);
        let begins_later =
            self.effective_on.filter(|begin| request.ends_on.is_none() && to_days(*begin) > to_days(last_day));
        self.ends_on = Some(begins_later.unwrap_or(last_day));
        let is_used_before = self.effective_on.is_none_or(|begin| to_days(begin) < to_days(last_day));
        if to_days(last_day) > to_days(today) && is_used_before {
            self.ends_for = request.reason;
        } else {
            self.set_status(EntitlementStatus::Cancelled);
            self.status_reason = request.reason;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::EntitlementStatusReason;
    use pavise_kernel::common::v1::Date;

    fn day(day: i32) -> Option<Date> {
        Some(Date { year: 1970, month: 1, day })
    }

    fn cancel(effective_on: Option<Date>, ends_on: Option<Date>) -> Entitlement {
        let status = EntitlementStatus::Active.into();
        let mut entitlement = Entitlement { status, effective_on, ..Default::default() };
        let reason = EntitlementStatusReason::Internal.into();
        let request = CancelEntitlementRequest { ends_on, reason, ..Default::default() };
        entitlement.edit(&request, &EditContext::at(0)).unwrap();
        entitlement
    }

    #[test]
    fn it_ends_today_on_the_named_day_or_on_its_first_day() {
        let ends_on = |effective_on: Option<Date>, ends_on: Option<Date>| cancel(effective_on, ends_on).ends_on;
        assert_eq!(ends_on(None, None), day(1));
        assert_eq!(ends_on(day(1), day(9)), day(9));
        assert_eq!(ends_on(day(5), None), day(5));
        assert_eq!(ends_on(day(5), day(3)), day(3), "a named day is taken as it is");
    }

    #[test]
    fn it_can_be_used_until_a_day_that_is_to_come() {
        let later = cancel(None, day(2));
        assert_eq!(
            (later.status(), later.status_reason(), later.ends_for()),
            (EntitlementStatus::Active, EntitlementStatusReason::Unspecified, EntitlementStatusReason::Internal)
        );
        assert_eq!(cancel(day(5), day(5)).status(), EntitlementStatus::Cancelled, "it never began");
        for last in [None, day(1), Some(Date { year: 1969, month: 12, day: 31 })] {
            let over = cancel(None, last);
            assert_eq!(
                (over.status(), over.status_reason()),
                (EntitlementStatus::Cancelled, EntitlementStatusReason::Internal)
            );
        }
    }
}
