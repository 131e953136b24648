//! Workers in several processes with one database. Processes die and stand still, clocks jump, networks lose and delay
//! messages. Each entry takes effect once, in the order of its entity's entries, and only the lease's holder makes
//! progress.
//!
//! A seed decides a simulation. The test prints which seeds run, and which one failed. `PAVISE_SEED=17` runs that seed
//! alone and prints its events. `PAVISE_LONG=1` runs many more.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod clocks;
mod cluster;
mod database;
mod peers;
mod steered;
mod unreadable;

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cluster::{At, Cluster, DAWN, Dice, PLACES, Reach, SECOND};
use database::Engine;
use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::store::FailedEntry;
use pavise_kernel::time::{Clock, Ids, to_timestamp};
use pavise_kernel::worker::Worker;
use pavise_kernel::{Kernel, runner};
use pavise_testkit::runs;
use pavise_transcode::Transcoder;
use peers::{Payer, WORKER};
use steered::EachMinute;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

const PROCESSES: usize = 3;
const ENTITIES: i64 = 5;
const ENTRIES: i64 = 60;
/// The step of the simulated time.
const TICK: At = 20_000;
/// How long there is trouble.
const TROUBLE: At = 120 * SECOND;
/// The time in which all work must be done after the trouble. An entry that a process with a wrong clock set aside waits
/// up to ten minutes for its next try, and an entry behind it may wait as long again.
const PEACE: At = 1_800 * SECOND;

/// A clock that the simulation may move.
#[derive(Debug, Clone)]
struct Wall {
    now: Arc<AtomicI64>,
    ahead: Arc<AtomicI64>,
}

impl Clock for Wall {
    fn now(&self) -> i64 {
        self.now.load(Ordering::SeqCst) + self.ahead.load(Ordering::SeqCst)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// A process: a runtime whose time moves only with the simulation's time.
struct Process {
    runtime: Option<Runtime>,
    ahead: Arc<AtomicI64>,
    /// The time when it goes on, or starts again.
    until: At,
    /// The time that it stood still.
    missed: At,
    born: u64,
    /// Whether it runs a timer, too.
    has_timer: bool,
}

impl Process {
    /// Starts the process without any of its former record.
    fn start(&mut self, reach: &Reach, now: &Arc<AtomicI64>, seed: u64) {
        self.born += 1;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let clock = Wall { now: Arc::clone(now), ahead: Arc::clone(&self.ahead) };
        let ids = Ids::from_seed(seed ^ (u64::try_from(reach.process).unwrap() << 32) ^ (self.born << 48));
        let reach = reach.clone();
        let mut workers: Vec<Arc<dyn Worker>> = vec![Arc::new(Payer)];
        if self.has_timer {
            workers.push(Arc::new(EachMinute(reach.clone())));
        }
        runtime.block_on(async move {
            let peers = peers::peers(&reach);
            let transcoder = Transcoder::new(&prost_reflect::DescriptorPool::new());
            let store = Arc::new(Engine(reach));
            let kernel = Kernel::builder(store, transcoder).clock(Arc::new(clock)).ids(ids).peers(peers).build();
            tokio::spawn(runner::run(kernel, workers, CancellationToken::new()));
        });
        self.runtime = Some(runtime);
        self.missed = 0;
    }

    fn tick(&mut self, now: At) {
        let Some(runtime) = &self.runtime else { return };
        if now < self.until {
            self.missed += TICK;
            return;
        }
        let missed = Duration::from_micros(u64::try_from(std::mem::take(&mut self.missed)).unwrap());
        runtime.block_on(async {
            if !missed.is_zero() {
                // The process stood still, but its time did not.
                tokio::time::advance(missed).await;
            }
            tokio::time::sleep(Duration::from_micros(u64::try_from(TICK).unwrap())).await;
        });
    }
}

/// The counts of a simulation.
#[derive(Debug, Default)]
struct Tally {
    takeovers: usize,
    refused: usize,
    repeated: usize,
    deaths: usize,
    pauses: usize,
    jumps: usize,
    cuts: usize,
    seconds: i64,
}

struct Simulation {
    seed: u64,
    told: bool,
    cluster: Arc<Mutex<Cluster>>,
    now: Arc<AtomicI64>,
    processes: Vec<Process>,
    /// Chance for the simulation's decisions; the cluster has its own.
    dice: Dice,
    healing: BTreeMap<(usize, usize), At>,
    tally: Tally,
}

impl Simulation {
    fn new(seed: u64, told: bool) -> Self {
        let cluster = Arc::new(Mutex::new(Cluster::new(seed)));
        let processes = (0..PROCESSES)
            .map(|_| Process { runtime: None, ahead: Arc::default(), until: 0, missed: 0, born: 0, has_timer: false })
            .collect();
        let now = Arc::new(AtomicI64::new(DAWN));
        let dice = Dice::new(seed ^ 0xfeed);
        let (healing, tally) = (BTreeMap::new(), Tally::default());
        let mut simulation = Self { seed, told, cluster, now, processes, dice, healing, tally };
        (0..PROCESSES).for_each(|number| simulation.start(number));
        simulation
    }

    fn reach(&self, process: usize) -> Reach {
        Reach { cluster: Arc::clone(&self.cluster), process }
    }

    fn start(&mut self, number: usize) {
        let reach = self.reach(number);
        self.processes[number].start(&reach, &self.now, self.seed);
    }

    fn tell(&self, what: &str) {
        if self.told {
            let seconds = (self.now.load(Ordering::SeqCst) - DAWN) / 10_000;
            println!("  {:>7}.{:02} s  {what}", seconds / 100, seconds % 100);
        }
    }

    fn run(mut self) -> Tally {
        let end = DAWN + TROUBLE;
        let mut now = DAWN;
        while now < end || !self.is_done() {
            if now == end {
                self.make_peace();
            }
            assert!(now < end + PEACE, "{}", self.left(now));
            if now < end {
                self.write(now);
                self.trouble(now);
            }
            now += TICK;
            self.now.store(now, Ordering::SeqCst);
            self.cluster.lock().unwrap().advance(TICK);
            let first = usize::try_from(self.dice.of(0, i64::try_from(PROCESSES).unwrap())).unwrap();
            for step in 0..PROCESSES {
                self.processes[(first + step) % PROCESSES].tick(now);
            }
        }
        self.tally.seconds = (now - DAWN) / SECOND;
        self.judge();
        self.tally
    }

    /// Writes entries all the time, evenly spread by chance.
    fn write(&mut self, now: At) {
        let mut cluster = self.cluster.lock().unwrap();
        let next = i64::try_from(cluster.journal.len()).unwrap() + 1;
        let due = (TROUBLE - 20 * SECOND) / ENTRIES * next;
        if next <= ENTRIES && now - DAWN >= due {
            cluster.journal.push(JournalEntry {
                clock: next,
                entity_id: format!("entity-{}", self.dice.of(0, ENTITIES)),
                at: Some(to_timestamp(now)),
                entity: Some(prost_types::Any::default()),
                ..JournalEntry::default()
            });
        }
    }

    /// Causes a failure at times, which heals after a while.
    fn trouble(&mut self, now: At) {
        for number in 0..PROCESSES {
            if self.processes[number].runtime.is_none() && now >= self.processes[number].until {
                self.tell(&format!("process {number} is started"));
                self.start(number);
            }
        }
        let due: Vec<(usize, usize)> = self.healing.iter().filter(|(_, at)| **at <= now).map(|(cut, _)| *cut).collect();
        for (number, place) in due {
            self.healing.remove(&(number, place));
            self.cluster.lock().unwrap().cut.remove(&(number, PLACES[place]));
        }
        if !self.dice.happens(6) {
            return;
        }
        let number = usize::try_from(self.dice.of(0, i64::try_from(PROCESSES).unwrap())).unwrap();
        match self.dice.of(0, 4) {
            0 => {
                let pause = self.dice.of(SECOND, 40 * SECOND);
                self.tell(&format!("process {number} stands still for {} ms", pause / 1000));
                self.processes[number].until = now + pause;
                self.tally.pauses += 1;
            }
            1 => {
                self.tell(&format!("process {number} dies"));
                // Requests that the process has sent may still take effect.
                self.processes[number].runtime = None;
                self.processes[number].until = now + self.dice.of(SECOND / 2, 20 * SECOND);
                self.tally.deaths += 1;
            }
            2 => {
                let step = self.dice.of(-3_600, 3_600) * SECOND;
                self.tell(&format!("the clock of process {number} jumps by {} s", step / SECOND));
                self.processes[number].ahead.store(step, Ordering::SeqCst);
                self.tally.jumps += 1;
            }
            _ => {
                let place = usize::try_from(self.dice.of(0, 3)).unwrap();
                let time = self.dice.of(SECOND, 40 * SECOND);
                self.tell(&format!("process {number} does not reach {:?} for {} ms", PLACES[place], time / 1000));
                self.cluster.lock().unwrap().cut.insert((number, PLACES[place]));
                self.healing.insert((number, place), now + time);
                self.tally.cuts += 1;
            }
        }
    }

    /// Heals everything but the clocks.
    fn make_peace(&mut self) {
        self.tell("peace");
        {
            let mut cluster = self.cluster.lock().unwrap();
            cluster.trouble = false;
            cluster.cut.clear();
        }
        for number in 0..PROCESSES {
            self.processes[number].until = 0;
            if self.processes[number].runtime.is_none() {
                self.start(number);
            }
        }
    }

    fn is_done(&self) -> bool {
        let cluster = self.cluster.lock().unwrap();
        let database = &cluster.database;
        let through = database.cursors.get(WORKER).is_some_and(|cursor| cursor.clock == ENTRIES);
        through && database.failed.is_empty()
    }

    /// The work that is not done yet.
    fn left(&self, now: At) -> String {
        let cluster = self.cluster.lock().unwrap();
        let clocks: Vec<At> =
            self.processes.iter().map(|process| process.ahead.load(Ordering::SeqCst) / SECOND).collect();
        let aside = |aside: &FailedEntry| (aside.clock, aside.attempts, (aside.next_at - now) / SECOND, aside.parked);
        let failed: Vec<_> = cluster.database.failed.values().map(aside).collect();
        format!(
            "{} of {ENTRIES} entries had their effect; got to {:?}; set aside (clock, attempts, due in s, parked): {failed:?}; \
             the lease {:?}; the processes' clocks are ahead by {clocks:?} s",
            cluster.order.len(),
            cluster.database.cursors.get(WORKER),
            cluster.database.leases.get(WORKER)
        )
    }

    fn judge(&mut self) {
        let cluster = self.cluster.lock().unwrap();
        let mut clocks: Vec<i64> = cluster.effects.values().map(|effect| effect.clock).collect();
        clocks.sort_unstable();
        let all: Vec<i64> = (1..=ENTRIES).collect();
        assert_eq!(clocks, all, "each entry has its effect under one key, whoever made it how often");
        let mut last = BTreeMap::new();
        for effect in cluster.order.iter().map(|key| &cluster.effects[key]) {
            let before = last.insert(effect.entity.clone(), effect.clock).unwrap_or(0);
            assert!(before < effect.clock, "{}: {} had its effect before {}", effect.entity, before, effect.clock);
        }
        let mut place = 0;
        for (holder, from, to) in &cluster.database.advances {
            assert!(*from == place && to >= from, "{holder} got on from {from} to {to}; another had got to {place}");
            place = *to;
        }
        self.tally.takeovers = cluster.database.takeovers;
        self.tally.refused = cluster.database.refused;
        self.tally.repeated = cluster.effects.values().map(|effect| effect.asked - 1).sum();
    }
}

#[test]
fn one_process_at_a_time_gets_on_and_each_entry_has_one_effect() {
    let told = runs::only_seed().is_some();
    let tallies = runs::under_seeds(runs::run_size(60, 2_000), |seed| Simulation::new(seed, told).run());
    let mut sum = Tally::default();
    for tally in &tallies {
        sum.takeovers += tally.takeovers;
        sum.refused += tally.refused;
        sum.repeated += tally.repeated;
        sum.deaths += tally.deaths;
        sum.pauses += tally.pauses;
        sum.jumps += tally.jumps;
        sum.cuts += tally.cuts;
        sum.seconds += tally.seconds;
    }
    println!(
        "{} seeds, {PROCESSES} processes each: {} s simulated, {} deaths, {} pauses, {} clock jumps, {} cuts; {} takeovers, {} late advances refused, {} effects asked for again; {} effects, each once and in order",
        tallies.len(),
        sum.seconds,
        sum.deaths,
        sum.pauses,
        sum.jumps,
        sum.cuts,
        sum.takeovers,
        sum.refused,
        sum.repeated,
        ENTRIES * i64::try_from(tallies.len()).unwrap()
    );
    assert!(told || sum.takeovers > 0 && sum.repeated > 0, "nothing happened");
}

/// Under these seeds the three clocks differ by more than a lease when the trouble ends.
#[test]
fn processes_whose_clocks_disagree_get_on() {
    for seed in [306, 366] {
        Simulation::new(seed, false).run();
    }
}

#[test]
fn a_seed_decides_everything() {
    let runs = [7, 7].map(|seed| format!("{:?}", Simulation::new(seed, false).run()));
    assert_eq!(runs[0], runs[1]);
}
