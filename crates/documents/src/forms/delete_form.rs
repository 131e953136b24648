//! Deletes a form, whose file a worker deletes.

use pavise_kernel::{Call, CheckRequest, Error, Result};

use crate::contract::v1::{DeleteFormRequest, ErrorReason, File, Form};

impl CheckRequest<DeleteFormRequest> for Form {
    async fn check_request(call: &Call, entity: Option<&Self>, _request: &DeleteFormRequest) -> Result<()> {
        let Some(form) = entity.filter(|form| !form.file_id.is_empty()) else { return Ok(()) };
        let file: Option<File> = call.find_unscoped(&form.file_id).await?;
        if file.is_some_and(|file| file.legal_hold) { Err(hold_error()) } else { Ok(()) }
    }
}

/// The refusal of a form whose file must stay.
pub(super) fn hold_error() -> Error {
    Error::new(ErrorReason::LegalHold, "the file of a form is on hold and must not be deleted")
}
