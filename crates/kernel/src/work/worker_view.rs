//! The calls of a domain that answer its workers, and ask one to do something.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt as _;
use pavise_contract::common::v1::{
    FailedEntry as ShownEntry, OrderWorkerRequest, OrderWorkerResponse, ReadJournalRequest, ReadWorkersRequest,
    ReadWorkersResponse, Worker as ShownWorker, WorkerKind, WorkerOrderKind as Asked, WorkerStatus,
};
use prost_types::Timestamp;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::port::store::{FailedCount, FailedEntry, WorkerOrder, WorkerOrderKind, WorkerState};
use crate::time::{Micros, to_micros, to_timestamp};
use crate::work::schedule::Schedule;
use crate::work::worker::{JournalFeed, KnownWorker};

/// Journals that are asked at once how far they are.
const AT_ONCE: usize = 8;
/// How long a journal is waited for. Without its answer, the lag is not known.
const PATIENCE: Duration = Duration::from_secs(2);

impl Call {
    /// The workers of a domain that runs here, and the failed entries of one.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read_workers(&self, domain: &'static str, ask: &ReadWorkersRequest) -> Result<ReadWorkersResponse> {
        let mut known = self.kernel().known_workers(domain);
        if !ask.name.is_empty() {
            known.retain(|worker| worker.name == ask.name);
        }
        let workers = shown(self.kernel(), domain, known, self.now()).await?;
        let limit = u32::try_from(ask.failed_entries).unwrap_or(0);
        let mut failed = Vec::new();
        if limit > 0 && !ask.name.is_empty() && !workers.is_empty() {
            failed = self.kernel().store().failed_page(&ask.name, ask.after_clock, limit + 1).await?;
        }
        let end = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = failed.len() > end;
        failed.truncate(end);
        Ok(ReadWorkersResponse { workers, failed_entries: failed.into_iter().map(shown_entry).collect(), more })
    }

    /// Asks a worker of a domain that runs here to do something. Whoever runs it obeys within about a second.
    ///
    /// # Errors
    /// `NOT_FOUND` for an unknown worker, or for a failed entry that is not there.
    pub async fn order_worker(&self, domain: &'static str, ask: &OrderWorkerRequest) -> Result<OrderWorkerResponse> {
        let mut known = self.kernel().known_workers(domain);
        known.retain(|worker| worker.name == ask.name);
        let Some(worker) = known.first() else { return Err(Error::not_found("worker", &ask.name)) };
        let store = self.kernel().store();
        let (mut changed, mut replayed) = (false, 0);
        let order = |kind| WorkerOrder { kind, at: self.now(), by: ask.by.clone(), note: ask.note.clone() };
        match ask.kind() {
            Asked::Unspecified => return Err(Error::missing_field("kind")),
            Asked::Pause => changed = store.order_worker(&ask.name, &order(WorkerOrderKind::Pause)).await?,
            Asked::Activate => changed = store.order_worker(&ask.name, &order(WorkerOrderKind::Activate)).await?,
            // Only a timer can be asked to run.
            Asked::Trigger if worker.feed.is_timed() => {
                changed = store.order_worker(&ask.name, &order(WorkerOrderKind::Trigger)).await?;
            }
            Asked::Trigger => {}
            Asked::Replay => {
                replayed = store.replay_failed(&ask.name, Some(ask.clock)).await?;
                if replayed == 0 {
                    return Err(Error::not_found("failed entry", &ask.clock.to_string()));
                }
            }
            Asked::ReplayParked => replayed = store.replay_failed(&ask.name, None).await?,
        }
        let worker = shown(self.kernel(), domain, known, self.now()).await?.pop();
        let replayed = i64::try_from(replayed).unwrap_or(i64::MAX);
        Ok(OrderWorkerResponse { worker, changed: changed || replayed > 0, replayed })
    }
}

/// Workers with what the database knows of them.
async fn shown(kernel: &Kernel, domain: &str, known: Vec<KnownWorker>, now: Micros) -> Result<Vec<ShownWorker>> {
    let states = kernel.store().worker_states().await?;
    let states: BTreeMap<String, WorkerState> = states.into_iter().map(|state| (state.worker.clone(), state)).collect();
    let counts = kernel.store().count_failed().await?;
    let mut lags: BTreeMap<&'static str, Lag> = futures::stream::iter(known.clone())
        .map(|worker| async move { Some((worker.name, lag(kernel, worker, now).await?)) })
        .buffer_unordered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await;
    let shown = known.into_iter().map(|worker| {
        let state = states.get(worker.name).cloned().unwrap_or_default();
        shown_worker(domain, worker, state, lags.remove(worker.name), &counts)
    });
    Ok(shown.collect())
}

/// How far a worker is behind its journal.
#[derive(Debug, Clone, Copy)]
struct Lag {
    entries: i64,
    seconds: i64,
}

/// The lag of a worker that follows a journal; `None` for a timer, and when the journal does not answer.
async fn lag(kernel: &Kernel, worker: KnownWorker, now: Micros) -> Option<Lag> {
    let JournalFeed::Journal { domain, service, path } = worker.feed else { return None };
    let cursor = kernel.store().cursor(worker.name).await.ok()?;
    let ask =
        ReadJournalRequest { clock: cursor.clock, limit: 1, epoch: cursor.epoch, ..ReadJournalRequest::default() };
    let page = tokio::time::timeout(PATIENCE, kernel.feed_page(domain, service, path, ask)).await.ok()?.ok()?;
    let waits_since = page.entries.first().and_then(|entry| entry.at.as_ref()).map(to_micros);
    let seconds = waits_since.map_or(0, |since| (now - since).max(0) / 1_000_000);
    Some(Lag { entries: page.max_clock.saturating_sub(cursor.clock).max(0), seconds })
}

fn shown_worker(
    domain: &str,
    worker: KnownWorker,
    state: WorkerState,
    lag: Option<Lag>,
    counts: &[FailedCount],
) -> ShownWorker {
    let count = |parked: bool| {
        let found = counts.iter().find(|count| count.worker == worker.name && count.parked == parked);
        found.map_or(0, |count| count.count)
    };
    let mut shown = ShownWorker {
        name: worker.name.to_owned(),
        domain: domain.to_owned(),
        steered_at: instant(state.steered_at),
        steered_by: state.steered_by,
        note: state.note,
        triggered_at: instant(state.triggered_at),
        triggered_by: state.triggered_by,
        started_at: instant(state.run.started_at),
        ended_at: instant(state.run.ended_at),
        cause: state.run.cause,
        next_at: instant(state.run.next_at),
        lag_known: lag.is_some(),
        lag_entries: lag.map_or(0, |lag| lag.entries),
        lag_seconds: lag.map_or(0, |lag| lag.seconds),
        parked_count: count(true),
        retried_count: count(false),
        ..ShownWorker::default()
    };
    shown.set_status(if state.is_paused { WorkerStatus::Paused } else { WorkerStatus::Active });
    show_feed(&mut shown, worker.feed);
    shown
}

/// Fills in what a worker waits for.
fn show_feed(shown: &mut ShownWorker, feed: JournalFeed) {
    match feed {
        JournalFeed::Journal { service, .. } => {
            shown.set_kind(WorkerKind::Journal);
            shown.schedule = format!("each entry of the journal {service}");
            shown.journal = service.to_owned();
        }
        JournalFeed::Every(period) => {
            shown.set_kind(WorkerKind::Period);
            shown.schedule = format!("each {} seconds", period.as_secs());
            shown.period_seconds = i64::try_from(period.as_secs()).unwrap_or(i64::MAX);
        }
        JournalFeed::Calendar { rule, zone } => {
            shown.set_kind(WorkerKind::Calendar);
            let words = Schedule::parse(rule, zone).map_or_else(|_| rule.to_owned(), |schedule| schedule.describe());
            shown.schedule = format!("{words} ({zone})");
            (shown.rule, shown.zone) = (rule.to_owned(), zone.to_owned());
        }
    }
}

fn shown_entry(entry: FailedEntry) -> ShownEntry {
    ShownEntry {
        clock: entry.clock,
        entity_id: entry.entity_id,
        attempts: entry.attempts,
        parked: entry.parked,
        next_at: instant(entry.next_at).filter(|_| !entry.parked),
        cause: entry.cause,
    }
}

/// An instant; `None` for 0.
fn instant(at: Micros) -> Option<Timestamp> {
    (at != 0).then(|| to_timestamp(at))
}
