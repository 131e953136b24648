//! Transactions: recorded, asked of the vendor, recorded again. One file per step.

mod begin;
mod finish;
mod plan;
mod record;
mod share;

use std::time::Duration;

use pavise_kernel::time::{MINUTE, Micros, micros};
use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::v1::{DeclineReason, PaymentMethod, PaymentMethodStatus, Transaction, TransactionStatus, TransactionType};
use crate::vendor::{Decision, Instruction, PaymentVendor, Standing, Vendors, Verdict};
pub(crate) use plan::Plan;
pub(crate) use record::record;

/// How long a vendor is waited for before the transaction counts as timed out.
const VENDOR_PATIENCE: Duration = Duration::from_secs(20);
/// For how long a transaction that is still CREATED is left to the call that made it, in microseconds.
const IN_FLIGHT: Micros = MINUTE;
/// After how long a transaction that never reached the vendor and that nobody can ask for again is given up, in
/// microseconds.
const GIVEN_UP: Micros = 15 * MINUTE;

/// Does what `plan` says, or goes on with what an earlier call began, and answers the transaction. One that is still
/// CREATED or TIMEDOUT has no outcome yet: a repeat asks again.
pub(crate) async fn perform(vendors: &Vendors, call: &Call, plan: Plan) -> Result<Transaction> {
    if let Some(known) = plan.known(call).await? {
        return again(vendors, call, known).await;
    }
    let (begun, method) = match begin::begin(vendors, call, &plan).await {
        Ok(begun) => begun,
        // The same call may run twice at once. The other one was faster when it has what this one was refused: the
        // reference, or what was left to give back.
        Err(error) => match plan.known(call).await? {
            Some(known) => return again(vendors, call, known).await,
            None => return Err(error),
        },
    };
    if call.validate_only() {
        return Ok(begun);
    }
    let standing = submit(vendors.get(begun.vendor())?, call, &begun, &method).await;
    settle(call, begun, standing).await
}

/// Asks what became of a transaction without an outcome. The worker's way.
pub(crate) async fn resolve(vendors: &Vendors, call: &Call, id: &str) -> Result<Transaction> {
    let known: Transaction = call.get(id).await?;
    let age = call.now().saturating_sub(known.created_at.as_ref().map_or(0, micros));
    if known.status() == TransactionStatus::Created && age < IN_FLIGHT {
        return Ok(known);
    }
    again(vendors, call, known).await
}

/// Goes on with a transaction that an earlier call began: the vendor is asked what it knows before anything else.
async fn again(vendors: &Vendors, call: &Call, known: Transaction) -> Result<Transaction> {
    if known.is_final() || call.validate_only() {
        return Ok(known);
    }
    let vendor = vendors.get(known.vendor())?;
    let standing = patient(vendor.query(call, &known.id)).await;
    if standing != Standing::Unknown {
        return settle(call, known, standing).await;
    }
    let found: Option<PaymentMethod> = call.find(&known.payment_method_id).await?;
    let method = found.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, &known.payment_method_id))?;
    let usable = method.status() == PaymentMethodStatus::Active || known.r#type() == TransactionType::Refund;
    let age = call.now().saturating_sub(known.created_at.as_ref().map_or(0, micros));
    let standing = if usable && !known.request_key.is_empty() {
        // A repeat of the call finds it, so that sending it now, however late, charges once.
        submit(vendor, call, &known, &method).await
    } else if age >= GIVEN_UP {
        // Nobody can ask for it again: whoever wanted it has begun anew, and would pay twice.
        let decision = Decision::Declined(DeclineReason::NotSubmitted);
        Standing::Decided(Verdict { decision, vendor_reference: String::new() })
    } else {
        Standing::Undecided
    };
    settle(call, known, standing).await
}

async fn submit(vendor: &dyn PaymentVendor, call: &Call, transaction: &Transaction, method: &PaymentMethod) -> Standing {
    let instruction = Instruction {
        reference: transaction.id.clone(),
        kind: transaction.r#type(),
        token: method.vendor_token.clone(),
        amount: transaction.amount,
    };
    patient(vendor.submit(call, &instruction)).await
}

/// What a vendor answers within its time. One that cannot be reached may have received the request all the same.
async fn patient(answer: impl Future<Output = Result<Standing>>) -> Standing {
    match tokio::time::timeout(VENDOR_PATIENCE, answer).await {
        Ok(Ok(standing)) => standing,
        Ok(Err(error)) => {
            tracing::warn!(
                reason = error.reason(),
                cause = error.cause().unwrap_or_default(),
                "a payment vendor cannot be reached"
            );
            Standing::Undecided
        }
        Err(_) => Standing::Undecided,
    }
}

/// Records what is known of a transaction now.
async fn settle(call: &Call, transaction: Transaction, standing: Standing) -> Result<Transaction> {
    match standing {
        Standing::Decided(verdict) => finish::decided(call, transaction, &verdict).await,
        Standing::Undecided | Standing::Unknown => finish::timed_out(call, transaction).await,
    }
}

impl Transaction {
    /// Whether it has its outcome.
    pub(crate) fn is_final(&self) -> bool {
        match self.status() {
            TransactionStatus::Approved | TransactionStatus::Declined | TransactionStatus::HardDeclined => true,
            TransactionStatus::Created | TransactionStatus::Timedout | TransactionStatus::Unspecified => false,
        }
    }
}
