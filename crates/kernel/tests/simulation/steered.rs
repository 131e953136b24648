//! Workers that staff pause, activate and ask to run, and a timer with a calendar rule.

use std::fmt;

use pavise_kernel::Result;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::store::WorkerOrderKind::{self, Activate, Pause, Trigger};
use pavise_kernel::worker::{JournalFeed, Work, Worker};

use crate::Simulation;
use crate::cluster::{At, DAWN, Reach, SECOND};
use crate::peers::WORKER;
use crate::unreadable::calm;

const TIMER: &str = "things.each_minute";
/// The first full minute.
const MINUTE: At = DAWN + 40 * SECOND;

/// Runs at each full minute.
pub(crate) struct EachMinute(pub(crate) Reach);

impl fmt::Debug for EachMinute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EachMinute({})", self.0.process)
    }
}

#[pavise_kernel::async_trait]
impl Worker for EachMinute {
    fn name(&self) -> &'static str {
        TIMER
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Calendar { rule: "* * * * *", zone: "UTC" }
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let key = work.new_request((), "tick").metadata().get("idempotency-key").unwrap().to_str().unwrap().to_owned();
        let mut cluster = self.0.lock();
        let now = cluster.now;
        cluster.ticks.push((now, key));
        Ok(())
    }
}

impl Simulation {
    /// The same with a timer beside the worker of the journal.
    fn with_timer(mut self) -> Self {
        for number in 0..self.processes.len() {
            self.processes[number].has_timer = true;
            self.start(number);
        }
        self
    }

    fn order(&self, worker: &str, kind: WorkerOrderKind) {
        let mut cluster = self.cluster.lock().unwrap();
        let now = cluster.now;
        cluster.database.order(worker, kind, now);
    }

    fn append(&self, entity: &str) {
        let mut cluster = self.cluster.lock().unwrap();
        let clock = i64::try_from(cluster.journal.len()).unwrap() + 1;
        let entity_id = entity.to_owned();
        let entity = Some(prost_types::Any::default());
        cluster.journal.push(JournalEntry { clock, entity_id, entity, ..JournalEntry::default() });
    }

    /// The minutes after the first one in which the timer ran.
    fn minutes(&self) -> Vec<At> {
        let cluster = self.cluster.lock().unwrap();
        cluster.ticks.iter().map(|(at, _)| (at - MINUTE).div_euclid(60 * SECOND)).collect()
    }

    fn stop_all(&mut self) {
        self.processes.iter_mut().for_each(|process| process.runtime = None);
    }

    fn start_all(&mut self) {
        (0..self.processes.len()).for_each(|number| self.start(number));
    }
}

#[test]
fn a_paused_worker_handles_nothing_and_goes_on_in_order() {
    let mut simulation = calm();
    simulation.order(WORKER, Pause);
    simulation.pass(3);
    (0..3).for_each(|_| simulation.append("a"));
    simulation.pass(20);
    assert!(simulation.paid().is_empty(), "paused");
    simulation.order(WORKER, Activate);
    simulation.pass(5);
    assert_eq!(simulation.paid(), [1, 2, 3], "all of them, in order");
    // It waits for its feed when it is paused again.
    simulation.order(WORKER, Pause);
    simulation.pass(2);
    (0..2).for_each(|_| simulation.append("a"));
    simulation.pass(20);
    assert_eq!(simulation.paid(), [1, 2, 3]);
    simulation.stop_all();
    simulation.start_all();
    simulation.pass(30);
    assert_eq!(simulation.paid(), [1, 2, 3], "a new process obeys, too");
    simulation.order(WORKER, Activate);
    simulation.pass(30);
    assert_eq!(simulation.paid(), [1, 2, 3, 4, 5]);
}

#[test]
fn a_calendar_rule_is_followed_by_one_process() {
    let mut simulation = calm().with_timer();
    simulation.pass(35);
    assert!(simulation.minutes().is_empty(), "not before it is due");
    assert_eq!(simulation.cluster.lock().unwrap().database.states[TIMER].run.next_at, MINUTE);
    simulation.pass(10);
    assert_eq!(simulation.minutes(), [0]);
    simulation.pass(120);
    assert_eq!(simulation.minutes(), [0, 1, 2]);
    let keys: std::collections::BTreeSet<_> =
        simulation.cluster.lock().unwrap().ticks.iter().map(|(_, key)| key.clone()).collect();
    assert_eq!(keys.len(), 3, "each run has steps of its own");
}

#[test]
fn what_was_missed_is_made_up_for_once() {
    let mut simulation = calm().with_timer();
    simulation.pass(45);
    assert_eq!(simulation.minutes(), [0]);
    simulation.stop_all();
    simulation.pass(200);
    simulation.start_all();
    simulation.pass(30);
    assert_eq!(simulation.minutes().len(), 2, "three were missed, and one run makes up for them");
    simulation.pass(60);
    assert_eq!(simulation.minutes().len(), 3, "then the rule goes on");
}

#[test]
fn a_timer_that_several_ask_to_run_runs_once() {
    let mut simulation = calm().with_timer();
    simulation.pass(10);
    (0..3).for_each(|_| simulation.order(TIMER, Trigger));
    simulation.pass(5);
    assert_eq!(simulation.cluster.lock().unwrap().ticks.len(), 1, "at once, and not before its rule");
    simulation.pass(30);
    assert_eq!(simulation.cluster.lock().unwrap().ticks.len(), 2, "the rule counts all the same");
    let began = {
        let cluster = simulation.cluster.lock().unwrap();
        let run = &cluster.database.states[TIMER].run;
        assert!(!run.is_unfinished() && run.cause.is_empty(), "{run:?}");
        run.started_at
    };
    assert!((MINUTE..MINUTE + 2 * SECOND).contains(&began));
}

#[test]
fn a_paused_timer_does_not_tick() {
    let mut simulation = calm().with_timer();
    simulation.pass(10);
    simulation.order(TIMER, Trigger);
    simulation.order(TIMER, Pause);
    simulation.pass(100);
    assert!(simulation.cluster.lock().unwrap().ticks.is_empty(), "neither by its rule nor by an earlier order");
    simulation.order(TIMER, Activate);
    simulation.pass(5);
    assert_eq!(simulation.cluster.lock().unwrap().ticks.len(), 1, "what it missed is made up for");
}
