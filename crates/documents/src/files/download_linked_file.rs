//! Answers the content of the file of a link.

use pavise_kernel::{Call, Download, Result};

use super::support::download::open_content;
use super::support::links::open_download;
use crate::contract::v1::DownloadLinkedFileRequest;

pub(crate) async fn download_linked_file(call: &Call, request: DownloadLinkedFileRequest) -> Result<Download> {
    let file = open_download(call, &request.token).await?;
    open_content(call, file).await
}
