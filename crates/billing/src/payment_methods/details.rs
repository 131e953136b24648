//! New details of a card or a bank account.

use pavise_kernel::common::v1::Address;
use pavise_kernel::{Call, Error, Result};

use super::create;
use crate::contract::v1::{
    ErrorReason, PaymentMethod, PaymentMethodType, UpdateBankAccountDetailsRequest, UpdateCardPaymentDetailsRequest,
};

/// Replaces what is known of a card.
pub(super) async fn card(call: &Call, request: &UpdateCardPaymentDetailsRequest) -> Result<PaymentMethod> {
    if let Some(card) = &request.card {
        create::unexpired("card.expiry_year", card, call.today())?;
    }
    create::token("vendor_token", &request.vendor_token)?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        of_type(method, PaymentMethodType::CreditCard, "card details")?;
        method.card.clone_from(&request.card);
        replace(method, &request.vendor_token, request.billing_address.as_ref());
        Ok(())
    })
    .await
}

/// Replaces what is known of a bank account.
pub(super) async fn bank_account(call: &Call, request: &UpdateBankAccountDetailsRequest) -> Result<PaymentMethod> {
    create::token("vendor_token", &request.vendor_token)?;
    call.change::<PaymentMethod>(&request.payment_method_id, |method| {
        of_type(method, PaymentMethodType::BankDraft, "bank account details")?;
        method.bank_account.clone_from(&request.bank_account);
        replace(method, &request.vendor_token, request.billing_address.as_ref());
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

/// A new token is another card or account: what was held against the old one is over.
fn replace(method: &mut PaymentMethod, token: &str, address: Option<&Address>) {
    if !token.is_empty() && token != method.vendor_token {
        token.clone_into(&mut method.vendor_token);
        method.cooldown_until = None;
    }
    if let Some(address) = address {
        method.billing_address = Some(address.clone());
    }
}
