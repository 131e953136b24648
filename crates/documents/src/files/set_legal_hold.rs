//! Says whether a file must stay.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{ErrorReason, File, SetLegalHoldRequest};

impl CheckRequest<SetLegalHoldRequest> for File {
    /// A hold on a file whose owner was erased would keep nothing.
    async fn check_request(_: &Call, file: Option<&Self>, request: &SetLegalHoldRequest) -> Result<()> {
        if request.legal_hold && file.is_some_and(|file| file.storage_key.is_empty()) {
            return Err(Error::new(ErrorReason::FileNotAvailable, "the content of the file was erased with its owner"));
        }
        Ok(())
    }
}
