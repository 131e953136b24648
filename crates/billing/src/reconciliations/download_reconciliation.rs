//! Answers the differences of a range of days as a file.

use futures::stream;
use pavise_kernel::bytes::Chunks;
use pavise_kernel::range::{ListRange, SortKey as _};
use pavise_kernel::{Call, Download, Page, Result};

use super::support::table;
use crate::contract::lookups::reconciliation_row as lookups;
use crate::contract::v1::{DownloadReconciliationRequest, ReconciliationRow};
use crate::shared::export_days::{MOST_DAYS, check_range};

/// Rows that are read at once.
const PAGE: i32 = 200;

pub(crate) async fn download_reconciliation(call: &Call, request: DownloadReconciliationRequest) -> Result<Download> {
    let (from, until) = (("day_from", request.day_from), ("day_until", request.day_until));
    let (from, until) = check_range(from, until, MOST_DAYS)?;
    let (from, until) = (from.key(), until.key());
    let name = format!("differences-{from}-{until}.csv");
    let reading = RowReading { call: call.clone(), from, until, token: None };
    let heading = stream::iter([Ok(table::HEADING.into())]);
    let pages =
        stream::try_unfold(reading, |mut reading| async move { Ok(reading.page().await?.map(|page| (page, reading))) });
    let chunks: Chunks = Box::pin(futures::StreamExt::chain(heading, pages));
    Ok(Download::generated_file("text/csv; charset=utf-8", name, chunks))
}

/// The reading of the rows, page by page as the caller takes them.
struct RowReading {
    call: Call,
    from: String,
    until: String,
    /// The token of the next page: none before the first page, and empty after the last one.
    token: Option<String>,
}

impl RowReading {
    /// The lines of the next page; `None` after the last one.
    async fn page(&mut self) -> Result<Option<prost::bytes::Bytes>> {
        if self.token.as_deref() == Some("") {
            return Ok(None);
        }
        let range = ListRange {
            lookup: lookups::DAY,
            from: self.from.clone(),
            until: self.until.clone(),
            ascending: true,
            ..ListRange::default()
        };
        let token = self.token.take().unwrap_or_default();
        let page = Page { size: PAGE, token: &token, filters: Vec::new() };
        let (rows, next) = self.call.page_in_order::<ReconciliationRow>(None, range, page).await?;
        self.token = Some(next);
        let mut text = String::new();
        for row in &rows {
            table::write_row(row, &mut text);
        }
        Ok(Some(text.into()))
    }
}
