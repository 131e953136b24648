//! A transaction that exists already and that a call records on an invoice.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::v1::{ErrorReason, Transaction};

/// Loads the transaction of the member whom the call names.
pub(crate) async fn load_transaction(call: &Call, id: &str) -> Result<Transaction> {
    let found: Option<Transaction> = call.find_unscoped(id).await?;
    let transaction = found.filter(|transaction| transaction.owner_id == call.owner());
    transaction.ok_or_else(|| Error::not_found(Transaction::TABLE.noun, id))
}

/// The refusal of a transaction with the wrong type or status.
pub(crate) fn not_usable_error(transaction: &Transaction) -> Error {
    let (kind, status) = (transaction.r#type().spelling(), transaction.status().spelling());
    Error::new(ErrorReason::TransactionNotUsable, format!("the transaction is a {kind} that is {status}"))
}
