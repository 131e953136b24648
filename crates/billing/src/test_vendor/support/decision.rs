//! The decisions of the TEST vendor, by token.

use crate::contract::v1::{DeclineReason, TransactionStatus, TransactionType};

/// How long the vendor hides the outcome of a late answer, in microseconds.
const LATE: i64 = 30_000_000;

/// The decision about a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenDecision {
    pub(crate) outcome: TransactionStatus,
    pub(crate) reason: DeclineReason,
    pub(crate) answer_lost: bool,
    /// How long the outcome is hidden, in microseconds.
    pub(crate) silence: i64,
}

const fn answered(outcome: TransactionStatus, reason: DeclineReason) -> TokenDecision {
    TokenDecision { outcome, reason, answer_lost: false, silence: 0 }
}

/// Decides by the token, as the table at `PaymentMethodService` documents.
pub(crate) fn decide_payment(token: &str, kind: TransactionType) -> TokenDecision {
    use DeclineReason as Why;
    use TransactionStatus as Outcome;
    let approved = answered(Outcome::Approved, Why::Unspecified);
    let lost = |outcome, reason, silence| TokenDecision { outcome, reason, answer_lost: true, silence };
    match token {
        "test_4111111111111111"
        | "test_5555555555554444"
        | "test_378282246310005"
        | "test_6011111111111117"
        | "test_bank_0001" => approved,
        "test_4000000000000002" | "test_bank_0002" => answered(Outcome::Declined, Why::InsufficientFunds),
        "test_4000000000000003" => answered(Outcome::Declined, Why::ExpiredCard),
        "test_4000000000000004" => answered(Outcome::HardDeclined, Why::StolenCard),
        "test_bank_0004" => answered(Outcome::HardDeclined, Why::ClosedAccount),
        "test_4000000000000005" | "test_bank_0005" => lost(Outcome::Approved, Why::Unspecified, 0),
        "test_4000000000000006" | "test_bank_0006" => lost(Outcome::Declined, Why::InsufficientFunds, 0),
        "test_4000000000000007" | "test_bank_0007" => lost(Outcome::Approved, Why::Unspecified, LATE),
        "test_4000000000000008" | "test_bank_0008" if kind == TransactionType::Refund => {
            answered(Outcome::Declined, Why::Other)
        }
        "test_4000000000000008" | "test_bank_0008" => approved,
        _ => answered(Outcome::Declined, Why::UnknownToken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_decides_alike_for_cards_and_accounts() {
        for (card, account) in [("1", "1"), ("2", "2"), ("5", "5"), ("6", "6"), ("7", "7"), ("8", "8")] {
            let card =
                if card == "1" { "test_4111111111111111".to_owned() } else { format!("test_400000000000000{card}") };
            let account = format!("test_bank_000{account}");
            for kind in [TransactionType::Sale, TransactionType::Refund] {
                assert_eq!(decide_payment(&card, kind), decide_payment(&account, kind), "{card}");
            }
        }
        assert_eq!(decide_payment("anything", TransactionType::Sale).reason, DeclineReason::UnknownToken);
    }
}
