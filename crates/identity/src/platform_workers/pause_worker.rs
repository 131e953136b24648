//! Pauses a worker.

use pavise_kernel::common::v1::{OrderWorkerRequest, Worker, WorkerOrderKind};
use pavise_kernel::{Call, Result};

use super::support::orders::{give_order, record_order};
use crate::contract::v1::PauseWorkerRequest;

pub(crate) async fn pause_worker(call: &Call, request: PauseWorkerRequest) -> Result<Worker> {
    let order = OrderWorkerRequest {
        name: request.worker_name,
        kind: WorkerOrderKind::Pause as i32,
        note: request.note,
        ..OrderWorkerRequest::default()
    };
    let given = give_order(call, &order).await?;
    record_order(call, order, given).await
}
