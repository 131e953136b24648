//! Asking for the charges and refunds behind an invoice's payments. Each has a reference made of the payment's or the
//! refund's id, so that whoever asks, and however often, one transaction is made.

use std::time::Duration;

use pavise_kernel::{Call, Error, Result};
use tonic::Response;

use super::ledger::Outcome;
use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{
    CreateChargeRequest, CreateRefundRequest, ErrorReason, Invoice, InvoicePayment, InvoiceRefund, Transaction, TransactionStatus,
};

/// After how long a caller is told to ask again.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// Charges what a payment needs; `None` while there is no outcome. An outcome that is a refusal without a transaction
/// comes with its error.
pub(super) async fn charge(call: &Call, invoice: &Invoice, payment: &InvoicePayment) -> Result<Option<(Outcome, Option<Error>)>> {
    let request = CreateChargeRequest {
        identity_id: invoice.owner_id.clone(),
        payment_method_id: payment.payment_method_id.clone(),
        amount: payment.amount,
        invoice_id: invoice.id.clone(),
        reference: format!("invoice/{}", payment.id),
        ..CreateChargeRequest::default()
    };
    let mut client = PaymentMethodServiceClient::new(call.peer("billing"));
    outcome(client.create_charge(request).await.map_err(Error::from))
}

/// Gives back what a refund needs; as [`charge`].
pub(super) async fn give_back(
    call: &Call,
    invoice: &Invoice,
    refund: &InvoiceRefund,
) -> Result<Option<(Outcome, Option<Error>)>> {
    let payment = invoice.payments.iter().find(|payment| payment.id == refund.payment_id);
    let payment = payment.ok_or_else(|| Error::internal(format!("refund {} gives back no payment", refund.id)))?;
    // The invoice may have been given to another member since: the payment is still that of who paid.
    let paid: Option<Transaction> = call.find(&payment.transaction_id).await?;
    let paid = paid.ok_or_else(|| Error::internal(format!("payment {} has no transaction", payment.id)))?;
    let request = CreateRefundRequest {
        identity_id: paid.owner_id,
        payment_method_id: paid.payment_method_id,
        transaction_id: payment.transaction_id.clone(),
        amount: refund.amount,
        invoice_id: invoice.id.clone(),
        reference: format!("invoice/{}", refund.id),
    };
    let mut client = PaymentMethodServiceClient::new(call.peer("billing"));
    outcome(client.create_refund(request).await.map_err(Error::from))
}

fn outcome(answer: Result<Response<Transaction>>) -> Result<Option<(Outcome, Option<Error>)>> {
    let transaction = match answer {
        Ok(answer) => answer.into_inner(),
        // It may have been begun: it is asked for again.
        Err(error) if error.is_transient() => return Err(error),
        // It was refused before there was a transaction, and will be again.
        Err(error) => return Ok(Some((Outcome::refused(), Some(error)))),
    };
    match transaction.status() {
        TransactionStatus::Created | TransactionStatus::Timedout | TransactionStatus::Unspecified => Ok(None),
        status @ (TransactionStatus::Approved | TransactionStatus::Declined | TransactionStatus::HardDeclined) => {
            let reason = transaction.decline_reason();
            Ok(Some((Outcome { status, transaction_id: transaction.id, reason }, None)))
        }
    }
}

/// What a caller is told while there is no outcome.
pub(super) fn undecided() -> Error {
    let message = "the vendor has not answered yet; repeat the call with the same idempotency key, nothing is charged twice";
    Error::new(ErrorReason::PaymentPending, message).retry_after(ASK_AGAIN)
}

/// What a caller is told of a refusal.
pub(super) fn declined(reason: &str, transaction_id: &str) -> Error {
    let error = Error::new(ErrorReason::PaymentDeclined, format!("the payment was declined: {reason}"));
    error.with("decline_reason", reason).with("transaction_id", transaction_id)
}
