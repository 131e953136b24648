//! The test clock as an answer.

use std::collections::BTreeMap;

use pavise_kernel::test_clock::{self, ClockState};
use pavise_kernel::time::{Micros, to_date, to_timestamp};
use pavise_kernel::{Common, Error, Kernel, Result};

use crate::contract::v1::{TestClock, TestClockAdvance, TestClockDay, TestClockFigure};

/// Refuses calls of an installation without a test clock.
///
/// # Errors
/// `NOT_CONFIGURED`.
pub(super) fn check_configured(kernel: &Kernel) -> Result<()> {
    if kernel.business_clock().test_clock().is_some() {
        return Ok(());
    }
    let message = "this installation lives by the machine's clock; one for trials has test-clock set";
    Err(Error::new(Common::NotConfigured, message).with("setting", "test-clock"))
}

/// The clock as it stands.
///
/// # Errors
/// `NOT_CONFIGURED`, or when the database does not answer.
pub(super) async fn read_clock(kernel: &Kernel) -> Result<TestClock> {
    check_configured(kernel)?;
    let state = test_clock::load_state(kernel).await?;
    Ok(build_clock(state, kernel.machine_clock().now()))
}

/// The answer for a state at that time of the machine.
pub(super) fn build_clock(state: ClockState, now: Micros) -> TestClock {
    // The days of an advance are those of its beginning, however long ago it was.
    let day = |offset: Micros| Some(to_date(state.began.saturating_add(offset)));
    let build_day = |(offset, figures): (Micros, BTreeMap<String, i64>)| TestClockDay {
        day: day(offset),
        figures: build_figures(figures),
    };
    let has_advanced = state.target > state.started || state.is_advancing;
    let last_advance = has_advanced.then(|| TestClockAdvance {
        from_day: day(state.started),
        until_day: day(state.target),
        advancing: state.is_advancing,
        days: state.days.into_iter().map(build_day).collect(),
        waits_for: state.waits_for,
    });
    let business = now.saturating_add(state.offset);
    TestClock {
        moved: state.offset != 0,
        business_now: Some(to_timestamp(business)),
        today: Some(to_date(business)),
        machine_now: Some(to_timestamp(now)),
        last_advance,
    }
}

fn build_figures(figures: BTreeMap<String, i64>) -> Vec<TestClockFigure> {
    figures.into_iter().map(|(name, count)| TestClockFigure { name, count }).collect()
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::{DAY, start_of};

    use super::*;

    #[test]
    fn the_clock_tells_both_times_and_its_days() {
        let date = |month, day| Date { year: 2026, month, day };
        let now = start_of(date(1, 31)) + DAY / 2;
        let still = build_clock(ClockState::default(), now);
        assert!(!still.moved && still.last_advance.is_none());
        assert_eq!((still.business_now, still.today), (Some(to_timestamp(now)), Some(date(1, 31))));
        let state = ClockState {
            offset: 2 * DAY,
            began: now,
            started: DAY,
            target: 3 * DAY,
            is_advancing: true,
            days: vec![(2 * DAY, BTreeMap::from([("subscriptions.ENDED".to_owned(), 4)]))],
            waits_for: vec!["billing.end_subscriptions".to_owned()],
            ..ClockState::default()
        };
        assert_eq!(build_clock(state.clone(), now + DAY).last_advance, build_clock(state.clone(), now).last_advance);
        let moved = build_clock(state, now);
        assert_eq!((moved.moved, moved.today, moved.machine_now), (true, Some(date(2, 2)), Some(to_timestamp(now))));
        let advance = moved.last_advance.unwrap();
        assert_eq!((advance.from_day, advance.until_day), (Some(date(2, 1)), Some(date(2, 3))));
        assert_eq!(advance.days[0].day, Some(date(2, 2)));
        assert_eq!(
            (advance.days[0].figures[0].name.as_str(), advance.days[0].figures[0].count),
            ("subscriptions.ENDED", 4)
        );
    }
}
