//! The vendor's token of a card or an account.

use pavise_kernel::check_digit::has_check_digit;
use pavise_kernel::table::Realm;
use pavise_kernel::{Call, Error, Result};
use prost_types::Timestamp;

use crate::contract::lookups::payment_method as lookups;
use crate::contract::v1::{PaymentMethod, Vendor};
use crate::shared::tools::Tools as _;

/// Refuses a token that looks like a card number: card numbers must never reach the platform.
pub(crate) fn check_token(field: &str, token: &str) -> Result<()> {
    let digits: String = token.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    if (12..=19).contains(&digits.len()) && has_check_digit(&digits) {
        return Err(Error::field(
            field,
            "looks like a card number; send the token that the vendor's vault gave for it",
        ));
    }
    Ok(())
}

/// Refuses a token that people bring for a vendor with a page of its own: only what that page gave is theirs.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_origin(call: &Call, field: &str, vendor: Vendor) -> Result<()> {
    let is_hosted = call.vendors()?.get(vendor).is_ok_and(|vendor| vendor.capabilities().hosted_entry);
    if is_hosted && call.caller().realm != Realm::Machine {
        return Err(Error::field(field, "comes from the vendor's own page: POST …/hostedEntries opens it"));
    }
    Ok(())
}

/// Finds the end of the cooldown that another payment method with the same token has. So a card that is added again
/// keeps its cooldown.
pub(crate) async fn find_cooldown(call: &Call, vendor: i32, token: &str) -> Result<Option<Timestamp>> {
    if token.is_empty() {
        return Ok(None);
    }
    let twin: Option<PaymentMethod> = call.find_unscoped_by(lookups::VENDOR_TOKEN, token).await?;
    Ok(twin.filter(|twin| twin.vendor == vendor).and_then(|twin| twin.cooldown_until))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_number_is_refused_and_a_token_is_not() {
        for number in ["4111111111111111", "4111 1111 1111 1111", "378282246310005", "5555-5555-5555-4444"] {
            assert!(check_token("t", number).is_err(), "{number}");
        }
        for sent in ["test_4111111111111111", "4111110000001112", "tok_1f", "", "123", "test_bank_0001"] {
            assert!(check_token("t", sent).is_ok(), "{sent}");
        }
    }
}
