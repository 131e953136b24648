//! Stores the content of files.

use pavise_kernel::bytes::Chunks;
use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::{Call, Error, Result};

use super::content::ContentRule;
use crate::contract::v1::{File, FileContainer, FileStatus};
use crate::shared::tools::Tools as _;

/// The folder of the contents of files.
pub(crate) const FOLDER: &str = "files";
/// The folder of what was uploaded to S3 by a link and has no record yet.
pub(crate) const QUARANTINE: &str = "quarantine";
/// The most bytes of a file.
pub(crate) const LARGEST: u64 = 100 << 20;

/// Looks at a content while it goes into the store. Answers the file with the facts of it; its record is committed
/// afterwards.
///
/// # Errors
/// `FILE_TYPE_NOT_ALLOWED`, `FILE_UNSAFE`, and those of the content and the store. Nothing is left then.
pub(crate) async fn store_content(call: &Call, mut file: File, bytes: Chunks) -> Result<File> {
    let (bytes, kind) = ContentRule::new(file.container(), &file.name).inspect_content(bytes);
    let key = FileKey::of_entity(FOLDER, &file.id, &call.new_id())?;
    let stored = if call.validate_only() {
        Files::measure_file(key, bytes).await?
    } else {
        call.find_provided::<Files>()?.put_file(key, bytes).await?
    };
    file.content_type = kind.get()?.to_owned();
    file.size = i64::try_from(stored.size).map_err(Error::internal)?;
    file.sha256 = stored.sha256;
    file.storage_key = stored.key.as_str().to_owned();
    let needs_scan = call.tools()?.clamd.is_some();
    file.set_status(if needs_scan { FileStatus::Pending } else { FileStatus::Available });
    Ok(file)
}

/// Removes a content whose record was not committed. What stays is swept.
pub(crate) async fn give_up(call: &Call, storage_key: &str) {
    let (Ok(files), Ok(key)) = (call.find_provided::<Files>(), FileKey::parse(storage_key)) else { return };
    if let Err(error) = files.delete(&key).await {
        tracing::warn!(cause = error.cause(), "a content without a record stays until it is swept");
    }
}

/// Whether the files of the container belong to the platform itself.
pub(crate) fn is_of_platform(container: FileContainer) -> bool {
    use FileContainer::{Contract, Form, Other, Print, Provider};
    matches!(container, Form | Print | Provider | Contract | Other)
}

/// Whether members keep files of their own there.
pub(crate) fn is_of_members(container: FileContainer) -> bool {
    use FileContainer::{Answer, Chat, Other, ServiceRequest};
    matches!(container, Answer | Chat | Other | ServiceRequest)
}
