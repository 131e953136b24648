//! `messaging.process_communications`: sends scheduled communications whose time has come, unless they all wait.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use crate::contract::lookups::scheduled_communication as lookups;
use crate::contract::v1::scheduled_communication_service_client::ScheduledCommunicationServiceClient;
use crate::contract::v1::{
    CommunicationWorkerStatus, GetCommunicationWorkerRequest, ProcessScheduledCommunicationRequest,
    ScheduledCommunication,
};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(5);

/// The worker.
#[derive(Debug)]
pub(crate) struct ProcessCommunications;

#[async_trait]
impl Worker for ProcessCommunications {
    fn name(&self) -> &'static str {
        "messaging.process_communications"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let mut client = ScheduledCommunicationServiceClient::new(work.peer_channel("messaging"));
        let worker = client.get_communication_worker(Request::new(GetCommunicationWorkerRequest {})).await?;
        if worker.into_inner().status() == CommunicationWorkerStatus::Paused {
            return Ok(());
        }
        work.call_for_due::<ScheduledCommunication, _, _, _>(lookups::DUE_TO_PROCESS_AT, |id| {
            let mut client = client.clone();
            let process = ProcessScheduledCommunicationRequest { scheduled_communication_id: id.clone() };
            let request = work.new_request(process, &id);
            async move { client.process_scheduled_communication(request).await }
        })
        .await
    }
}
