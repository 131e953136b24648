//! `billing.tell_of_refunds`: tells members of refunds that their bank did not take, and of the credit in their place.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::collecting::is_recent;
use crate::contract::actions::payment_method as actions;
use crate::contract::feeds;
use crate::contract::v1::{DeclineReason, Transaction};
use crate::shared::letters::{Letter, write_money};

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfRefunds;

#[async_trait]
impl Worker for TellOfRefunds {
    fn name(&self) -> &'static str {
        "billing.tell_of_refunds"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PAYMENT_METHODS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(refund) = worker::decode_entity::<Transaction>(entry)? else { return Ok(()) };
        let has_failed = refund.reversal_reason() == DeclineReason::RefundFailed;
        if entry.action != actions::TRANSACTION_REVERSED || !has_failed || !is_recent(work, entry) {
            return Ok(());
        }
        let letter = Letter {
            template_key: "billing.refund-failed",
            reader_id: &refund.owner_id,
            cause: format!("refund-failed/{}", refund.id),
            values: vec![("amount", write_money(refund.amount))],
            source: ("Transaction", &refund.id),
        };
        letter.send(work).await
    }
}
