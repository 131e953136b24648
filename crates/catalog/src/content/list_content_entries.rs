//! Answers a page of entries, with the texts of a locale and the entries that they lead to.

use pavise_kernel::{Call, Page, Result};

use super::support::expand::expand_entries;
use super::support::reader::{is_staff, view_entry, view_expanded};
use crate::contract::lookups::content_entry as lookups;
use crate::contract::v1::{ContentEntry, ContentEntryStatus, ListContentEntriesRequest, ListContentEntriesResponse};

pub(crate) async fn list_content_entries(
    call: &Call,
    request: ListContentEntriesRequest,
) -> Result<ListContentEntriesResponse> {
    let Some(status) = choose_status(is_staff(call), request.status()) else {
        return Ok(ListContentEntriesResponse::default());
    };
    let filters = vec![
        (lookups::STATUS, status.spelling().to_owned()),
        (lookups::TYPE_ID, request.type_id.clone()),
        (lookups::SITE_TYPE, request.site_type().spelling().to_owned()),
        (lookups::KEY, request.key.clone()),
    ];
    let page = Page { size: request.page_size, token: &request.page_token, filters };
    let (entries, next_page_token) = call.list_page::<ContentEntry>(page).await?;
    let mut expanded = expand_entries(call, &entries, request.expand).await?;
    view_expanded(&mut expanded, request.locale());
    let content_entries = entries.into_iter().map(|entry| view_entry(call, entry, request.locale())).collect();
    Ok(ListContentEntriesResponse { content_entries, next_page_token, expanded })
}

/// The status to list; unspecified means all. `None` means that the caller may see none of those asked for.
fn choose_status(staff: bool, wanted: ContentEntryStatus) -> Option<ContentEntryStatus> {
    match wanted {
        _ if staff => Some(wanted),
        ContentEntryStatus::Unspecified | ContentEntryStatus::Published => Some(ContentEntryStatus::Published),
        ContentEntryStatus::Draft | ContentEntryStatus::Unpublished | ContentEntryStatus::Deleted => None,
    }
}
