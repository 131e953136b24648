//! Answers the worker that sends scheduled communications.

use pavise_kernel::{Call, Result};

use super::support::WORKER;
use crate::contract::v1::{CommunicationWorker, GetCommunicationWorkerRequest};

pub(crate) async fn get_communication_worker(
    call: &Call,
    _request: GetCommunicationWorkerRequest,
) -> Result<CommunicationWorker> {
    call.get(WORKER).await
}
