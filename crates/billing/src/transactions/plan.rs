//! What one of the create… calls asks for, made alike.

use pavise_kernel::call::hex;
use pavise_kernel::common::v1::Money;
use pavise_kernel::{Call, Error, Result};
use sha2::{Digest, Sha256};

use crate::contract::v1::{
    CreateAuthorizationRequest, CreateChargeRequest, CreateRefundRequest, CreateSaleRequest, CreateVerificationRequest,
    ErrorReason, Transaction, TransactionType,
};

/// What is to be asked of a vendor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(super) kind: TransactionType,
    pub(super) payment_method_id: String,
    /// Not set for a VERIFY, and for a REFUND of all that is left.
    pub(super) amount: Option<Money>,
    pub(super) order_id: String,
    pub(super) offer_id: String,
    pub(super) invoice_id: String,
    pub(super) reference: String,
    /// What a refund gives back, or the authorization that a charge charges.
    pub(super) parent: String,
}

impl Plan {
    /// By what a repeat of the call finds the transaction; empty when no repeat can.
    pub(super) fn key(&self, call: &Call) -> String {
        if !self.reference.is_empty() {
            return request_key(call.owner(), self.kind, &self.reference);
        }
        if call.is_repeatable() { call.repeatable_id("transaction") } else { String::new() }
    }

    /// The transaction that an earlier call for the same began, if one did.
    pub(super) async fn known(&self, call: &Call) -> Result<Option<Transaction>> {
        let key = self.key(call);
        if key.is_empty() {
            return Ok(None);
        }
        let Some(known) = call.find_by::<Transaction>("request_key", &key).await? else { return Ok(None) };
        if self.matches(&known) {
            return Ok(Some(known));
        }
        Err(Error::new(ErrorReason::ReferenceReused, "the reference belongs to another transaction")
            .with("transaction_id", known.id))
    }

    fn matches(&self, known: &Transaction) -> bool {
        let amount = self.amount.is_none() && self.kind == TransactionType::Refund || known.amount == self.amount;
        amount
            && known.payment_method_id == self.payment_method_id
            && known.order_id == self.order_id
            && known.offer_id == self.offer_id
            && known.invoice_id == self.invoice_id
            && known.parent_transaction_id == self.parent
    }
}

/// By what a transaction with a caller's reference is found: the reference is the member's and the type's.
pub(super) fn request_key(owner: &str, kind: TransactionType, reference: &str) -> String {
    hex(&Sha256::digest(format!("{owner}\n{}\n{reference}", kind.spelling())))
}

impl From<CreateChargeRequest> for Plan {
    fn from(request: CreateChargeRequest) -> Self {
        Self {
            kind: TransactionType::Charge,
            payment_method_id: request.payment_method_id,
            amount: request.amount,
            order_id: request.order_id,
            offer_id: request.offer_id,
            invoice_id: request.invoice_id,
            reference: request.reference,
            parent: request.authorization_id,
        }
    }
}

impl From<CreateAuthorizationRequest> for Plan {
    fn from(request: CreateAuthorizationRequest) -> Self {
        Self {
            kind: TransactionType::Authorize,
            payment_method_id: request.payment_method_id,
            amount: request.amount,
            order_id: request.order_id,
            offer_id: request.offer_id,
            invoice_id: request.invoice_id,
            reference: request.reference,
            parent: String::new(),
        }
    }
}

impl From<CreateSaleRequest> for Plan {
    fn from(request: CreateSaleRequest) -> Self {
        Self {
            kind: TransactionType::Sale,
            payment_method_id: request.payment_method_id,
            amount: request.amount,
            order_id: request.order_id,
            offer_id: request.offer_id,
            invoice_id: request.invoice_id,
            reference: request.reference,
            parent: String::new(),
        }
    }
}

impl From<CreateVerificationRequest> for Plan {
    fn from(request: CreateVerificationRequest) -> Self {
        Self {
            kind: TransactionType::Verify,
            payment_method_id: request.payment_method_id,
            reference: request.reference,
            ..Self::default()
        }
    }
}

impl From<CreateRefundRequest> for Plan {
    fn from(request: CreateRefundRequest) -> Self {
        Self {
            kind: TransactionType::Refund,
            payment_method_id: request.payment_method_id,
            amount: request.amount,
            invoice_id: request.invoice_id,
            reference: request.reference,
            parent: request.transaction_id,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_the_members_and_the_types_own() {
        let key = request_key("anna", TransactionType::Sale, "order/offer/1");
        assert_eq!(key, request_key("anna", TransactionType::Sale, "order/offer/1"));
        assert_ne!(key, request_key("bert", TransactionType::Sale, "order/offer/1"));
        assert_ne!(key, request_key("anna", TransactionType::Refund, "order/offer/1"));
        assert_ne!(key, request_key("anna", TransactionType::Sale, "order/offer/2"));
    }

    #[test]
    fn a_repeat_must_be_the_same_in_everything_that_matters() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let known =
            Transaction { payment_method_id: "m".into(), amount: usd(100), order_id: "o".into(), ..Transaction::default() };
        let plan = Plan {
            payment_method_id: "m".into(),
            amount: usd(100),
            order_id: "o".into(),
            kind: TransactionType::Sale,
            ..Plan::default()
        };
        assert!(plan.matches(&known));
        assert!(!Plan { amount: usd(101), ..plan.clone() }.matches(&known));
        assert!(!Plan { payment_method_id: "n".into(), ..plan.clone() }.matches(&known));
        assert!(!Plan { amount: None, ..plan.clone() }.matches(&known), "only a refund may leave the amount open");
        assert!(Plan { amount: None, kind: TransactionType::Refund, ..plan }.matches(&known));
    }
}
