//! `billing.change_subscriptions`: begins changes of subscriptions on their day.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{Subscription, TakeUpSubscriptionChangeRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct ChangeSubscriptions;

#[async_trait]
impl Worker for ChangeSubscriptions {
    fn name(&self) -> &'static str {
        "billing.change_subscriptions"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = SubscriptionServiceClient::new(work.peer_channel("billing"));
        work.call_for_due::<Subscription, _, _, _>(lookups::DUE_TO_CHANGE_ON, |id| {
            let mut client = client.clone();
            let request = work.new_request(TakeUpSubscriptionChangeRequest { subscription_id: id.clone() }, &id);
            async move { client.take_up_subscription_change(request).await }
        })
        .await
    }
}
