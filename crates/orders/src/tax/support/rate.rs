//! Dated rates, and the arithmetic of a tax.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time;
use pavise_kernel::{Error, Result};

use crate::contract::v1::{TaxArea, TaxCategory, TaxRate};

/// Parts per million in a whole.
const WHOLE: i64 = 1_000_000;

/// The tax on an amount of minor units at a rate in parts per million, rounded half up to minor units. Amounts below
/// zero are not taxed.
pub(crate) fn compute_tax(amount: i64, rate_ppm: i32) -> i64 {
    let (amount, rate) = (amount.max(0), i64::from(rate_ppm.max(0)));
    // Split at a million, so that no product overflows.
    let (millions, rest) = (amount / WHOLE, amount % WHOLE);
    millions.saturating_mul(rate).saturating_add((rest * rate + WHOLE / 2) / WHOLE)
}

/// The rates of an area that are in force on a day, for one category or (unspecified) for all.
pub(crate) fn find_in_force(area: &TaxArea, category: TaxCategory, on: Date) -> impl Iterator<Item = &TaxRate> {
    let day = time::to_days(on);
    area.rates.iter().filter(move |rate| {
        let fits = category == TaxCategory::Unspecified || rate.category() == category;
        fits && first_day(rate) <= day && end_day(rate).is_none_or(|end| day < end)
    })
}

/// Sets a rate from its first day on. The rate before ends there, and resumes if the new one has an end. A rate that
/// starts later stays, and ends a new one without an end.
///
/// # Errors
/// `INVALID_FIELD` when the end is not after the beginning, or a later rate starts before the end.
pub(crate) fn set_rate(area: &mut TaxArea, mut new: TaxRate) -> Result<()> {
    let from = first_day(&new);
    if end_day(&new).is_some_and(|end| end <= from) {
        return Err(Error::field("effective_until", "must be after effective_from"));
    }
    let same = |rate: &TaxRate| rate.component == new.component && rate.category == new.category;
    let next = area.rates.iter().filter(|rate| same(rate) && first_day(rate) > from).min_by_key(|rate| first_day(rate));
    match (next, end_day(&new)) {
        (Some(next), None) => new.effective_until = next.effective_from,
        (Some(next), Some(end)) if end > first_day(next) => {
            return Err(Error::field(
                "effective_until",
                format!("another rate starts on {}", format_day(next.effective_from.as_ref())),
            ));
        }
        _ => {}
    }
    let mut resumed = None;
    for rate in area
        .rates
        .iter_mut()
        .filter(|rate| same(rate) && first_day(rate) <= from && end_day(rate).is_none_or(|old| old > from))
    {
        if end_day(&new).is_some_and(|end_of_new| end_day(rate).is_none_or(|old| end_of_new < old)) {
            resumed = Some(TaxRate { effective_from: new.effective_until, ..*rate });
        }
        rate.effective_until = new.effective_from;
    }
    let same_start = |rate: &TaxRate| same(rate) && first_day(rate) == from;
    area.rates.retain(|rate| !same_start(rate));
    area.rates.push(new);
    area.rates.extend(resumed);
    sort_rates(area);
    Ok(())
}

/// The order in which an area lists its rates.
pub(crate) fn sort_rates(area: &mut TaxArea) {
    area.rates.sort_by_key(|rate| (rate.component, rate.category, first_day(rate)));
}

/// Checks the rates of a stored area: real days, rates from nothing to everything, no overlap.
///
/// # Errors
/// `INTERNAL`: an error of this service.
pub(crate) fn check_rates(area: &TaxArea) -> Result<()> {
    let wrong = |what: &str| Err(Error::internal(format!("tax area {}: {what}", area.id)));
    for rate in &area.rates {
        if !(0..=1_000_000).contains(&rate.rate_ppm) || !rate.effective_from.is_some_and(time::is_real) {
            return wrong("a rate without sense");
        }
        if end_day(rate).is_some_and(|end| end <= first_day(rate)) {
            return wrong("a rate that ends before it starts");
        }
    }
    for pair in area.rates.windows(2) {
        let [one, two] = pair else { continue };
        let same = one.component == two.component && one.category == two.category;
        if same && (first_day(two) <= first_day(one) || end_day(one).is_none_or(|end| end > first_day(two))) {
            return wrong("rates that overlap");
        }
    }
    Ok(())
}

fn first_day(rate: &TaxRate) -> i64 {
    rate.effective_from.map_or(i64::MIN, time::to_days)
}

fn end_day(rate: &TaxRate) -> Option<i64> {
    rate.effective_until.map(time::to_days)
}

fn format_day(date: Option<&Date>) -> String {
    date.map(|date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::TaxComponent;
    use pavise_kernel::time::from_days;
    use proptest::prelude::*;

    fn day(year: i32, month: i32, day: i32) -> Date {
        Date { year, month, day }
    }

    fn rate(rate_ppm: i32, from: Date, until: Option<Date>) -> TaxRate {
        TaxRate {
            component: TaxComponent::Hst.into(),
            category: TaxCategory::Legal.into(),
            rate_ppm,
            effective_from: Some(from),
            effective_until: until,
            sample: false,
        }
    }

    fn find_ppm(area: &TaxArea, date: Date) -> Vec<i32> {
        find_in_force(area, TaxCategory::Legal, date).map(|rate| rate.rate_ppm).collect()
    }

    #[test]
    fn half_a_cent_is_rounded_up() {
        assert_eq!(compute_tax(2995, 130_000), 389); // 389.35
        assert_eq!(compute_tax(10, 50_000), 1); // 0.5
        assert_eq!(compute_tax(9, 50_000), 0); // 0.45
        assert_eq!(compute_tax(2495, 99_750), 249); // 248.87625
        assert_eq!(compute_tax(-100, 50_000), 0);
    }

    #[test]
    fn a_new_rate_ends_the_one_before() {
        let mut area = TaxArea::default();
        set_rate(&mut area, rate(150_000, day(2010, 7, 1), None)).unwrap();
        set_rate(&mut area, rate(140_000, day(2025, 4, 1), None)).unwrap();
        assert_eq!(find_ppm(&area, day(2025, 3, 31)), [150_000]);
        assert_eq!(find_ppm(&area, day(2025, 4, 1)), [140_000]);
        assert_eq!(find_ppm(&area, day(2010, 6, 30)), [0; 0]);
    }

    #[test]
    fn a_rate_for_a_while_lets_the_old_one_go_on() {
        let mut area = TaxArea::default();
        set_rate(&mut area, rate(130_000, day(2010, 7, 1), None)).unwrap();
        set_rate(&mut area, rate(0, day(2024, 12, 14), Some(day(2025, 2, 16)))).unwrap();
        assert_eq!(find_ppm(&area, day(2024, 12, 13)), [130_000]);
        assert_eq!(find_ppm(&area, day(2025, 1, 1)), [0]);
        assert_eq!(find_ppm(&area, day(2025, 2, 16)), [130_000]);
    }

    #[test]
    fn a_rate_stops_before_the_next_and_cannot_run_into_it() {
        let mut area = TaxArea::default();
        set_rate(&mut area, rate(140_000, day(2025, 4, 1), None)).unwrap();
        assert!(set_rate(&mut area, rate(150_000, day(2010, 7, 1), Some(day(2025, 4, 2)))).is_err());
        assert!(set_rate(&mut area, rate(150_000, day(2010, 7, 1), Some(day(2010, 7, 1)))).is_err());
        set_rate(&mut area, rate(150_000, day(2010, 7, 1), None)).unwrap();
        assert_eq!(find_ppm(&area, day(2025, 3, 31)), [150_000]);
        assert_eq!(find_ppm(&area, day(2025, 4, 1)), [140_000]);
    }

    proptest! {
        #[test]
        fn a_tax_is_the_exact_product_rounded_half_up(amount in 0..=i64::MAX, ppm in 0..=1_000_000_i32) {
            let exact = i128::from(amount) * i128::from(ppm);
            let expected = (exact + 500_000) / 1_000_000;
            prop_assert_eq!(i128::from(compute_tax(amount, ppm)), expected);
        }

        #[test]
        fn every_change_leaves_a_sound_area_with_the_newest_rate(
            rates in proptest::collection::vec((0..1_000_000_i32, 0..400_i64, proptest::option::of(1..200_i64)), 1..20)
        ) {
            let mut area = TaxArea::default();
            for (ppm, from, length) in rates {
                let until = length.map(|length| from_days(from + length));
                if set_rate(&mut area, rate(ppm, from_days(from), until)).is_ok() {
                    prop_assert_eq!(find_ppm(&area, from_days(from)), vec![ppm]);
                }
                check_rates(&area).unwrap();
                for at in 0..600 {
                    prop_assert!(find_ppm(&area, from_days(at)).len() <= 1);
                }
            }
        }
    }
}
