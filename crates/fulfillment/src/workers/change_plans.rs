//! `fulfillment.change_plans`: begins plan changes on their first day.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::v1::ProcessPlanChangesRequest;
use crate::contract::v1::provision_service_client::ProvisionServiceClient;

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct ChangePlans;

#[async_trait]
impl Worker for ChangePlans {
    fn name(&self) -> &'static str {
        "fulfillment.change_plans"
    }

    fn key_name(&self) -> &'static str {
        "fulfillment.plan_changes"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut provisions = ProvisionServiceClient::new(work.peer_channel("fulfillment"));
        provisions.process_plan_changes(work.new_request(ProcessPlanChangesRequest::default(), "due")).await?;
        Ok(())
    }
}
