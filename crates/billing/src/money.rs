//! Sums of money, as far as billing reckons with them. One currency at a time; integers only.

use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// The minor units of an amount; none where it is not set.
pub(crate) fn minor(money: Option<&Money>) -> i64 {
    money.map_or(0, |money| money.amount)
}

/// So many minor units in the currency of `like`.
pub(crate) fn same(like: &Money, amount: i64) -> Money {
    Money { currency: like.currency, amount }
}

/// As people read it: `2995 USD`, in minor units.
pub(crate) fn text(money: &Money) -> String {
    format!("{} {}", money.amount, code(money.currency))
}

/// The currency's code.
pub(crate) fn code(currency: i32) -> &'static str {
    match Currency::try_from(currency) {
        Ok(Currency::Usd) => "USD",
        Ok(Currency::Cad) => "CAD",
        Ok(Currency::Unspecified) | Err(_) => "",
    }
}

/// An amount that must be sent and be at least one minor unit.
pub(crate) fn positive(field: &str, money: Option<Money>) -> Result<Money> {
    match money {
        Some(money) if money.amount >= 1 => Ok(money),
        Some(_) => Err(Error::field(field, "must be at least one minor unit")),
        None => Err(Error::field(field, "is required")),
    }
}

/// Refuses an amount in another currency than `currency`.
pub(crate) fn in_currency(what: &str, currency: i32, money: &Money) -> Result<()> {
    if money.currency == currency {
        return Ok(());
    }
    Err(Error::new(ErrorReason::CurrencyMismatch, format!("the {what} is in {}", code(currency))))
}
