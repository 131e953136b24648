//! Days that come every year.

use jiff::civil::{Date, Weekday};

/// A day on which something is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holiday {
    /// One day.
    On(Date),
    /// The same day every year, such as the 25th of December.
    Yearly {
        /// The month.
        month: i8,
        /// The day of the month.
        day: i8,
    },
    /// A weekday of a month, counted from its beginning, or from its end by a negative number.
    Nth {
        /// The month.
        month: i8,
        /// The weekday.
        weekday: Weekday,
        /// Its number: 4 is the fourth, -1 the last.
        nth: i8,
    },
    /// So many days after Easter Sunday: -2 is Good Friday.
    Easter(i16),
}

impl Holiday {
    /// Whether it is that day.
    #[must_use]
    pub fn falls_on(self, date: Date) -> bool {
        match self {
            Self::On(day) => day == date,
            Self::Yearly { month, day } => (date.month(), date.day()) == (month, day),
            Self::Nth { month, weekday, nth } => {
                date.month() == month
                    && date.weekday() == weekday
                    && date.nth_weekday_of_month(nth, weekday).is_ok_and(|day| day == date)
            }
            Self::Easter(after) => easter(date.year())
                .is_some_and(|sunday| sunday.checked_add(jiff::Span::new().days(after)).is_ok_and(|day| day == date)),
        }
    }
}

/// Easter Sunday of a year of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher.
fn easter(year: i16) -> Option<Date> {
    let year_of = i32::from(year);
    let (golden, century, rest) = (year_of % 19, year_of / 100, year_of % 100);
    let corrected = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - corrected + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let number = epact + weekday - 7 * late + 114;
    Date::new(year, i8::try_from(number / 31).ok()?, i8::try_from(number % 31 + 1).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn holidays_fall_on_their_days() {
        let thanksgiving = Holiday::Nth { month: 11, weekday: Weekday::Thursday, nth: 4 };
        assert!(thanksgiving.falls_on(date(2026, 11, 26)) && !thanksgiving.falls_on(date(2026, 11, 19)));
        let memorial_day = Holiday::Nth { month: 5, weekday: Weekday::Monday, nth: -1 };
        assert!(memorial_day.falls_on(date(2026, 5, 25)) && !memorial_day.falls_on(date(2026, 5, 18)));
        assert!(Holiday::Yearly { month: 12, day: 25 }.falls_on(date(2030, 12, 25)));
        assert!(Holiday::On(date(2026, 7, 3)).falls_on(date(2026, 7, 3)));
    }

    #[test]
    fn easter_is_where_the_almanacs_have_it() {
        for sunday in [date(2000, 4, 23), date(2008, 3, 23), date(2019, 4, 21), date(2026, 4, 5), date(2038, 4, 25)] {
            assert_eq!(easter(sunday.year()), Some(sunday));
        }
        assert!(Holiday::Easter(-2).falls_on(date(2026, 4, 3)));
    }
}
