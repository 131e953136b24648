//! The first step of a transaction: every refusal that needs no vendor, and the record as CREATED.

use pavise_kernel::time::{DAY, to_micros};
use pavise_kernel::{Aggregate, Call, Error, Result};

use super::plan::Plan;
use super::share;
use crate::contract::actions::payment_method as actions;
use crate::contract::v1::{ErrorReason, Transaction, TransactionType};
use crate::shared::admission::{AdmittedUse, admit_use};
use crate::shared::money;
use crate::shared::retry::retry_contention;
use crate::shared::tools::Tools as _;
use crate::shared::vendor::Captures;

/// Records the transaction before the vendor is asked. Its id is our reference at the vendor.
pub(crate) async fn begin_transaction(call: &Call, plan: &Plan) -> Result<(Transaction, AdmittedUse)> {
    retry_contention(call, || record_begun(call, plan)).await
}

/// Commits the transaction, and its share of the parent if it has one.
async fn record_begun(call: &Call, plan: &Plan) -> Result<(Transaction, AdmittedUse)> {
    let mut unit = call.unit();
    let admission = admit_use(call, &mut unit, call.owner(), plan).await?;
    let mut transaction = Transaction {
        owner_id: call.owner().to_owned(),
        r#type: plan.kind.into(),
        payment_method_id: plan.payment_method_id.clone(),
        vendor: admission.method().vendor,
        reference: plan.reference.clone(),
        order_id: plan.order_id.clone(),
        offer_id: plan.offer_id.clone(),
        invoice_id: plan.invoice_id.clone(),
        parent_transaction_id: plan.parent.clone(),
        request_key: plan.request_key(call),
        ..Transaction::default()
    };
    if plan.parent.is_empty() {
        transaction.amount = match plan.kind {
            TransactionType::Verify => None,
            _ => Some(money::check_positive("amount", plan.amount)?),
        };
    } else {
        let before = load_parent(call, plan).await?;
        check_captures(call, plan, &before)?;
        let mut after = before.clone();
        transaction.amount = Some(share::reserve_share(&mut after, plan.kind, plan.amount)?);
        unit.update_as(&before, after, actions::TRANSACTION_DRAWN)?;
    }
    let transaction = unit.create_as(transaction, actions::TRANSACTION_CREATED)?;
    unit.commit().await?;
    let admitted = admission.into_use(&transaction);
    Ok((transaction, admitted))
}

/// Refuses a second charge of an authorization at a vendor that knows only one, and a refund after the vendor's time.
fn check_captures(call: &Call, plan: &Plan, parent: &Transaction) -> Result<()> {
    let capabilities = call.vendors()?.get(parent.vendor())?.capabilities();
    if plan.kind == TransactionType::Charge
        && capabilities.captures == Captures::One
        && parent.captured_amount.is_some()
    {
        let message = "the vendor charges an authorization once; the rest was let go";
        return Err(Error::new(ErrorReason::NotCapturable, message));
    }
    let paid_at = parent.settled_at.as_ref().map_or(0, to_micros);
    let last = capabilities.refund_days.map(|days| paid_at.saturating_add(i64::from(days) * DAY));
    if plan.kind == TransactionType::Refund && last.is_some_and(|last| call.now() > last) {
        let message = "the vendor no longer refunds the payment: it is too long ago";
        return Err(Error::new(ErrorReason::NotRefundable, message));
    }
    Ok(())
}

/// Loads the payment to refund or the authorization to charge. It must be of the same member and method, and an
/// authorization of the same order.
async fn load_parent(call: &Call, plan: &Plan) -> Result<Transaction> {
    let found: Option<Transaction> = call.find_unscoped(&plan.parent).await?;
    let parent = found.filter(|parent| call.can_see(parent) && parent.payment_method_id == plan.payment_method_id);
    let parent = parent.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &plan.parent))?;
    if parent.recorded {
        let message = "the payment was made outside the platform: record its refund with POST /v1/transactions";
        return Err(Error::new(ErrorReason::NotRefundable, message));
    }
    let other = |named: &str, its: &str| !named.is_empty() && named != its;
    let differs = other(&plan.order_id, &parent.order_id) || other(&plan.invoice_id, &parent.invoice_id);
    if plan.kind == TransactionType::Charge && differs {
        return Err(Error::new(ErrorReason::NotOwed, "the amount was set aside for another order or invoice"));
    }
    Ok(parent)
}
