//! New details of a card or a bank account.

use pavise_kernel::common::v1::Address;
use pavise_kernel::{Call, Error, Result, postal};
use prost_types::Timestamp;

use super::{cooldown, create};
use crate::contract::v1::{
    ErrorReason, PaymentMethod, PaymentMethodType, UpdateBankAccountDetailsRequest, UpdateCardPaymentDetailsRequest,
};

/// Replaces what is known of a card.
pub(super) async fn card(call: &Call, request: &UpdateCardPaymentDetailsRequest) -> Result<PaymentMethod> {
    if let Some(card) = &request.card {
        create::unexpired("card.expiry_year", card, call.today())?;
    }
    postal::check_address("billing_address", request.billing_address.as_ref())?;
    create::token("vendor_token", &request.vendor_token)?;
    let found: PaymentMethod = call.get(&request.payment_method_id).await?;
    let rests = create::cooldown_of(call, found.vendor, &request.vendor_token).await?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        of_type(method, PaymentMethodType::CreditCard, "card details")?;
        method.card.clone_from(&request.card);
        replace_token(call, method, &request.vendor_token, rests)?;
        replace_address(method, request.billing_address.as_ref());
        Ok(())
    })
    .await
}

/// Replaces what is known of a bank account.
pub(super) async fn bank_account(call: &Call, request: &UpdateBankAccountDetailsRequest) -> Result<PaymentMethod> {
    postal::check_address("billing_address", request.billing_address.as_ref())?;
    create::token("vendor_token", &request.vendor_token)?;
    let found: PaymentMethod = call.get(&request.payment_method_id).await?;
    let rests = create::cooldown_of(call, found.vendor, &request.vendor_token).await?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        of_type(method, PaymentMethodType::BankDraft, "bank account details")?;
        method.bank_account.clone_from(&request.bank_account);
        replace_token(call, method, &request.vendor_token, rests)?;
        replace_address(method, request.billing_address.as_ref());
        Ok(())
    })
    .await
}

fn of_type(method: &PaymentMethod, wanted: PaymentMethodType, what: &str) -> Result<()> {
    if method.r#type() == wanted {
        return Ok(());
    }
    Err(Error::new(ErrorReason::PaymentMethodTypeMismatch, format!("a {} has no {what}", method.r#type().spelling())))
}

/// A new token is another card or account, which rests if it was refused elsewhere. The old one is kept while it rests:
/// its cooldown is found by it, and who could put it away for a moment would have ended it.
fn replace_token(call: &Call, method: &mut PaymentMethod, token: &str, rests: Option<Timestamp>) -> Result<()> {
    if token.is_empty() || token == method.vendor_token {
        return Ok(());
    }
    cooldown::awake(method, call.now(), "add the other as a payment method of its own, or replace this one")?;
    token.clone_into(&mut method.vendor_token);
    method.cooldown_until = rests;
    Ok(())
}

fn replace_address(method: &mut PaymentMethod, address: Option<&Address>) {
    if let Some(address) = address {
        method.billing_address = Some(address.clone());
    }
}
