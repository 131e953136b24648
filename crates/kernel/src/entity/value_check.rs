//! The values of shared types, and texts with formats, in requests and entities.
//!
//! Generated code finds them in every message. A request is refused for what is wrong with one, and the call gets the
//! normal forms. An entity is checked at every write, whoever makes it. What was wrong in it before the write may stay, so
//! that an older entity can still be changed.

use pavise_values::ValueError;

use crate::entity::aggregate::Redact;
use crate::error::{Common, Error, Result};

/// Refuses a request for the values that are wrong in it.
///
/// # Errors
/// `INVALID_FIELD` with the path of each.
pub(crate) fn check_request(request: &impl Redact) -> Result<()> {
    let mut found = Vec::new();
    request.find_value_errors("", &mut found);
    refuse_errors(found)
}

/// Refuses a write of an entity for the values that are wrong in it and were not before.
///
/// # Errors
/// `INVALID_FIELD` with the path of each.
pub(crate) fn check_entity<E: Redact>(before: Option<&E>, after: &E) -> Result<()> {
    let mut found = Vec::new();
    after.find_value_errors("", &mut found);
    if let (Some(before), false) = (before, found.is_empty()) {
        let mut known = Vec::new();
        before.find_value_errors("", &mut known);
        found.retain(|wrong| !known.contains(wrong));
    }
    refuse_errors(found)
}

fn refuse_errors(found: Vec<ValueError>) -> Result<()> {
    let Some(first) = found.first() else { return Ok(()) };
    let error = Error::new(Common::InvalidField, format!("{}: {}", first.path, first.why));
    Err(found.into_iter().fold(error, |error, wrong| {
        let error = error.violation(wrong.path, wrong.why);
        match wrong.fact {
            Some((name, fact)) => error.with(name, fact),
            None => error,
        }
    }))
}

/// Something wrong with one value.
impl From<ValueError> for Error {
    fn from(wrong: ValueError) -> Self {
        let error = Self::field(wrong.path, wrong.why);
        match wrong.fact {
            Some((name, fact)) => error.with(name, fact),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entity with two telephone numbers.
    #[derive(Clone, Default)]
    struct Card(Vec<&'static str>);

    impl Redact for Card {
        fn find_value_errors(&self, path: &str, found: &mut Vec<ValueError>) {
            for (at, number) in self.0.iter().enumerate() {
                let place = || format!("{path}phones[{at}]");
                pavise_values::check_text(pavise_values::Format::Phone, number, place, found);
            }
        }
    }

    #[test]
    fn every_wrong_value_is_named() {
        let refused = check_request(&Card(vec!["1", "512-555-0100", "2"])).unwrap_err();
        assert_eq!(refused.message(), "phones[0]: is no telephone number");
        let fields: Vec<&str> = refused.violations().iter().map(|one| one.field.as_str()).collect();
        assert_eq!(fields, ["phones[0]", "phones[2]"]);
        check_request(&Card(vec!["512-555-0100", ""])).unwrap();
    }

    #[test]
    fn what_was_wrong_before_may_stay() {
        let old = Card(vec!["1", "512-555-0100"]);
        assert!(check_entity(None, &old).is_err());
        check_entity(Some(&old), &Card(vec!["1", "512-555-0101"])).unwrap();
        let refused = check_entity(Some(&old), &Card(vec!["1", "2"])).unwrap_err();
        assert_eq!(refused.violations().len(), 1);
        assert_eq!(refused.violations()[0].field, "phones[1]");
    }
}
