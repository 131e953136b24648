//! Answers one worker.

use pavise_kernel::common::v1::{ReadWorkersRequest, Worker};
use pavise_kernel::{Call, Result};

use super::support::orders::read_worker;
use crate::contract::v1::GetWorkerRequest;

pub(crate) async fn get_worker(call: &Call, request: GetWorkerRequest) -> Result<Worker> {
    let ask = ReadWorkersRequest { name: request.worker_name, ..ReadWorkersRequest::default() };
    Ok(read_worker(call, ask).await?.0)
}
