//! Replaces the details of a card.

use pavise_kernel::{Call, Result};

use super::support::details::{check_type, replace_address, replace_token};
use super::support::{card, vendor_token};
use crate::contract::v1::{PaymentMethod, PaymentMethodType, UpdateCardPaymentDetailsRequest};

/// Replaces the details of a card, and its token when the card was replaced.
pub(crate) async fn update_card_payment_details(
    call: &Call,
    request: UpdateCardPaymentDetailsRequest,
) -> Result<PaymentMethod> {
    if let Some(card) = &request.card {
        card::check_expiry("card.expiry_year", card, call.today())?;
    }
    vendor_token::check_token("vendor_token", &request.vendor_token)?;
    let found: PaymentMethod = call.get(&request.payment_method_id).await?;
    let cooldown = vendor_token::find_cooldown(call, found.vendor, &request.vendor_token).await?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        check_type(method, PaymentMethodType::CreditCard, "card details")?;
        method.card.clone_from(&request.card);
        replace_token(call, method, &request.vendor_token, cooldown)?;
        method.refused_for_good = false;
        replace_address(method, request.billing_address.as_ref());
        Ok(())
    })
    .await
}
