//! The day or the instant at which an entity is due.

use pavise_contract::common::v1::Date;
use prost_types::Timestamp;

use crate::time;

/// The earliest of some days, each with the days after it that count; `None` if there is no day.
#[must_use]
pub fn earliest_day(days: &[(bool, Option<&Date>, i32)]) -> Option<Date> {
    let days = days.iter().filter(|(counts, ..)| *counts);
    days.filter_map(|(_, day, plus)| Some(time::add_days(*(*day)?, i64::from(*plus))))
        .min_by_key(|day| time::to_days(*day))
}

/// The earliest of some instants, each with the days after it that count; `None` if there is no instant.
#[must_use]
pub fn earliest_instant(instants: &[(bool, Option<&Timestamp>, i32)]) -> Option<Timestamp> {
    let later = |at: &Timestamp, plus: i32| Timestamp {
        seconds: at.seconds.saturating_add(i64::from(plus).saturating_mul(86_400)),
        nanos: at.nanos,
    };
    let instants = instants.iter().filter(|(counts, ..)| *counts);
    instants.filter_map(|(_, at, plus)| Some(later((*at)?, *plus))).min_by_key(|at| (at.seconds, at.nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_day_that_counts_is_due() {
        let day = |day: i32| Date { year: 2026, month: 1, day };
        let (late, early) = (day(31), day(20));
        assert_eq!(earliest_day(&[(true, Some(&late), 1), (true, None, 0)]), Some(Date { month: 2, ..day(1) }));
        assert_eq!(earliest_day(&[(true, Some(&late), 1), (true, Some(&early), 0)]), Some(early));
        assert_eq!(earliest_day(&[(true, Some(&late), 0), (false, Some(&early), 0)]), Some(late));
        assert_eq!(earliest_day(&[(true, None, 0), (false, Some(&early), 0)]), None);
    }

    #[test]
    fn the_earliest_instant_that_counts_is_due() {
        let at = |seconds: i64, nanos: i32| Timestamp { seconds, nanos };
        let (late, early) = (at(100, 2), at(100, 1));
        assert_eq!(earliest_instant(&[(true, Some(&late), 0), (true, Some(&early), 0)]), Some(early));
        assert_eq!(earliest_instant(&[(true, Some(&late), 0), (true, Some(&early), 1)]), Some(late));
        assert_eq!(earliest_instant(&[(true, Some(&early), 2), (true, None, 0)]), Some(at(172_900, 1)));
        assert_eq!(earliest_instant(&[(false, Some(&early), 0)]), None);
    }
}
