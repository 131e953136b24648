//! `catalog.expire_names`: frees names whose reservation ran out.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::reserved_name as lookups;
use crate::contract::v1::reserved_name_service_client::ReservedNameServiceClient;
use crate::contract::v1::{ExpireNameRequest, ReservedName};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct ExpireNames;

#[async_trait]
impl Worker for ExpireNames {
    fn name(&self) -> &'static str {
        "catalog.expire_names"
    }

    fn key_name(&self) -> &'static str {
        "catalog.expired_names"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = ReservedNameServiceClient::new(work.peer_channel("catalog"));
        work.call_for_due::<ReservedName, _, _, _>(lookups::DUE_TO_RELEASE_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(ExpireNameRequest { id: id.clone() }, &id);
            async move { client.expire_name(request).await }
        })
        .await
    }
}
