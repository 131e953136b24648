//! `fulfillment.end_on_last_day`: ends entitlements whose last day is over.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::entitlement as lookups;
use crate::contract::v1::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::{EndEntitlementRequest, Entitlement};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct EndOnLastDay;

#[async_trait]
impl Worker for EndOnLastDay {
    fn name(&self) -> &'static str {
        "fulfillment.end_on_last_day"
    }

    fn key_name(&self) -> &'static str {
        "fulfillment.last_days"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = EntitlementServiceClient::new(work.peer_channel("fulfillment"));
        work.call_for_due::<Entitlement, _, _, _>(lookups::DUE_TO_END_ON, |id| {
            let mut client = client.clone();
            let request = work.new_request(EndEntitlementRequest { entitlement_id: id.clone() }, &id);
            async move { client.end_entitlement(request).await }
        })
        .await
    }
}
