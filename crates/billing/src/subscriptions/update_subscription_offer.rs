//! Puts another offer in place of a subscription's.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::prices::check_prices;
use crate::contract::v1::{Subscription, UpdateSubscriptionOfferRequest};

impl Edit<UpdateSubscriptionOfferRequest> for Subscription {
    /// Replaces offer and items, and the billing period if the request names another.
    fn edit(&mut self, request: &UpdateSubscriptionOfferRequest, _context: &EditContext) -> Result<()> {
        check_prices(&request.items)?;
        let (before, after) = (self.billing_period(), request.billing_period());
        if after != BillingPeriod::Unspecified && after != before {
            if [before, after].contains(&BillingPeriod::PayPeriod) {
                return Err(Error::field(
                    "billing_period",
                    "a payroll's days are its own: end this one and make another",
                ));
            }
            self.set_billing_period(after);
            // The frequency counted periods of the old length.
            self.billing_frequency = 1;
        }
        self.offer_id.clone_from(&request.offer_id);
        self.items.clone_from(&request.items);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_period_begins_at_frequency_one() {
        let monthly = |period: BillingPeriod| {
            let mut subscription = Subscription {
                billing_period: BillingPeriod::Monthly.into(),
                billing_frequency: 2,
                ..Subscription::default()
            };
            let billing_period = period.into();
            let request =
                UpdateSubscriptionOfferRequest { offer_id: "new".into(), billing_period, ..Default::default() };
            subscription.edit(&request, &EditContext::at(0)).map(|()| subscription)
        };
        for same in [BillingPeriod::Unspecified, BillingPeriod::Monthly] {
            let kept = monthly(same).unwrap();
            assert_eq!((kept.billing_period(), kept.billing_frequency), (BillingPeriod::Monthly, 2));
            assert_eq!(kept.offer_id, "new");
        }
        let annual = monthly(BillingPeriod::Annual).unwrap();
        assert_eq!((annual.billing_period(), annual.billing_frequency), (BillingPeriod::Annual, 1));
        assert!(monthly(BillingPeriod::PayPeriod).is_err());
    }
}
