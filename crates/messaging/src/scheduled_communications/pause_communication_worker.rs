//! Lets all scheduled communications wait.

use pavise_kernel::{Call, Result};

use super::support::WORKER;
use crate::contract::v1::{CommunicationWorker, CommunicationWorkerStatus, PauseCommunicationWorkerRequest};

pub(crate) async fn pause_communication_worker(
    call: &Call,
    _request: PauseCommunicationWorkerRequest,
) -> Result<CommunicationWorker> {
    let change = |worker: &mut CommunicationWorker| {
        worker.set_status(CommunicationWorkerStatus::Paused);
        Ok(())
    };
    call.change(WORKER, change).await
}
