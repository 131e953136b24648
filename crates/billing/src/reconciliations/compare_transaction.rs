//! Asks a vendor about an approved transaction that was among none of its movements of the day.

use pavise_kernel::time::is_real;
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::support::compare::{compare, moves_money};
use super::support::rows::{Comparison, record_compared};
use crate::contract::v1::{
    CompareTransactionRequest, CompareTransactionResponse, ReconciliationOutcome, Transaction, TransactionStatus,
};
use crate::shared::tools::Tools as _;
use crate::shared::vendor::MovementState;

pub(crate) async fn compare_transaction(
    call: &Call,
    request: CompareTransactionRequest,
) -> Result<CompareTransactionResponse> {
    let day = request.day.filter(|day| is_real(*day));
    let day = day.ok_or_else(|| Error::field("day", "must be a day of the calendar"))?;
    let found: Option<Transaction> = call.find_unscoped(&request.transaction_id).await?;
    let ours = found.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &request.transaction_id))?;
    let matched = CompareTransactionResponse { outcome: ReconciliationOutcome::Matched.into() };
    // Money that the bank took back may have left no movement.
    let is_expected = ours.status() == TransactionStatus::Approved && ours.reversed_at.is_none() && !ours.recorded;
    if !is_expected || !moves_money(ours.r#type()) {
        return Ok(matched);
    }
    let vendors = call.vendors()?;
    // A movement close to midnight is one of another day at the vendor.
    let movement = match vendors.get(ours.vendor())?.find_movement(&ours).await? {
        MovementState::NotYet => return Ok(matched),
        MovementState::Moved(movement) => Some(movement),
        MovementState::None => None,
    };
    let outcome = compare(movement.as_ref(), Some(&ours));
    let (vendor, vendor_reference) = (ours.vendor(), ours.vendor_reference.as_str());
    let compared =
        Comparison { vendor, day, vendor_reference, movement: movement.as_ref(), ours: Some(&ours), outcome };
    record_compared(call, compared).await?;
    Ok(CompareTransactionResponse { outcome: outcome.into() })
}
