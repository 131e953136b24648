//! Makes the record of a file that was uploaded to S3.

use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::{Call, Common, Error, Result};

use super::support::links::open_completion;
use super::support::storing::{LARGEST, QUARANTINE, store_content};
use super::upload_linked_file::commit_linked;
use crate::contract::v1::{CompleteLinkedFileRequest, File, LinkedFile};

pub(crate) async fn complete_linked_file(call: &Call, request: CompleteLinkedFileRequest) -> Result<LinkedFile> {
    let wanted = open_completion(call, &request.token)?;
    if let Some(file) = call.find_unscoped::<File>(&wanted.id).await? {
        return Ok(LinkedFile { file_id: file.id, content_type: file.content_type, size: file.size });
    }
    let files = call.find_provided::<Files>()?;
    let key = FileKey::new(QUARANTINE, &wanted.id)?;
    let size = files.file_store().size(&key).await?.ok_or_else(|| Error::not_found("upload", &wanted.id))?;
    if size > LARGEST {
        files.delete(&key).await?;
        let why = format!("the file is larger than {LARGEST} bytes");
        return Err(Error::new(Common::BodyTooLarge, why).with("limit", LARGEST.to_string()));
    }
    let content = files.file_store().read(&key, 0..size).await?;
    let stored = store_content(call, wanted, content).await;
    if stored.as_ref().is_ok_and(|_| !call.validate_only()) || stored.as_ref().is_err_and(|error| !error.is_transient())
    {
        // A refused upload does not stay either. A failure leaves it to the sweep.
        let removed = files.delete(&key).await;
        removed.unwrap_or_else(|error| tracing::warn!(cause = error.cause(), "an upload stays until it is swept"));
    }
    commit_linked(call, stored?).await
}
