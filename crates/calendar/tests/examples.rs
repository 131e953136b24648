//! Business time as a law firm's office has it.
#![expect(clippy::unwrap_used, reason = "tests")]

use jiff::civil::{Weekday, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use pavise_calendar::{Calendar, Holiday, Span, Week};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An office that is open from Monday to Friday.
fn office(zone: &str, opens: u16, closes: u16) -> Calendar {
    let days = [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];
    let span = Span::new(opens * 60, closes * 60).unwrap();
    Calendar::new(TimeZone::get(zone).unwrap(), Week::new(days.map(|day| (day, span))).unwrap())
}

#[test]
fn eight_hours_from_friday_end_on_monday_though_the_clocks_change() {
    let chicago = office("America/Chicago", 8, 17);
    let created = at("2026-03-06T22:30:00Z");
    assert_eq!(chicago.add(created, HOUR * 8), Some(at("2026-03-09T20:30:00Z")), "15:30 daylight time");
    assert_eq!(chicago.add(created, HOUR * 6), Some(at("2026-03-09T18:30:00Z")), "three quarters: 13:30");
    assert_eq!(chicago.between(created, at("2026-03-09T15:00:00Z")), SignedDuration::from_mins(150));
    let closed = chicago.closed(date(2026, 3, 9), date(2026, 3, 9));
    assert_eq!(closed.add(created, HOUR * 8), Some(at("2026-03-10T20:30:00Z")));
}

#[test]
fn business_time_ends_when_the_office_closes_rather_than_when_it_opens() {
    let office = office("America/New_York", 9, 17).holidays([Holiday::Yearly { month: 12, day: 25 }]);
    let afternoon = at("2026-12-24T21:00:00Z");
    assert_eq!(office.add(afternoon, HOUR), Some(at("2026-12-24T22:00:00Z")));
    assert_eq!(office.add(afternoon, HOUR + SignedDuration::from_nanos(1)), {
        Some(at("2026-12-28T14:00:00.000000001Z"))
    });
    assert_eq!(office.add(afternoon, SignedDuration::ZERO), Some(afternoon));
    assert_eq!(office.add(afternoon, -HOUR), None);
}

#[test]
fn it_opens_next_when_the_closure_is_over() {
    let office = office("America/Toronto", 9, 17).closed(date(2026, 7, 1), date(2026, 7, 5));
    assert!(!office.is_open(at("2026-07-01T15:00:00Z")));
    assert_eq!(office.next_opening(at("2026-07-01T15:00:00Z")), Some(at("2026-07-06T13:00:00Z")));
    let noon = at("2026-07-06T16:00:00Z");
    assert_eq!(office.next_opening(noon), Some(noon));
    assert_eq!(office.open_at(noon).map(|open| open.end), Some(at("2026-07-06T21:00:00Z")));
    assert_eq!(office.open_at(at("2026-07-04T16:00:00Z")), None);
}

#[test]
fn what_never_opens_has_no_next_opening() {
    let never = Calendar::new(TimeZone::UTC, Week::default());
    assert_eq!(never.next_opening(at("2026-07-01T15:00:00Z")), None);
    assert_eq!(never.add(at("2026-07-01T15:00:00Z"), HOUR), None);
    let closed = office("America/Chicago", 8, 17).closed(date(2020, 1, 1), date(2040, 1, 1));
    assert_eq!(closed.next_opening(at("2026-07-01T15:00:00Z")), None);
    assert!(closed.between(Timestamp::MIN, at("2019-12-31T00:00:00Z")) > HOUR);
    assert_eq!(closed.add(Timestamp::MAX, HOUR), None);
}
