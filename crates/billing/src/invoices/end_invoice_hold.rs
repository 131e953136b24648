//! Ends the hold of an invoice before its day.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::holds::end_hold;
use crate::contract::v1::{EndInvoiceHoldRequest, ErrorReason, Invoice};

impl Edit<EndInvoiceHoldRequest> for Invoice {
    /// Ends the hold. The schedule goes on where it would be without the hold.
    fn edit(&mut self, _request: &EndInvoiceHoldRequest, _context: &EditContext) -> Result<()> {
        if self.held_until.is_none() {
            return Err(Error::new(ErrorReason::InvoiceNotHeld, "the invoice is not held"));
        }
        end_hold(self);
        Ok(())
    }
}
