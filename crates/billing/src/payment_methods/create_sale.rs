//! Sets an amount aside and charges it at once.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CreateSaleRequest, Transaction, TransactionType};
use crate::shared::transactions::perform::perform_plan;
use crate::shared::transactions::plan::Plan;

/// Asks the vendor for a sale: the purchase of an offer.
pub(crate) async fn create_sale(call: &Call, request: CreateSaleRequest) -> Result<Transaction> {
    let plan = Plan {
        kind: TransactionType::Sale,
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
