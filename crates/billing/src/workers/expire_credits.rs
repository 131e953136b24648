//! `billing.expire_credits`: ends credits on the day after their last.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::credit as lookups;
use crate::contract::v1::credit_service_client::CreditServiceClient;
use crate::contract::v1::{Credit, ExpireCreditRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(600);

/// The worker.
#[derive(Debug)]
pub(crate) struct ExpireCredits;

#[async_trait]
impl Worker for ExpireCredits {
    fn name(&self) -> &'static str {
        "billing.expire_credits"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = CreditServiceClient::new(work.peer_channel("billing"));
        work.call_for_due::<Credit, _, _, _>(lookups::DUE_TO_EXPIRE_ON, |id| {
            let mut client = client.clone();
            let request = work.new_request(ExpireCreditRequest { credit_id: id.clone() }, &id);
            async move { client.expire_credit(request).await }
        })
        .await
    }
}
