//! Rules of every stored answer.

use pavise_kernel::{Error, Invariants, Result};

use crate::contract::v1::Answer;

/// The most values of an answer.
const MOST_VALUES: usize = 2_000;
/// The most files of an answer.
const MOST_FILES: usize = 20;
/// The most people who are told of an answer.
const MOST_NOTIFICATIONS: usize = 20;

impl Invariants for Answer {
    fn check(&self) -> Result<()> {
        for (field, count, most) in [
            ("values", self.values.len(), MOST_VALUES),
            ("values", self.file_ids.len(), MOST_FILES),
            ("notifications", self.notifications.len(), MOST_NOTIFICATIONS),
        ] {
            if count > most {
                return Err(Error::field(field, format!("has {count} of them, and at most {most} are allowed")));
            }
        }
        Ok(())
    }
}
