//! Verifies a payment method.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateVerificationRequest, Transaction, TransactionType};
use crate::shared::transactions::perform::perform_plan;
use crate::shared::transactions::plan::Plan;

/// Asks the vendor whether the method can be charged. No money is moved.
pub(crate) async fn create_verification(call: &Call, request: CreateVerificationRequest) -> Result<Transaction> {
    let plan = Plan {
        kind: TransactionType::Verify,
        payment_method_id: request.payment_method_id,
        reference: request.reference,
        ..Plan::default()
    };
    perform_plan(call, plan).await
}
