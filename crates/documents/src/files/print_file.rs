//! Answers a web page as a PDF.

use futures::stream;
use pavise_kernel::bytes::{CHUNK, Chunks};
use pavise_kernel::{Call, Download, Result};

use super::support::pages::print_address;
use crate::contract::v1::PrintFileRequest;

pub(crate) async fn print_file(call: &Call, request: PrintFileRequest) -> Result<Download> {
    let pdf = print_address(call, &request.url).await?;
    Ok(Download::generated_file("application/pdf", "page.pdf", into_chunks(pdf)).shown_inline())
}

/// The bytes as a stream.
pub(crate) fn into_chunks(bytes: Vec<u8>) -> Chunks {
    let bytes = bytes::Bytes::from(bytes);
    let pieces = stream::unfold(bytes, |mut left| async move {
        (!left.is_empty()).then(|| (Ok(left.split_to(left.len().min(CHUNK))), left))
    });
    Box::pin(pieces)
}
