//! The orders of staff to the workers, as the runners of a process know them: read once a second, for all at once.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::kernel::Kernel;
use crate::port::store::WorkerState;
use crate::time::Micros;

/// Time between two reads. An order is obeyed about so late.
const PERIOD: Duration = Duration::from_secs(1);

/// The orders to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Orders {
    /// Whether it is paused.
    pub(crate) is_paused: bool,
    /// The time when a run was asked for; 0 if none is.
    pub(crate) triggered_at: Micros,
}

/// The orders to the workers of this process's database, by the worker's name; `None` before the first read.
pub(crate) type Known = Option<BTreeMap<String, Orders>>;

/// Reads the orders until `stop`. Those who wait are woken by changes only.
pub(crate) async fn watch(kernel: Kernel, known: watch::Sender<Known>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match kernel.store().worker_states().await {
            Err(error) => tracing::debug!(cause = %error, "it was not read what is asked of the workers"),
            Ok(states) => {
                let read = Some(states.into_iter().map(of_state).collect());
                known.send_if_modified(|known| {
                    let is_new = *known != read;
                    *known = read;
                    is_new
                });
            }
        }
        let _ = stop.run_until_cancelled(tokio::time::sleep(PERIOD)).await;
    }
}

fn of_state(state: WorkerState) -> (String, Orders) {
    (state.worker, Orders { is_paused: state.is_paused, triggered_at: state.triggered_at })
}

/// The orders to one worker.
#[derive(Debug, Clone)]
pub(crate) struct OrdersOf {
    pub(crate) worker: &'static str,
    pub(crate) known: watch::Receiver<Known>,
}

impl OrdersOf {
    /// The orders as they were read last.
    pub(crate) async fn read(&self) -> Orders {
        let mut known = self.known.clone();
        let read = known.wait_for(Option::is_some).await;
        read.map(|known| orders_to(&known, self.worker)).unwrap_or_default()
    }

    /// Returns when something else than `before` is asked of the worker.
    pub(crate) async fn change(&self, before: Orders) {
        let mut known = self.known.clone();
        let worker = self.worker;
        if known.wait_for(|known| orders_to(known, worker) != before).await.is_err() {
            // Nobody reads the orders any more: the process stops.
            std::future::pending::<()>().await;
        }
    }
}

fn orders_to(known: &Known, worker: &str) -> Orders {
    known.as_ref().and_then(|all| all.get(worker)).copied().unwrap_or_default()
}
