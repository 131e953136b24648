//! `billing.write_invoice_exports`: writes the files of exports that were requested. A worker that is killed leaves at most
//! bytes that no export names, and its successor writes another file.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures::stream;
use pavise_kernel::bytes::Chunks;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::files::{FileKey, Files};
use pavise_kernel::range::SortKey as _;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};
use tonic::{Code, Request};

use super::sweep_invoice_exports::FOLDER;
use crate::contract::feeds;
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::invoice_export_service_client::InvoiceExportServiceClient;
use crate::contract::v1::{
    ExportedInvoice, FinishInvoiceExportRequest, GetInvoiceExportRequest, Invoice, InvoiceExport, InvoiceExportStatus,
};
use crate::invoice_exports::support::table;

/// The worker.
#[derive(Debug)]
pub(crate) struct WriteInvoiceExports;

#[async_trait]
impl Worker for WriteInvoiceExports {
    fn name(&self) -> &'static str {
        "billing.write_invoice_exports"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICE_EXPORTS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(export) = worker::decode_entity::<InvoiceExport>(entry)? else { return Ok(()) };
        if entry.removed || export.status() != InvoiceExportStatus::Requested {
            return Ok(());
        }
        let mut client = InvoiceExportServiceClient::new(work.peer_channel("billing"));
        let get = GetInvoiceExportRequest { invoice_export_id: export.id.clone() };
        match client.get_invoice_export(Request::new(get)).await {
            Ok(now) if now.get_ref().status() == InvoiceExportStatus::Requested => {}
            Ok(_) => return Ok(()),
            Err(status) if status.code() == Code::NotFound => return Ok(()),
            Err(status) => return Err(status.into()),
        }
        let files = work.kernel().find_provided::<Files>()?;
        let key = FileKey::of_entity(FOLDER, &export.id, &work.kernel().ids().next(work.now()))?;
        let count = Arc::new(AtomicI64::new(0));
        let stored = files.put_file(key, lines(work, &export, Arc::clone(&count))).await?;
        let finish = FinishInvoiceExportRequest {
            invoice_export_id: export.id,
            file_key: stored.key.as_str().to_owned(),
            size: i64::try_from(stored.size).map_err(Error::internal)?,
            sha256: stored.sha256,
            row_count: count.load(Ordering::Relaxed),
        };
        let finished = client.finish_invoice_export(work.new_request(finish, stored.key.as_str())).await;
        if work.skip_refused(finished, "finish")?.is_none() {
            files.delete(&stored.key).await?;
        }
        Ok(())
    }
}

/// The reading of the invoices of an export, page by page as the store of files takes them.
struct Reading {
    work: Work,
    status: i32,
    from: String,
    until: String,
    after: Option<(String, String)>,
    count: Arc<AtomicI64>,
}

/// The bytes of the file.
fn lines(work: &Work, export: &InvoiceExport, count: Arc<AtomicI64>) -> Chunks {
    let reading = Reading {
        work: work.clone(),
        status: export.invoice_status,
        from: export.due_from.unwrap_or_default().key(),
        until: export.due_until.unwrap_or_default().key(),
        after: None,
        count,
    };
    let heading = stream::iter([Ok(table::HEADING.into())]);
    let pages =
        stream::try_unfold(reading, |mut reading| async move { Ok(reading.page().await?.map(|page| (page, reading))) });
    Box::pin(futures::StreamExt::chain(heading, pages))
}

impl Reading {
    /// The lines of the next page; `None` after the last one.
    async fn page(&mut self) -> Result<Option<prost::bytes::Bytes>> {
        let (days, after) = ((self.from.as_str(), self.until.as_str()), self.after.take());
        let page: Vec<Invoice> = self.work.entities_in_range(lookups::DUE_ON, days, after).await?;
        let Some(last) = page.last() else { return Ok(None) };
        self.after = Some((last.due_on.unwrap_or_default().key(), last.id.clone()));
        let mut text = String::new();
        for invoice in page.iter().filter(|invoice| self.status == 0 || self.status == invoice.status) {
            table::write_row(&ExportedInvoice::from(invoice), &mut text);
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(text.into()))
    }
}
