//! `documents.sweep_files`: deletes files on their day, and removes the contents that no file names.

use std::collections::HashSet;
use std::time::Duration;

use pavise_kernel::files::{FileKey, FileRecords, Files};
use pavise_kernel::sweep_files::EntityFiles;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::file as lookups;
use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::{DeleteFileRequest, File, FileStatus};
use crate::files::support::storing::{FOLDER, QUARANTINE};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(3600);

/// The worker.
#[derive(Debug)]
pub(crate) struct SweepFiles;

#[async_trait]
impl Worker for SweepFiles {
    fn name(&self) -> &'static str {
        "documents.sweep_files"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = FileServiceClient::new(work.peer_channel("documents"));
        let deleted = work
            .call_for_due::<File, _, _, _>(lookups::DUE_ON, |id| {
                let mut client = client.clone();
                let request = work.new_request(DeleteFileRequest { file_id: id.clone() }, &id);
                async move { client.delete_file(request).await }
            })
            .await;
        let records = EntityFiles::<File>::new(work.kernel(), |file| match file.status() {
            FileStatus::Deleted => "",
            _ => &file.storage_key,
        });
        let files = work.kernel().find_provided::<Files>()?;
        files.sweep_folder(FOLDER, work.machine_now(), &records).await?;
        files.sweep_folder(QUARANTINE, work.machine_now(), &NoRecords).await?;
        deleted
    }
}

/// Nothing has a record in the quarantine.
struct NoRecords;

#[async_trait]
impl FileRecords for NoRecords {
    async fn named(&self, _: &[FileKey]) -> Result<HashSet<FileKey>> {
        Ok(HashSet::new())
    }
}
