//! Stores the file of a link.

use pavise_kernel::{Call, Result};

use super::support::links::{link_error, open_upload};
use super::support::storing::{give_up, store_content};
use crate::contract::v1::{File, LinkedFile, UploadLinkedFileRequest};

pub(crate) async fn upload_linked_file(call: &Call, request: UploadLinkedFileRequest) -> Result<LinkedFile> {
    let wanted = open_upload(call, &request.token)?;
    // A link makes one file.
    if call.find_unscoped::<File>(&wanted.id).await?.is_some() {
        return Err(link_error());
    }
    let stored = store_content(call, wanted, call.take_upload()?.into_chunks()).await?;
    commit_linked(call, stored).await
}

/// Commits the record of a file that a link made.
pub(super) async fn commit_linked(call: &Call, stored: File) -> Result<LinkedFile> {
    let storage_key = stored.storage_key.clone();
    let mut unit = call.unit();
    unit.expects_none::<File>(&stored.id);
    let file = unit.create(stored)?;
    let answer = LinkedFile { file_id: file.id, content_type: file.content_type, size: file.size };
    let committed = unit.commit_answer(answer).await;
    if committed.as_ref().is_err_and(|error| !error.is_transient()) {
        give_up(call, &storage_key).await;
    }
    committed
}
