//! When the owner of an open answer is reminded: at so many intervals after its beginning, between 9 and 20 o'clock.

use jiff::civil::{Time, time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use pavise_kernel::time::{Micros, to_micros, to_timestamp};

use crate::contract::v1::{Answer, AnswerReminder, IntervalType, ReminderConfig};

/// The hours in which people are reminded.
const MORNING: Time = time(9, 0, 0, 0);
const EVENING: Time = time(20, 0, 0, 0);
/// The zone of people who said none.
const ZONE: &str = "America/Chicago";

impl Answer {
    /// Sets when its owner is reminded next. Before it is stored, it begins now.
    pub(crate) fn plan_reminder(&mut self, configs: &[ReminderConfig], now: Micros) {
        let next = self.find_next(configs, now);
        self.next_reminder_at = next.map(|(at, _)| to_timestamp(at));
    }

    /// The reminder that is due now; the first one if there are several.
    pub(crate) fn find_due<'c>(&self, configs: &'c [ReminderConfig], now: Micros) -> Option<&'c ReminderConfig> {
        self.find_next(configs, now).filter(|(at, _)| *at <= now).map(|(_, config)| config)
    }

    /// Counts a reminder that was sent. Those that were missed meanwhile are not sent later.
    pub(crate) fn count_reminder(&mut self, configs: &[ReminderConfig], sent: &ReminderConfig, now: Micros) {
        loop {
            match self.reminders.iter_mut().find(|one| one.config_id == sent.id) {
                Some(reminder) => reminder.count += 1,
                None => self.reminders.push(AnswerReminder { config_id: sent.id.clone(), count: 1 }),
            }
            let again = self.find_next(std::slice::from_ref(sent), now).is_some_and(|(at, _)| at <= now);
            if !again {
                break;
            }
        }
        self.plan_reminder(configs, now);
    }

    fn find_next<'c>(&self, configs: &'c [ReminderConfig], now: Micros) -> Option<(Micros, &'c ReminderConfig)> {
        let begun = self.created_at.as_ref().map_or(now, to_micros);
        let zone = if self.time_zone.is_empty() { ZONE } else { &self.time_zone };
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        let next = configs.iter().filter_map(|config| {
            let sent = self.reminders.iter().find(|one| one.config_id == config.id).map_or(0, |one| one.count);
            let number = i64::from(sent).checked_add(1).filter(|number| *number <= i64::from(config.at_most))?;
            let at = find_time(config, begun, number, &zone)?;
            Some((at, config))
        });
        next.min_by_key(|(at, _)| *at)
    }
}

/// The time of the reminder with that number.
fn find_time(config: &ReminderConfig, begun: Micros, number: i64, zone: &TimeZone) -> Option<Micros> {
    let begun = Timestamp::from_microsecond(begun).ok()?.to_zoned(zone.clone());
    let count = number.checked_mul(i64::from(config.interval))?;
    let span = match config.interval_type() {
        IntervalType::Hour => return clamp_hours(&begun.checked_add(Span::new().try_hours(count).ok()?).ok()?),
        IntervalType::Day => Span::new().try_days(count),
        IntervalType::Week => Span::new().try_weeks(count),
        IntervalType::Month => Span::new().try_months(count),
        IntervalType::Unspecified => return None,
    };
    let day = begun.date().checked_add(span.ok()?).ok()?;
    let at = zone.to_ambiguous_timestamp(day.to_datetime(MORNING)).compatible().ok()?;
    Some(at.as_microsecond())
}

/// The time, or the next morning if it is night.
fn clamp_hours(at: &Zoned) -> Option<Micros> {
    if at.time() >= MORNING && at.time() < EVENING {
        return Some(at.timestamp().as_microsecond());
    }
    let later = i32::from(at.time() >= EVENING);
    let day = at.date().checked_add(Span::new().try_days(later).ok()?).ok()?;
    let morning = at.time_zone().to_ambiguous_timestamp(day.to_datetime(MORNING)).compatible().ok()?;
    Some(morning.as_microsecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Micros {
        text.parse::<Timestamp>().unwrap().as_microsecond()
    }

    fn every(interval: i32, kind: IntervalType) -> ReminderConfig {
        ReminderConfig {
            id: format!("{kind:?}"),
            interval,
            interval_type: kind.into(),
            at_most: 3,
            ..ReminderConfig::default()
        }
    }

    #[test]
    fn three_reminders_come_on_days_3_6_and_9_at_nine_and_then_none() {
        let configs = [every(3, IntervalType::Day)];
        let begun = at("2026-03-05T22:00:00Z");
        let mut answer = Answer { created_at: Some(to_timestamp(begun)), ..Answer::default() };
        answer.plan_reminder(&configs, begun);
        // The clock changes on 8 March.
        for expected in ["2026-03-08T14:00:00Z", "2026-03-11T14:00:00Z", "2026-03-14T14:00:00Z"] {
            let next = to_micros(&answer.next_reminder_at.unwrap());
            assert_eq!(next, at(expected));
            assert_eq!(answer.find_due(&configs, next - 1), None);
            let sent = answer.find_due(&configs, next).unwrap();
            answer.count_reminder(&configs, sent, next);
        }
        assert_eq!((answer.next_reminder_at, answer.reminders[0].count), (None, 3));
    }

    #[test]
    fn nobody_is_reminded_at_night_and_missed_reminders_are_sent_once() {
        let configs = [every(5, IntervalType::Hour)];
        let begun = at("2026-01-15T18:00:00Z");
        let mut answer = Answer { created_at: Some(to_timestamp(begun)), ..Answer::default() };
        answer.plan_reminder(&configs, begun);
        assert_eq!(to_micros(&answer.next_reminder_at.unwrap()), at("2026-01-15T23:00:00Z"), "17 o'clock");
        answer.count_reminder(&configs, &configs[0], at("2026-01-15T23:00:00Z"));
        assert_eq!(to_micros(&answer.next_reminder_at.unwrap()), at("2026-01-16T15:00:00Z"), "not at 22 o'clock");
        answer.count_reminder(&configs, &configs[0], at("2026-02-16T15:00:00Z"));
        assert_eq!((answer.next_reminder_at, answer.reminders[0].count), (None, 3));
    }
}
