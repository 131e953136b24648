//! The payment method that the platform asks by itself.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{DisputeStatus, ErrorReason, Invoice, PaymentMethod, Subscription};
use crate::payment_methods::support::defaults;
use crate::shared::admission::check_invoice;

/// The method to ask: that of the invoice, that of the subscription, the member's default. None that cannot be used now,
/// and none that was refused for good. After a lost dispute nobody is charged by the schedule.
pub(crate) async fn choose_method(call: &Call, invoice: &Invoice) -> Result<Option<String>> {
    if invoice.dispute_status() == DisputeStatus::Lost {
        return Ok(None);
    }
    let subscription: Option<Subscription> = call.find_unscoped(&invoice.subscription_id).await?;
    let named = subscription.map(|subscription| subscription.payment_method_id).unwrap_or_default();
    let named = [invoice.payment_method_id.clone(), named];
    for id in named.into_iter().filter(|id| !id.is_empty()) {
        if can_be_asked(call, invoice, &id).await? {
            return Ok(Some(id));
        }
    }
    // Read only: no commit relies on it.
    let mut unit = call.unit();
    let methods = defaults::load_active_of(call, &mut unit, &invoice.owner_id).await?;
    let Some(default) = methods.into_iter().find(|method| method.is_default) else { return Ok(None) };
    Ok(if can_be_asked(call, invoice, &default.id).await? { Some(default.id) } else { None })
}

/// Whether the vendor may be asked about a method for this invoice.
async fn can_be_asked(call: &Call, invoice: &Invoice, id: &str) -> Result<bool> {
    let method: Option<PaymentMethod> = call.find_unscoped(id).await?;
    if method.is_none_or(|method| method.refused_for_good) {
        return Ok(false);
    }
    match check_invoice(call, invoice, id).await {
        Ok(()) => Ok(true),
        Err(error) if error.is_transient() || error.is(ErrorReason::VendorNotConfigured) => Err(error),
        Err(_) => Ok(false),
    }
}
