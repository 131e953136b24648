//! The test clock: it moves business time forward, day by day, in all processes of a database.
//!
//! The offset is a row of the database, and so is the advance: every process follows the row, and any of them takes the
//! next step, so that an advance goes on when a process is killed. The next day begins when the work of the present one
//! is done: each timer has ticked on it, each other worker stands at the end of its journal, and no failed entry waits for
//! its second try. An entry that failed more often waits by the machine's clock, and would wait for ever in business time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use pavise_contract::common::v1::Date;
use tokio_util::sync::CancellationToken;

use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::store::{ClockDay, ClockRow, FailedEntry, Store, WorkerTick};
use crate::time::{self, ClockOffset, DAY, MOST_AHEAD, MOST_BEHIND, Micros};
use crate::work::worker::{JournalFeed, Worker};

/// Time between two looks at the row.
const LOOK: Duration = Duration::from_millis(100);
/// Pause after the database did not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// Tries of a change of the row that other processes change, too.
const TRIES: u32 = 20;
/// Tries of a tick on one day. The next day waits for it, and a failure may pass.
const TICKS: u32 = 3;
/// Failed entries that are looked at.
const FAILED: u32 = 10_000;
/// Entries that are counted at once.
const PAGE: u32 = 500;
/// The figure that counts the entries which wait for an operator.
const PARKED: &str = "parked";
/// The figure that counts the entries which are tried again by the machine's clock.
const SET_ASIDE: &str = "set_aside";

/// The test clock as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClockState {
    /// The version of its row.
    pub version: i64,
    /// By how much business time is ahead of the machine's time, in microseconds.
    pub offset: Micros,
    /// The machine's time at which the last advance began.
    pub began: Micros,
    /// The offset at which it began.
    pub started: Micros,
    /// The offset at which it ends.
    pub target: Micros,
    /// Whether it goes on.
    pub is_advancing: bool,
    /// The days of the last advance that are over, with the figures of each.
    pub days: Vec<(Micros, BTreeMap<String, i64>)>,
    /// The workers that the next day waits for.
    pub waits_for: Vec<String>,
}

/// Opens the test clock of a database, which begins at the machine's day, or at `day` in an empty database.
///
/// # Errors
/// When the database does not answer, has another day, or is not empty.
pub async fn open(store: &dyn Store, now: Micros, day: Option<Date>) -> Result<ClockOffset> {
    for _ in 0..TRIES {
        if let Some(row) = store.clock_row().await? {
            let today = time::to_date(now.saturating_add(row.offset));
            if day.is_some_and(|day| day != today) {
                let today = spell(today);
                return Err(start_error(format!(
                    "the test clock of this database stands at {today}: leave out the day"
                )));
            }
            return Ok(ClockOffset::new(row.offset));
        }
        let offset = match day {
            None => 0,
            Some(day) if store.is_unused().await? => time::start_of(day) - time::start_of(time::to_date(now)),
            Some(_) => {
                let why =
                    "the database has data, which have their days: leave out the day, and move the clock from today";
                return Err(start_error(why.to_owned()));
            }
        };
        if !(-MOST_BEHIND..=MOST_AHEAD).contains(&offset) {
            let (behind, ahead) = (MOST_BEHIND / DAY, MOST_AHEAD / DAY);
            return Err(start_error(format!(
                "the day is more than {behind} days ago, or more than {ahead} days ahead"
            )));
        }
        if store.put_clock_row(&first_row(offset), None).await? {
            return Ok(ClockOffset::new(offset));
        }
    }
    Err(contention_error())
}

/// Keeps that a database lives by the machine's days, for a process without a test clock. A database whose clock was moved
/// is refused: the process would date its entries before those that are there.
///
/// # Errors
/// When the clock was moved, or the database does not answer.
pub async fn stay_with_machine(store: &dyn Store, now: Micros) -> Result<()> {
    match store.clock_row().await? {
        Some(row) if row.offset != 0 => {
            let (today, really) = (time::to_date(now.saturating_add(row.offset)), time::to_date(now));
            Err(start_error(format!(
                "this database lives on {}, and the machine on {}: its test clock was moved; set --test-clock (PAVISE_TEST_CLOCK)",
                spell(today),
                spell(really)
            )))
        }
        Some(_) => Ok(()),
        // Another process may be faster. Its row is as good.
        None => store.put_clock_row(&first_row(0), None).await.map(drop).map_err(Error::from),
    }
}

/// Makes the workers of this process known to the test clock, if there is one.
///
/// # Errors
/// When the database does not answer.
pub async fn register_workers(kernel: &Kernel, domains: &[String], workers: &[Arc<dyn Worker>]) -> Result<()> {
    if kernel.business_clock().test_clock().is_none() {
        return Ok(());
    }
    let ticks = workers.iter().map(|worker| {
        let journal = match worker.feed() {
            JournalFeed::Journal { service, .. } => service.to_owned(),
            JournalFeed::Every(_) | JournalFeed::Calendar { .. } => String::new(),
        };
        WorkerTick { worker: worker.name().to_owned(), journal, offset: Micros::MIN }
    });
    Ok(kernel.store().set_workers(domains, &ticks.collect::<Vec<_>>()).await?)
}

/// Follows the test clock and takes its steps, until `stop`.
pub async fn run(kernel: Kernel, stop: CancellationToken) {
    let Some(offset) = kernel.business_clock().test_clock().cloned() else { return };
    while !stop.is_cancelled() {
        let pause = match stop.run_until_cancelled(step(&kernel, &offset)).await {
            None => return,
            Some(Ok(true)) => continue,
            Some(Ok(false)) => LOOK,
            Some(Err(error)) => {
                tracing::warn!(cause = %error, "the test clock stands still for now");
                PAUSE
            }
        };
        let _ = stop.run_until_cancelled(tokio::time::sleep(pause)).await;
    }
}

/// Begins an advance by so many days, which `field` of the request says; `false` while another one goes on.
///
/// # Errors
/// When it would lead too far, or the database does not answer.
pub async fn begin_advance(kernel: &Kernel, days: i64, field: &'static str) -> Result<bool> {
    for _ in 0..TRIES {
        let row = read(kernel).await?;
        if row.settled < row.target {
            return Ok(false);
        }
        let target = row.offset.saturating_add(days.saturating_mul(DAY));
        if days < 1 || target > MOST_AHEAD {
            let (left, most) = (MOST_AHEAD.saturating_sub(row.offset).div_euclid(DAY), MOST_AHEAD / DAY);
            let why = format!("must be 1 to {left} days on: the clock is at most {most} days ahead of the machine's");
            return Err(Error::field(field, why));
        }
        let (began, settled) = (kernel.machine_clock().now(), row.offset - 1);
        let next = ClockRow { version: row.version + 1, began, started: row.offset, target, settled, ..row };
        if kernel.store().put_clock_row(&next, None).await? {
            return Ok(true);
        }
    }
    Err(contention_error())
}

/// Ends the advance on the present day. Without an advance, it changes nothing.
///
/// # Errors
/// When the database does not answer.
pub async fn stop(kernel: &Kernel) -> Result<()> {
    for _ in 0..TRIES {
        let row = read(kernel).await?;
        if row.settled >= row.target {
            return Ok(());
        }
        let next = ClockRow { version: row.version + 1, target: row.offset, settled: row.offset, ..row };
        if kernel.store().put_clock_row(&next, None).await? {
            return Ok(());
        }
    }
    Err(contention_error())
}

/// The test clock as it stands.
///
/// # Errors
/// When the database does not answer.
pub async fn load_state(kernel: &Kernel) -> Result<ClockState> {
    let row = read(kernel).await?;
    let days = kernel.store().clock_days(row.started).await?;
    let days = days.into_iter().map(|day| Ok((day.offset, from_json(&day.figures)?))).collect::<Result<_>>()?;
    let is_advancing = row.settled < row.target;
    let waits_for = if is_advancing { list_unsettled(kernel, &row).await?.0 } else { Vec::new() };
    let ClockRow { version, offset, began, started, target, .. } = row;
    Ok(ClockState { version, offset, began, started, target, is_advancing, days, waits_for })
}

/// Tries of a tick: one without a test clock, because the next tick comes soon.
pub(crate) fn tries_of_tick(kernel: &Kernel) -> u32 {
    kernel.business_clock().test_clock().map_or(1, |_| TICKS)
}

/// Records that a timer has ticked at an offset, where a test clock waits for it.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn record_tick(kernel: &Kernel, worker: &str, offset: Micros) -> Result<()> {
    match kernel.business_clock().test_clock() {
        Some(_) => Ok(kernel.store().record_tick(worker, offset).await?),
        None => Ok(()),
    }
}

/// Follows the row, and takes its next step if it is time; whether there was one.
async fn step(kernel: &Kernel, offset: &ClockOffset) -> Result<bool> {
    let row = read(kernel).await?;
    offset.raise_to(row.offset);
    if row.settled >= row.target {
        return Ok(false);
    }
    let (next, day) = if row.settled < row.offset {
        let (waits_for, failed) = list_unsettled(kernel, &row).await?;
        if !waits_for.is_empty() {
            return Ok(false);
        }
        // The first day of an advance was under way before it.
        let figures = if row.offset > row.started { Some(count(kernel, &row.heads, &failed).await?) } else { None };
        let day = figures.map(|figures| ClockDay { offset: row.offset, figures: as_json(&figures) });
        (ClockRow { version: row.version + 1, settled: row.offset, ..row }, day)
    } else {
        let to = row.offset.saturating_add(DAY).min(row.target);
        let heads = as_json(&read_heads(kernel).await?);
        (ClockRow { version: row.version + 1, offset: to, heads, ..row }, None)
    };
    // Where another process was faster, its row is followed.
    if kernel.store().put_clock_row(&next, day.as_ref()).await? {
        offset.raise_to(next.offset);
    }
    Ok(true)
}

fn first_row(offset: Micros) -> ClockRow {
    let heads = "{}".to_owned();
    ClockRow { version: 1, offset, began: 0, started: offset, target: offset, settled: offset, heads }
}

async fn read(kernel: &Kernel) -> Result<ClockRow> {
    let row = kernel.store().clock_row().await?;
    row.ok_or_else(|| Error::internal("the row of the test clock is gone"))
}

/// The workers that have work left on the present day, and the failed entries. A paused worker keeps nobody waiting. What a worker did is in the journals
/// before its own mark shows it. The marks are therefore read before the heads of the journals: work that one worker
/// makes for another is seen.
async fn list_unsettled(kernel: &Kernel, row: &ClockRow) -> Result<(Vec<String>, Vec<FailedEntry>)> {
    let store = kernel.store();
    let states = store.worker_states().await?;
    let is_paused = |worker: &str| states.iter().any(|state| state.is_paused && state.worker == worker);
    let ticks = store.worker_ticks().await?.into_iter().filter(|tick| !is_paused(&tick.worker)).collect::<Vec<_>>();
    let mut cursors = Vec::new();
    for tick in ticks.iter().filter(|tick| !tick.journal.is_empty()) {
        cursors.push((tick, store.cursor(&tick.worker).await?.clock));
    }
    let failed = store.failed_entries("", FAILED).await?;
    let mut waits: Vec<String> = Vec::new();
    let late = ticks.iter().filter(|tick| tick.journal.is_empty() && tick.offset < row.offset);
    waits.extend(late.map(|tick| tick.worker.clone()));
    let mut heads: BTreeMap<&str, i64> = BTreeMap::new();
    for (tick, clock) in cursors {
        let head = match heads.get(tick.journal.as_str()) {
            Some(head) => *head,
            None => store.head(&tick.journal).await?.clock,
        };
        heads.insert(&tick.journal, head);
        if clock < head {
            waits.push(tick.worker.clone());
        }
    }
    let mut first: BTreeMap<(&str, &str), &FailedEntry> = BTreeMap::new();
    for entry in &failed {
        // They come by their clocks: the first of an entity is tried, and the others wait behind it.
        first.entry((entry.worker.as_str(), entry.entity_id.as_str())).or_insert(entry);
    }
    let retried = first.into_values().filter(|entry| !entry.parked && entry.attempts <= 1 && !is_paused(&entry.worker));
    waits.extend(retried.map(|entry| entry.worker.clone()));
    waits.sort_unstable();
    waits.dedup();
    Ok((waits, failed))
}

/// The clocks of the journals that workers follow, and of those that are written here.
async fn read_heads(kernel: &Kernel) -> Result<BTreeMap<String, i64>> {
    let followed = kernel.store().worker_ticks().await?.into_iter().map(|tick| tick.journal);
    let own = kernel.tables().iter().map(|entry| entry.table.journal.to_owned());
    let mut heads = BTreeMap::new();
    for journal in followed.chain(own).filter(|journal| !journal.is_empty()) {
        if let Entry::Vacant(unread) = heads.entry(journal) {
            let head = kernel.store().head(unread.key()).await?.clock;
            unread.insert(head);
        }
    }
    Ok(heads)
}

/// The figures since the journals had these clocks: the entries of each journal and action, and what was set aside.
async fn count(kernel: &Kernel, heads: &str, failed: &[FailedEntry]) -> Result<BTreeMap<String, i64>> {
    let mut figures: BTreeMap<String, i64> = BTreeMap::new();
    for (journal, from) in from_json(heads)? {
        let mut clock = from;
        loop {
            // The documents stay sealed: only actions are counted.
            let (entries, _) = kernel.engine().journal(&journal, "", clock, PAGE).await?;
            let Some(last) = entries.last() else { break };
            clock = last.clock;
            for entry in &entries {
                *figures.entry(format!("{journal}.{}", entry.action)).or_default() += 1;
            }
        }
    }
    for entry in failed {
        *figures.entry(if entry.parked { PARKED } else { SET_ASIDE }.to_owned()).or_default() += 1;
    }
    Ok(figures)
}

fn as_json(counts: &BTreeMap<String, i64>) -> String {
    serde_json::to_string(counts).unwrap_or_else(|_| "{}".to_owned())
}

fn from_json(text: &str) -> Result<BTreeMap<String, i64>> {
    serde_json::from_str(text).map_err(Error::internal)
}

fn spell(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year, day.month, day.day)
}

fn start_error(why: String) -> Error {
    Error::new(Common::InvalidField, why)
}

fn contention_error() -> Error {
    Error::new(Common::Contention, "the test clock is being changed by others; try again")
}
