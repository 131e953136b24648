//! Answers links to files.

use pavise_kernel::{Call, Error, Result};

use super::support::links::link_download;
use super::support::named::is_kept;
use crate::contract::v1::{CreateDownloadLinksRequest, CreateDownloadLinksResponse, File};

pub(crate) async fn create_download_links(
    call: &Call,
    request: CreateDownloadLinksRequest,
) -> Result<CreateDownloadLinksResponse> {
    let files: Vec<File> = call.find_many(&request.file_ids).await?;
    let mut links = Vec::with_capacity(request.file_ids.len());
    for id in &request.file_ids {
        let found = files.iter().find(|file| file.id == *id && is_kept(file) && call.can_see(*file));
        links.push(link_download(call, found.ok_or_else(|| Error::not_found("file", id))?).await?);
    }
    Ok(CreateDownloadLinksResponse { links })
}
