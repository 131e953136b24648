//! The adapter of the TEST vendor. It asks over calls, as the adapter of a real vendor does.

use async_trait::async_trait;
use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Common, Error, Result};

use super::port::{Capabilities, Captures, Decision, PaymentVendor, ReferenceState, Verdict};
use crate::contract::v1::test_vendor_service_client::TestVendorServiceClient;
use crate::contract::v1::{
    FindTestVendorEntryRequest, SubmitTestVendorPaymentRequest, TestVendorEntry, Transaction, TransactionStatus, Vendor,
};
use crate::shared::admission::admitted::AdmittedUse;

/// Asks `TestVendorService`.
#[derive(Debug)]
pub(super) struct TestVendor;

#[async_trait]
impl PaymentVendor for TestVendor {
    fn vendor(&self) -> Vendor {
        Vendor::Test
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { hosted_entry: false, captures: Captures::Several, refund_days: None, movements: false }
    }

    async fn submit(&self, call: &Call, admitted: &AdmittedUse) -> Result<ReferenceState> {
        // No idempotency key: the ledger counts the submissions of a reference and moves money once.
        let request = SubmitTestVendorPaymentRequest {
            reference: admitted.reference().to_owned(),
            r#type: admitted.kind().into(),
            token: admitted.token().to_owned(),
            amount: admitted.amount(),
        };
        let entry = TestVendorServiceClient::new(call.peer_channel("billing"))
            .submit_test_vendor_payment(request)
            .await?
            .into_inner();
        if entry.answer_lost {
            return Ok(ReferenceState::Undecided);
        }
        Ok(standing(&entry))
    }

    async fn query(&self, call: &Call, known: &Transaction) -> Result<ReferenceState> {
        let request = FindTestVendorEntryRequest { reference: known.id.clone() };
        let answer = TestVendorServiceClient::new(call.peer_channel("billing")).find_test_vendor_entry(request).await;
        let entry = match answer.map_err(Error::from) {
            Ok(answer) => answer.into_inner(),
            Err(error) if error.is(Common::NotFound) => return Ok(ReferenceState::Unknown),
            Err(error) => return Err(error),
        };
        // Reads the clock again: time has passed since this call began.
        let now = call.kernel().business_clock().now();
        Ok(if entry.told_from.is_some_and(|from| to_micros(&from) > now) {
            ReferenceState::Undecided
        } else {
            standing(&entry)
        })
    }
}

fn standing(entry: &TestVendorEntry) -> ReferenceState {
    let decision = match entry.outcome() {
        TransactionStatus::Approved => Decision::Approved,
        TransactionStatus::Declined => Decision::Declined(entry.decline_reason()),
        TransactionStatus::HardDeclined => Decision::HardDeclined(entry.decline_reason()),
        TransactionStatus::Unspecified | TransactionStatus::Timedout | TransactionStatus::Created => {
            return ReferenceState::Undecided;
        }
    };
    ReferenceState::Decided(Verdict::new(decision, entry.id.as_str()))
}
