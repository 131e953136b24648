//! Answers what a worker could not handle.

use pavise_kernel::common::v1::ReadWorkersRequest;
use pavise_kernel::{Call, Result};

use super::support::orders::read_worker;
use crate::contract::v1::{ListFailedEntriesRequest, ListFailedEntriesResponse};

/// Entries in a page when the caller gives no number.
const PAGE: i32 = 50;

pub(crate) async fn list_failed_entries(
    call: &Call,
    request: ListFailedEntriesRequest,
) -> Result<ListFailedEntriesResponse> {
    let ask = ReadWorkersRequest {
        name: request.worker_name,
        failed_entries: if request.page_size == 0 { PAGE } else { request.page_size },
        after_clock: request.after_clock,
    };
    let (_, answer) = read_worker(call, ask).await?;
    let last = answer.failed_entries.last().map_or(0, |entry| entry.clock);
    let next_clock = if answer.more { last } else { 0 };
    Ok(ListFailedEntriesResponse { failed_entries: answer.failed_entries, next_clock })
}
