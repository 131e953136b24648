//! The rows of differences.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Common, Result};

use super::compare::signed_amount;
use super::ids::row_id;
use crate::contract::actions::reconciliation as actions;
use crate::contract::v1::{ReconciliationOutcome, ReconciliationRow, ReconciliationRowStatus, Transaction, Vendor};
use crate::shared::retry::retry_contention;
use crate::shared::vendor::Movement;

/// A comparison and its result.
#[derive(Debug, Clone, Copy)]
pub(in crate::reconciliations) struct Comparison<'a> {
    pub(in crate::reconciliations) vendor: Vendor,
    pub(in crate::reconciliations) day: Date,
    pub(in crate::reconciliations) vendor_reference: &'a str,
    pub(in crate::reconciliations) movement: Option<&'a Movement>,
    pub(in crate::reconciliations) ours: Option<&'a Transaction>,
    pub(in crate::reconciliations) outcome: ReconciliationOutcome,
}

/// Records the result of a comparison: a row for a difference, and the end of an earlier one where there is none any more.
/// A row that staff have settled stays settled.
pub(in crate::reconciliations) async fn record_compared(call: &Call, compared: Comparison<'_>) -> Result<()> {
    retry_contention(call, || async {
        match record_once(call, &compared).await {
            // Another run wrote the same row.
            Err(error) if error.is(Common::AlreadyExists) => record_once(call, &compared).await,
            other => other,
        }
    })
    .await
}

async fn record_once(call: &Call, compared: &Comparison<'_>) -> Result<()> {
    let id = row_id(compared.vendor, compared.vendor_reference);
    let known: Option<ReconciliationRow> = call.find_unscoped(&id).await?;
    let is_matched = compared.outcome == ReconciliationOutcome::Matched;
    let mut unit = call.unit();
    match known {
        None if is_matched => return Ok(()),
        None => drop(unit.create(with_result(ReconciliationRow { id, ..ReconciliationRow::default() }, compared))?),
        Some(before) if before.status() == ReconciliationRowStatus::Settled => return Ok(()),
        Some(before) => {
            let after = with_result(before.clone(), compared);
            if after == before {
                return Ok(());
            }
            unit.update_as(&before, after, actions::DIFFERENCE_CHANGED)?;
        }
    }
    unit.commit().await.map(drop)
}

fn with_result(mut row: ReconciliationRow, compared: &Comparison<'_>) -> ReconciliationRow {
    let is_matched = compared.outcome == ReconciliationOutcome::Matched;
    if row.vendor_reference.is_empty() {
        row.vendor = compared.vendor.into();
        row.day = Some(compared.day);
        compared.vendor_reference.clone_into(&mut row.vendor_reference);
    }
    row.set_status(if is_matched { ReconciliationRowStatus::Resolved } else { ReconciliationRowStatus::Open });
    row.set_outcome(compared.outcome);
    row.vendor_amount = compared.movement.and_then(|movement| movement.amount);
    row.transaction_id = compared.ours.map(|ours| ours.id.clone()).unwrap_or_default();
    row.amount = compared.ours.and_then(signed_amount);
    row
}
