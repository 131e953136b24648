//! A use of a payment method that was admitted.

use pavise_kernel::common::v1::Money;

use crate::contract::v1::{PaymentMethod, Transaction, TransactionType};

/// A recorded use of a payment method that a vendor may be asked for. Only the admission makes one.
#[derive(Debug, Clone)]
pub(crate) struct AdmittedUse {
    reference: String,
    kind: TransactionType,
    token: String,
    amount: Option<Money>,
}

impl AdmittedUse {
    /// The use that a transaction records, of its method.
    pub(super) fn new(method: PaymentMethod, recorded: &Transaction) -> Self {
        Self {
            reference: recorded.id.clone(),
            kind: recorded.r#type(),
            token: method.vendor_token,
            amount: recorded.amount,
        }
    }

    /// Our reference at the vendor: the transaction's id.
    pub(crate) fn reference(&self) -> &str {
        &self.reference
    }

    /// The kind of request.
    pub(crate) fn kind(&self) -> TransactionType {
        self.kind
    }

    /// The vendor's token of the card or the account.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The amount; none for VERIFY.
    pub(crate) fn amount(&self) -> Option<Money> {
        self.amount
    }
}
