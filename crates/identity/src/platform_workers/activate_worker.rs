//! Activates a paused worker.

use pavise_kernel::common::v1::{OrderWorkerRequest, Worker, WorkerOrderKind};
use pavise_kernel::{Call, Result};

use super::support::orders::{give_order, record_order};
use crate::contract::v1::ActivateWorkerRequest;

pub(crate) async fn activate_worker(call: &Call, request: ActivateWorkerRequest) -> Result<Worker> {
    let order = OrderWorkerRequest {
        name: request.worker_name,
        kind: WorkerOrderKind::Activate as i32,
        note: request.note,
        ..OrderWorkerRequest::default()
    };
    let given = give_order(call, &order).await?;
    record_order(call, order, given).await
}
