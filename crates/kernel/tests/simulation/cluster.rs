//! One time, one order of events and one source of chance, so that the seed decides a simulation.
//!
//! Every message that leaves a process is an event. It arrives some time later, or never, and so does its answer. The
//! inner work of a process runs in a runtime of its own, whose time stands still between two ticks.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use pavise_kernel::common::v1::JournalEntry;
use pavise_testkit::chance::SeededRandom;
use tokio::sync::oneshot;

use crate::database::Database;

/// Microseconds of the simulation.
pub(crate) type At = i64;

pub(crate) const SECOND: At = 1_000_000;
/// The time when a simulation begins.
pub(crate) const DAWN: At = 1_700_000_000 * SECOND;

/// Random numbers, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Dice(SeededRandom);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SeededRandom::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0))
    }

    /// A number from `from` up to, but not including, `to`.
    pub(crate) fn of(&mut self, from: i64, to: i64) -> i64 {
        from + i64::try_from(self.0.next_bits() % u64::try_from(to - from).unwrap()).unwrap()
    }

    /// `true` in `of_thousand` of a thousand cases.
    pub(crate) fn happens(&mut self, of_thousand: i64) -> bool {
        self.of(0, 1000) < of_thousand
    }
}

/// A destination of a process's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Database,
    Journal,
    Bank,
}

pub(crate) const PLACES: [Place; 3] = [Place::Database, Place::Journal, Place::Bank];

/// An effect, and the number of requests for it.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    pub(crate) entity: String,
    pub(crate) clock: i64,
    pub(crate) asked: usize,
}

/// The state outside the processes.
pub(crate) struct Cluster {
    pub(crate) now: At,
    pub(crate) dice: Dice,
    pub(crate) database: Database,
    pub(crate) journal: Vec<JournalEntry>,
    /// The effects by idempotency key.
    pub(crate) effects: BTreeMap<String, Effect>,
    /// The keys in the order of their effects.
    pub(crate) order: Vec<String>,
    /// The times at which the timer ran, and the names of these runs.
    pub(crate) ticks: Vec<(At, String)>,
    /// The process and destination pairs that cannot reach each other.
    pub(crate) cut: BTreeSet<(usize, Place)>,
    /// Whether networks and peers may fail.
    pub(crate) trouble: bool,
    events: BinaryHeap<Event>,
    number: u64,
}

struct Event {
    at: At,
    number: u64,
    happen: Box<dyn FnOnce(&mut Cluster) + Send>,
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        // Reversed, because the heap gives the greatest event first.
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl Cluster {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            now: DAWN,
            dice: Dice::new(seed),
            database: Database::default(),
            journal: Vec::new(),
            effects: BTreeMap::new(),
            order: Vec::new(),
            ticks: Vec::new(),
            cut: BTreeSet::new(),
            trouble: true,
            events: BinaryHeap::new(),
            number: 0,
        }
    }

    fn later(&mut self, happen: impl FnOnce(&mut Cluster) + Send + 'static) {
        // Most messages arrive soon, some late: the first message sent may arrive last.
        let slow = self.trouble && self.dice.happens(30);
        let at = self.now + if slow { self.dice.of(200_000, 20 * SECOND) } else { self.dice.of(1_000, 40_000) };
        self.number += 1;
        self.events.push(Event { at, number: self.number, happen: Box::new(happen) });
    }

    /// Moves the time forward and runs the events that are due.
    pub(crate) fn advance(&mut self, by: At) {
        self.now += by;
        while self.events.peek().is_some_and(|event| event.at <= self.now) {
            (self.events.pop().unwrap().happen)(self);
        }
    }

    fn lost(&mut self, process: usize, place: Place) -> bool {
        self.cut.contains(&(process, place)) || (self.trouble && self.dice.happens(10))
    }
}

/// The cluster, reached from one process.
#[derive(Clone)]
pub(crate) struct Reach {
    pub(crate) cluster: Arc<Mutex<Cluster>>,
    pub(crate) process: usize,
}

impl Reach {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Cluster> {
        self.cluster.lock().unwrap()
    }

    /// Runs work at a destination. If a message is lost, the process does not learn whether it was the request or the
    /// answer.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        place: Place,
        patience: Duration,
        what: impl FnOnce(&mut Cluster) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        {
            let (process, mut cluster) = (self.process, self.lock());
            if !cluster.lost(process, place) {
                cluster.later(move |cluster| {
                    let answer = what(cluster);
                    if !cluster.lost(process, place) {
                        cluster.later(move |_| _ = sender.send(answer));
                    }
                });
            }
        }
        let heard = async {
            match receiver.await {
                Ok(answer) => answer,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::time::timeout(patience, heard).await.ok()
    }
}
