//! A transaction from its plan to its outcome.

use std::time::Duration;

use pavise_kernel::time::{MINUTE, Micros, to_micros};
use pavise_kernel::{Call, Result};

use super::begin::begin_transaction;
use super::declines::Try;
use super::finish::{record_prepared, record_timeout, record_verdict};
use super::plan::Plan;
use crate::contract::v1::{DeclineReason, Transaction};
use crate::shared::admission::{AdmittedUse, admit_again};
use crate::shared::tools::Tools as _;
use crate::shared::vendor::{Decision, PaymentVendor, Preparation, ReferenceState, Vendors, Verdict};

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
    let done = submit(vendors.get(begun.vendor())?, call, begun, admitted).await?;
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
    let standing = wait_for(vendor.query(call, &known)).await;
    if standing != ReferenceState::Unknown {
        return record_standing(call, known, standing).await;
    }
    // A repeat of the call finds this transaction. So a late submission still charges once.
    let admitted = if known.request_key.is_empty() { None } else { admit_late(call, &known).await? };
    if let Some(admitted) = admitted {
        return submit(vendor, call, known, admitted).await;
    }
    if age_of(call, &known) < GIVEN_UP {
        return record_timeout(call, known).await;
    }
    // No call can find this transaction. Its caller may have begun another one, and would pay twice. An earlier submission
    // may still be on its way, so the vendor is told first.
    let standing = match wait_for(vendor.withdraw(call, &known)).await {
        ReferenceState::Unknown => {
            let decision = Decision::Declined(DeclineReason::NotSubmitted);
            ReferenceState::Decided(Verdict::new(decision, known.vendor_reference.as_str()))
        }
        other => other,
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

/// Submits a transaction. If the vendor has a reference of its own, that is recorded first: a process that is killed after
/// this step asks by it, and one that is killed before has moved nothing.
async fn submit(
    vendor: &dyn PaymentVendor,
    call: &Call,
    transaction: Transaction,
    admitted: AdmittedUse,
) -> Result<Transaction> {
    if !transaction.vendor_reference.is_empty() {
        let standing = wait_for(vendor.submit(call, &admitted)).await;
        return record_standing(call, transaction, standing).await;
    }
    let (transaction, admitted) = match wait(vendor.prepare(call, &admitted)).await {
        None => return record_timeout(call, transaction).await,
        Some(Preparation::Refused(verdict)) => return record_verdict(call, transaction, &verdict).await,
        Some(Preparation::NotNeeded) => (transaction, admitted),
        Some(Preparation::Reference(reference)) => {
            let recorded = record_prepared(call, transaction, &reference).await?;
            if recorded.is_final() {
                return Ok(recorded);
            }
            // Another run of the same call may have been faster: its reference counts.
            let admitted = admitted.with_vendor_reference(&recorded);
            (recorded, admitted)
        }
    };
    let standing = wait_for(vendor.submit(call, &admitted)).await;
    record_standing(call, transaction, standing).await
}

/// Waits for a vendor's answer. A vendor that cannot be reached may have received the request.
async fn wait_for(answer: impl Future<Output = Result<ReferenceState>>) -> ReferenceState {
    wait(answer).await.unwrap_or(ReferenceState::Undecided)
}

/// Waits for a vendor's answer; `None` if there is none.
async fn wait<T>(answer: impl Future<Output = Result<T>>) -> Option<T> {
    match tokio::time::timeout(VENDOR_PATIENCE, answer).await {
        Ok(Ok(answer)) => Some(answer),
        Ok(Err(error)) => {
            tracing::warn!(
                reason = error.reason(),
                cause = error.cause().unwrap_or_default(),
                "a payment vendor cannot be reached"
            );
            None
        }
        Err(_) => None,
    }
}

async fn record_standing(call: &Call, transaction: Transaction, standing: ReferenceState) -> Result<Transaction> {
    match standing {
        ReferenceState::Decided(verdict) => record_verdict(call, transaction, &verdict).await,
        ReferenceState::Undecided | ReferenceState::Unknown => record_timeout(call, transaction).await,
    }
}
