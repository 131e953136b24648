//! The movements of money on the balance of the account.

use pavise_kernel::common::v1::{Currency, Money};
use pavise_kernel::time::Micros;
use pavise_kernel::{Error, Result};

use super::adapter::StripeVendor;
use super::client::{ApiRequest, ListOf};
use super::objects::{BalanceTransaction, Expandable};
use super::standing::OUR_REFERENCE;
use crate::contract::v1::{Transaction, TransactionType};
use crate::shared::vendor::port::MovementPage;
use crate::shared::vendor::{Movement, MovementState};

/// A second, in microseconds.
const SECOND: Micros = 1_000_000;
/// The kinds of movements that are payments and refunds. Fees, payouts and the like are the account's own, and what a
/// dispute takes is found by its event.
const PAYMENTS: [&str; 5] = ["charge", "payment", "refund", "payment_refund", REFUND_FAILURE];
/// The kind of a movement that brings a refund back.
const REFUND_FAILURE: &str = "refund_failure";

impl StripeVendor {
    /// Reads a page of movements, of which those of payments and refunds are answered.
    pub(super) async fn read_movements(&self, (from, until): (Micros, Micros), cursor: &str) -> Result<MovementPage> {
        let mut ask = ApiRequest::get("/v1/balance_transactions".to_owned())
            .with("created[gte]", (from / SECOND).to_string())
            .with("created[lt]", (until / SECOND).to_string())
            .with("expand[]", "data.source")
            .with("limit", "100");
        if !cursor.is_empty() {
            ask = ask.with("starting_after", cursor);
        }
        let page: ListOf<BalanceTransaction> = self
            .client
            .ask(&ask)
            .await?
            .map_err(|error| Error::unavailable("the payment vendor", format!("{error:?}")))?;
        let next_cursor = page.data.last().filter(|_| page.has_more).map(|last| last.id.clone()).unwrap_or_default();
        let payments = page.data.into_iter().filter(|moved| PAYMENTS.contains(&moved.r#type.as_str()));
        Ok(MovementPage { movements: payments.map(read_movement).collect(), next_cursor })
    }
}

impl StripeVendor {
    /// Reads the movement of an approved transaction.
    pub(super) async fn read_movement_of(&self, known: &Transaction) -> Result<MovementState> {
        let source = if known.r#type() == TransactionType::Refund {
            known.vendor_reference.clone()
        } else {
            match self.find_payment(&known.vendor_reference).await? {
                Some(intent) if intent.status == "processing" => return Ok(MovementState::NotYet),
                Some(intent) => intent.latest_charge,
                None => String::new(),
            }
        };
        if source.is_empty() {
            return Ok(MovementState::None);
        }
        let ask = ApiRequest::get("/v1/balance_transactions".to_owned())
            .with("source", source)
            .with("expand[]", "data.source")
            .with("limit", "10");
        let page: ListOf<BalanceTransaction> = self
            .client
            .ask(&ask)
            .await?
            .map_err(|error| Error::unavailable("the payment vendor", format!("{error:?}")))?;
        let is_own =
            |moved: &BalanceTransaction| PAYMENTS.contains(&moved.r#type.as_str()) && moved.r#type != REFUND_FAILURE;
        let payment = page.data.into_iter().find(is_own);
        Ok(payment.map_or(MovementState::None, |moved| MovementState::Moved(read_movement(moved))))
    }
}

fn read_movement(moved: BalanceTransaction) -> Movement {
    let is_reversal = moved.r#type == REFUND_FAILURE;
    let is_refund = is_reversal || moved.r#type.ends_with("refund");
    let currency = match moved.currency.as_str() {
        "usd" => Some(Currency::Usd),
        "cad" => Some(Currency::Cad),
        _ => None,
    };
    let amount = currency.map(|currency| Money { currency: currency.into(), amount: moved.amount });
    let (vendor_reference, reference) = match moved.source {
        Some(Expandable::Object(mut source)) => {
            let ours = source.metadata.remove(OUR_REFERENCE).unwrap_or_default();
            (if is_refund || source.payment_intent.is_empty() { source.id } else { source.payment_intent }, ours)
        }
        Some(Expandable::Id(id)) => (id, String::new()),
        None => (moved.id, String::new()),
    };
    Movement { vendor_reference, reference, amount, is_reversal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payment_is_found_by_its_intent_and_a_refund_by_itself() {
        let of = |json: &str| read_movement(serde_json::from_str(json).unwrap());
        let paid = of(
            r#"{"id":"txn_1","type":"charge","amount":2995,"currency":"usd","source":{"id":"ch_1","payment_intent":"pi_1","metadata":{"transaction_id":"t"}}}"#,
        );
        assert_eq!((paid.vendor_reference.as_str(), paid.reference.as_str()), ("pi_1", "t"));
        assert_eq!(paid.amount, Some(Money { currency: 1, amount: 2995 }));
        let back = of(
            r#"{"id":"txn_2","type":"refund","amount":-100,"currency":"cad","source":{"id":"re_1","payment_intent":"pi_1"}}"#,
        );
        assert_eq!((back.vendor_reference.as_str(), back.amount.unwrap().amount), ("re_1", -100));
        let failed = of(
            r#"{"id":"txn_4","type":"refund_failure","amount":100,"currency":"cad","source":{"id":"re_1","payment_intent":"pi_1"}}"#,
        );
        assert_eq!((failed.vendor_reference.as_str(), failed.is_reversal, back.is_reversal), ("re_1", true, false));
        let foreign = of(r#"{"id":"txn_3","type":"charge","amount":1,"currency":"eur","source":"ch_2"}"#);
        assert_eq!((foreign.vendor_reference.as_str(), foreign.amount), ("ch_2", None));
    }
}
