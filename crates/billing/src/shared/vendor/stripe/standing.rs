//! The state of an intent as the outcome of a transaction.

use pavise_kernel::common::v1::Money;
use pavise_kernel::money::currency_code;

use super::declines::decide_decline;
use super::objects::{LastError, PaymentIntent, Refund, SetupIntent};
use crate::contract::v1::{DeclineReason, TransactionType};
use crate::shared::vendor::{Decision, ReferenceState, Verdict};

/// The key of the metadata with our reference.
pub(super) const OUR_REFERENCE: &str = "transaction_id";
/// The key of the metadata with the reference of the charge that took what was set aside.
const CAPTURED_BY: &str = "captured_by";

fn decided(decision: Decision, reference: &str) -> ReferenceState {
    ReferenceState::Decided(Verdict::new(decision, reference))
}

fn declined(error: Option<&LastError>, reference: &str) -> ReferenceState {
    // Without a reason it was never tried: the intent waits for its first confirmation.
    error.map_or(ReferenceState::Unknown, |error| decided(decide_decline(error), reference))
}

/// The currency as the API writes it.
pub(super) fn currency_of(amount: &Money) -> String {
    currency_code(amount.currency).to_ascii_lowercase()
}

/// The state of a payment. An amount other than ours is no outcome: staff find it in the reconciliation.
pub(super) fn standing_of_payment(
    intent: &PaymentIntent,
    kind: TransactionType,
    amount: Option<&Money>,
) -> ReferenceState {
    let moved = match intent.status.as_str() {
        "succeeded" => intent.amount_received,
        "requires_capture" => intent.amount_capturable,
        _ => intent.amount,
    };
    let alike = amount.is_some_and(|wanted| wanted.amount == moved && currency_of(wanted) == intent.currency);
    let is_draft = intent.payment_method_types.iter().any(|kind| kind != "card");
    match intent.status.as_str() {
        "succeeded" | "requires_capture" | "processing" if !alike => {
            tracing::error!(reference = %intent.id, "a payment vendor moved another amount than it was told to");
            ReferenceState::Undecided
        }
        "succeeded" => decided(Decision::Approved, &intent.id),
        "requires_capture" if kind == TransactionType::Authorize => decided(Decision::Approved, &intent.id),
        // A draft takes days. It counts as paid, and the bank's refusal takes it back.
        "processing" if is_draft => decided(Decision::Approved, &intent.id),
        "requires_confirmation" => ReferenceState::Unknown,
        "requires_payment_method" => declined(intent.last_payment_error.as_ref(), &intent.id),
        "canceled" => match &intent.last_payment_error {
            Some(error) => decided(decide_decline(error), &intent.id),
            None => decided(Decision::Declined(DeclineReason::NotSubmitted), &intent.id),
        },
        _ => ReferenceState::Undecided,
    }
}

/// The state of a verification.
pub(super) fn standing_of_setup(intent: &SetupIntent) -> ReferenceState {
    let is_draft = intent.payment_method_types.iter().any(|kind| kind != "card");
    match intent.status.as_str() {
        "succeeded" => decided(Decision::Approved, &intent.id),
        "processing" if is_draft => decided(Decision::Approved, &intent.id),
        "requires_confirmation" => ReferenceState::Unknown,
        "requires_payment_method" => declined(intent.last_setup_error.as_ref(), &intent.id),
        "requires_action" => match redirect_of(intent) {
            Some(url) => ReferenceState::Decided(Verdict {
                redirect_to_url: url,
                ..Verdict::new(Decision::Declined(DeclineReason::AuthenticationRequired), intent.id.as_str())
            }),
            None => ReferenceState::Undecided,
        },
        "canceled" => decided(Decision::Declined(DeclineReason::NotSubmitted), &intent.id),
        _ => ReferenceState::Undecided,
    }
}

/// Where the member goes next.
pub(super) fn redirect_of(intent: &SetupIntent) -> Option<String> {
    let to = intent.next_action.as_ref()?.redirect_to_url.as_ref()?;
    (!to.url.is_empty()).then(|| to.url.clone())
}

/// The state of a refund.
pub(super) fn standing_of_refund(refund: &Refund, amount: Option<&Money>) -> ReferenceState {
    match refund.status.as_str() {
        "succeeded" | "pending" if amount.is_none_or(|wanted| wanted.amount != refund.amount) => {
            tracing::error!(reference = %refund.id, "a payment vendor gave another amount back than it was told to");
            ReferenceState::Undecided
        }
        "succeeded" | "pending" => decided(Decision::Approved, &refund.id),
        "failed" | "canceled" => decided(Decision::Declined(DeclineReason::Other), &refund.id),
        _ => ReferenceState::Undecided,
    }
}

/// The state of a charge of an amount that was set aside.
pub(super) fn standing_of_capture(intent: &PaymentIntent, reference: &str, amount: Option<&Money>) -> ReferenceState {
    let by_us = intent.metadata.get(CAPTURED_BY).is_some_and(|by| by == reference);
    match intent.status.as_str() {
        "requires_capture" => ReferenceState::Unknown,
        "succeeded" if by_us => standing_of_payment(intent, TransactionType::Charge, amount),
        "succeeded" | "canceled" => decided(Decision::Declined(DeclineReason::Other), &intent.id),
        _ => ReferenceState::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USD: Money = Money { currency: 1, amount: 2995 };

    fn intent(json: &str) -> PaymentIntent {
        let common = r#""id":"pi_1","amount":2995,"currency":"usd""#;
        serde_json::from_str(&format!("{{{common},{json}}}")).unwrap()
    }

    fn of(json: &str) -> ReferenceState {
        standing_of_payment(&intent(json), TransactionType::Sale, Some(&USD))
    }

    #[test]
    fn each_state_of_an_intent_is_one_outcome() {
        let approved = decided(Decision::Approved, "pi_1");
        assert_eq!(of(r#""status":"succeeded","amount_received":2995"#), approved);
        assert_eq!(of(r#""status":"requires_confirmation""#), ReferenceState::Unknown);
        assert_eq!(of(r#""status":"requires_payment_method","last_payment_error":null"#), ReferenceState::Unknown);
        assert_eq!(of(r#""status":"processing","payment_method_types":["card"]"#), ReferenceState::Undecided);
        assert_eq!(of(r#""status":"processing","payment_method_types":["us_bank_account"]"#), approved);
        assert_eq!(of(r#""status":"a state of tomorrow""#), ReferenceState::Undecided);
        let stolen = r#""status":"requires_payment_method","last_payment_error":{"code":"card_declined","decline_code":"stolen_card"}"#;
        assert_eq!(of(stolen), decided(Decision::HardDeclined(DeclineReason::StolenCard), "pi_1"));
    }

    #[test]
    fn another_amount_is_no_outcome() {
        assert_eq!(of(r#""status":"succeeded","amount_received":2994"#), ReferenceState::Undecided);
        let cad = Money { currency: 2, amount: 2995 };
        let paid = intent(r#""status":"succeeded","amount_received":2995"#);
        assert_eq!(standing_of_payment(&paid, TransactionType::Sale, Some(&cad)), ReferenceState::Undecided);
    }

    #[test]
    fn an_authorization_is_charged_by_one_charge() {
        let open = intent(r#""status":"requires_capture","amount_capturable":2995"#);
        let approved = decided(Decision::Approved, "pi_1");
        assert_eq!(standing_of_payment(&open, TransactionType::Authorize, Some(&USD)), approved);
        assert_eq!(standing_of_capture(&open, "t", Some(&USD)), ReferenceState::Unknown);
        let part = Money { amount: 100, ..USD };
        let taken = intent(r#""status":"succeeded","amount_received":100,"metadata":{"captured_by":"t"}"#);
        assert_eq!(standing_of_capture(&taken, "t", Some(&part)), approved);
        let other = decided(Decision::Declined(DeclineReason::Other), "pi_1");
        assert_eq!(standing_of_capture(&taken, "another", Some(&part)), other);
    }
}
