//! `documents.follow_files`: removes the contents of deleted files, and has new files scanned.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::{File, FileStatus, RemoveFileContentRequest, ScanFileRequest};

/// The worker.
#[derive(Debug)]
pub(crate) struct FollowFiles;

#[async_trait]
impl Worker for FollowFiles {
    fn name(&self) -> &'static str {
        "documents.follow_files"
    }

    fn feed(&self) -> JournalFeed {
        feeds::FILES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(file) = worker::decode_entity::<File>(entry)? else { return Ok(()) };
        let mut client = FileServiceClient::new(work.peer_channel("documents"));
        match file.status() {
            FileStatus::Deleted => {
                let request = RemoveFileContentRequest { file_id: file.id };
                client.remove_file_content(work.new_request(request, "remove")).await?;
            }
            FileStatus::Pending => {
                let request = ScanFileRequest { file_id: file.id };
                // A file that is no longer pending needs no scan.
                work.skip_refused(client.scan_file(work.new_request(request, "scan")).await, "scan")?;
            }
            _ => {}
        }
        Ok(())
    }
}
