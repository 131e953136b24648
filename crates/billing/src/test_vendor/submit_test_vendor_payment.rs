//! Submits a payment to the TEST vendor.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Common, Error, Result};

use super::support::decision::decide_payment;
use crate::contract::actions::test_vendor as actions;
use crate::contract::lookups::test_vendor_entry as lookups;
use crate::contract::v1::{SubmitTestVendorPaymentRequest, TestVendorEntry, TransactionStatus, TransactionType};

/// Records the submission. A known reference counts it, and moves no money again.
pub(crate) async fn submit_test_vendor_payment(
    call: &Call,
    request: SubmitTestVendorPaymentRequest,
) -> Result<TestVendorEntry> {
    // Of two submissions at once, the second finds the entry of the first.
    match record_submission(call, &request).await {
        Err(error) if error.is(Common::AlreadyExists) => record_submission(call, &request).await,
        other => other,
    }
}

async fn record_submission(call: &Call, request: &SubmitTestVendorPaymentRequest) -> Result<TestVendorEntry> {
    let Some(known) = call.find_unscoped_by::<TestVendorEntry>(lookups::REFERENCE, &request.reference).await? else {
        return call.create(build_entry(request, call.now())).await;
    };
    if known.r#type != request.r#type || known.amount != request.amount {
        return Err(Error::field("reference", "belongs to another request"));
    }
    call.change_as::<TestVendorEntry>(&known.id, actions::REPEATED, |entry| {
        entry.submissions = entry.submissions.saturating_add(1);
        Ok(())
    })
    .await
}

/// Makes the ledger entry of a new reference.
fn build_entry(request: &SubmitTestVendorPaymentRequest, now: i64) -> TestVendorEntry {
    let decided = decide_payment(&request.token, request.r#type());
    let moves = matches!(request.r#type(), TransactionType::Charge | TransactionType::Sale | TransactionType::Refund);
    TestVendorEntry {
        reference: request.reference.clone(),
        r#type: request.r#type,
        token: request.token.clone(),
        amount: request.amount,
        outcome: decided.outcome.into(),
        decline_reason: decided.reason.into(),
        answer_lost: decided.answer_lost,
        told_from: Some(to_timestamp(now.saturating_add(decided.silence))),
        submissions: 1,
        movements: i32::from(moves && decided.outcome == TransactionStatus::Approved),
        ..TestVendorEntry::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_approved_movement_counts_as_one() {
        let of = |token: &str, kind: TransactionType| {
            build_entry(
                &SubmitTestVendorPaymentRequest { token: token.to_owned(), r#type: kind.into(), ..Default::default() },
                0,
            )
            .movements
        };
        assert_eq!(of("test_bank_0001", TransactionType::Sale), 1);
        assert_eq!(of("test_bank_0005", TransactionType::Charge), 1, "the money moves although the answer is lost");
        assert_eq!(of("test_bank_0001", TransactionType::Authorize), 0);
        assert_eq!(of("test_bank_0001", TransactionType::Verify), 0);
        assert_eq!(of("test_bank_0002", TransactionType::Sale), 0);
    }
}
