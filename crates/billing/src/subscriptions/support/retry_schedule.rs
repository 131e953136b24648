//! The retry schedule of a subscription: the days after a failed payment on which it is tried again.

use pavise_kernel::{Error, Result};

/// The schedule where none is named.
const RETRY_SCHEDULE: [i32; 3] = [3, 5, 7];

/// Checks that the days rise. No days mean the usual ones.
pub(crate) fn resolve_retry_schedule(wanted: &[i32]) -> Result<Vec<i32>> {
    let is_ascending = wanted.iter().zip(wanted.iter().skip(1)).all(|(one, next)| one < next);
    match wanted {
        [] => Ok(RETRY_SCHEDULE.to_vec()),
        wanted if is_ascending => Ok(wanted.to_vec()),
        _ => Err(Error::field("retry_schedule", "must rise from day to day")),
    }
}
