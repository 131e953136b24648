//! A use of a payment method that was admitted.

use pavise_kernel::common::v1::Money;

use crate::contract::v1::{PaymentMethod, PaymentMethodType, Transaction, TransactionType};

/// A recorded use of a payment method that a vendor may be asked for. Only the admission makes one.
#[derive(Debug, Clone)]
pub(crate) struct AdmittedUse {
    reference: String,
    kind: TransactionType,
    token: String,
    method: PaymentMethodType,
    amount: Option<Money>,
    vendor_reference: String,
    parent: String,
}

impl AdmittedUse {
    /// The use that a transaction records, of its method.
    pub(super) fn new(method: PaymentMethod, recorded: &Transaction) -> Self {
        Self {
            reference: recorded.id.clone(),
            kind: recorded.r#type(),
            method: method.r#type(),
            token: method.vendor_token,
            amount: recorded.amount,
            vendor_reference: recorded.vendor_reference.clone(),
            parent: recorded.parent_transaction_id.clone(),
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

    /// Whether a card or an account is charged.
    pub(crate) fn method_type(&self) -> PaymentMethodType {
        self.method
    }

    /// The vendor's own reference, if it gave one before money moves.
    pub(crate) fn vendor_reference(&self) -> &str {
        &self.vendor_reference
    }

    /// The payment that is given back, or the authorization that is charged; empty for none.
    pub(crate) fn parent(&self) -> &str {
        &self.parent
    }

    /// The use with the vendor's own reference, once it is recorded.
    pub(crate) fn with_vendor_reference(self, recorded: &Transaction) -> Self {
        Self { vendor_reference: recorded.vendor_reference.clone(), ..self }
    }

    /// The amount; none for VERIFY.
    pub(crate) fn amount(&self) -> Option<Money> {
        self.amount
    }
}
