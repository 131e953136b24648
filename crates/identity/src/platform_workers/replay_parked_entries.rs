//! Lets a worker try all its parked entries again.

use pavise_kernel::common::v1::{OrderWorkerRequest, Worker, WorkerOrderKind};
use pavise_kernel::{Call, Result};

use super::support::orders::{give_order, record_order};
use crate::contract::v1::ReplayParkedEntriesRequest;

pub(crate) async fn replay_parked_entries(call: &Call, request: ReplayParkedEntriesRequest) -> Result<Worker> {
    let order = OrderWorkerRequest {
        name: request.worker_name,
        kind: WorkerOrderKind::ReplayParked as i32,
        ..OrderWorkerRequest::default()
    };
    let given = give_order(call, &order).await?;
    record_order(call, order, given).await
}
