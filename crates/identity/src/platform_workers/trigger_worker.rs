//! Runs a timer now.

use pavise_kernel::common::v1::{OrderWorkerRequest, Worker, WorkerKind, WorkerOrderKind, WorkerStatus};
use pavise_kernel::{Call, Error, Result};

use super::support::orders::{give_order, record_order};
use crate::contract::v1::{ErrorReason, TriggerWorkerRequest};

pub(crate) async fn trigger_worker(call: &Call, request: TriggerWorkerRequest) -> Result<Worker> {
    let order = OrderWorkerRequest {
        name: request.worker_name,
        kind: WorkerOrderKind::Trigger as i32,
        ..OrderWorkerRequest::default()
    };
    let given = give_order(call, &order).await?;
    let (worker, answer) = &given;
    if worker.kind() == WorkerKind::Journal {
        let message = format!("the worker {} follows a journal; it has no time to run", worker.name);
        return Err(Error::new(ErrorReason::WorkerNotTimed, message));
    }
    if !answer.changed && worker.status() == WorkerStatus::Paused {
        let message = format!("the worker {} is paused; activate it first", worker.name);
        return Err(Error::new(ErrorReason::WorkerPaused, message));
    }
    record_order(call, order, given).await
}
