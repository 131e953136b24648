//! Prices by days.

/// The cost of the last days of a period: of all its `days`, `left` are left. Half a minor unit is rounded up, also of an
/// amount below zero by its size. What lies between two days costs the difference: so any split of a period sums up to its
/// price.
pub(crate) fn cost_of_rest(price: i64, left: i64, days: i64) -> i64 {
    let days = i128::from(days.max(1));
    let left = i128::from(left).clamp(0, days);
    let size = (i128::from(price).abs() * left * 2 + days).div_euclid(days * 2);
    i64::try_from(size * i128::from(price.signum())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn twenty_of_thirty_days_cost_two_thirds() {
        assert_eq!([2995, 3495].map(|price| cost_of_rest(price, 20, 30)), [1997, 2330]);
        assert_eq!(cost_of_rest(-1997, 15, 20), -1498, "half a cent counts by its size");
        assert_eq!([0, 30, 31, -1].map(|left| cost_of_rest(2995, left, 30)), [0, 2995, 2995, 0]);
        assert_eq!(cost_of_rest(i64::MAX, 1, 1), i64::MAX);
        assert_eq!(cost_of_rest(2995, 1, 0), 2995, "a period has a day");
    }

    proptest! {
        /// The oracle divides exactly, without rounding, and lets each day differ from it by half a minor unit.
        #[test]
        fn any_split_of_a_period_sums_up_to_its_price(
            price in -10_000_000_i64..10_000_000, days in 1_i64..800,
            cuts in proptest::collection::vec(0_i64..800, 0..12),
        ) {
            let mut lefts: Vec<i64> = cuts.into_iter().map(|cut| cut % (days + 1)).collect();
            lefts.extend([days, 0]);
            lefts.sort_unstable_by(|one, other| other.cmp(one));
            let parts: Vec<i64> = lefts
                .windows(2)
                .map(|ends| cost_of_rest(price, ends[0], days) - cost_of_rest(price, ends[1], days))
                .collect();
            prop_assert_eq!(parts.iter().sum::<i64>(), price);
            for left in lefts {
                let (cost, exact) = (i128::from(cost_of_rest(price, left, days)), i128::from(price) * i128::from(left));
                prop_assert!((cost * i128::from(days) - exact).abs() * 2 <= i128::from(days));
            }
            prop_assert!(parts.iter().all(|part| *part == 0 || part.signum() == price.signum()));
        }
    }
}
