//! Collects all violations of a request, so that one refusal names them all.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{is_real, to_days};
use pavise_kernel::{Common, Error, Reason, Result};

/// Fields that break rules.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    /// The beginning of the fields' paths.
    place: &'static str,
    found: Vec<(String, String)>,
}

impl Violations {
    /// Begins with none. `place` is the beginning of the fields' paths: `product.`.
    pub(crate) fn below(place: &'static str) -> Self {
        Self { place, found: Vec::new() }
    }

    /// Adds one.
    pub(crate) fn add(&mut self, field: impl AsRef<str>, description: impl Into<String>) {
        self.found.push((format!("{}{}", self.place, field.as_ref()), description.into()));
    }

    /// Adds each value that equals an earlier one. `field` makes the path of a value.
    pub(crate) fn add_repeated<T: PartialEq>(&mut self, values: &[T], field: impl Fn(usize) -> String) {
        for (at, value) in values.iter().enumerate() {
            if values.iter().take(at).any(|earlier| earlier == value) {
                self.add(field(at), "is there already");
            }
        }
    }

    /// Adds each id that is empty, and each that equals an earlier one. `list` is the path of the list.
    pub(crate) fn check_ids<'a>(&mut self, ids: impl Iterator<Item = &'a str>, list: &str) {
        let ids: Vec<&str> = ids.collect();
        for at in ids.iter().enumerate().filter(|(_, id)| id.is_empty()).map(|(at, _)| at) {
            self.add(format!("{list}[{at}].id"), "must be given");
        }
        for (at, id) in ids.iter().enumerate() {
            if !id.is_empty() && ids.iter().take(at).any(|earlier| earlier == id) {
                self.add(format!("{list}[{at}].id"), "is there already");
            }
        }
    }

    /// Adds a list that has more items than it may have.
    pub(crate) fn check_length<T>(&mut self, items: &[T], most: usize, list: &str) {
        if items.len() > most {
            self.add(list, format!("has {} items, and at most {most} are allowed", items.len()));
        }
    }

    /// Adds days that do not exist, and an end before its beginning. `place` is the fields' common beginning.
    pub(crate) fn check_dates(&mut self, from: Option<Date>, until: Option<Date>, place: &str) {
        for (date, end) in [(from, "from"), (until, "until")] {
            if date.is_some_and(|date| !is_real(date)) {
                self.add(format!("{place}_{end}"), "the calendar has no such day");
            }
        }
        if from.zip(until).is_some_and(|(from, until)| to_days(until) < to_days(from)) {
            self.add(format!("{place}_until"), "lies before the first day");
        }
    }

    /// Refuses as an invalid field if there is any.
    pub(crate) fn into_result(self) -> Result<()> {
        let message =
            self.found.first().map(|(field, description)| format!("{field}: {description}")).unwrap_or_default();
        self.refuse_as(Common::InvalidField, message)
    }

    /// Refuses for another reason if there is any.
    pub(crate) fn refuse_as(self, reason: impl Reason, message: impl Into<String>) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let error = Error::new(reason, message);
        Err(self.found.into_iter().fold(error, |error, (field, description)| error.violation(field, description)))
    }
}
