//! The plan of a transaction: the request of a create… call in one form.

use pavise_kernel::common::v1::Money;
use pavise_kernel::hex::to_hex;
use pavise_kernel::{Call, Error, Result};
use sha2::{Digest, Sha256};

use crate::contract::lookups::transaction as lookups;
use crate::contract::v1::{ErrorReason, Transaction, TransactionType};

/// A transaction to ask a vendor for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) kind: TransactionType,
    pub(crate) payment_method_id: String,
    /// Not set for a VERIFY, and for a REFUND of all that is left.
    pub(crate) amount: Option<Money>,
    pub(crate) order_id: String,
    pub(crate) offer_id: String,
    pub(crate) invoice_id: String,
    pub(crate) reference: String,
    /// The payment that a refund gives back, or the authorization that a charge draws on.
    pub(crate) parent: String,
}

impl Plan {
    /// The plan of a transaction that is recorded.
    pub(crate) fn from_recorded(recorded: &Transaction) -> Self {
        Self {
            kind: recorded.r#type(),
            payment_method_id: recorded.payment_method_id.clone(),
            amount: recorded.amount,
            order_id: recorded.order_id.clone(),
            offer_id: recorded.offer_id.clone(),
            invoice_id: recorded.invoice_id.clone(),
            reference: recorded.reference.clone(),
            parent: recorded.parent_transaction_id.clone(),
        }
    }

    /// The key by which a repeat of the call finds the transaction; empty when no repeat can find it.
    pub(crate) fn request_key(&self, call: &Call) -> String {
        if !self.reference.is_empty() {
            return request_key(call.owner(), self.kind, &self.reference);
        }
        if call.is_repeatable() { call.repeatable_id("transaction") } else { String::new() }
    }

    /// Finds the transaction that an earlier call with the same key began.
    ///
    /// # Errors
    /// `REFERENCE_REUSED` when the key belongs to another plan.
    pub(crate) async fn find_begun(&self, call: &Call) -> Result<Option<Transaction>> {
        let key = self.request_key(call);
        if key.is_empty() {
            return Ok(None);
        }
        let Some(known) = call.find_unscoped_by::<Transaction>(lookups::REQUEST_KEY, &key).await? else {
            return Ok(None);
        };
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

/// Makes the lookup key of a reference. References are unique for each member and type.
pub(crate) fn request_key(owner: &str, kind: TransactionType, reference: &str) -> String {
    to_hex(&Sha256::digest(format!("{owner}\n{}\n{reference}", kind.spelling())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_belongs_to_one_member_and_type() {
        let key = request_key("anna", TransactionType::Sale, "order/offer/1");
        assert_eq!(key, request_key("anna", TransactionType::Sale, "order/offer/1"));
        assert_ne!(key, request_key("bert", TransactionType::Sale, "order/offer/1"));
        assert_ne!(key, request_key("anna", TransactionType::Refund, "order/offer/1"));
        assert_ne!(key, request_key("anna", TransactionType::Sale, "order/offer/2"));
    }

    #[test]
    fn a_repeat_must_be_the_same_in_everything_that_matters() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let known = Transaction {
            payment_method_id: "m".into(),
            amount: usd(100),
            order_id: "o".into(),
            ..Transaction::default()
        };
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
