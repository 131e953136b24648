//! Amounts of money as billing computes with them.

use pavise_kernel::common::v1::Money;
use pavise_kernel::money::currency_code;
pub(crate) use pavise_kernel::money::{check_positive, format_amount, in_same_currency, to_minor_units};
use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// Refuses an amount in a currency other than `currency`.
pub(crate) fn check_currency(what: &str, currency: i32, money: &Money) -> Result<()> {
    if money.currency == currency {
        return Ok(());
    }
    Err(Error::new(ErrorReason::CurrencyMismatch, format!("the {what} is in {}", currency_code(currency))))
}
