//! Answers links for uploads.

use pavise_kernel::{Call, Error, Result};

use super::support::links::link_upload;
use super::support::storing::is_of_platform;
use crate::contract::v1::{CreateUploadLinksRequest, CreateUploadLinksResponse};

pub(crate) async fn create_upload_links(
    call: &Call,
    request: CreateUploadLinksRequest,
) -> Result<CreateUploadLinksResponse> {
    let container = request.container();
    if request.owner_id.is_empty() && !is_of_platform(container) {
        return Err(Error::field("owner_id", "a file of this container belongs to somebody: name the owner"));
    }
    let mut links = Vec::with_capacity(request.files.len());
    for (place, wish) in request.files.iter().enumerate() {
        let link = link_upload(call, &request.owner_id, (container, &request.resource_id), &wish.name).await;
        links.push(link.map_err(|error| match error.violations().first() {
            Some(wrong) => Error::field(format!("files[{place}].name"), wrong.description.clone()),
            None => error,
        })?);
    }
    Ok(CreateUploadLinksResponse { links })
}
