//! The last step: what the vendor said, or that it did not.

use pavise_kernel::time::timestamp;
use pavise_kernel::{Aggregate, Call, Error, Result, Unit};

use super::share;
use crate::contract::v1::{PaymentMethod, Transaction, TransactionStatus, TransactionType};
use crate::money;
use crate::payment_methods::cooldown::COOLDOWN;
use crate::retry::contended;
use crate::vendor::{Decision, Verdict};

/// Records the outcome and answers it; a repeat of the call is answered the same. What somebody else has recorded in the
/// meantime stands.
pub(super) async fn decided(call: &Call, transaction: Transaction, verdict: &Verdict) -> Result<Transaction> {
    contended(call, || async {
        let before = reload(call, &transaction.id).await?;
        if before.is_final() {
            return Ok(before);
        }
        let mut unit = call.unit();
        if verdict.decision != Decision::Approved {
            give_back(call, &mut unit, &before).await?;
        }
        if matches!(verdict.decision, Decision::HardDeclined(_)) && before.r#type() != TransactionType::Refund {
            rest(call, &mut unit, &before.payment_method_id).await?;
        }
        // The transaction is written last: it is what the answer's ETag speaks of.
        let after = unit.update(&before, outcome(&before, verdict, call))?;
        unit.answer(after).await
    })
    .await
}

/// Records that the vendor has not answered. This is no answer to remember: a repeat asks the vendor.
pub(super) async fn timed_out(call: &Call, transaction: Transaction) -> Result<Transaction> {
    contended(call, || async {
        let before = reload(call, &transaction.id).await?;
        if before.status() != TransactionStatus::Created {
            return Ok(before);
        }
        let mut unit = call.unit();
        let after = unit.update(&before, Transaction { status: TransactionStatus::Timedout.into(), ..before.clone() })?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

async fn reload(call: &Call, id: &str) -> Result<Transaction> {
    call.find(id).await?.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, id))
}

fn outcome(before: &Transaction, verdict: &Verdict, call: &Call) -> Transaction {
    let (status, reason) = match verdict.decision {
        Decision::Approved => (TransactionStatus::Approved, 0),
        Decision::Declined(reason) => (TransactionStatus::Declined, reason.into()),
        Decision::HardDeclined(reason) => (TransactionStatus::HardDeclined, reason.into()),
    };
    Transaction {
        status: status.into(),
        decline_reason: reason,
        vendor_reference: verdict.vendor_reference.clone(),
        settled_at: Some(call.timestamp()),
        ..before.clone()
    }
}

/// Releases what was set aside for a transaction that was refused.
async fn give_back(call: &Call, unit: &mut Unit<'_>, refused: &Transaction) -> Result<()> {
    if refused.parent_transaction_id.is_empty() {
        return Ok(());
    }
    let before = reload(call, &refused.parent_transaction_id).await?;
    let mut after = before.clone();
    share::release(&mut after, refused.r#type(), money::minor(refused.amount.as_ref()));
    unit.update_as(&before, after, "TRANSACTION_DRAWN")?;
    Ok(())
}

/// Lets a payment method rest after a hard decline.
async fn rest(call: &Call, unit: &mut Unit<'_>, id: &str) -> Result<()> {
    let Some(before) = call.find::<PaymentMethod>(id).await? else { return Ok(()) };
    let cooldown_until = Some(timestamp(call.now().saturating_add(COOLDOWN)));
    unit.update_as(&before, PaymentMethod { cooldown_until, ..before.clone() }, "COOLDOWN_STARTED")?;
    Ok(())
}
