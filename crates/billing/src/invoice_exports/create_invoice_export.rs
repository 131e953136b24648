//! Requests a file with the invoices that are due in a range of days.

use pavise_kernel::time::{from_days, to_days};
use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CreateInvoiceExportRequest, InvoiceExport};
use crate::shared::export_days;

/// The days for which a file is kept.
const KEPT_DAYS: i64 = 7;

impl Edit<CreateInvoiceExportRequest> for InvoiceExport {
    fn edit(&mut self, request: &CreateInvoiceExportRequest, context: &EditContext) -> Result<()> {
        let (from, until) = export_days::check_days(request.due_from, request.due_until)?;
        self.due_from = Some(from);
        self.due_until = Some(until);
        self.invoice_status = request.invoice_status;
        self.expires_on = Some(from_days(to_days(context.today()) + KEPT_DAYS));
        Ok(())
    }
}
