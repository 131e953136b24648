//! The last step of a transaction: the vendor's decision, or that there is none yet.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Aggregate, Call, Error, Result, Unit};

use super::share;
use crate::contract::actions::payment_method as actions;
use crate::contract::v1::{PaymentMethod, Transaction, TransactionStatus, TransactionType};
use crate::payment_methods::support::cooldown::COOLDOWN;
use crate::shared::money;
use crate::shared::retry::retry_contention;
use crate::shared::vendor::{Decision, Verdict};

impl Transaction {
    /// Whether the transaction has its outcome.
    pub(crate) fn is_final(&self) -> bool {
        match self.status() {
            TransactionStatus::Approved | TransactionStatus::Declined | TransactionStatus::HardDeclined => true,
            TransactionStatus::Created | TransactionStatus::Timedout | TransactionStatus::Unspecified => false,
        }
    }
}

/// Records the outcome as the answer of the call; a repeat is answered the same. An outcome that another call recorded
/// first stays.
pub(crate) async fn record_verdict(call: &Call, transaction: Transaction, verdict: &Verdict) -> Result<Transaction> {
    retry_contention(call, || async {
        let before = reload(call, &transaction.id).await?;
        if before.is_final() {
            return Ok(before);
        }
        let mut unit = call.unit();
        if verdict.decision != Decision::Approved {
            release_parent(call, &mut unit, &before).await?;
        }
        if matches!(verdict.decision, Decision::HardDeclined(_)) && before.r#type() != TransactionType::Refund {
            start_cooldown(call, &mut unit, &before.payment_method_id).await?;
        }
        // The transaction is written last, because the ETag of the answer is that of the last write.
        let after = unit.update(&before, with_verdict(&before, verdict, call))?;
        unit.commit_answer(after).await
    })
    .await
}

/// Records the vendor's own reference, before it is told to move money. Of two runs at once, the first one's reference
/// stays, and both go on with it.
pub(crate) async fn record_prepared(call: &Call, transaction: Transaction, reference: &str) -> Result<Transaction> {
    retry_contention(call, || async {
        let before = reload(call, &transaction.id).await?;
        if before.is_final() || !before.vendor_reference.is_empty() {
            return Ok(before);
        }
        let mut unit = call.unit();
        let after = Transaction { vendor_reference: reference.to_owned(), ..before.clone() };
        let after = unit.update_as(&before, after, actions::TRANSACTION_PREPARED)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// Records that the vendor has not answered. The idempotency record is not written, so a repeat asks the vendor again.
pub(crate) async fn record_timeout(call: &Call, transaction: Transaction) -> Result<Transaction> {
    retry_contention(call, || async {
        let before = reload(call, &transaction.id).await?;
        if before.status() != TransactionStatus::Created {
            return Ok(before);
        }
        let mut unit = call.unit();
        let after =
            unit.update(&before, Transaction { status: TransactionStatus::Timedout.into(), ..before.clone() })?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

async fn reload(call: &Call, id: &str) -> Result<Transaction> {
    call.find_unscoped(id).await?.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, id))
}

fn with_verdict(before: &Transaction, verdict: &Verdict, call: &Call) -> Transaction {
    let (status, reason) = match verdict.decision {
        Decision::Approved => (TransactionStatus::Approved, 0),
        Decision::Declined(reason) => (TransactionStatus::Declined, reason.into()),
        Decision::HardDeclined(reason) => (TransactionStatus::HardDeclined, reason.into()),
    };
    Transaction {
        status: status.into(),
        decline_reason: reason,
        vendor_reference: verdict.vendor_reference.clone(),
        redirect_to_url: verdict.redirect_to_url.clone(),
        settled_at: Some(call.timestamp()),
        ..before.clone()
    }
}

/// Releases the share that a refused transaction reserved on its parent.
async fn release_parent(call: &Call, unit: &mut Unit<'_>, refused: &Transaction) -> Result<()> {
    if refused.parent_transaction_id.is_empty() {
        return Ok(());
    }
    let before = reload(call, &refused.parent_transaction_id).await?;
    let mut after = before.clone();
    share::release_share(&mut after, refused.r#type(), money::to_minor_units(refused.amount.as_ref()));
    unit.update_as(&before, after, actions::TRANSACTION_DRAWN)?;
    Ok(())
}

/// Starts the cooldown of a payment method after a hard decline. Until its details change no bill is charged to it by itself.
async fn start_cooldown(call: &Call, unit: &mut Unit<'_>, id: &str) -> Result<()> {
    let Some(before) = call.find_unscoped::<PaymentMethod>(id).await? else { return Ok(()) };
    let cooldown_until = Some(to_timestamp(call.now().saturating_add(COOLDOWN)));
    let after = PaymentMethod { cooldown_until, refused_for_good: true, ..before.clone() };
    unit.update_as(&before, after, actions::COOLDOWN_STARTED)?;
    Ok(())
}
