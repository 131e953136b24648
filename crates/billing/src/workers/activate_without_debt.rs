//! `billing.activate_without_debt`: activates a subscription that begins to catch up and has no outstanding invoice. The invoice
//! may have been settled before.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::activate_after_settlement::activate_if_caught_up;
use crate::contract::actions::subscription as actions;
use crate::contract::feeds;
use crate::contract::v1::{Subscription, SubscriptionStatus};

/// The worker that reads subscriptions which begin to catch up.
#[derive(Debug)]
pub(crate) struct ActivateWithoutDebt;

#[async_trait]
impl Worker for ActivateWithoutDebt {
    fn name(&self) -> &'static str {
        "billing.activate_without_debt"
    }

    fn key_name(&self) -> &'static str {
        "billing.catching_up"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(subscription) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        // A subscription that is created as CATCHING_UP has no invoices yet.
        if subscription.status() != SubscriptionStatus::CatchingUp || entry.action != actions::STATUS_CHANGED {
            return Ok(());
        }
        activate_if_caught_up(work, subscription.owner_id, subscription.id).await
    }
}
