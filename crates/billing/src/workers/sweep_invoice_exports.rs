//! `billing.sweep_invoice_exports`: deletes exports on their day, and removes the files that no export names.

use std::time::Duration;

use pavise_kernel::files::Files;
use pavise_kernel::sweep_files::EntityFiles;
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::invoice_export as lookups;
use crate::contract::v1::invoice_export_service_client::InvoiceExportServiceClient;
use crate::contract::v1::{DeleteInvoiceExportRequest, InvoiceExport};

/// The folder of the files.
pub(super) const FOLDER: &str = "invoice_exports";
/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(3600);

/// The worker.
#[derive(Debug)]
pub(crate) struct SweepInvoiceExports;

#[async_trait]
impl Worker for SweepInvoiceExports {
    fn name(&self) -> &'static str {
        "billing.sweep_invoice_exports"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = InvoiceExportServiceClient::new(work.peer_channel("billing"));
        let deleted = work
            .call_for_due::<InvoiceExport, _, _, _>(lookups::EXPIRES_ON, |id| {
                let mut client = client.clone();
                let request = work.new_request(DeleteInvoiceExportRequest { invoice_export_id: id.clone() }, &id);
                async move { client.delete_invoice_export(request).await }
            })
            .await;
        let records = EntityFiles::<InvoiceExport>::new(work.kernel(), |export| &export.file_key);
        work.kernel().find_provided::<Files>()?.sweep_folder(FOLDER, work.machine_now(), &records).await?;
        deleted
    }
}
