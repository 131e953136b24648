//! Deletes a file, whose content follows within seconds.

use pavise_kernel::{Call, Result};

use super::support::named::{NamedFile, find_named};
use crate::contract::v1::{DeleteContainerFileRequest, File, FileStatus};

pub(crate) async fn delete_container_file(call: &Call, request: DeleteContainerFileRequest) -> Result<File> {
    let before = find_named(call, &NamedFile::from(&request)).await?;
    call.check_transition(&before)?;
    let mut unit = call.unit();
    let deleted = File { status: FileStatus::Deleted.into(), ..before.clone() };
    let deleted = unit.update(&before, deleted)?;
    unit.commit_answer(deleted).await
}
