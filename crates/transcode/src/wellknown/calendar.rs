//! The Gregorian calendar, extended to earlier years.

/// Days from 1970-01-01 to the date. The year is counted from March, so that the leap day is the last day of a year.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let month = (month + 9) % 12;
    let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (month * 153 + 2) / 5 + day - 1 - 719_468
}

/// The year, month and day that is `days` days after 1970-01-01.
pub(super) fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let cycle = days.div_euclid(146_097);
    let of_cycle = days.rem_euclid(146_097);
    let of_years = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (of_years * 365 + of_years / 4 - of_years / 100);
    let month = (of_year * 5 + 2) / 153;
    let day = of_year - (month * 153 + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = cycle * 400 + of_years + i64::from(month <= 2);
    (year, month, day)
}

/// Whether the years 1 to 9999 have such a day.
pub(super) fn exists(year: i64, month: i64, day: i64) -> bool {
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    };
    (1..=9999).contains(&year) && (1..=last).contains(&day)
}

/// Writes `2026-03-31`. No part may have more digits than it has there.
pub(super) fn put_date(out: &mut Vec<u8>, year: u64, month: u64, day: u64) {
    put_digits(out, year, 1000);
    out.push(b'-');
    put_digits(out, month, 10);
    out.push(b'-');
    put_digits(out, day, 10);
}

/// Writes as many digits as `unit` has.
pub(super) fn put_digits(out: &mut Vec<u8>, value: u64, mut unit: u64) {
    while unit > 0 {
        out.push(b'0' + u8::try_from(value / unit % 10).unwrap_or_default());
        unit /= 10;
    }
}

/// The number of `digits`, if all are digits.
pub(super) fn digits(digits: &str) -> Option<i64> {
    (digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty()).then(|| digits.parse().ok())?
}

/// Year, month and day of `2026-03-31`, if that day exists.
pub(super) fn date_from_text(text: &str) -> Option<(i64, i64, i64)> {
    if text.len() != 10 || text.get(4..5)? != "-" || text.get(7..8)? != "-" {
        return None;
    }
    let (year, month, day) = (digits(text.get(..4)?)?, digits(text.get(5..7)?)?, digits(text.get(8..)?)?);
    exists(year, month, day).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree_over_all_years() {
        let mut expected = days(1, 1, 1);
        assert_eq!(expected, -719_162);
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in (1..=31).filter(|day| exists(year, month, *day)) {
                    assert_eq!(days(year, month, day), expected);
                    assert_eq!(date(expected), (year, month, day));
                    expected += 1;
                }
            }
        }
        assert_eq!(expected, 2_932_897);
        assert_eq!(days(1970, 1, 1), 0);
    }

    #[test]
    fn dates_that_there_are_not() {
        for text in ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "0000-01-01"] {
            assert_eq!(date_from_text(text), None, "{text}");
        }
        for text in ["", "2026-1-01", "2026/01/01", "+026-01-01", "2026-01-01 ", "20é6-01-1"] {
            assert_eq!(date_from_text(text), None, "{text}");
        }
        assert_eq!(date_from_text("2000-02-29"), Some((2000, 2, 29)));
        assert_eq!(date_from_text("9999-12-31"), Some((9999, 12, 31)));
    }
}
