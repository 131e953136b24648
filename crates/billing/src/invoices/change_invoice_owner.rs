//! Gives an invoice to another member.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::sums::check_at_rest;
use crate::contract::v1::{ChangeInvoiceOwnerRequest, Invoice};

impl Edit<ChangeInvoiceOwnerRequest> for Invoice {
    /// Gives the invoice to the new owner. The payment method stays with the owner before.
    fn edit(&mut self, request: &ChangeInvoiceOwnerRequest, _context: &EditContext) -> Result<()> {
        check_at_rest(self)?;
        if self.owner_id != request.new_owner_id {
            self.owner_id.clone_from(&request.new_owner_id);
            self.payment_method_id.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ErrorReason, InvoicePayment, TransactionStatus};

    #[test]
    fn the_payment_method_stays_behind_and_a_payment_in_progress_forbids_the_change() {
        let invoice = Invoice { owner_id: "ann".into(), payment_method_id: "card".into(), ..Invoice::default() };
        let to = |owner: &str| ChangeInvoiceOwnerRequest { new_owner_id: owner.into(), ..Default::default() };
        let mut same = invoice.clone();
        same.edit(&to("ann"), &EditContext::at(0)).unwrap();
        assert_eq!(same, invoice);
        let mut given = invoice.clone();
        given.edit(&to("ben"), &EditContext::at(0)).unwrap();
        assert_eq!((given.owner_id.as_str(), given.payment_method_id.as_str()), ("ben", ""));
        let payment = InvoicePayment { status: TransactionStatus::Timedout.into(), ..InvoicePayment::default() };
        let mut paying = Invoice { payments: vec![payment], ..invoice };
        assert!(paying.edit(&to("ben"), &EditContext::at(0)).unwrap_err().is(ErrorReason::PaymentInProgress));
    }
}
