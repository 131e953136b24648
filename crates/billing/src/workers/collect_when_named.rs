//! `billing.collect_when_named`: charges what is FAILED or DELINQUENT of a subscription to the payment method that it names
//! anew: at once, and once.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::collect_with_method::was_not_asked;
use super::collecting::{charge_invoice, is_cause_for, is_recent, list_refused};
use crate::contract::actions::subscription as actions;
use crate::contract::feeds;
use crate::contract::v1::{Collection, Subscription};

/// The worker that reads subscriptions.
#[derive(Debug)]
pub(crate) struct CollectWhenNamed;

#[async_trait]
impl Worker for CollectWhenNamed {
    fn name(&self) -> &'static str {
        "billing.collect_when_named"
    }

    fn feed(&self) -> JournalFeed {
        feeds::SUBSCRIPTIONS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(subscription) = worker::decode_entity::<Subscription>(entry)? else { return Ok(()) };
        let named = &subscription.payment_method_id;
        let is_named = entry.action == actions::PAYMENT_UPDATED && !named.is_empty();
        if !is_named || entry.removed || subscription.collection() != Collection::Charge || !is_recent(work, entry) {
            return Ok(());
        }
        for invoice in list_refused(work, &subscription.owner_id).await? {
            let is_own = invoice.subscription_id == subscription.id && !invoice.billing_key.is_empty();
            if is_own && was_not_asked(&invoice, named) && is_cause_for(entry, &invoice, named) {
                charge_invoice(work, &invoice, named).await?;
            }
        }
        Ok(())
    }
}
