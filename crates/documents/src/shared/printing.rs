//! Keeps PDFs that the platform makes for members.

use futures::stream;
use pavise_kernel::bytes::CHUNK;
use pavise_kernel::{Call, Result};

use crate::contract::v1::file_service_client::FileServiceClient;
use crate::contract::v1::{File, FileContainer, UploadContainerFileRequest};

/// Stores a PDF as a file of an identity. A file of that name gets the new content, so that a repeat makes no second one.
///
/// # Errors
/// When the store or the database does not answer.
pub(crate) async fn keep_pdf(
    call: &Call,
    owner_id: &str,
    (container, resource_id): (FileContainer, &str),
    name: &str,
    pdf: &[u8],
) -> Result<File> {
    let facts = UploadContainerFileRequest {
        owner_id: owner_id.to_owned(),
        container: container.into(),
        resource_id: resource_id.to_owned(),
        name: name.to_owned(),
        ..UploadContainerFileRequest::default()
    };
    let chunks =
        pdf.chunks(CHUNK).map(|chunk| UploadContainerFileRequest { chunk: chunk.to_vec(), ..Default::default() });
    let messages: Vec<_> = std::iter::once(facts).chain(chunks).collect();
    let request = call.peer_request(stream::iter(messages), resource_id);
    let stored = FileServiceClient::new(call.peer_channel("documents")).upload_container_file(request).await?;
    Ok(stored.into_inner())
}
