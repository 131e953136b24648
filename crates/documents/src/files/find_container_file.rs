//! Answers the record of a file.

use pavise_kernel::{Call, Result};

use super::support::named::{NamedFile, find_named};
use crate::contract::v1::{File, GetContainerFileRequest};

pub(crate) async fn find_container_file(call: &Call, request: GetContainerFileRequest) -> Result<File> {
    find_named(call, &NamedFile::from(&request)).await
}
