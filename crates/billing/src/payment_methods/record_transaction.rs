//! Records a payment or a refund made outside the platform.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::actions::payment_method as actions;
use crate::contract::lookups::transaction as lookups;
use crate::contract::v1::{
    ErrorReason, PaymentMethod, RecordTransactionRequest, Transaction, TransactionStatus, TransactionType,
};
use crate::shared::money;
use crate::shared::retry::retry_contention;
use crate::shared::transactions::plan::request_key;
use crate::shared::transactions::share;

/// Records a transaction with its outcome. A repeat is found by the reference.
pub(crate) async fn record_transaction(call: &Call, request: RecordTransactionRequest) -> Result<Transaction> {
    let key = request_key(call.owner(), request.r#type(), &request.reference);
    check_request(call, &request)?;
    let found: Option<PaymentMethod> = call.find_unscoped(&request.payment_method_id).await?;
    let method = found.filter(|method| call.can_see(method));
    let method = method.ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, &request.payment_method_id))?;
    match record_once(call, &request, &key, &method).await {
        // The same call may run twice at once. Then the other run has written the key.
        Err(error) => match call.find_unscoped_by::<Transaction>(lookups::REQUEST_KEY, &key).await? {
            Some(known) => check_same(&request, known),
            None => Err(error),
        },
        written => written,
    }
}

async fn record_once(
    call: &Call,
    request: &RecordTransactionRequest,
    key: &str,
    method: &PaymentMethod,
) -> Result<Transaction> {
    retry_contention(call, || async {
        if let Some(known) = call.find_unscoped_by::<Transaction>(lookups::REQUEST_KEY, key).await? {
            return check_same(request, known);
        }
        let mut unit = call.unit();
        let mut transaction = Transaction {
            owner_id: call.owner().to_owned(),
            status: request.status,
            r#type: request.r#type,
            payment_method_id: request.payment_method_id.clone(),
            amount: request.amount,
            vendor: method.vendor,
            reference: request.reference.clone(),
            vendor_reference: request.vendor_reference.clone(),
            decline_reason: request.decline_reason,
            order_id: request.order_id.clone(),
            offer_id: request.offer_id.clone(),
            invoice_id: request.invoice_id.clone(),
            parent_transaction_id: request.parent_transaction_id.clone(),
            settled_at: request.settled_at.or_else(|| Some(call.timestamp())),
            recorded: true,
            request_key: key.to_owned(),
            ..Transaction::default()
        };
        if request.r#type() == TransactionType::Refund && request.status() == TransactionStatus::Approved {
            let before = load_parent(call, request).await?;
            let mut after = before.clone();
            transaction.amount = Some(share::reserve_share(&mut after, TransactionType::Refund, request.amount)?);
            unit.update_as(&before, after, actions::TRANSACTION_DRAWN)?;
        }
        let transaction = unit.create(transaction)?;
        unit.commit_answer(transaction).await
    })
    .await
}

/// Checks the rules between fields.
fn check_request(call: &Call, request: &RecordTransactionRequest) -> Result<()> {
    match request.r#type() {
        TransactionType::Verify if request.amount.is_some() => {
            return Err(Error::field("amount", "does not belong to a VERIFY"));
        }
        TransactionType::Verify => {}
        _ if request.amount.is_none() => return Err(Error::field("amount", "is required, but for a VERIFY")),
        _ => {
            money::check_positive("amount", request.amount)?;
        }
    }
    if request.status() == TransactionStatus::Approved && request.decline_reason != 0 {
        return Err(Error::field("decline_reason", "does not belong to what was APPROVED"));
    }
    match (request.r#type(), request.parent_transaction_id.is_empty()) {
        (TransactionType::Refund, true) => {
            return Err(Error::field("parent_transaction_id", "is required for a REFUND"));
        }
        (TransactionType::Refund, false) | (_, true) => {}
        (_, false) => return Err(Error::field("parent_transaction_id", "belongs to a REFUND only")),
    }
    if request.settled_at.as_ref().is_some_and(|at| to_micros(at) > call.now()) {
        return Err(Error::field("settled_at", "is in the future"));
    }
    Ok(())
}

/// Loads the recorded payment that is given back. A payment through a vendor is refunded through the vendor.
async fn load_parent(call: &Call, request: &RecordTransactionRequest) -> Result<Transaction> {
    let found: Option<Transaction> = call.find_unscoped(&request.parent_transaction_id).await?;
    let parent = found.filter(|parent| call.can_see(parent));
    let parent = parent.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, &request.parent_transaction_id))?;
    if parent.recorded {
        return Ok(parent);
    }
    Err(Error::new(ErrorReason::NotRefundable, "the payment was made through a vendor: refund it with createRefund"))
}

/// Refuses a repeat that differs from the recorded transaction.
fn check_same(request: &RecordTransactionRequest, known: Transaction) -> Result<Transaction> {
    let alike = known.recorded
        && known.status == request.status
        && known.amount == request.amount
        && known.payment_method_id == request.payment_method_id
        && known.parent_transaction_id == request.parent_transaction_id
        && known.invoice_id == request.invoice_id;
    if alike {
        return Ok(known);
    }
    Err(Error::new(ErrorReason::ReferenceReused, "the reference belongs to another transaction")
        .with("transaction_id", known.id))
}
