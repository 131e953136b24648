//! Answers of peers.

use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};

/// The answer; none where the entity is not found.
pub(crate) fn found_or_none<T>(answer: Result<tonic::Response<T>, tonic::Status>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(status) => {
            let error = Error::from(status);
            if error.is(Common::NotFound) { Ok(None) } else { Err(error) }
        }
    }
}
