//! New details of a card or a bank account.

use pavise_kernel::common::v1::Address;
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use super::cooldown::check_not_cooling_down;
use super::vendor_token;
use crate::contract::v1::{ErrorReason, PaymentMethod, PaymentMethodType};

/// Refuses details that the type of the method does not have.
pub(crate) fn check_type(method: &PaymentMethod, wanted: PaymentMethodType, what: &str) -> Result<()> {
    if method.r#type() == wanted {
        return Ok(());
    }
    Err(Error::new(ErrorReason::PaymentMethodTypeMismatch, format!("a {} has no {what}", method.r#type().spelling())))
}

/// Replaces the token. A new token is another card or account, with a cooldown of its own. A method in cooldown keeps its
/// token: the cooldown is found by the token, so a replacement would end it.
pub(crate) fn replace_token(
    call: &Call,
    method: &mut PaymentMethod,
    token: &str,
    cooldown: Option<Timestamp>,
) -> Result<()> {
    if token.is_empty() || token == method.vendor_token {
        return Ok(());
    }
    vendor_token::check_origin(call, "vendor_token", method.vendor())?;
    check_not_cooling_down(method, call.now(), "add the other as a payment method of its own, or replace this one")?;
    token.clone_into(&mut method.vendor_token);
    method.cooldown_until = cooldown;
    Ok(())
}

/// Replaces the billing address, if one was sent.
pub(crate) fn replace_address(method: &mut PaymentMethod, address: Option<&Address>) {
    if let Some(address) = address {
        method.billing_address = Some(address.clone());
    }
}
