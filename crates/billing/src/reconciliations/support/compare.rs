//! The comparison of a movement with a transaction.

use pavise_kernel::common::v1::Money;

use crate::contract::v1::{ReconciliationOutcome, Transaction, TransactionStatus, TransactionType};
use crate::shared::vendor::Movement;

/// Compares a movement with our transaction. Amounts count before statuses: they are what staff look for first.
pub(crate) fn compare(movement: Option<&Movement>, ours: Option<&Transaction>) -> ReconciliationOutcome {
    match (movement, ours) {
        (_, None) => ReconciliationOutcome::MissingHere,
        (Some(movement), Some(ours)) if movement.is_reversal => compare_reversal(movement, ours),
        (None, Some(_)) => ReconciliationOutcome::MissingThere,
        (Some(movement), Some(ours)) if movement.amount != signed_amount(ours) => ReconciliationOutcome::AmountDiffers,
        (Some(_), Some(ours)) if ours.status() != TransactionStatus::Approved => ReconciliationOutcome::StatusDiffers,
        (Some(_), Some(_)) => ReconciliationOutcome::Matched,
    }
}

/// Compares the return of a refund with the refund: we know of it, and all of it came back.
fn compare_reversal(movement: &Movement, ours: &Transaction) -> ReconciliationOutcome {
    if ours.r#type() != TransactionType::Refund || movement.amount != ours.amount {
        ReconciliationOutcome::AmountDiffers
    } else if ours.reversed_at.is_none() {
        ReconciliationOutcome::StatusDiffers
    } else {
        ReconciliationOutcome::Matched
    }
}

/// Whether money moves for transactions of that type.
pub(crate) fn moves_money(kind: TransactionType) -> bool {
    matches!(kind, TransactionType::Charge | TransactionType::Sale | TransactionType::Refund)
}

/// Our amount: below zero for a refund.
pub(crate) fn signed_amount(ours: &Transaction) -> Option<Money> {
    let sign = if ours.r#type() == TransactionType::Refund { -1 } else { 1 };
    ours.amount.map(|money| Money { amount: money.amount.saturating_mul(sign), ..money })
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost_types::Timestamp;

    #[test]
    fn each_difference_has_its_name() {
        use ReconciliationOutcome as Outcome;
        let usd = |amount| Some(Money { currency: 1, amount });
        let moved =
            |amount| Movement { vendor_reference: "pi".into(), reference: String::new(), amount, is_reversal: false };
        let ours = |kind: TransactionType, status: TransactionStatus| Transaction {
            r#type: kind.into(),
            status: status.into(),
            amount: usd(100),
            ..Transaction::default()
        };
        let sale = ours(TransactionType::Sale, TransactionStatus::Approved);
        let refund = ours(TransactionType::Refund, TransactionStatus::Approved);
        let declined = ours(TransactionType::Sale, TransactionStatus::Declined);
        assert_eq!(compare(Some(&moved(usd(100))), Some(&sale)), Outcome::Matched);
        assert_eq!(compare(Some(&moved(usd(-100))), Some(&refund)), Outcome::Matched);
        assert_eq!(compare(Some(&moved(usd(100))), Some(&refund)), Outcome::AmountDiffers);
        assert_eq!(compare(Some(&moved(usd(99))), Some(&sale)), Outcome::AmountDiffers);
        assert_eq!(compare(Some(&moved(None)), Some(&sale)), Outcome::AmountDiffers);
        assert_eq!(compare(Some(&moved(usd(100))), Some(&declined)), Outcome::StatusDiffers);
        assert_eq!(compare(Some(&moved(usd(100))), None), Outcome::MissingHere);
        assert_eq!(compare(None, Some(&sale)), Outcome::MissingThere);
        let back = |amount| Movement { is_reversal: true, ..moved(amount) };
        assert_eq!(compare(Some(&back(usd(100))), Some(&refund)), Outcome::StatusDiffers, "nobody told us");
        let failed = Transaction { reversed_at: Some(Timestamp::default()), ..refund };
        assert_eq!(compare(Some(&back(usd(100))), Some(&failed)), Outcome::Matched);
        assert_eq!(compare(Some(&back(usd(99))), Some(&failed)), Outcome::AmountDiffers);
    }
}
