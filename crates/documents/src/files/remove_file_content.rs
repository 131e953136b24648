//! Removes the content of a deleted file.

use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::{Call, Result};

use super::support::named::is_kept;
use crate::contract::v1::{File, RemoveFileContentRequest, RemoveFileContentResponse};

pub(crate) async fn remove_file_content(
    call: &Call,
    request: RemoveFileContentRequest,
) -> Result<RemoveFileContentResponse> {
    let file: Option<File> = call.find_unscoped(&request.file_id).await?;
    let deleted = file.filter(|file| !is_kept(file) && !file.storage_key.is_empty());
    if let Some(file) = deleted.filter(|_| !call.validate_only()) {
        call.find_provided::<Files>()?.delete(&FileKey::parse(&file.storage_key)?).await?;
    }
    Ok(RemoveFileContentResponse {})
}
