//! Refunds a charge or a sale.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateRefundRequest, Transaction, TransactionType};
use crate::shared::transactions::perform::perform_plan;
use crate::shared::transactions::plan::Plan;

/// Gives back the payment or a part of it.
pub(crate) async fn create_refund(call: &Call, request: CreateRefundRequest) -> Result<Transaction> {
    let plan = Plan {
        kind: TransactionType::Refund,
        payment_method_id: request.payment_method_id,
        amount: request.amount,
        invoice_id: request.invoice_id,
        reference: request.reference,
        parent: request.transaction_id,
        ..Plan::default()
    };
    perform_plan(call, plan).await
}
