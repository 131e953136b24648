//! Resolves a transaction that has no outcome.

use pavise_kernel::time::{MINUTE, Micros};
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{ResolveTransactionRequest, Transaction, TransactionStatus};
use crate::shared::tools::Tools as _;
use crate::shared::transactions::finish::record_verdict;
use crate::shared::transactions::perform::{age_of, resume_transaction};
use crate::shared::vendor::{Decision, Verdict};

/// The age up to which a CREATED transaction is left to the call that made it, in microseconds.
const IN_FLIGHT: Micros = MINUTE;

/// Asks the vendor for the outcome and records it, or records what staff found in the vendor's records.
pub(crate) async fn resolve_transaction(call: &Call, request: ResolveTransactionRequest) -> Result<Transaction> {
    let vendors = call.vendors()?;
    let known: Transaction = call.get(&request.transaction_id).await?;
    let verdict = read_verdict(&request)?;
    if known.status() == TransactionStatus::Created && age_of(call, &known) < IN_FLIGHT {
        return Ok(known);
    }
    let Some(verdict) = verdict else { return resume_transaction(&vendors, call, known).await };
    if vendors.get(known.vendor()).is_ok() {
        return Err(Error::field("status", "is the vendor's to say, which this server can ask"));
    }
    if known.is_final() || call.validate_only() {
        return Ok(known);
    }
    record_verdict(call, known, &verdict).await
}

/// The outcome that the request says; `None` if the vendor is asked.
fn read_verdict(request: &ResolveTransactionRequest) -> Result<Option<Verdict>> {
    let reason = request.decline_reason();
    let decision = match request.status() {
        TransactionStatus::Approved => Decision::Approved,
        TransactionStatus::Declined => Decision::Declined(reason),
        TransactionStatus::HardDeclined => Decision::HardDeclined(reason),
        TransactionStatus::Created | TransactionStatus::Timedout | TransactionStatus::Unspecified => {
            if request.vendor_reference.is_empty() && request.decline_reason == 0 {
                return Ok(None);
            }
            return Err(Error::field("status", "is required with what else the vendor's records say"));
        }
    };
    if decision == Decision::Approved && request.decline_reason != 0 {
        return Err(Error::field("decline_reason", "does not belong to what was APPROVED"));
    }
    Ok(Some(Verdict::new(decision, request.vendor_reference.as_str())))
}
