//! Runs timers: when they are due, and when staff ask for it.

use std::sync::atomic::{AtomicI32, AtomicI64, Ordering};
use std::time::Duration;

use super::{PAUSE, Runner, backoff, unpanicked};
use crate::error::Result;
use crate::port::store::{TimerRun, WorkerState};
use crate::time::Micros;
use crate::work::cause::cause_of;
use crate::work::schedule::Schedule;
use crate::work::test_clock;
use crate::work::worker::{JournalFeed, Work};

/// The longest time for which a timer sleeps: the machine's clock may be set.
const LONGEST: Duration = Duration::from_secs(60);
/// The runs of a timer with a shorter period are recorded once in this time, so that they do not keep the database busy.
const RECORDED: Micros = 30 * 1_000_000;

/// The runs of a timer in this process.
#[derive(Debug, Default)]
pub(super) struct Ticks {
    /// The end of the last one; 0 before the first.
    ended_at: AtomicI64,
    /// The time when one was recorded last.
    recorded_at: AtomicI64,
    /// How many have failed in a row.
    failed: AtomicI32,
    /// How far the test clock stood ahead when the last one began.
    offset: AtomicI64,
}

/// When a timer is due, and what it is due for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Due {
    /// The time of the run.
    at: Micros,
    /// The name of the run in idempotency keys: a run that is repeated for the same due time has the same steps.
    occasion: Micros,
    /// The time from which a calendar rule counts.
    counted_from: Micros,
}

impl Runner {
    /// Waits until the timer is due or asked for, and runs it once; `false` when another process has the lease.
    pub(super) async fn timer(&self) -> Result<bool> {
        let orders = self.orders.read().await;
        let state = self.kernel.store().worker_state(self.worker.name()).await?;
        let clock = self.kernel.business_clock();
        let (seen, now) = (clock.offset(), clock.now());
        let due = self.due(&state.run, now)?;
        if !state.is_paused && (state.triggered_at != 0 || due.at <= now) {
            self.ticks.offset.store(seen, Ordering::SeqCst);
            let counted = self.run_timer(&state, due, now).await?;
            test_clock::record_tick(&self.kernel, self.worker.name(), seen).await?;
            return Ok(counted);
        }
        // The test clock does not wait for a timer that has nothing to do on this day.
        test_clock::record_tick(&self.kernel, self.worker.name(), seen).await?;
        if state.is_paused {
            tokio::select! {
                () = clock.sleep_unless_moved(LONGEST, seen) => {}
                () = self.orders.change(orders) => {}
            }
            return Ok(true);
        }
        let is_known = state.run.counted_from == due.counted_from && state.run.next_at == due.at;
        if self.is_calendar() && !is_known && state.run.cause.is_empty() {
            let next = TimerRun { counted_from: due.counted_from, next_at: due.at, ..state.run };
            if !self.record(&next, false).await? {
                return Ok(false);
            }
        }
        let left = Duration::from_micros(u64::try_from(due.at.saturating_sub(now)).unwrap_or(0));
        tokio::select! {
            () = clock.sleep_unless_moved(left.min(LONGEST), seen) => {}
            () = self.orders.change(orders) => {}
        }
        Ok(true)
    }

    fn is_calendar(&self) -> bool {
        matches!(self.worker.feed(), JournalFeed::Calendar { .. })
    }

    /// When the timer is due next: a period also whenever the test clock was moved. A calendar rule that is seen for the
    /// first time counts from now.
    fn due(&self, run: &TimerRun, now: Micros) -> Result<Due> {
        match self.worker.feed() {
            JournalFeed::Calendar { rule, zone } => {
                let counted_from = if run.counted_from == 0 { now } else { run.counted_from };
                let next = Schedule::parse(rule, zone)?.next_after(counted_from).unwrap_or(Micros::MAX);
                let at = if next <= now {
                    // A run that failed is tried again before the next due time.
                    self.ticks.retry_at(|| self.kernel.ids().bits()).unwrap_or(next)
                } else if run.is_unfinished() {
                    // It was asked for, and its process is gone.
                    now
                } else {
                    next
                };
                Ok(Due { at, occasion: next.min(now), counted_from })
            }
            feed => {
                let period = match feed {
                    JournalFeed::Every(period) => i64::try_from(period.as_micros()).unwrap_or(Micros::MAX),
                    _ => Micros::MAX,
                };
                let is_moved = self.ticks.offset.load(Ordering::SeqCst) != self.kernel.business_clock().offset();
                let at = match self.ticks.ended_at.load(Ordering::SeqCst) {
                    0 => now,
                    _ if is_moved => now,
                    ended_at => ended_at.saturating_add(period),
                };
                Ok(Due { at, occasion: now, counted_from: 0 })
            }
        }
    }

    async fn run_timer(&self, state: &WorkerState, due: Due, now: Micros) -> Result<bool> {
        let is_asked = state.triggered_at != 0;
        let began = TimerRun {
            counted_from: due.counted_from,
            started_at: now,
            ended_at: 0,
            cause: String::new(),
            next_at: state.run.next_at,
        };
        if (is_asked || self.is_calendar()) && !self.record(&began, is_asked).await? {
            return Ok(false);
        }
        let occasion = if is_asked { state.triggered_at } else { due.occasion };
        let work = Work::of_worker(&self.kernel, &*self.worker, occasion.to_string(), "");
        let mut cause = None;
        for left in (0..test_clock::tries_of_tick(&self.kernel)).rev() {
            cause = unpanicked(self.worker.tick(&work)).await.err().map(|error| {
                tracing::warn!(worker = self.worker.name(), cause = %error, "tick failed; it is done again next time");
                cause_of(&error)
            });
            if cause.is_none() {
                break;
            }
            if left > 0 {
                tokio::time::sleep(PAUSE).await;
            }
        }
        let ended_at = self.kernel.business_clock().now();
        self.ticks.end(ended_at, cause.is_some());
        let counted_from = if cause.is_none() && self.is_calendar() { now } else { due.counted_from };
        let cause = cause.unwrap_or_default();
        let ended = TimerRun { counted_from, ended_at, cause, ..began };
        let next_at = self.due(&ended, ended_at)?.at;
        let is_recorded = is_asked || self.is_calendar() || self.ticks.is_recorded(&ended, &state.run);
        if !is_recorded {
            return Ok(true);
        }
        self.ticks.recorded_at.store(ended_at, Ordering::SeqCst);
        self.record(&TimerRun { next_at, ..ended }, false).await
    }

    async fn record(&self, run: &TimerRun, takes_trigger: bool) -> Result<bool> {
        let store = self.kernel.store();
        Ok(store.record_run(self.worker.name(), &self.holder, run, takes_trigger).await?)
    }
}

impl Ticks {
    /// Keeps that a run ended.
    fn end(&self, ended_at: Micros, has_failed: bool) {
        self.ended_at.store(ended_at.max(1), Ordering::SeqCst);
        if has_failed {
            self.failed.fetch_add(1, Ordering::SeqCst);
        } else {
            self.failed.store(0, Ordering::SeqCst);
        }
    }

    /// When a calendar rule's failed run is tried again; `None` if the last one of this process did not fail.
    fn retry_at(&self, random: impl FnOnce() -> u64) -> Option<Micros> {
        let failed = self.failed.load(Ordering::SeqCst);
        let ended_at = self.ended_at.load(Ordering::SeqCst);
        (failed > 0).then(|| ended_at.saturating_add(backoff(failed, random())))
    }

    /// Whether a run of a period is worth a record: its outcome is another one, or the last record is old.
    fn is_recorded(&self, ended: &TimerRun, before: &TimerRun) -> bool {
        let age = ended.ended_at.saturating_sub(self.recorded_at.load(Ordering::SeqCst));
        ended.cause != before.cause || age >= RECORDED
    }
}
