//! Sums of money in one currency, in minor units, that never wrap.

use pavise_kernel::common::v1::{Currency, Money};
pub(crate) use pavise_kernel::money::from_minor_units;
use pavise_kernel::{Error, Result};

use crate::contract::v1::ErrorReason;

/// An amount in minor units, zero if it is missing. It must have the currency.
///
/// # Errors
/// `CURRENCY_MISMATCH`.
pub(crate) fn minor_of(currency: Currency, amount: Option<&Money>) -> Result<i64> {
    let Some(amount) = amount else { return Ok(0) };
    if amount.currency == i32::from(currency) {
        return Ok(amount.amount);
    }
    let other = Currency::try_from(amount.currency).unwrap_or_default().spelling();
    Err(Error::new(
        ErrorReason::CurrencyMismatch,
        format!("the order is in {}; the offer is priced in {other}", currency.spelling()),
    ))
}

/// The sum of amounts in minor units.
///
/// # Errors
/// `AMOUNT_TOO_LARGE`.
pub(crate) fn total_of(amounts: impl IntoIterator<Item = i64>) -> Result<i64> {
    pavise_kernel::money::sum_amounts(amounts)
        .ok_or_else(|| Error::new(ErrorReason::AmountTooLarge, "the total is larger than an order can be"))
}

/// The sum of amounts in one currency. Missing amounts count as zero.
///
/// # Errors
/// `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`.
pub(crate) fn sum_of<'a>(currency: Currency, amounts: impl IntoIterator<Item = Option<&'a Money>>) -> Result<Money> {
    let minors = amounts.into_iter().map(|amount| minor_of(currency, amount)).collect::<Result<Vec<_>>>()?;
    Ok(from_minor_units(currency, total_of(minors)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_one_currency() {
        let (us, canadian) = (from_minor_units(Currency::Usd, 5), from_minor_units(Currency::Cad, 5));
        assert_eq!(sum_of(Currency::Usd, [Some(&us), None, Some(&us)]).unwrap(), from_minor_units(Currency::Usd, 10));
        assert!(sum_of(Currency::Usd, [Some(&us), Some(&canadian)]).unwrap_err().is(ErrorReason::CurrencyMismatch));
    }

    #[test]
    fn a_sum_that_is_too_large_is_refused() {
        assert!(total_of([i64::MAX, 1]).unwrap_err().is(ErrorReason::AmountTooLarge));
    }
}
