//! Answers the content of a file.

use pavise_kernel::{Call, Download, Result};

use super::support::download::open_content;
use super::support::named::{NamedFile, find_named};
use crate::contract::v1::GetContainerFileRequest;

pub(crate) async fn get_container_file(call: &Call, request: GetContainerFileRequest) -> Result<Download> {
    let file = find_named(call, &NamedFile::from(&request)).await?;
    open_content(call, file).await
}
