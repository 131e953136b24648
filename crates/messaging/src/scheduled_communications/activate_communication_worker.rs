//! Lets scheduled communications be sent again.

use pavise_kernel::{Call, Result};

use super::support::WORKER;
use crate::contract::v1::{ActivateCommunicationWorkerRequest, CommunicationWorker, CommunicationWorkerStatus};

pub(crate) async fn activate_communication_worker(
    call: &Call,
    _request: ActivateCommunicationWorkerRequest,
) -> Result<CommunicationWorker> {
    let change = |worker: &mut CommunicationWorker| {
        worker.set_status(CommunicationWorkerStatus::Active);
        Ok(())
    };
    call.change(WORKER, change).await
}
