//! Random calendars against an oracle that looks at the clock at the wall, minute by minute.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

use std::ops::Range;

use jiff::civil::{Date, Weekday, date};
use jiff::tz::{TimeZone, db};
use jiff::{SignedDuration, Timestamp};
use pavise_calendar::{Calendar, Holiday, Interval, Span, Week};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};

const MINUTE: i64 = 60;
/// The minutes of a quarter of an hour. In these years, North America's clocks change between two of them.
const QUARTER: usize = 15;
/// The length of a window in quarters of an hour: nine days.
const QUARTERS: usize = 9 * 24 * 4;

/// The zones of North America, Hawaii among them.
fn zones() -> Vec<String> {
    let ours = |name: &str| {
        ["America/", "US/", "Canada/", "Mexico/"].iter().any(|start| name.starts_with(start))
            || name == "Pacific/Honolulu"
    };
    db().available().map(|name| name.to_string()).filter(|name| ours(name)).collect()
}

/// The parts of a calendar.
struct Made {
    zone: TimeZone,
    times: Vec<(Weekday, Span)>,
    closures: Vec<(Date, Date)>,
    holidays: Vec<Date>,
}

fn make(random: &mut StdRng, zone: &str, around: Date) -> Made {
    let mut times: Vec<(Weekday, Span)> = Vec::new();
    for place in 0..7 {
        let mut minute = 0;
        for _ in 0..random.random_range(0..4) {
            let opens = if random.random_bool(0.3) { minute } else { random.random_range(minute..1440) };
            let closes = if random.random_bool(0.2) { 1440 } else { random.random_range(opens + 1..=1440) };
            times.push((Weekday::from_monday_zero_offset(place).unwrap(), Span::new(opens, closes).unwrap()));
            minute = closes;
            if minute >= 1440 {
                break;
            }
        }
    }
    let mut day = || around.checked_add(jiff::Span::new().days(random.random_range(-6..6))).unwrap();
    let (closed, other, holiday) = (day(), day(), day());
    let closures = vec![(closed.min(other), closed.max(other))];
    Made {
        zone: TimeZone::get(zone).unwrap(),
        times,
        closures: closures.into_iter().filter(|_| random.random_bool(0.3)).collect(),
        holidays: [holiday].into_iter().filter(|_| random.random_bool(0.5)).collect(),
    }
}

/// Whether it is open, for each minute of the window that begins at `start`.
fn look(made: &Made, start: Timestamp) -> Vec<bool> {
    let mut week = vec![false; 7 * 1440];
    for (day, span) in &made.times {
        let place = usize::try_from(day.to_monday_zero_offset()).unwrap() * 1440;
        week[place + usize::from(span.opens())..place + usize::from(span.closes())].fill(true);
    }
    let mut open = Vec::with_capacity(QUARTERS * QUARTER);
    for quarter in 0..QUARTERS {
        let at = start + SignedDuration::from_mins(i64::try_from(quarter * QUARTER).unwrap());
        let local = made.zone.to_datetime(at);
        let closed = made.closures.iter().any(|(first, last)| *first <= local.date() && local.date() <= *last)
            || made.holidays.contains(&local.date());
        let minute = usize::try_from(i32::from(local.hour()) * 60 + i32::from(local.minute())).unwrap();
        assert!(minute.is_multiple_of(QUARTER) && local.second() == 0, "{at} is {local}");
        let place = usize::try_from(local.weekday().to_monday_zero_offset()).unwrap() * 1440 + minute;
        open.extend(week[place..place + QUARTER].iter().map(|open| *open && !closed));
    }
    open
}

/// The runs of open minutes.
fn runs(open: &[bool]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..open.len()).filter(|at| open[*at]) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

fn check(seed: u64, zones: &[String]) {
    let mut random = StdRng::seed_from_u64(seed);
    let year = random.random_range(2015..2036);
    // Around a clock change most of the time: in Mexico until 2022 in April and October.
    let around = match random.random_range(0..5) {
        0 => date(year, 3, random.random_range(8..15)),
        1 => date(year, 11, random.random_range(1..8)),
        2 => date(year, 4, random.random_range(1..8)),
        3 => date(year, 10, random.random_range(25..32)),
        _ => date(year, random.random_range(1..13), random.random_range(1..29)),
    };
    let zone = zones.choose(&mut random).unwrap();
    let made = make(&mut random, zone, around);
    let calendar = Calendar::new(made.zone.clone(), Week::new(made.times.iter().copied()).unwrap());
    let calendar = made.closures.iter().fold(calendar, |calendar, (first, last)| calendar.closed(*first, *last));
    let calendar = calendar.holidays(made.holidays.iter().map(|day| Holiday::On(*day)));
    let middle = TimeZone::UTC.to_timestamp(around.at(12, 0, 0, 0)).unwrap();
    let start = middle - SignedDuration::from_hours(9 * 12);
    let open = look(&made, start);
    let at = |minute: usize| start + SignedDuration::from_mins(i64::try_from(minute).unwrap());
    let place = format!("PAVISE_SEED={seed}: {zone}, around {around}");

    let runs = runs(&open);
    let expected: Vec<Interval> = runs.iter().map(|run| Interval { start: at(run.start), end: at(run.end) }).collect();
    let intervals: Vec<Interval> = calendar.open(start, at(open.len())).collect();
    assert_eq!(intervals, expected, "{place}");

    for _ in 0..10 {
        let (one, other) = (random.random_range(0..open.len()), random.random_range(0..open.len()));
        let (from, until) = (one.min(other), one.max(other));
        assert_eq!(calendar.is_open(at(from)), open[from], "{place}: {}", at(from));
        let minutes = open[from..until].iter().filter(|open| **open).count();
        let minutes = i64::try_from(minutes).unwrap();
        assert_eq!(calendar.between(at(from), at(until)), SignedDuration::from_mins(minutes), "{place}");
        if let Some(next) = open[from..].iter().position(|open| *open) {
            assert_eq!(calendar.next_opening(at(from)), Some(at(from + next)), "{place}: {}", at(from));
        }
        // So much business time ends at the end of its last minute.
        if let Some(end) = (from..until).rev().find(|at| open[*at]).map(|last| last + 1) {
            let added = calendar.add(at(from), SignedDuration::from_secs(minutes * MINUTE));
            assert_eq!(added, Some(at(end)), "{place}: {minutes} from {}", at(from));
        }
    }
}

/// `PAVISE_SEED=17` looks at one calendar, `PAVISE_LONG=1` at all.
#[test]
fn random_calendars_agree_with_the_clock_at_the_wall() {
    let zones = zones();
    assert!(zones.len() > 100, "{} zones", zones.len());
    let read = |name: &str| std::env::var(name).ok();
    let seeds: Vec<u64> = match (read("PAVISE_SEED").and_then(|seed| seed.parse().ok()), read("PAVISE_LONG")) {
        (Some(seed), _) => vec![seed],
        (None, Some(_)) => (0..10_000).collect(),
        (None, None) => (0..2_000).collect(),
    };
    println!("{} calendars in {} zones", seeds.len(), zones.len());
    std::thread::scope(|scope| {
        for part in seeds.chunks(seeds.len().div_ceil(2)) {
            let zones = &zones;
            scope.spawn(move || part.iter().for_each(|seed| check(*seed, zones)));
        }
    });
}
