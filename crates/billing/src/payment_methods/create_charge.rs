//! Charges a payment method.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateChargeRequest, Transaction, TransactionType};
use crate::shared::transactions::perform::perform_plan;
use crate::shared::transactions::plan::Plan;

/// Charges an amount: one that an authorization set aside, or a new one.
pub(crate) async fn create_charge(call: &Call, request: CreateChargeRequest) -> Result<Transaction> {
    let plan = Plan {
        kind: TransactionType::Charge,
        payment_method_id: request.payment_method_id,
        amount: request.amount,
        order_id: request.order_id,
        offer_id: request.offer_id,
        invoice_id: request.invoice_id,
        reference: request.reference,
        parent: request.authorization_id,
    };
    perform_plan(call, plan).await
}
