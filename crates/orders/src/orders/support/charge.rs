//! The charge of an offer.

use pavise_kernel::common::v1::BillingProvider;

use crate::contract::v1::{OfferOnOrder, Order, PaymentMethod};

/// Whether a payment is taken for an offer. A free offer has none. The employer group is billed for PREMIUM_BILLING, and
/// the system SYSTEM I bills its own orders.
pub(crate) fn is_charged(order: &Order, offer: &OfferOnOrder) -> bool {
    offer.total.is_some_and(|total| total.amount > 0)
        && order.payment_method() != PaymentMethod::PremiumBilling
        && !is_billed_elsewhere(order)
}

/// Whether another system bills the order: the platform takes no payment for it and makes no subscription.
pub(crate) fn is_billed_elsewhere(order: &Order) -> bool {
    order.billing_provider() == BillingProvider::SystemI
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::amount;
    use pavise_kernel::common::v1::Currency;

    #[test]
    fn free_and_externally_billed_offers_are_not_charged() {
        let offer = |total| OfferOnOrder {
            total: Some(amount::from_minor_units(Currency::Usd, total)),
            ..OfferOnOrder::default()
        };
        assert!(is_charged(&Order::default(), &offer(1)));
        assert!(!is_charged(&Order::default(), &offer(0)));
        assert!(!is_charged(
            &Order { payment_method: PaymentMethod::PremiumBilling.into(), ..Order::default() },
            &offer(1)
        ));
        let elsewhere = Order { billing_provider: BillingProvider::SystemI.into(), ..Order::default() };
        assert!(!is_charged(&elsewhere, &offer(1)));
    }
}
