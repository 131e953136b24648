//! The requests for the transactions behind an invoice's payments and refunds. Each request has a reference made of the
//! payment's or the refund's id, so any number of repeats makes one transaction.

use std::time::Duration;

use pavise_kernel::{Call, Error, Result};
use tonic::Response;

use super::payments::Outcome;
use crate::contract::v1::payment_method_service_client::PaymentMethodServiceClient;
use crate::contract::v1::{
    CreateChargeRequest, CreateRefundRequest, ErrorReason, Invoice, InvoicePayment, InvoiceRefund, Transaction,
    TransactionStatus,
};

/// The time after which a caller is told to ask again.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// The outcome of a request. A refusal without a transaction comes with its error.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) refusal: Option<Error>,
}

/// Requests the charge of a payment.
///
/// # Errors
/// `PAYMENT_PENDING` while there is no outcome.
pub(crate) async fn request_charge(call: &Call, invoice: &Invoice, payment: &InvoicePayment) -> Result<Answer> {
    let request = CreateChargeRequest {
        identity_id: invoice.owner_id.clone(),
        payment_method_id: payment.payment_method_id.clone(),
        amount: payment.amount,
        invoice_id: invoice.id.clone(),
        reference: reference_of(&payment.id),
        ..CreateChargeRequest::default()
    };
    let mut client = PaymentMethodServiceClient::new(call.peer_channel("billing"));
    read_answer(client.create_charge(request).await.map_err(Error::from))
}

/// Requests the transaction of a refund.
///
/// # Errors
/// `PAYMENT_PENDING` while there is no outcome.
pub(crate) async fn request_refund(call: &Call, invoice: &Invoice, refund: &InvoiceRefund) -> Result<Answer> {
    let payment = invoice.payments.iter().find(|payment| payment.id == refund.payment_id);
    let payment = payment.ok_or_else(|| Error::internal(format!("refund {} gives back no payment", refund.id)))?;
    // The invoice may have another owner by now. The refund goes to the member who paid.
    let paid: Option<Transaction> = call.find_unscoped(&payment.transaction_id).await?;
    let paid = paid.ok_or_else(|| Error::internal(format!("payment {} has no transaction", payment.id)))?;
    let request = CreateRefundRequest {
        identity_id: paid.owner_id,
        payment_method_id: paid.payment_method_id,
        transaction_id: payment.transaction_id.clone(),
        amount: refund.amount,
        invoice_id: invoice.id.clone(),
        reference: reference_of(&refund.id),
    };
    let mut client = PaymentMethodServiceClient::new(call.peer_channel("billing"));
    read_answer(client.create_refund(request).await.map_err(Error::from))
}

/// The reference of the transaction behind a payment or a refund of an invoice.
pub(crate) fn reference_of(id: &str) -> String {
    format!("invoice/{id}")
}

fn read_answer(answer: Result<Response<Transaction>>) -> Result<Answer> {
    let transaction = match answer {
        Ok(answer) => answer.into_inner(),
        // The transaction may have been begun: a repeat asks for it.
        Err(error) if error.is_transient() => return Err(error),
        // The request was refused before there was a transaction. A repeat would be refused, too.
        Err(error) => return Ok(Answer { outcome: Outcome::not_submitted(), refusal: Some(error) }),
    };
    match transaction.status() {
        TransactionStatus::Created | TransactionStatus::Timedout | TransactionStatus::Unspecified => {
            Err(pending_error())
        }
        status @ (TransactionStatus::Approved | TransactionStatus::Declined | TransactionStatus::HardDeclined) => {
            let reason = transaction.decline_reason();
            Ok(Answer { outcome: Outcome { status, transaction_id: transaction.id, reason }, refusal: None })
        }
    }
}

/// The error while there is no outcome.
pub(crate) fn pending_error() -> Error {
    let message =
        "the vendor has not answered yet; repeat the call with the same idempotency key, nothing is charged twice";
    Error::new(ErrorReason::PaymentPending, message).retry_after(ASK_AGAIN)
}

/// The error of a refusal.
pub(crate) fn declined_error(reason: &str, transaction_id: &str) -> Error {
    let error = Error::new(ErrorReason::PaymentDeclined, format!("the payment was declined: {reason}"));
    error.with("decline_reason", reason).with("transaction_id", transaction_id)
}
