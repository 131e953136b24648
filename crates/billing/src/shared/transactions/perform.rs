//! A transaction from its plan to its outcome.

use std::time::Duration;

use pavise_kernel::time::{MINUTE, Micros, to_micros};
use pavise_kernel::{Call, Result};

use super::begin::begin_transaction;
use super::declines::Try;
use super::finish::{record_timeout, record_verdict};
use super::plan::Plan;
use crate::contract::v1::{DeclineReason, Transaction};
use crate::shared::admission::{AdmittedUse, admit_again};
use crate::shared::tools::Tools as _;
use crate::shared::vendor::{Decision, PaymentVendor, ReferenceState, Vendors, Verdict};

/// How long a vendor is waited for before the transaction counts as timed out.
const VENDOR_PATIENCE: Duration = Duration::from_secs(20);
/// The age at which a transaction is declined that never reached the vendor and that no call can repeat, in microseconds.
const GIVEN_UP: Micros = 15 * MINUTE;

/// Performs `plan`, or resumes the transaction that an earlier call began for it. A transaction that is answered as
/// CREATED or TIMEDOUT has no outcome yet: a repeat of the call asks again.
pub(crate) async fn perform_plan(call: &Call, plan: Plan) -> Result<Transaction> {
    let vendors = call.vendors()?;
    if let Some(known) = plan.find_begun(call).await? {
        return resume_transaction(&vendors, call, known).await;
    }
    let counted = Try::count_try(call, &plan)?;
    let (begun, admitted) = match begin_transaction(call, &plan).await {
        Ok(begun) => begun,
        // The same call may run twice at once. Then the other run has the reference or the share that this one misses.
        Err(error) => {
            counted.withdraw_try(call);
            return match plan.find_begun(call).await? {
                Some(known) => resume_transaction(&vendors, call, known).await,
                None => Err(error),
            };
        }
    };
    if call.validate_only() {
        return Ok(begun);
    }
    let standing = submit(vendors.get(begun.vendor())?, call, &admitted).await;
    let done = record_standing(call, begun, standing).await?;
    counted.end_try(call, &done);
    Ok(done)
}

/// Resumes a transaction that an earlier call began. The vendor is asked what it knows before anything is sent again.
pub(crate) async fn resume_transaction(vendors: &Vendors, call: &Call, known: Transaction) -> Result<Transaction> {
    if known.is_final() || call.validate_only() {
        return Ok(known);
    }
    // A vendor that was turned off meanwhile may have moved money: its transaction has no outcome until it is on again.
    let Ok(vendor) = vendors.get(known.vendor()) else { return Ok(known) };
    let standing = wait_for(vendor.query(call, &known.id)).await;
    if standing != ReferenceState::Unknown {
        return record_standing(call, known, standing).await;
    }
    // A repeat of the call finds this transaction. So a late submission still charges once.
    let admitted = if known.request_key.is_empty() { None } else { admit_late(call, &known).await? };
    let standing = if let Some(admitted) = admitted {
        submit(vendor, call, &admitted).await
    } else if age_of(call, &known) >= GIVEN_UP {
        // No call can find this transaction. Its caller may have begun another one, and would pay twice.
        let decision = Decision::Declined(DeclineReason::NotSubmitted);
        ReferenceState::Decided(Verdict { decision, vendor_reference: String::new() })
    } else {
        ReferenceState::Undecided
    };
    record_standing(call, known, standing).await
}

/// The time since the transaction was recorded.
pub(crate) fn age_of(call: &Call, transaction: &Transaction) -> Micros {
    call.now().saturating_sub(transaction.created_at.as_ref().map_or(0, to_micros))
}

/// Admits a transaction that has not reached the vendor; `None` if it is refused by now.
async fn admit_late(call: &Call, known: &Transaction) -> Result<Option<AdmittedUse>> {
    match admit_again(call, known).await {
        Ok(admitted) => Ok(Some(admitted)),
        Err(error) if error.is_transient() => Err(error),
        Err(_) => Ok(None),
    }
}

async fn submit(vendor: &dyn PaymentVendor, call: &Call, admitted: &AdmittedUse) -> ReferenceState {
    wait_for(vendor.submit(call, admitted)).await
}

/// Waits for a vendor's answer. A vendor that cannot be reached may have received the request.
async fn wait_for(answer: impl Future<Output = Result<ReferenceState>>) -> ReferenceState {
    match tokio::time::timeout(VENDOR_PATIENCE, answer).await {
        Ok(Ok(standing)) => standing,
        Ok(Err(error)) => {
            tracing::warn!(
                reason = error.reason(),
                cause = error.cause().unwrap_or_default(),
                "a payment vendor cannot be reached"
            );
            ReferenceState::Undecided
        }
        Err(_) => ReferenceState::Undecided,
    }
}

async fn record_standing(call: &Call, transaction: Transaction, standing: ReferenceState) -> Result<Transaction> {
    match standing {
        ReferenceState::Decided(verdict) => record_verdict(call, transaction, &verdict).await,
        ReferenceState::Undecided | ReferenceState::Unknown => record_timeout(call, transaction).await,
    }
}
