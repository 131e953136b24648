//! What is read where a name is nobody's: a row of somebody else, so that no less is read than where it is somebody's.
//! Nothing of it is used.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate, Call, Result};

/// Whose row that is: the last one's that was there.
#[derive(Debug, Default)]
pub(crate) struct StandIn(Mutex<String>);

impl StandIn {
    /// By which owner a row is read: by the one that was found, or else by the one that stands in. In a process that has
    /// found nobody yet that is the newest row's.
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

    /// What was read by `owner` was there, so that it can stand in; or it was not, so that it cannot.
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
