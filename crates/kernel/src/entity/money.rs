//! Amounts of money in minor units: one currency per sum, integers only, no overflow.

use pavise_contract::common::v1::{Currency, Money};

use crate::error::{Error, Result};

/// The largest amount of the platform, in minor units.
pub const LARGEST: i64 = 10_000_000_000;

/// An amount in minor units.
#[must_use]
pub fn from_minor_units(currency: Currency, amount: i64) -> Money {
    Money { currency: currency.into(), amount }
}

/// An amount in minor units, in the currency of `like`.
#[must_use]
pub fn in_same_currency(like: &Money, amount: i64) -> Money {
    Money { currency: like.currency, amount }
}

/// The minor units of an amount; 0 when it is not set.
#[must_use]
pub fn to_minor_units(money: Option<&Money>) -> i64 {
    money.map_or(0, |money| money.amount)
}

/// The sum of amounts in minor units; `None` when it is larger than [`LARGEST`].
pub fn sum_amounts(amounts: impl IntoIterator<Item = i64>) -> Option<i64> {
    let sum = amounts.into_iter().try_fold(0_i64, i64::checked_add);
    sum.filter(|sum| (-LARGEST..=LARGEST).contains(sum))
}

/// An amount as text for people: `2995 USD`, in minor units.
#[must_use]
pub fn format_amount(money: &Money) -> String {
    format!("{} {}", money.amount, currency_code(money.currency))
}

/// The code of a currency by its number; an empty text for an unknown number.
#[must_use]
pub fn currency_code(currency: i32) -> &'static str {
    match Currency::try_from(currency) {
        Ok(Currency::Unspecified) | Err(_) => "",
        Ok(currency) => currency.spelling(),
    }
}

/// Checks that an amount is set and at least one minor unit.
///
/// # Errors
/// `INVALID_FIELD` at `field`.
pub fn check_positive(field: &str, money: Option<Money>) -> Result<Money> {
    match money {
        Some(money) if money.amount >= 1 => Ok(money),
        Some(_) => Err(Error::field(field, "must be at least one minor unit")),
        None => Err(Error::missing_field(field)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_that_is_too_large_is_none_and_never_wraps() {
        assert_eq!(sum_amounts([i64::MAX, 1]), None);
        assert_eq!(sum_amounts([LARGEST, 1]), None);
        assert_eq!(sum_amounts([-LARGEST, -1]), None);
        assert_eq!(sum_amounts([LARGEST, -1, 1]), Some(LARGEST));
    }

    #[test]
    fn an_amount_reads_with_its_currency() {
        assert_eq!(format_amount(&from_minor_units(Currency::Cad, 2995)), "2995 CAD");
        assert_eq!(currency_code(99), "");
    }

    #[test]
    fn a_positive_amount_is_sent_and_more_than_nothing() {
        let field = |given| check_positive("amount", given).unwrap_err().violations().first().unwrap().field.clone();
        assert_eq!(field(None), "amount");
        assert_eq!(field(Some(from_minor_units(Currency::Usd, 0))), "amount");
        assert_eq!(check_positive("amount", Some(from_minor_units(Currency::Usd, 1))).unwrap().amount, 1);
    }
}
