//! Collects all violations of a request, so that one refusal names them all.

use pavise_kernel::{Common, Error, Reason, Result};

/// The most violations that a refusal names.
const MOST_NAMED: usize = 50;

/// Fields that break rules.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    found: Vec<(String, String)>,
}

impl Violations {
    /// Adds one.
    pub(crate) fn add(&mut self, field: impl Into<String>, description: impl Into<String>) {
        self.found.push((field.into(), description.into()));
    }

    /// Refuses as an invalid field if there is any.
    pub(crate) fn into_result(self) -> Result<()> {
        self.refuse_as(Common::InvalidField)
    }

    /// Refuses for another reason if there is any.
    pub(crate) fn refuse_as(self, reason: impl Reason) -> Result<()> {
        let Some((field, description)) = self.found.first() else { return Ok(()) };
        let error = Error::new(reason, format!("{field}: {description}"));
        let named = self.found.into_iter().take(MOST_NAMED);
        Err(named.fold(error, |error, (field, description)| error.violation(field, description)))
    }

    /// The fields, for tests.
    #[cfg(test)]
    pub(crate) fn fields(&self) -> Vec<&str> {
        self.found.iter().map(|(field, _)| field.as_str()).collect()
    }
}
