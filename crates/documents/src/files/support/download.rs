//! Opens the content of files.

use pavise_kernel::files::{FileKey, Files, StoredFile};
use pavise_kernel::{Call, Download, Error, Result};

use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::{ErrorReason, File, FileStatus, RecordRetrievalRequest};

/// Opens a content for a reader. Each time is in the journal of a file with an owner, before the first byte.
///
/// # Errors
/// `FILE_NOT_AVAILABLE`, UNAVAILABLE.
pub(crate) async fn open_content(call: &Call, file: File) -> Result<Download> {
    let (stored, files) = (find_content(&file)?, call.find_provided::<Files>()?);
    if !file.owner_id.is_empty() {
        let reader = call.caller().identity.clone();
        let request = RecordRetrievalRequest { file_id: file.id.clone(), retrieved_by_id: reader };
        let request = call.peer_request(request, &call.new_id());
        FileServiceClient::new(call.peer_channel("documents")).record_retrieval(request).await?;
    }
    Ok(files.download_file(stored, &file.content_type, &file.name))
}

/// The place of a content that may be handed out.
///
/// # Errors
/// `FILE_NOT_AVAILABLE`.
pub(crate) fn find_content(file: &File) -> Result<StoredFile> {
    if file.status() != FileStatus::Available || file.storage_key.is_empty() {
        let why = format!("the file is {}: nobody gets it", file.status().spelling());
        return Err(Error::new(ErrorReason::FileNotAvailable, why));
    }
    let size = u64::try_from(file.size).map_err(Error::internal)?;
    Ok(StoredFile { key: FileKey::parse(&file.storage_key)?, size, sha256: file.sha256.clone() })
}
