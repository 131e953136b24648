//! The test vendor itself: what it decides by the token, and the ledger that proves what was charged how often.

use pavise_kernel::time::timestamp;
use pavise_kernel::{Aggregate, Call, Common, Error, Result};

use crate::contract::v1::{
    DeclineReason, FindTestVendorEntryRequest, SubmitTestVendorPaymentRequest, TestVendorEntry, TransactionStatus,
    TransactionType,
};

/// For how long the vendor does not tell what became of a late answer, in microseconds.
const LATE: i64 = 30_000_000;

pub(crate) async fn submit_test_vendor_payment(call: &Call, request: SubmitTestVendorPaymentRequest) -> Result<TestVendorEntry> {
    // Two of the same at once: the second meets the first one's entry.
    match take(call, &request).await {
        Err(error) if error.is(Common::AlreadyExists) => take(call, &request).await,
        other => other,
    }
}

pub(crate) async fn find_test_vendor_entry(call: &Call, request: FindTestVendorEntryRequest) -> Result<TestVendorEntry> {
    let entry = call.find_by::<TestVendorEntry>("reference", &request.reference).await?;
    entry.ok_or_else(|| Error::not_found(TestVendorEntry::TABLE.noun, &request.reference))
}

async fn take(call: &Call, request: &SubmitTestVendorPaymentRequest) -> Result<TestVendorEntry> {
    let Some(known) = call.find_by::<TestVendorEntry>("reference", &request.reference).await? else {
        return call.create(entry(request, call.now())).await;
    };
    if known.r#type != request.r#type || known.amount != request.amount {
        return Err(Error::field("reference", "belongs to another request"));
    }
    call.change_as::<TestVendorEntry>(&known.id, "REPEATED", |entry| {
        entry.submissions = entry.submissions.saturating_add(1);
        Ok(())
    })
    .await
}

/// The ledger's entry for a new reference.
fn entry(request: &SubmitTestVendorPaymentRequest, now: i64) -> TestVendorEntry {
    let decided = decide(&request.token, request.r#type());
    let moves = matches!(request.r#type(), TransactionType::Charge | TransactionType::Sale | TransactionType::Refund);
    TestVendorEntry {
        reference: request.reference.clone(),
        r#type: request.r#type,
        token: request.token.clone(),
        amount: request.amount,
        outcome: decided.outcome.into(),
        decline_reason: decided.reason.into(),
        answer_lost: decided.answer_lost,
        told_from: Some(timestamp(now.saturating_add(decided.silence))),
        submissions: 1,
        movements: i32::from(moves && decided.outcome == TransactionStatus::Approved),
        ..TestVendorEntry::default()
    }
}

/// What the vendor does with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decided {
    outcome: TransactionStatus,
    reason: DeclineReason,
    answer_lost: bool,
    /// For how long it does not tell, in microseconds.
    silence: i64,
}

const fn decided(outcome: TransactionStatus, reason: DeclineReason) -> Decided {
    Decided { outcome, reason, answer_lost: false, silence: 0 }
}

/// The table that `PaymentMethodService` documents.
fn decide(token: &str, kind: TransactionType) -> Decided {
    use DeclineReason as Why;
    use TransactionStatus as Outcome;
    let approved = decided(Outcome::Approved, Why::Unspecified);
    let lost = |outcome, reason, silence| Decided { outcome, reason, answer_lost: true, silence };
    match token {
        "test_4111111111111111"
        | "test_5555555555554444"
        | "test_378282246310005"
        | "test_6011111111111117"
        | "test_bank_0001" => approved,
        "test_4000000000000002" | "test_bank_0002" => decided(Outcome::Declined, Why::InsufficientFunds),
        "test_4000000000000003" => decided(Outcome::Declined, Why::ExpiredCard),
        "test_4000000000000004" => decided(Outcome::HardDeclined, Why::StolenCard),
        "test_bank_0004" => decided(Outcome::HardDeclined, Why::ClosedAccount),
        "test_4000000000000005" | "test_bank_0005" => lost(Outcome::Approved, Why::Unspecified, 0),
        "test_4000000000000006" | "test_bank_0006" => lost(Outcome::Declined, Why::InsufficientFunds, 0),
        "test_4000000000000007" | "test_bank_0007" => lost(Outcome::Approved, Why::Unspecified, LATE),
        "test_4000000000000008" | "test_bank_0008" if kind == TransactionType::Refund => decided(Outcome::Declined, Why::Other),
        "test_4000000000000008" | "test_bank_0008" => approved,
        _ => decided(Outcome::Declined, Why::UnknownToken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_decides_alike_for_cards_and_accounts() {
        for (card, account) in [("1", "1"), ("2", "2"), ("5", "5"), ("6", "6"), ("7", "7"), ("8", "8")] {
            let card = if card == "1" { "test_4111111111111111".to_owned() } else { format!("test_400000000000000{card}") };
            let account = format!("test_bank_000{account}");
            for kind in [TransactionType::Sale, TransactionType::Refund] {
                assert_eq!(decide(&card, kind), decide(&account, kind), "{card}");
            }
        }
        assert_eq!(decide("anything", TransactionType::Sale).reason, DeclineReason::UnknownToken);
    }

    #[test]
    fn only_an_approved_movement_counts_as_one() {
        let of = |token: &str, kind: TransactionType| {
            entry(&SubmitTestVendorPaymentRequest { token: token.to_owned(), r#type: kind.into(), ..Default::default() }, 0)
                .movements
        };
        assert_eq!(of("test_bank_0001", TransactionType::Sale), 1);
        assert_eq!(of("test_bank_0005", TransactionType::Charge), 1, "the money moves although the answer is lost");
        assert_eq!(of("test_bank_0001", TransactionType::Authorize), 0);
        assert_eq!(of("test_bank_0001", TransactionType::Verify), 0);
        assert_eq!(of("test_bank_0002", TransactionType::Sale), 0);
    }
}
