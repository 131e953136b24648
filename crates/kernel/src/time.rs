//! Time, ids and randomness. Code takes them only from here, so that a test can control them.
//!
//! There are two times. Business time is what members and staff live by: days that are due, cooldowns, what a journal says.
//! Machine time is what processes live by: leases, deadlines, tokens, codes, throttles. Both are the same, until the test
//! clock moves business time. Neither may then end what the other measures.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use pavise_contract::common::v1::Date;
use prost_types::Timestamp;
use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};
use tokio::sync::watch;

/// Microseconds since the epoch.
pub type Micros = i64;

/// A minute, in microseconds.
pub const MINUTE: Micros = 60 * 1_000_000;
/// An hour, in microseconds.
pub const HOUR: Micros = 60 * MINUTE;
/// A day of 24 hours, in microseconds.
pub const DAY: Micros = 24 * HOUR;

/// The longest time by which the test clock is ahead of the machine's clock.
pub const MOST_AHEAD: Micros = 800 * DAY;
/// The longest time by which it is behind it: a database may begin so long ago.
pub const MOST_BEHIND: Micros = 3653 * DAY;

/// The letters of an id that hold its time.
const TIME: usize = 18;

/// A source of time.
pub trait Clock: Send + Sync + fmt::Debug + 'static {
    /// The current time.
    fn now(&self) -> Micros;

    /// Returns after that much time on this clock.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place where the machine's time is read")]
    fn now(&self) -> Micros {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// A clock that stands still until a test moves it. A move wakes the sleepers whose time has come.
#[derive(Debug, Clone)]
pub struct TestClock {
    now: Arc<AtomicI64>,
    moved: watch::Sender<i64>,
}

impl TestClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: Micros) -> Self {
        Self { now: Arc::new(AtomicI64::new(now)), moved: watch::Sender::new(now) }
    }

    /// Moves the clock forward.
    pub fn move_forward(&self, by: Duration) {
        let step = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        let now = self.now.fetch_add(step, Ordering::SeqCst).saturating_add(step);
        self.moved.send_replace(now);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Micros {
        self.now.load(Ordering::SeqCst)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let until = self.now().saturating_add(i64::try_from(time.as_micros()).unwrap_or(i64::MAX));
        let mut moved = self.moved.subscribe();
        Box::pin(async move {
            // The clock holds the sender; when the clock is dropped, no sleeper waits any more.
            let _ = moved.wait_for(|now| *now >= until).await;
        })
    }
}

/// By how much business time is ahead of the machine's time. Clones share one offset, which only grows.
#[derive(Debug, Clone)]
pub struct ClockOffset(watch::Sender<Micros>);

impl ClockOffset {
    /// An offset that stands at `offset`.
    #[must_use]
    pub fn new(offset: Micros) -> Self {
        Self(watch::Sender::new(offset))
    }

    /// The present offset.
    #[must_use]
    pub fn get(&self) -> Micros {
        *self.0.borrow()
    }

    /// Moves business time forward. An offset that is no greater is a stale update, and changes nothing.
    pub fn raise_to(&self, to: Micros) {
        self.0.send_if_modified(|offset| {
            let is_forward = to > *offset;
            *offset = to.max(*offset);
            is_forward
        });
    }
}

/// The clock of business time: the machine's clock, and the offset of the test clock if there is one.
#[derive(Debug, Clone)]
pub struct BusinessClock {
    machine: Arc<dyn Clock>,
    offset: Option<ClockOffset>,
}

impl BusinessClock {
    /// Business time over the machine's time. Without an offset, both are the same.
    #[must_use]
    pub fn new(machine: Arc<dyn Clock>, offset: Option<ClockOffset>) -> Self {
        Self { machine, offset }
    }

    /// The current business time.
    #[must_use]
    pub fn now(&self) -> Micros {
        self.machine.now().saturating_add(self.offset())
    }

    /// By how much it is ahead of the machine's time; negative behind it.
    #[must_use]
    pub fn offset(&self) -> Micros {
        self.offset.as_ref().map_or(0, ClockOffset::get)
    }

    /// The offset of the test clock; `None` in a process without one.
    #[must_use]
    pub fn test_clock(&self) -> Option<&ClockOffset> {
        self.offset.as_ref()
    }

    /// The machine's time at which business time was `at`, as far as that is known: an instant from before a move counts as
    /// the present one, so that nothing ends early in machine time.
    #[must_use]
    pub fn machine_time_of(&self, at: Micros, within: Duration) -> Micros {
        if self.offset.is_none() {
            return at;
        }
        let (now, machine) = (self.machine.now(), at.saturating_sub(self.offset()));
        let age = u64::try_from(now.saturating_sub(machine)).unwrap_or(0);
        if Duration::from_micros(age) <= within { machine.min(now) } else { now }
    }

    /// Returns after that much time, or as soon as the offset is another one than `seen`.
    pub async fn sleep_unless_moved(&self, time: Duration, seen: Micros) {
        let passed = self.machine.sleep(time);
        let Some(offset) = &self.offset else { return passed.await };
        let mut moved = offset.0.subscribe();
        tokio::select! {
            () = passed => {}
            // This clock holds the sender, so the wait ends with a move alone.
            _ = moved.wait_for(|offset| *offset != seen) => {}
        }
    }
}

/// A source of ids and randomness.
#[derive(Debug, Clone)]
pub struct Ids(Arc<Source>);

#[derive(Debug)]
struct Source {
    random: Mutex<StdRng>,
    last: AtomicU64,
}

impl Ids {
    /// Seeded by the operating system.
    #[must_use]
    pub fn random() -> Self {
        Self::from(StdRng::from_os_rng())
    }

    /// Gives the same ids each time, for tests and demo data.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::from(StdRng::seed_from_u64(seed))
    }

    fn from(random: StdRng) -> Self {
        Self(Arc::new(Source { random: Mutex::new(random), last: AtomicU64::new(0) }))
    }

    /// A new UUIDv7 for `now`. A later id sorts after an earlier one, even in the same millisecond of this process.
    #[must_use]
    pub fn next(&self, now: Micros) -> String {
        let millis = u64::try_from(now.max(0)).unwrap_or(0) / 1000;
        // 48 bits of milliseconds and 12 bits of a counter, never decreasing.
        let wanted = millis << 12;
        let stamp = self
            .0
            .last
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(wanted.max(last.wrapping_add(1))))
            .map_or(wanted, |last| wanted.max(last.wrapping_add(1)));
        let high = ((stamp >> 12) << 16) | 0x7000 | (stamp & 0xfff);
        let low = (self.bits() & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000;
        uuid::Uuid::from_u64_pair(high, low).to_string()
    }

    /// A new id with 128 random bits after the time, for an entity that is reached by its id alone. Ids of both kinds sort
    /// by the time together.
    #[must_use]
    pub fn secret_id(&self, now: Micros) -> String {
        let mut random = [0; 16];
        self.fill_random(&mut random);
        let mut id = self.next(now);
        id.truncate(TIME);
        id.push('-');
        id.push_str(&HEXLOWER.encode(&random));
        id
    }

    /// Whether an id is one of [`Ids::secret`].
    #[must_use]
    pub fn is_secret(id: &str) -> bool {
        let random = id.get(TIME..).and_then(|rest| rest.strip_prefix('-'));
        random
            .is_some_and(|text| text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
    }

    /// The text below which the ids of that millisecond and of all earlier ones are, and no later one.
    #[must_use]
    pub fn least_after(time: Micros) -> String {
        let millis = u64::try_from(time).unwrap_or(0) / 1000 + 1;
        format!("{:08x}-{:04x}-", millis >> 16, millis & 0xffff)
    }

    /// 64 random bits.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.0.random.lock().unwrap_or_else(PoisonError::into_inner).next_u64()
    }

    /// Fills `bytes` with randomness.
    pub fn fill_random(&self, bytes: &mut [u8]) {
        self.0.random.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
    }
}

/// The period less a part of up to a quarter that depends on `bits`. Those who began something together do not go on all
/// at once.
#[must_use]
pub(crate) fn shorten(period: Duration, bits: u64) -> Duration {
    let share = u32::try_from(bits % 1024).unwrap_or(0);
    period - period / 4096 * share
}

/// Converts an instant to a message.
#[must_use]
pub fn to_timestamp(at: Micros) -> Timestamp {
    let nanos = i32::try_from(at.rem_euclid(1_000_000) * 1000).unwrap_or(0);
    Timestamp { seconds: at.div_euclid(1_000_000), nanos }
}

/// Converts a message to an instant; out-of-range times saturate.
#[must_use]
pub fn to_micros(at: &Timestamp) -> Micros {
    at.seconds.saturating_mul(1_000_000).saturating_add(i64::from(at.nanos) / 1000)
}

/// The UTC day of an instant.
#[must_use]
pub fn to_date(at: Micros) -> Date {
    from_days(at.div_euclid(DAY))
}

/// The instant at which a UTC day starts.
#[must_use]
pub fn start_of(date: Date) -> Micros {
    to_days(date).saturating_mul(DAY)
}

/// Days since 1970-01-01.
#[must_use]
pub fn to_days(date: Date) -> i64 {
    // Years are counted from March, so that the leap day is the last day of its year.
    let (year, month) = (i64::from(date.year), i64::from(date.month));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(date.day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day that is `days` days after 1970-01-01.
#[must_use]
pub fn from_days(days: i64) -> Date {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let narrow = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    Date { year: narrow(year), month: narrow(month), day: narrow(day) }
}

/// The number of days of a month.
#[must_use]
pub fn days_in_month(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 => 29,
        2 => 28,
        _ => 31,
    }
}

/// Whether the calendar has that day.
#[must_use]
pub fn is_real(date: Date) -> bool {
    (1..=9999).contains(&date.year)
        && (1..=12).contains(&date.month)
        && (1..=days_in_month(date.year, date.month)).contains(&date.day)
}

/// The day `months` months later; the last day of the month if that day does not exist.
#[must_use]
pub fn add_months(date: Date, months: i32) -> Date {
    let total = i64::from(date.year) * 12 + i64::from(date.month) - 1 + i64::from(months);
    let year = i32::try_from(total.div_euclid(12)).unwrap_or(i32::MAX);
    let month = i32::try_from(total.rem_euclid(12)).unwrap_or(0) + 1;
    Date { year, month, day: date.day.min(days_in_month(year, month)) }
}

/// The day `more` days later.
#[must_use]
pub fn add_days(date: Date, more: i64) -> Date {
    from_days(to_days(date) + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_civil_are_each_others_inverse_over_four_centuries() {
        let mut expected = Date { year: 1800, month: 1, day: 1 };
        for day in to_days(expected)..to_days(Date { year: 2200, month: 1, day: 1 }) {
            assert_eq!(from_days(day), expected);
            assert_eq!(to_days(expected), day);
            expected.day += 1;
            if expected.day > days_in_month(expected.year, expected.month) {
                expected = Date { year: expected.year + expected.month / 12, month: expected.month % 12 + 1, day: 1 };
            }
        }
    }

    #[test]
    fn a_month_later_stays_in_the_month() {
        let january = Date { year: 2024, month: 1, day: 31 };
        assert_eq!(add_months(january, 1), Date { year: 2024, month: 2, day: 29 });
        assert_eq!(add_months(january, 13), Date { year: 2025, month: 2, day: 28 });
        assert_eq!(add_months(january, -2), Date { year: 2023, month: 11, day: 30 });
    }

    #[test]
    fn ids_sort_by_time_even_within_a_millisecond() {
        let ids = Ids::from_seed(7);
        let made: Vec<String> = (0..5000).map(|n| ids.next(1_700_000_000_000_000 + n / 100)).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(uuid::Uuid::parse_str(&made[0]).unwrap().get_version_num(), 7);
    }

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved() {
        let clock = TestClock::at(0);
        let sleeper = tokio::spawn(clock.sleep(Duration::from_secs(3600)));
        clock.move_forward(Duration::from_secs(3600));
        sleeper.await.unwrap();
        assert_eq!(clock.now(), HOUR);
    }

    #[tokio::test]
    async fn business_time_moves_forward_alone_and_wakes_who_waits_for_it() {
        let machine = TestClock::at(HOUR);
        let offset = ClockOffset::new(0);
        let business = BusinessClock::new(Arc::new(machine.clone()), Some(offset.clone()));
        let seen = business.offset();
        let sleeper = tokio::spawn({
            let business = business.clone();
            async move { business.sleep_unless_moved(Duration::from_secs(3600), seen).await }
        });
        offset.raise_to(40 * DAY);
        sleeper.await.unwrap();
        assert_eq!((machine.now(), business.now()), (HOUR, HOUR + 40 * DAY));
        business.sleep_unless_moved(Duration::from_secs(3600), seen).await;
        offset.raise_to(39 * DAY);
        assert_eq!(business.offset(), 40 * DAY, "it never goes back");
    }

    #[test]
    fn an_instant_from_before_a_move_is_not_older_in_machine_time() {
        let offset = ClockOffset::new(-DAY);
        let business = BusinessClock::new(Arc::new(TestClock::at(10 * DAY)), Some(offset.clone()));
        let (minute, hour) = (9 * DAY - MINUTE, Duration::from_secs(3600));
        assert_eq!(business.machine_time_of(minute, hour), 10 * DAY - MINUTE);
        offset.raise_to(40 * DAY);
        assert_eq!(business.machine_time_of(minute, hour), 10 * DAY);
        let still = BusinessClock::new(Arc::new(TestClock::at(10 * DAY)), None);
        assert_eq!((still.now(), still.machine_time_of(minute, hour)), (10 * DAY, minute));
    }

    #[test]
    fn secret_ids_sort_by_their_time_beside_others_and_are_random() {
        let ids = Ids::from_seed(1);
        let noon = 1_700_000_000_000_000;
        let made: Vec<String> = (0..100)
            .map(|step| if step % 2 == 0 { ids.next(noon + step / 4) } else { ids.secret_id(noon + step / 4) })
            .collect();
        assert!(made.is_sorted_by(|left, right| left < right), "{made:?}");
        let secret: Vec<&String> = made.iter().filter(|id| Ids::is_secret(id)).collect();
        assert_eq!(secret.len(), 50);
        let random: std::collections::BTreeSet<&str> = secret.iter().filter_map(|id| id.get(TIME..)).collect();
        assert!(random.len() == 50 && secret.iter().all(|id| id.len() == 51));
        let id = secret[0];
        for odd in [String::new(), id[..50].to_owned(), format!("{id}0"), id.to_uppercase(), id.replacen('-', "", 3)] {
            assert!(!Ids::is_secret(&odd), "{odd}");
        }
        let (before, after) = (ids.secret_id(noon), ids.secret_id(noon + 1000));
        assert!(before < Ids::least_after(noon) && Ids::least_after(noon) < after);
    }
}
