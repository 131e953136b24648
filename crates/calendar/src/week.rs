//! The hours of a week.

use jiff::civil::Weekday;

/// The minutes of a day.
pub(crate) const DAY: u16 = 24 * 60;

/// A time of a day on the clock at the wall, in minutes since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    opens: u16,
    closes: u16,
}

impl Span {
    /// A time from `opens` until `closes`, both in minutes since midnight. `None` unless it ends after its beginning, at
    /// the end of the day at the latest.
    #[must_use]
    pub fn new(opens: u16, closes: u16) -> Option<Self> {
        (opens < closes && closes <= DAY).then_some(Self { opens, closes })
    }

    /// The minute at which it begins.
    #[must_use]
    pub fn opens(self) -> u16 {
        self.opens
    }

    /// The minute at which it ends, which does not belong to it.
    #[must_use]
    pub fn closes(self) -> u16 {
        self.closes
    }

    /// Whether the minute lies in it.
    #[must_use]
    pub fn has(self, minute: u16) -> bool {
        (self.opens..self.closes).contains(&minute)
    }
}

/// Hours that are no hours of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeekError {
    /// Two times of one day overlap.
    #[error("two times of one day overlap")]
    Overlap {
        /// The place of the later one among the times that were given.
        at: usize,
    },
}

/// The times of each weekday at which something is open. They do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Week([Vec<Span>; 7]);

impl Week {
    /// The hours of a week.
    ///
    /// # Errors
    /// When two times of one day overlap. Times that meet do not.
    pub fn new(times: impl IntoIterator<Item = (Weekday, Span)>) -> Result<Self, WeekError> {
        let mut week = Self::default();
        for (at, (day, span)) in times.into_iter().enumerate() {
            let Some(spans) = week.0.get_mut(place(day)) else { continue };
            if spans.iter().any(|other| other.opens < span.closes && span.opens < other.closes) {
                return Err(WeekError::Overlap { at });
            }
            spans.insert(spans.partition_point(|other| *other < span), span);
        }
        Ok(week)
    }

    /// The times of a day, the earliest first.
    #[must_use]
    pub fn of(&self, day: Weekday) -> &[Span] {
        self.0.get(place(day)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether it is never open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

/// The place of a day in the week: Monday is 0.
fn place(day: Weekday) -> usize {
    usize::try_from(day.to_monday_zero_offset()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(opens: u16, closes: u16) -> Span {
        Span::new(opens, closes).unwrap()
    }

    #[test]
    fn times_are_sorted_and_do_not_overlap() {
        let day = Weekday::Monday;
        let week = Week::new([(day, span(600, 660)), (day, span(540, 600)), (Weekday::Sunday, span(0, DAY))]).unwrap();
        assert_eq!(week.of(day), [span(540, 600), span(600, 660)]);
        assert_eq!(week.of(Weekday::Tuesday), []);
        for (opens, closes) in [(599, 601), (0, 1440), (540, 600), (610, 611)] {
            let again = [(day, span(600, 660)), (day, span(540, 600)), (day, span(opens, closes))];
            assert_eq!(Week::new(again), Err(WeekError::Overlap { at: 2 }), "{opens}");
        }
    }

    #[test]
    fn a_time_ends_after_its_beginning_on_the_same_day() {
        assert!(Span::new(600, 600).is_none() && Span::new(1439, 1441).is_none() && Span::new(0, 1440).is_some());
        assert!(span(540, 600).has(540) && !span(540, 600).has(600));
    }
}
