//! The tax of a purchase, line by line.

use pavise_kernel::common::v1::{Currency, Date, Money};
use pavise_kernel::{Error, Result};

use super::rate;
use crate::contract::v1::{AppliedTax, TaxArea, TaxCalculation, TaxCategory, TaxableLine, TaxedLine};
use crate::shared::amount;

/// The tax category of a product family, by its short code (000 §3 Reference lists).
pub(crate) fn category_from_family(family: &str) -> TaxCategory {
    match family {
        "lgl" | "bus" | "cdl" => TaxCategory::Legal,
        "ids" => TaxCategory::IdentityProtection,
        _ => TaxCategory::Other,
    }
}

/// The taxes that an area levies on an amount of minor units. A rate of zero makes none.
pub(crate) fn apply_taxes(
    area: &TaxArea,
    currency: Currency,
    amount: i64,
    category: TaxCategory,
    on: Date,
) -> Vec<AppliedTax> {
    let levied = rate::find_in_force(area, category, on).filter(|rate| rate.rate_ppm > 0);
    levied
        .map(|rate| AppliedTax {
            component: rate.component,
            locality: area.locality,
            rate_ppm: rate.rate_ppm,
            amount: Some(amount::from_minor_units(currency, rate::compute_tax(amount, rate.rate_ppm))),
        })
        .collect()
}

/// Taxes by component and rate, summed over lines.
///
/// # Errors
/// `AMOUNT_TOO_LARGE`, `CURRENCY_MISMATCH`.
pub(crate) fn sum_by_component<'a>(
    currency: Currency,
    taxes: impl IntoIterator<Item = &'a AppliedTax>,
) -> Result<Vec<AppliedTax>> {
    let mut sums: Vec<AppliedTax> = Vec::new();
    for tax in taxes {
        let same = |known: &&mut AppliedTax| {
            (known.component, known.locality, known.rate_ppm) == (tax.component, tax.locality, tax.rate_ppm)
        };
        match sums.iter_mut().find(same) {
            Some(known) => known.amount = Some(amount::sum_of(currency, [known.amount.as_ref(), tax.amount.as_ref()])?),
            None => sums.push(*tax),
        }
    }
    Ok(sums)
}

/// The tax of lines in one currency.
///
/// # Errors
/// `INVALID_FIELD` for an amount below zero or without a currency, `CURRENCY_MISMATCH`, `AMOUNT_TOO_LARGE`.
pub(crate) fn calculate_taxes_on(area: &TaxArea, lines: Vec<TaxableLine>, on: Date) -> Result<TaxCalculation> {
    let currency = lines.first().and_then(|line| line.amount).map_or(Currency::Unspecified, |amount| amount.currency());
    let mut taxed = Vec::with_capacity(lines.len());
    let mut sample = false;
    for (at, line) in lines.into_iter().enumerate() {
        if line.amount.is_none_or(|amount| amount.currency() == Currency::Unspecified) {
            return Err(Error::field(format!("lines[{at}].amount.currency"), "value is required"));
        }
        let minor = amount::minor_of(currency, line.amount.as_ref())?;
        if minor < 0 {
            return Err(Error::field(format!("lines[{at}].amount.amount"), "must not be negative"));
        }
        sample |= rate::find_in_force(area, line.category(), on).any(|rate| rate.sample);
        let taxes = apply_taxes(area, currency, minor, line.category(), on);
        let tax = amount::sum_of(currency, taxes.iter().map(|tax| tax.amount.as_ref()))?;
        taxed.push(TaxedLine { reference: line.reference, amount: line.amount, taxes, tax: Some(tax) });
    }
    let sum = |of: fn(&TaxedLine) -> Option<&Money>| amount::sum_of(currency, taxed.iter().map(of));
    let (subtotal, tax) = (sum(|line| line.amount.as_ref())?, sum(|line| line.tax.as_ref())?);
    let total = amount::sum_of(currency, [Some(&subtotal), Some(&tax)])?;
    Ok(TaxCalculation {
        locality: area.locality,
        lines: taxed,
        subtotal: Some(subtotal),
        tax: Some(tax),
        total: Some(total),
        sample,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::TaxComponent;
    use crate::tax::support::sample;
    use pavise_kernel::common::v1::RegionCode;
    use proptest::prelude::*;

    const TODAY: Date = Date { year: 2026, month: 1, day: 15 };

    fn line(amount: i64, category: TaxCategory) -> TaxableLine {
        TaxableLine {
            reference: String::new(),
            amount: Some(amount::from_minor_units(Currency::Cad, amount)),
            category: category.into(),
        }
    }

    #[test]
    fn quebec_levies_two_taxes_each_rounded_for_itself() {
        let made = calculate_taxes_on(&sample::build_area(RegionCode::Qc), vec![line(2495, TaxCategory::Legal)], TODAY)
            .unwrap();
        let taxes: Vec<_> =
            made.lines[0].taxes.iter().map(|tax| (tax.component(), tax.amount.unwrap().amount)).collect();
        assert_eq!(taxes, [(TaxComponent::Gst, 125), (TaxComponent::Qst, 249)]);
        assert_eq!((made.tax.unwrap().amount, made.total.unwrap().amount), (374, 2869));
        assert!(made.sample);
    }

    #[test]
    fn lines_of_two_currencies_and_negative_amounts_are_refused() {
        let area = sample::build_area(RegionCode::On);
        let foreign =
            TaxableLine { amount: Some(amount::from_minor_units(Currency::Usd, 1)), ..line(1, TaxCategory::Legal) };
        assert!(calculate_taxes_on(&area, vec![line(1, TaxCategory::Legal), foreign], TODAY).is_err());
        assert!(calculate_taxes_on(&area, vec![line(-1, TaxCategory::Legal)], TODAY).is_err());
        let nothing = TaxableLine {
            amount: Some(amount::from_minor_units(Currency::Unspecified, 1)),
            ..line(1, TaxCategory::Legal)
        };
        assert!(calculate_taxes_on(&area, vec![nothing], TODAY).is_err(), "an amount has a currency");
    }

    #[test]
    fn the_same_tax_on_two_lines_is_shown_as_one() {
        let area = sample::build_area(RegionCode::On);
        let lines = [
            apply_taxes(&area, Currency::Cad, 1000, TaxCategory::Legal, TODAY),
            apply_taxes(&area, Currency::Cad, 500, TaxCategory::Other, TODAY),
        ];
        let sums = sum_by_component(Currency::Cad, lines.iter().flatten()).unwrap();
        assert_eq!(sums.iter().map(|tax| tax.amount.unwrap().amount).collect::<Vec<_>>(), [195]);
    }

    proptest! {
        #[test]
        fn the_tax_of_a_purchase_is_the_sum_of_exactly_rounded_lines(amounts in proptest::collection::vec(0..40_000_000_i64, 1..30), at in 0..70_usize) {
            let region = sample::list_regions().nth(at).unwrap();
            let area = sample::build_area(region);
            let made = calculate_taxes_on(&area, amounts.iter().map(|amount| line(*amount, TaxCategory::IdentityProtection)).collect(), TODAY).unwrap();
            let oracle: i128 = amounts.iter().flat_map(|amount| {
                rate::find_in_force(&area, TaxCategory::IdentityProtection, TODAY).map(|rate| (i128::from(*amount) * i128::from(rate.rate_ppm) + 500_000).div_euclid(1_000_000))
            }).sum();
            prop_assert_eq!(i128::from(made.tax.unwrap().amount), oracle);
            prop_assert_eq!(made.total.unwrap().amount, made.subtotal.unwrap().amount + made.tax.unwrap().amount);
        }
    }
}
