//! Moves the next billing day of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::days::{check_order, require_day};
use crate::contract::v1::{Subscription, UpdateSubscriptionNextBillOnRequest};

impl Edit<UpdateSubscriptionNextBillOnRequest> for Subscription {
    fn edit(&mut self, request: &UpdateSubscriptionNextBillOnRequest, _context: &EditContext) -> Result<()> {
        self.next_bill_on = Some(require_day("next_bill_on", request.next_bill_on)?);
        check_order(self, "next_bill_on")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn the_next_billing_day_is_real_and_not_before_the_first_day() {
        let day = |month: i32, day: i32| Date { year: 2026, month, day };
        let moved_to = |next: Date| {
            let mut subscription = Subscription { started_on: Some(day(2, 10)), ..Subscription::default() };
            let request = UpdateSubscriptionNextBillOnRequest { next_bill_on: Some(next), ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.next_bill_on)
        };
        assert_eq!(moved_to(day(2, 10)).unwrap(), Some(day(2, 10)));
        assert!(moved_to(day(2, 9)).is_err());
        assert!(moved_to(day(2, 30)).is_err());
    }
}
