//! The invoice of a payment that is disputed, or whose money was taken back.

use pavise_kernel::{Call, Result, Unit};

use crate::contract::actions::invoice as actions;
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{Collection, Invoice, Transaction};
use crate::invoices::support::payments::reverse_payment;

/// Marks the invoice that the transaction paid, and takes the payment back if its money went back.
///
/// # Errors
/// `PAYMENT_IN_PROGRESS` while a refund of the invoice has no outcome: it is tried again then.
pub(in crate::vendor_events) async fn reverse_on_invoice(
    call: &Call,
    unit: &mut Unit<'_>,
    before: &Transaction,
    after: &Transaction,
) -> Result<()> {
    let paid: Option<Invoice> = call.find_unscoped_by(lookups::TRANSACTION_IDS, &before.id).await?;
    let Some(invoice) = paid else { return Ok(()) };
    let mut next = invoice.clone();
    next.dispute_status = after.dispute_status;
    if before.reversed_at.is_none() && after.reversed_at.is_some() {
        let at = after.reversed_at.unwrap_or_else(|| call.timestamp());
        reverse_payment(&mut next, &before.id, after.reversal_reason(), at)?;
        if next.collection() == Collection::Charge {
            // The schedule begins anew: what is open again is asked for, or is refused in the end.
            (next.due_to_collect_on, next.first_refused_on) = (Some(call.today()), None);
        }
    }
    if next == invoice {
        return Ok(());
    }
    let action = if next.status == invoice.status { actions::PAYMENT_UPDATED } else { actions::STATUS_CHANGED };
    unit.update_as(&invoice, next, action)?;
    Ok(())
}
