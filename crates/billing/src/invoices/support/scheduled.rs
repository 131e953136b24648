//! A charge of the schedule: what is open is reserved for it before the vendor is asked.

use pavise_kernel::{Call, Result};

use super::payments::add_payment;
use super::sums::{Sums, amount_on, write_sums};
use crate::contract::actions::invoice as actions;
use crate::contract::v1::{Invoice, InvoicePayment, InvoiceStatus, TransactionStatus};
use crate::shared::retry::retry_contention;

/// Reserves what is open for a charge of the schedule. Where another run, or the member, was faster, and where the invoice
/// is held meanwhile, nothing is begun.
pub(crate) async fn begin_charge(call: &Call, seen: &Invoice, method: &str, id: &str) -> Result<Invoice> {
    let payment = |invoice: &Invoice| InvoicePayment {
        id: id.to_owned(),
        amount: Some(amount_on(invoice, Sums::of(invoice).payable_amount())),
        status: TransactionStatus::Created.into(),
        payment_method_id: method.to_owned(),
        at: Some(call.timestamp()),
        by_schedule: true,
        ..InvoicePayment::default()
    };
    commit_unsettled(call, &seen.id, |invoice| {
        let payment = payment(invoice);
        let is_as_seen = invoice.payments == seen.payments && invoice.held_until == seen.held_until;
        if !is_as_seen || Sums::of(invoice).payable_amount() == 0 {
            return Ok(());
        }
        add_payment(invoice, payment)
    })
    .await
}

/// Commits a change of the invoice as it is by now, unless it is settled meanwhile.
pub(crate) async fn commit_unsettled(
    call: &Call,
    id: &str,
    change: impl Fn(&mut Invoice) -> Result<()> + Sync,
) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(id).await?;
        let is_open =
            [InvoiceStatus::Active, InvoiceStatus::Failed, InvoiceStatus::PartiallyFunded, InvoiceStatus::Delinquent]
                .contains(&before.status());
        let mut after = before.clone();
        if is_open {
            change(&mut after)?;
            write_sums(&mut after)?;
        }
        if after == before {
            return Ok(before);
        }
        let mut unit = call.unit();
        let action = action_of(&before, &after);
        let after = unit.update_as(&before, after, action)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// The journal action of a change. The end of a hold is one where nothing was asked.
fn action_of(before: &Invoice, after: &Invoice) -> &'static str {
    let is_asked = after.payments != before.payments || after.last_refused_on != before.last_refused_on;
    if after.status != before.status {
        actions::STATUS_CHANGED
    } else if after.held_until != before.held_until && !is_asked {
        actions::HOLD_UPDATED
    } else {
        actions::PAYMENT_UPDATED
    }
}
