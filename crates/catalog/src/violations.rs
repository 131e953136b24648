//! Collects everything that is wrong with a request, to refuse it once.

use pavise_kernel::{Common, Error, Reason, Result};

/// Fields that break rules.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    /// What the fields' paths begin with.
    place: &'static str,
    found: Vec<(String, String)>,
}

impl Violations {
    /// Of fields below a place in the request: `product.`.
    pub(crate) fn below(place: &'static str) -> Self {
        Self { place, found: Vec::new() }
    }

    /// Adds one.
    pub(crate) fn add(&mut self, field: impl AsRef<str>, description: impl Into<String>) {
        self.found.push((format!("{}{}", self.place, field.as_ref()), description.into()));
    }

    /// Adds each value that occurred before it; `field` says where it stands.
    pub(crate) fn repeated<T: PartialEq>(&mut self, values: &[T], field: impl Fn(usize) -> String) {
        for (at, value) in values.iter().enumerate() {
            if values.iter().take(at).any(|earlier| earlier == value) {
                self.add(field(at), "is there already");
            }
        }
    }

    /// Refuses as an invalid field if there is any.
    pub(crate) fn refuse(self) -> Result<()> {
        let message = self.found.first().map(|(field, description)| format!("{field}: {description}")).unwrap_or_default();
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
