//! A transaction without an outcome is resolved.

use pavise_kernel::time::{MINUTE, Micros};
use pavise_kernel::{Call, Result};

use crate::contract::v1::{ResolveTransactionRequest, Transaction, TransactionStatus};
use crate::transactions::perform::{age_of, resume_transaction};
use crate::vendor::Vendors;

/// The age up to which a CREATED transaction is left to the call that made it, in microseconds.
const IN_FLIGHT: Micros = MINUTE;

/// Asks the vendor for the outcome and records it.
pub(crate) async fn resolve_transaction(call: &Call, request: ResolveTransactionRequest) -> Result<Transaction> {
    let vendors = call.provided::<Vendors>()?;
    let known: Transaction = call.get(&request.transaction_id).await?;
    if known.status() == TransactionStatus::Created && age_of(call, &known) < IN_FLIGHT {
        return Ok(known);
    }
    resume_transaction(&vendors, call, known).await
}
