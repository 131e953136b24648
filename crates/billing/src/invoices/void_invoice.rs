//! Voids an invoice that nothing was paid on.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::sums::{Sums, amount_on, check_at_rest, write_sums};
use crate::contract::v1::{ErrorReason, Invoice, VoidInvoiceRequest};
use crate::shared::money;

impl Edit<VoidInvoiceRequest> for Invoice {
    /// Takes the invoice back, unless it has payments.
    fn edit(&mut self, _request: &VoidInvoiceRequest, context: &EditContext) -> Result<()> {
        check_at_rest(self)?;
        let paid = Sums::of(self).paid;
        if paid > 0 {
            let paid = money::format_amount(&amount_on(self, paid));
            return Err(Error::new(
                ErrorReason::InvoiceHasPayments,
                format!("{paid} was paid on the invoice: refund it"),
            ));
        }
        self.closed_at = Some(context.timestamp());
        write_sums(self)
    }
}
