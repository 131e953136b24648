//! Reads workers of any domain, gives them orders, and puts these on record.

use pavise_kernel::common::v1::{
    OrderWorkerRequest, OrderWorkerResponse, ReadWorkersRequest, ReadWorkersResponse, Worker,
};
use pavise_kernel::table::WorkerCalls;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::WorkerOrder;

/// The calls of the domain that runs a worker. A worker's name begins with its domain.
fn find_calls(call: &Call, name: &str) -> Result<&'static WorkerCalls> {
    let domain = name.split_once('.').map_or("", |(domain, _)| domain);
    let found = call.kernel().worker_calls().iter().copied().find(|calls| calls.domain == domain);
    found.ok_or_else(|| Error::not_found("worker", name))
}

/// A worker, as its domain knows it.
pub(crate) async fn read_worker(call: &Call, ask: ReadWorkersRequest) -> Result<(Worker, ReadWorkersResponse)> {
    let calls = find_calls(call, &ask.name)?;
    let name = ask.name.clone();
    let mut answer = call.kernel().read_workers(calls, ask).await?;
    let worker = answer.workers.pop().ok_or_else(|| Error::not_found("worker", &name))?;
    Ok((worker, answer))
}

/// Gives an order to a worker in the caller's name. A dry run only looks at the worker.
pub(crate) async fn give_order(call: &Call, order: &OrderWorkerRequest) -> Result<(Worker, OrderWorkerResponse)> {
    if call.validate_only() {
        let ask = ReadWorkersRequest { name: order.name.clone(), ..ReadWorkersRequest::default() };
        return Ok((read_worker(call, ask).await?.0, OrderWorkerResponse::default()));
    }
    let calls = find_calls(call, &order.name)?;
    let order = OrderWorkerRequest { by: call.caller().identity.clone(), ..order.clone() };
    let mut answer = call.kernel().order_worker(calls, order).await?;
    let worker = answer.worker.take().ok_or_else(|| Error::internal("a domain answered no worker"))?;
    Ok((worker, answer))
}

/// Puts an order on record that changed something, and answers the worker.
pub(crate) async fn record_order(
    call: &Call,
    order: OrderWorkerRequest,
    given: (Worker, OrderWorkerResponse),
) -> Result<Worker> {
    let (worker, answer) = given;
    if !answer.changed {
        return call.answer_unchanged(worker).await;
    }
    let mut unit = call.unit();
    unit.create(WorkerOrder {
        worker_name: order.name,
        kind: order.kind,
        note: order.note,
        clock: order.clock,
        replayed: answer.replayed,
        ..WorkerOrder::default()
    })?;
    unit.commit_answer(worker).await
}
