//! The decoy row, read when the name is unknown, so that known and unknown names take the same time (user enumeration).
//! Its content is not used.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate, Call, Result};

/// The owner of the decoy row: the owner of the last row that was found.
#[derive(Debug, Default)]
pub(crate) struct Decoy(Mutex<String>);

impl Decoy {
    /// The owner to read by: the found one, or else the decoy's. A process that has found none yet takes the newest
    /// row's.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn read_by<A: Aggregate>(&self, call: &Call, found: Option<&str>) -> Result<String> {
        if let Some(found) = found {
            return Ok(found.to_owned());
        }
        let known = self.lock().clone();
        if !known.is_empty() {
            return Ok(known);
        }
        let newest = call.kernel().store().list(A::TABLE, &Filter { limit: 1, ..Filter::default() }).await?;
        let newest = newest.into_iter().next().map(|row| row.owner_id).unwrap_or_default();
        newest.clone_into(&mut self.lock());
        Ok(newest)
    }

    /// Makes `owner` the decoy if the row was there, and forgets it if it was not.
    pub(crate) fn was_there(&self, owner: &str, there: bool) {
        let mut known = self.lock();
        if there {
            owner.clone_into(&mut known);
        } else if *known == owner {
            known.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
