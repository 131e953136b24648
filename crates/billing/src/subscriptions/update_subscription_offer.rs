//! Puts another offer in place of a subscription's: from the next billing day on, or within the running period.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Call, Error, Result};

use super::support::change_plan::complete_change;
use super::support::change_request::{ChangeRequest, make_change};
use super::support::change_start::check_none_in_progress;
use super::support::prices::check_prices;
use crate::contract::v1::{Subscription, UpdateSubscriptionOfferRequest};

/// Replaces the offer, at the time that the request names.
pub(crate) async fn update_subscription_offer(
    call: &Call,
    request: UpdateSubscriptionOfferRequest,
) -> Result<Subscription> {
    let change = ChangeRequest {
        subscription_id: &request.subscription_id,
        time: request.time(),
        on: request.on,
        expected_total: request.expected_total,
    };
    if change.is_without_time()? {
        let replace = |subscription: &mut Subscription| replace_offer(subscription, &request);
        return call.change::<Subscription>(&request.subscription_id, replace).await;
    }
    let complete =
        |before: &Subscription| complete_change(before, &request.offer_id, &request.items, request.billing_period());
    make_change(call, change, complete).await
}

/// Replaces offer and items from the next billing day on, and the billing period if the request names another.
fn replace_offer(subscription: &mut Subscription, request: &UpdateSubscriptionOfferRequest) -> Result<()> {
    check_none_in_progress(subscription)?;
    check_prices(&request.items)?;
    let (before, after) = (subscription.billing_period(), request.billing_period());
    if after != BillingPeriod::Unspecified && after != before {
        if [before, after].contains(&BillingPeriod::PayPeriod) {
            return Err(Error::field("billing_period", "a payroll's days are its own: end this one and make another"));
        }
        subscription.set_billing_period(after);
        // The frequency counted periods of the old length.
        subscription.billing_frequency = 1;
    }
    subscription.offer_id.clone_from(&request.offer_id);
    subscription.items.clone_from(&request.items);
    subscription.changed_on = None;
    // A change that waits was asked for before this one.
    subscription.change = None;
    Ok(())
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
            replace_offer(&mut subscription, &request).map(|()| subscription)
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
