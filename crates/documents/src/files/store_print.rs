//! Keeps a web page as a PDF.

use pavise_kernel::{Call, Result};

use super::print_file::into_chunks;
use super::support::named::check_name;
use super::support::pages::print_address;
use super::support::storing::{give_up, store_content};
use crate::contract::v1::{File, FileContainer, StorePrintRequest};

/// The name of a page that nobody named.
const PAGE: &str = "page.pdf";

pub(crate) async fn store_print(call: &Call, request: StorePrintRequest) -> Result<File> {
    let name = check_name(if request.name.is_empty() { PAGE } else { &request.name })?;
    let wanted = File {
        id: call.new_id(),
        owner_id: call.owner().to_owned(),
        container: FileContainer::Print.into(),
        resource_id: request.resource_id,
        name,
        ..File::default()
    };
    let pdf = print_address(call, &request.url).await?;
    let stored = store_content(call, wanted, into_chunks(pdf)).await?;
    let storage_key = stored.storage_key.clone();
    let mut unit = call.unit();
    let file = unit.create(stored)?;
    let committed = unit.commit_answer(file).await;
    if committed.as_ref().map_or_else(|error| !error.is_transient(), |file| file.storage_key != storage_key) {
        give_up(call, &storage_key).await;
    }
    committed
}
