//! The files that products and content name, as the files service has them.

use std::collections::BTreeSet;

use futures::future::try_join_all;
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result};
use tonic::Request;

use crate::contract::documents::file_service_client::FileServiceClient;
use crate::contract::documents::{File, FileStatus, GetFileRequest};

/// The number of files that are asked for at once.
const AT_ONCE: usize = 16;

/// The files with these ids that can be downloaded.
///
/// # Errors
/// When the files service does not answer.
pub(crate) async fn find_available_files(call: &Call, ids: &BTreeSet<&str>) -> Result<Vec<File>> {
    let ids: Vec<&str> = ids.iter().copied().collect();
    let mut found = Vec::new();
    for some in ids.chunks(AT_ONCE) {
        let files = try_join_all(some.iter().map(|id| find_file(call, id))).await?;
        found.extend(files.into_iter().flatten().filter(is_available));
    }
    Ok(found)
}

async fn find_file(call: &Call, file_id: &str) -> Result<Option<File>> {
    let ask = GetFileRequest { file_id: file_id.to_owned() };
    let mut files = FileServiceClient::new(call.peer_channel("documents"));
    match files.get_file(Request::new(ask)).await.map_err(Error::from) {
        Ok(file) => Ok(Some(file.into_inner())),
        Err(error) if error.is(Common::NotFound) || error.is(Common::InvalidField) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_available(file: &File) -> bool {
    match file.status() {
        FileStatus::Available => true,
        FileStatus::Pending | FileStatus::Quarantined | FileStatus::Deleted | FileStatus::Unspecified => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_can_be_downloaded_is_named() {
        let is = |status: FileStatus| is_available(&File { status: status.into(), ..File::default() });
        assert!(is(FileStatus::Available));
        assert!(!is(FileStatus::Pending) && !is(FileStatus::Quarantined) && !is(FileStatus::Deleted));
    }
}
