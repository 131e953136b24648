//! `billing.renewals`: bills the subscriptions whose day has come.

use std::time::Duration;

use pavise_kernel::peers::PeerChannel;
use pavise_kernel::time::{to_date, to_days};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Status;

use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{BillSubscriptionRequest, Subscription};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);
/// The periods of one subscription that are billed in a run, where days were missed. The next run bills the rest.
const MOST_PERIODS: usize = 60;

/// The worker.
#[derive(Debug)]
pub(crate) struct Renewals;

#[async_trait]
impl Worker for Renewals {
    fn name(&self) -> &'static str {
        "billing.renewals"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = SubscriptionServiceClient::new(work.peer_channel("billing"));
        work.call_for_due::<Subscription, _, _, _>(lookups::DUE_TO_BILL_ON, |id| {
            bill_all(work.clone(), client.clone(), id)
        })
        .await
    }
}

/// Bills the due periods of a subscription, the oldest first.
async fn bill_all(
    work: Work,
    mut client: SubscriptionServiceClient<PeerChannel>,
    id: String,
) -> std::result::Result<(), Status> {
    let mut last = None;
    for period in 0..MOST_PERIODS {
        let request = BillSubscriptionRequest { subscription_id: id.clone() };
        let request = work.new_request(request, &format!("{id} {period}"));
        let billed = client.bill_subscription(request).await?.into_inner();
        // One that waits for the outcome of a change is billed by a later run.
        if !is_due(&billed, &work) || billed.bills_on == last {
            break;
        }
        last = billed.bills_on;
    }
    Ok(())
}

fn is_due(subscription: &Subscription, work: &Work) -> bool {
    subscription.bills_on.is_some_and(|day| to_days(day) <= to_days(to_date(work.now())))
}
