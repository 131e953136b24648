//! Moves the next billing day of a subscription by one billing.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::billing_day::next_billing_day;
use crate::contract::v1::{AdvanceSubscriptionNextBillOnRequest, ErrorReason, Subscription};

impl Edit<AdvanceSubscriptionNextBillOnRequest> for Subscription {
    fn edit(&mut self, _request: &AdvanceSubscriptionNextBillOnRequest, _context: &EditContext) -> Result<()> {
        let (period, frequency) = (self.billing_period(), self.billing_frequency);
        let next = self.next_bill_on.and_then(|day| next_billing_day(day, period, frequency, self.bill_cycle_day));
        self.next_bill_on = Some(next.ok_or_else(|| no_cycle_error(period))?);
        Ok(())
    }
}

fn no_cycle_error(period: BillingPeriod) -> Error {
    let period = match period {
        BillingPeriod::PayPeriod => "PAY_PERIOD follows the payroll",
        _ => "the subscription has no next billing day",
    };
    Error::new(ErrorReason::SubscriptionHasNoCycle, format!("{period}: set the next billing day"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn a_period_without_a_calendar_is_not_advanced() {
        let advance = |period: BillingPeriod| {
            let next_bill_on = Some(Date { year: 2026, month: 1, day: 31 });
            let mut subscription = Subscription { next_bill_on, bill_cycle_day: 31, ..Subscription::default() };
            subscription.set_billing_period(period);
            let request = AdvanceSubscriptionNextBillOnRequest::default();
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription.next_bill_on)
        };
        assert_eq!(advance(BillingPeriod::Monthly).unwrap(), Some(Date { year: 2026, month: 2, day: 28 }));
        assert!(advance(BillingPeriod::PayPeriod).unwrap_err().is(ErrorReason::SubscriptionHasNoCycle));
    }
}
