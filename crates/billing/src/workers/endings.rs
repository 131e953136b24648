//! `billing.endings`: ends subscriptions on their day.

use std::time::Duration;

use pavise_kernel::due::Due;
use pavise_kernel::worker::{Feed, Work, Worker};
use pavise_kernel::{Error, Result, async_trait};

use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{EndSubscriptionRequest, Subscription};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct Endings;

#[async_trait]
impl Worker for Endings {
    fn name(&self) -> &'static str {
        "billing.endings"
    }

    fn feed(&self) -> Feed {
        Feed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut client = SubscriptionServiceClient::new(work.peer("billing"));
        let (mut failure, mut after) = (None, None);
        loop {
            let page = work.due::<Subscription>(lookups::DUE_TO_END_ON, after.as_ref()).await?;
            let Some(last) = page.last().cloned() else { return failure.map_or(Ok(()), Err) };
            for Due { id, .. } in page {
                let request = work.request(EndSubscriptionRequest { subscription_id: id.clone() }, &id);
                // A subscription that cannot be ended does not stop the others.
                if let Err(status) = client.end_subscription(request).await {
                    failure = Some(Error::from(status));
                }
            }
            after = Some(last);
        }
    }
}
