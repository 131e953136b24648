//! Answers the file of an export that is ready.

use pavise_kernel::files::{FileKey, Files, StoredFile};
use pavise_kernel::{Call, Download, Error, Result};

use super::support::table;
use crate::contract::v1::{DownloadInvoiceExportRequest, InvoiceExport, InvoiceExportStatus};

pub(crate) async fn download_invoice_export(call: &Call, request: DownloadInvoiceExportRequest) -> Result<Download> {
    let ready = [InvoiceExportStatus::Ready.spelling()];
    let export: InvoiceExport = call.get_only(&request.invoice_export_id, &ready).await?;
    let files = call.find_provided::<Files>()?;
    let size = u64::try_from(export.size).map_err(Error::internal)?;
    let file = StoredFile { key: FileKey::parse(&export.file_key)?, size, sha256: export.sha256.clone() };
    let name = table::file_name(&export);
    Ok(files.download_file(file, table::CONTENT_TYPE, &name).modified_at(export.updated_at))
}
