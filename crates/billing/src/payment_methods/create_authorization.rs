//! Sets an amount aside on a payment method.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateAuthorizationRequest, Transaction, TransactionType};
use crate::shared::transactions::perform::perform_plan;
use crate::shared::transactions::plan::Plan;

/// Asks the vendor to set an amount aside, so that CreateCharge can charge it later.
pub(crate) async fn create_authorization(call: &Call, request: CreateAuthorizationRequest) -> Result<Transaction> {
    let plan = Plan {
        kind: TransactionType::Authorize,
        payment_method_id: request.payment_method_id,
        amount: request.amount,
        order_id: request.order_id,
        offer_id: request.offer_id,
        invoice_id: request.invoice_id,
        reference: request.reference,
        parent: String::new(),
    };
    perform_plan(call, plan).await
}
