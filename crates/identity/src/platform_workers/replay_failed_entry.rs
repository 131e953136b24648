//! Lets a worker try a failed entry again.

use pavise_kernel::common::v1::{OrderWorkerRequest, Worker, WorkerOrderKind};
use pavise_kernel::{Call, Result};

use super::support::orders::{give_order, record_order};
use crate::contract::v1::ReplayFailedEntryRequest;

pub(crate) async fn replay_failed_entry(call: &Call, request: ReplayFailedEntryRequest) -> Result<Worker> {
    let order = OrderWorkerRequest {
        name: request.worker_name,
        kind: WorkerOrderKind::Replay as i32,
        clock: request.clock,
        ..OrderWorkerRequest::default()
    };
    let given = give_order(call, &order).await?;
    record_order(call, order, given).await
}
