//! The billing days of a subscription. In a month without the bill cycle day, the last day takes its place: the 31st is
//! the 28th of February and the 31st of March.

use pavise_kernel::common::v1::{BillingPeriod, Date};
use pavise_kernel::time::{add_days, add_months, days_in_month};

/// The distance of two billing days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BillingInterval {
    Days(i64),
    Months(i32),
}

/// The billing day after `day`: `frequency` billing periods later, on the bill cycle day. `None` for periods without a
/// calendar: PAY_PERIOD follows the group's payroll, ONE_TIME is not repeated.
pub(crate) fn next_billing_day(day: Date, period: BillingPeriod, frequency: i32, cycle_day: i32) -> Option<Date> {
    let frequency = frequency.max(1);
    Some(match step_of(period)? {
        BillingInterval::Days(days) => add_days(day, days.saturating_mul(i64::from(frequency))),
        BillingInterval::Months(months) => {
            // Computed from the first of the month, so that a short month does not change the day of later ones.
            let month = add_months(Date { day: 1, ..day }, months.saturating_mul(frequency));
            Date { day: cycle_day.clamp(1, days_in_month(month.year, month.month)), ..month }
        }
    })
}

/// The billing day before `end`, which is one: that day's period is whole.
pub(crate) fn billing_day_before(end: Date, period: BillingPeriod, frequency: i32, cycle_day: i32) -> Option<Date> {
    let frequency = frequency.max(1);
    Some(match step_of(period)? {
        BillingInterval::Days(days) => add_days(end, days.saturating_mul(i64::from(frequency)).saturating_neg()),
        BillingInterval::Months(months) => {
            let month = add_months(Date { day: 1, ..end }, months.saturating_mul(frequency).saturating_neg());
            Date { day: cycle_day.clamp(1, days_in_month(month.year, month.month)), ..month }
        }
    })
}

fn step_of(period: BillingPeriod) -> Option<BillingInterval> {
    match period {
        BillingPeriod::Daily => Some(BillingInterval::Days(1)),
        BillingPeriod::Weekly => Some(BillingInterval::Days(7)),
        BillingPeriod::Monthly => Some(BillingInterval::Months(1)),
        BillingPeriod::Quarterly => Some(BillingInterval::Months(3)),
        BillingPeriod::Biannual => Some(BillingInterval::Months(6)),
        BillingPeriod::Annual => Some(BillingInterval::Months(12)),
        BillingPeriod::PayPeriod | BillingPeriod::OneTime | BillingPeriod::Unspecified => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::time::{is_real, to_days};
    use proptest::prelude::*;

    fn day(year: i32, month: i32, day: i32) -> Date {
        Date { year, month, day }
    }

    #[test]
    fn the_thirty_first_comes_back() {
        let mut at = day(2026, 1, 31);
        let mut seen = Vec::new();
        for _ in 0..5 {
            at = next_billing_day(at, BillingPeriod::Monthly, 1, 31).unwrap();
            seen.push((at.month, at.day));
        }
        assert_eq!(seen, [(2, 28), (3, 31), (4, 30), (5, 31), (6, 30)]);
    }

    #[test]
    fn the_leap_day_comes_back_every_fourth_year() {
        let mut at = day(2024, 2, 29);
        for (year, last) in [(2025, 28), (2026, 28), (2027, 28), (2028, 29)] {
            at = next_billing_day(at, BillingPeriod::Annual, 1, 29).unwrap();
            assert_eq!(at, day(year, 2, last));
        }
    }

    #[test]
    fn a_period_without_a_calendar_has_no_next_day() {
        assert_eq!(next_billing_day(day(2026, 1, 1), BillingPeriod::PayPeriod, 1, 1), None);
        assert_eq!(next_billing_day(day(2026, 1, 1), BillingPeriod::OneTime, 1, 1), None);
    }

    /// The months from one day to another.
    fn months_between(from: Date, to: Date) -> i32 {
        (to.year * 12 + to.month) - (from.year * 12 + from.month)
    }

    proptest! {
        #[test]
        fn months_are_kept_and_the_cycle_day_is_met_wherever_the_month_has_it(
            start in 0_i64..40_000, cycle_day in 1_i32..=31, frequency in 1_i32..=24,
            (period, months) in proptest::sample::select(vec![
                (BillingPeriod::Monthly, 1), (BillingPeriod::Quarterly, 3), (BillingPeriod::Biannual, 6), (BillingPeriod::Annual, 12),
            ]),
        ) {
            let from = pavise_kernel::time::from_days(start);
            let to = next_billing_day(from, period, frequency, cycle_day).unwrap();
            prop_assert!(is_real(to));
            prop_assert!(to_days(to) > to_days(from));
            prop_assert_eq!(months_between(from, to), months * frequency);
            prop_assert_eq!(to.day, cycle_day.min(days_in_month(to.year, to.month)));
        }

        #[test]
        fn many_short_steps_end_where_one_long_step_does(start in 0_i64..40_000, cycle_day in 1_i32..=31, steps in 1_i32..=24) {
            let from = pavise_kernel::time::from_days(start);
            let mut at = from;
            for _ in 0..steps {
                at = next_billing_day(at, BillingPeriod::Monthly, 1, cycle_day).unwrap();
            }
            prop_assert_eq!(Some(at), next_billing_day(from, BillingPeriod::Monthly, steps, cycle_day));
        }

        #[test]
        fn days_are_exact(start in 0_i64..40_000, frequency in 1_i32..=24) {
            let from = pavise_kernel::time::from_days(start);
            let week = next_billing_day(from, BillingPeriod::Weekly, frequency, 15).unwrap();
            prop_assert_eq!(to_days(week) - to_days(from), 7 * i64::from(frequency));
        }
    }
}
