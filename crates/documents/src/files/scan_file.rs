//! Gives a file free that the scanner finds clean, or holds it back.

use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::{Call, Error, Result};

use super::support::clamd::{Verdict, scan_content};
use crate::contract::v1::{File, FileStatus, ScanFileRequest};
use crate::shared::tools::Tools as _;

pub(crate) async fn scan_file(call: &Call, request: ScanFileRequest) -> Result<File> {
    let before: File = call.get_only(&request.file_id, &[FileStatus::Pending.spelling()]).await?;
    let tools = call.tools()?;
    let verdict = match &tools.clamd {
        Some(address) => {
            let size = u64::try_from(before.size).map_err(Error::internal)?;
            let files = call.find_provided::<Files>()?;
            let content = files.file_store().read(&FileKey::parse(&before.storage_key)?, 0..size).await?;
            scan_content(address, content).await?
        }
        None => Verdict::Clean,
    };
    let mut after = before.clone();
    match verdict {
        Verdict::Clean => after.set_status(FileStatus::Available),
        Verdict::Held(why) => {
            after.set_status(FileStatus::Quarantined);
            after.status_reason = why;
        }
    }
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}
