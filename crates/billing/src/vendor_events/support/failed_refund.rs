//! A refund that the bank of the member did not take: they get a credit in its place.

use pavise_kernel::{Call, Result, Unit};

use crate::contract::actions::{credit as credit_actions, invoice as invoice_actions};
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{
    Credit, CreditReason, CreditStatus, Invoice, PaymentMethod, Transaction, TransactionStatus, TransactionType,
};
use crate::invoices::support::payments::fail_refund;
use crate::invoices::support::sums::check_at_rest;

/// Whether a refund counts as given.
pub(in crate::vendor_events) fn is_standing_refund(transaction: &Transaction) -> bool {
    transaction.r#type() == TransactionType::Refund
        && transaction.status() == TransactionStatus::Approved
        && transaction.reversed_at.is_none()
}

/// Gives the credit, to the group where its money came back, and takes the refund off its invoice. The payment stays drawn:
/// the vendor does not refund it once more. Staff pay the credit out where the member wants money.
///
/// # Errors
/// `PAYMENT_IN_PROGRESS` while the invoice waits for the refund's outcome; when the database does not answer.
pub(in crate::vendor_events) async fn credit_failed_refund(
    call: &Call,
    unit: &mut Unit<'_>,
    refund: &Transaction,
) -> Result<()> {
    let method: Option<PaymentMethod> = call.find_unscoped(&refund.payment_method_id).await?;
    let invoice: Option<Invoice> = call.find_unscoped_by(lookups::TRANSACTION_IDS, &refund.id).await?;
    if invoice.is_none() && !refund.invoice_id.is_empty() {
        // The approval may not stand on the invoice yet.
        let named: Option<Invoice> = call.find_unscoped(&refund.invoice_id).await?;
        named.iter().try_for_each(check_at_rest)?;
    }
    let credit = Credit {
        id: call.new_id(),
        owner_id: refund.owner_id.clone(),
        status: CreditStatus::Open.into(),
        amount: refund.amount,
        left: refund.amount,
        reason: CreditReason::Refund.into(),
        invoice_id: invoice.as_ref().map_or_else(|| refund.invoice_id.clone(), |invoice| invoice.id.clone()),
        group_id: method.map(|method| method.group_id).unwrap_or_default(),
        ..Credit::default()
    };
    if let Some(before) = invoice {
        let mut after = before.clone();
        fail_refund(&mut after, &refund.id, &credit.id)?;
        unit.update_as(&before, after, invoice_actions::PAYMENT_UPDATED)?;
    }
    unit.create_as(credit, credit_actions::CREATED)?;
    Ok(())
}
