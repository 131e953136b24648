//! Answers an entry, with the texts of a locale and the entries that it leads to.

use pavise_kernel::aggregate::Aggregate as _;
use pavise_kernel::{Call, Error, Result};

use super::support::expand::expand_entries;
use super::support::reader::{is_shown, view_entry, view_expanded};
use crate::contract::v1::{ContentEntry, GetContentEntryRequest};

pub(crate) async fn get_content_entry(call: &Call, request: GetContentEntryRequest) -> Result<ContentEntry> {
    let entry: ContentEntry = call.get(&request.content_entry_id).await?;
    if !is_shown(call, &entry) {
        return Err(Error::not_found(ContentEntry::TABLE.noun, &request.content_entry_id));
    }
    let mut expanded = expand_entries(call, std::slice::from_ref(&entry), request.expand).await?;
    view_expanded(&mut expanded, request.locale());
    Ok(ContentEntry { expanded, ..view_entry(call, entry, request.locale()) })
}
