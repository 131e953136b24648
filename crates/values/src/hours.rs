//! Weekly hours.

use pavise_calendar::jiff::civil::Weekday as Day;
use pavise_calendar::{Span, Week, WeekError};

use crate::common::v1::{OpenHours, Weekday, WeeklyHours};
use crate::{Value, ValueError};

/// The hours as the calendar takes them.
///
/// # Errors
/// Each thing that is wrong with them. The paths begin at the hours.
pub fn to_week(hours: &WeeklyHours) -> Result<Week, Vec<ValueError>> {
    let mut found = Vec::new();
    let times: Vec<_> = hours.open.iter().enumerate().filter_map(|(at, one)| read(at, one, &mut found)).collect();
    match Week::new(times) {
        Ok(week) if found.is_empty() => Ok(week),
        Err(WeekError::Overlap { at }) if found.is_empty() => {
            Err(vec![ValueError::new(format!("open[{at}]"), "overlaps another time of its day")])
        }
        _ => Err(found),
    }
}

/// One of the times; `None` with the reason in `found`.
fn read(at: usize, one: &OpenHours, found: &mut Vec<ValueError>) -> Option<(Day, Span)> {
    let mut refuse = |field: &str, why: &str| found.push(ValueError::new(format!("open[{at}].{field}"), why));
    let Some(day) = day(one.day()) else {
        refuse("day", "is required");
        return None;
    };
    let Some(opens) = minute(&one.opens) else {
        refuse("opens", "is no time of a day, such as 08:30");
        return None;
    };
    let Some(closes) = minute(&one.closes) else {
        refuse("closes", "is no time of a day, such as 17:00");
        return None;
    };
    let span = Span::new(opens, closes);
    if span.is_none() {
        refuse("closes", "is not later than the opening");
    }
    Some((day, span?))
}

/// The minutes since midnight of a time: 08:30, 24:00.
fn minute(time: &str) -> Option<u16> {
    let (hour, minute) = time.split_once(':')?;
    let part = |text: &str| if text.len() == 2 { text.parse::<u16>().ok() } else { None };
    let (hour, minute) = (part(hour)?, part(minute)?);
    let minutes = hour.checked_mul(60)?.checked_add(minute)?;
    (minute < 60 && minutes <= 24 * 60).then_some(minutes)
}

fn day(day: Weekday) -> Option<Day> {
    match day {
        Weekday::Unspecified => None,
        Weekday::Monday => Some(Day::Monday),
        Weekday::Tuesday => Some(Day::Tuesday),
        Weekday::Wednesday => Some(Day::Wednesday),
        Weekday::Thursday => Some(Day::Thursday),
        Weekday::Friday => Some(Day::Friday),
        Weekday::Saturday => Some(Day::Saturday),
        Weekday::Sunday => Some(Day::Sunday),
    }
}

impl Value for WeeklyHours {
    fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
        let wrong = to_week(self).err().unwrap_or_default();
        found.extend(wrong.into_iter().map(|wrong| ValueError { path: format!("{path}{}", wrong.path), ..wrong }));
    }

    fn normalize(&mut self) {
        self.open.sort_by(|one, other| (one.day, &one.opens).cmp(&(other.day, &other.opens)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(day: Weekday, opens: &str, closes: &str) -> OpenHours {
        OpenHours { day: day.into(), opens: opens.into(), closes: closes.into() }
    }

    fn wrong(times: &[OpenHours]) -> Vec<String> {
        let mut found = Vec::new();
        WeeklyHours { open: times.to_vec() }.find_value_errors("hours.", &mut found);
        found.into_iter().map(|wrong| wrong.path).collect()
    }

    #[test]
    fn hours_become_a_week_in_its_order() {
        let (monday, sunday) = (Weekday::Monday, Weekday::Sunday);
        let mut hours = WeeklyHours {
            open: vec![open(sunday, "22:00", "24:00"), open(monday, "13:00", "17:30"), open(monday, "08:00", "13:00")],
        };
        let week = to_week(&hours).unwrap();
        assert_eq!(week.of(Day::Monday), [Span::new(480, 780).unwrap(), Span::new(780, 1050).unwrap()]);
        assert_eq!(week.of(Day::Sunday), [Span::new(1320, 1440).unwrap()]);
        hours.normalize();
        let order: Vec<&str> = hours.open.iter().map(|one| one.opens.as_str()).collect();
        assert_eq!(order, ["08:00", "13:00", "22:00"]);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        let day = Weekday::Monday;
        assert_eq!(wrong(&[open(day, "08:00", "12:00"), open(day, "11:59", "17:00")]), ["hours.open[1]"]);
        assert_eq!(wrong(&[open(day, "08:00", "08:00")]), ["hours.open[0].closes"]);
        assert_eq!(wrong(&[open(Weekday::Unspecified, "08:00", "09:00")]), ["hours.open[0].day"]);
        assert_eq!(
            wrong(&[open(day, "8:00", "09:00"), open(day, "08:00", "24:01")]),
            ["hours.open[0].opens", "hours.open[1].closes"]
        );
    }
}
