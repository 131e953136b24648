//! Answers links to the files of an answer.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{
    Answer, ErrorReason, File, FileStatus, GetS3AttachmentDownloadLinksRequest, GetS3AttachmentDownloadLinksResponse,
};
use crate::files::support::links::link_download;

pub(crate) async fn get_s3_attachment_download_links(
    call: &Call,
    request: GetS3AttachmentDownloadLinksRequest,
) -> Result<GetS3AttachmentDownloadLinksResponse> {
    let answer: Answer = call.get(&request.answer_id).await?;
    let mut ids = answer.file_ids.clone();
    ids.extend(answer.review.as_ref().map(|review| review.file_id.clone()));
    let files: Vec<File> = call.find_many(&ids).await?;
    let own = |file: &&File| file.owner_id == answer.owner_id && file.status() == FileStatus::Available;
    let mut links = Vec::new();
    for file in files.iter().filter(own) {
        match link_download(call, file).await {
            Ok(link) => links.push(link),
            // Its content was erased.
            Err(error) if error.is(ErrorReason::FileNotAvailable) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(GetS3AttachmentDownloadLinksResponse { links })
}
