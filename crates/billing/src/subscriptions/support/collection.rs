//! How the money of a subscription comes in.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{Collection, PaymentMethod, PaymentMethodType, Subscription, VendorType};

/// How its money comes in: as vendor, billing period and payment method say.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_collection(call: &Call, subscription: &Subscription) -> Result<Collection> {
    let id = &subscription.payment_method_id;
    let method = if id.is_empty() { None } else { call.find_unscoped::<PaymentMethod>(id).await? };
    Ok(collection_with(subscription, method.map_or(PaymentMethodType::Unspecified, |method| method.r#type())))
}

/// The same for that type of payment method; not set for none. Without a method the member's default is charged.
fn collection_with(subscription: &Subscription, kind: PaymentMethodType) -> Collection {
    if matches!(subscription.vendor(), VendorType::Iseries | VendorType::Paypal) {
        return Collection::External;
    }
    if subscription.billing_period() == BillingPeriod::PayPeriod {
        return Collection::Group;
    }
    match kind {
        PaymentMethodType::PremiumBilling => Collection::Group,
        PaymentMethodType::Check => Collection::ByInvoice,
        PaymentMethodType::CreditCard | PaymentMethodType::BankDraft | PaymentMethodType::Unspecified => {
            Collection::Charge
        }
    }
}

/// Whether the platform itself sees to it that the money comes in.
pub(crate) fn is_collected(subscription: &Subscription) -> bool {
    match subscription.collection() {
        Collection::Charge | Collection::ByInvoice | Collection::Unspecified => true,
        Collection::Group | Collection::External => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vendor_decides_first_then_the_payroll_then_the_method() {
        let with = |vendor: VendorType, period: BillingPeriod, kind: PaymentMethodType| {
            let subscription =
                Subscription { vendor: vendor.into(), billing_period: period.into(), ..Subscription::default() };
            collection_with(&subscription, kind)
        };
        use BillingPeriod::{Monthly, PayPeriod};
        use PaymentMethodType::{BankDraft, Check, CreditCard, PremiumBilling, Unspecified};
        use VendorType::{Atlas, Iseries, Paypal};
        for kind in [CreditCard, BankDraft, Unspecified] {
            assert_eq!(with(Atlas, Monthly, kind), Collection::Charge, "{kind:?}");
        }
        assert_eq!(with(Atlas, Monthly, Check), Collection::ByInvoice);
        assert_eq!(with(Atlas, Monthly, PremiumBilling), Collection::Group);
        assert_eq!(with(Atlas, PayPeriod, CreditCard), Collection::Group);
        for vendor in [Iseries, Paypal] {
            assert_eq!(with(vendor, PayPeriod, PremiumBilling), Collection::External, "{vendor:?}");
        }
    }
}
