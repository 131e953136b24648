//! `billing.settle_changes`: goes on with a change of a subscription that is being paid. The call that began it usually ends
//! it. This worker does when the process was killed or the vendor was slow.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{Invoice, TakeUpSubscriptionChangeRequest};
use crate::subscriptions::support::change_plan::is_of_change;

/// The worker that reads invoices.
#[derive(Debug)]
pub(crate) struct SettleChanges;

#[async_trait]
impl Worker for SettleChanges {
    fn name(&self) -> &'static str {
        "billing.settle_changes"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    /// Money may have moved.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        if entry.removed || !is_of_change(&invoice) {
            return Ok(());
        }
        let request = TakeUpSubscriptionChangeRequest { subscription_id: invoice.subscription_id };
        let mut client = SubscriptionServiceClient::new(work.peer_channel("billing"));
        match client.take_up_subscription_change(work.new_request(request, "settle")).await.map_err(Error::from) {
            Ok(_) => Ok(()),
            // It was deleted meanwhile.
            Err(error) if error.is(Common::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
