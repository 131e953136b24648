//! `members.start_erasures`: begins the erasures whose seven days are over.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::person_erasure as lookups;
use crate::contract::v1::personal_data_service_client::PersonalDataServiceClient;
use crate::contract::v1::{PersonErasure, StartPersonErasureRequest};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct StartErasures;

#[async_trait]
impl Worker for StartErasures {
    fn name(&self) -> &'static str {
        "members.start_erasures"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = PersonalDataServiceClient::new(work.peer_channel("members"));
        work.call_for_due::<PersonErasure, _, _, _>(lookups::DUE_TO_START_AT, |id| {
            let mut client = client.clone();
            let request = work.new_request(StartPersonErasureRequest { identity_id: id.clone() }, &id);
            async move { client.start_person_erasure(request).await }
        })
        .await
    }
}
