//! Forgives the open amount of an invoice.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::sums::{check_at_rest, write_sums};
use crate::contract::v1::{ForgiveInvoiceRequest, Invoice};

impl Edit<ForgiveInvoiceRequest> for Invoice {
    /// Forgives the open amount. Payments stay.
    fn edit(&mut self, request: &ForgiveInvoiceRequest, context: &EditContext) -> Result<()> {
        check_at_rest(self)?;
        self.forgiven_reason.clone_from(&request.reason);
        self.closed_at = Some(context.timestamp());
        write_sums(self)
    }
}
