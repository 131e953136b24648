//! Group commit: one task per lane takes all waiting commands and commits them together.
//!
//! Every write runs in the lane's task, never in the caller's future. A submitter may drop its future at any time, and
//! the commit is still complete.
//!
//! A lane uses no timer, so a single caller pays no delay. Under load the queue fills during a commit, and one fsync
//! serves many commands. Callers that were answered together tend to submit together again. After a batch of several, a
//! lane therefore yields the processor before its next commit. Otherwise the first of them would have a commit alone,
//! and all others would wait for the next one.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, PoisonError, Weak};

use futures::FutureExt;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::{Duration, Instant};

use super::store::{Command, Outcome, Store, StoreError};
use super::sync::{JoinHandle, Mutex, MutexGuard, mpsc, oneshot, spawn, yield_now};

/// A lane stops yielding after this many yields in a row that brought no command.
const IDLE_TURNS: usize = 8;

/// A commit that takes longer is logged.
const SLOW: Duration = Duration::from_secs(1);

/// The limits of a committer.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Commands that may wait in a lane. A further command is refused.
    pub capacity: usize,
    /// Commands that one commit takes at most.
    pub batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { capacity: 8_192, batch: 256 }
    }
}

/// The reason why a command has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// The lane is full. Nothing was written.
    #[error("too many commands wait")]
    Overloaded,
    /// The committer was shut down. Nothing was written.
    #[error("the committer is shut down")]
    Closed,
    /// The engine failed. Nothing was written.
    #[error("{0}")]
    Failed(String),
    /// The engine failed, and whether it committed is unknown. A repeat with the same idempotency key is safe.
    #[error("unknown whether it was committed: {0}")]
    Unknown(String),
}

/// Commits what is submitted. Clones are cheap and share one state.
#[derive(Clone)]
pub struct Committer(Arc<Shared>);

struct Shared {
    store: Arc<dyn Store>,
    options: Options,
    lanes: Mutex<Lanes>,
    /// The tasks that a shutdown waits for.
    ending: tokio::sync::Mutex<Vec<(&'static str, JoinHandle<()>)>>,
    marks: Mutex<HashMap<String, watch::Sender<i64>>>,
}

/// The open lanes; `None` after the shutdown.
type Lanes = Option<HashMap<&'static str, Lane>>;

struct Lane {
    queue: mpsc::Sender<Ticket>,
    task: JoinHandle<()>,
}

/// A command and the sender for its outcome.
struct Ticket {
    command: Command,
    caller: oneshot::Sender<Result<Outcome, CommitError>>,
}

impl fmt::Debug for Committer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Committer")
            .field("store", &self.0.store)
            .field("options", &self.0.options)
            .finish_non_exhaustive()
    }
}

impl Committer {
    /// Starts a committer in front of `store`. It needs the Tokio runtime that starts it.
    pub fn start(store: Arc<dyn Store>, options: Options) -> Self {
        let hints = store.hints();
        let lanes = Mutex::new(Some(HashMap::new()));
        let shared =
            Arc::new(Shared { store, options, lanes, ending: tokio::sync::Mutex::default(), marks: Mutex::default() });
        if let Some(hints) = hints {
            spawn(follow(Arc::downgrade(&shared), hints));
        }
        Self(shared)
    }

    /// Commits `command` together with the other waiting commands. A caller may drop the returned future: the command
    /// is committed all the same.
    ///
    /// # Errors
    /// When the lane is full, the committer is shut down or the engine fails.
    pub async fn submit(&self, command: Command) -> Result<Outcome, CommitError> {
        let (caller, outcome) = oneshot::channel();
        self.0.enqueue(Ticket { command, caller })?;
        outcome.await.unwrap_or_else(|_| Err(CommitError::Unknown("the lane's task ended".to_owned())))
    }

    /// The highest clock of `journal` that this process knows to be visible; 0 before it knows one. It moves with each
    /// commit of this process. It moves with another process's commits only when the engine sends hints, so poll, too.
    #[must_use]
    pub fn visible_clock(&self, journal: &str) -> watch::Receiver<i64> {
        let mut marks = held(&self.0.marks);
        marks.entry(journal.to_owned()).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    /// Takes no more commands and commits those that wait. Every call returns when all is done, however often it is
    /// called.
    pub async fn shut_down(&self) {
        let mut ending = self.0.ending.lock().await;
        let lanes = held(&self.0.lanes).take().unwrap_or_default();
        ending.extend(lanes.into_iter().map(|(name, lane)| (name, lane.task)));
        while let Some((name, task)) = ending.last_mut() {
            if let Err(error) = task.await {
                tracing::error!(lane = name, %error, "a lane ended badly");
            }
            ending.pop();
        }
    }
}

impl Shared {
    fn enqueue(self: &Arc<Self>, ticket: Ticket) -> Result<(), CommitError> {
        let mut lanes = held(&self.lanes);
        let lanes = lanes.as_mut().ok_or(CommitError::Closed)?;
        let name = self.store.lane(ticket.command.journal);
        let lane = lanes.entry(name).or_insert_with(|| self.open(name));
        let ticket = match lane.queue.try_send(ticket) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Full(_)) => return Err(CommitError::Overloaded),
            // The lane's task ended, which only a failure causes. A new task takes its place.
            Err(mpsc::error::TrySendError::Closed(ticket)) => ticket,
        };
        *lane = self.open(name);
        lane.queue.try_send(ticket).map_err(|_| CommitError::Failed("the lane's task ended".to_owned()))
    }

    fn open(self: &Arc<Self>, name: &'static str) -> Lane {
        let (queue, tickets) = mpsc::channel(self.options.capacity.max(1));
        // The task holds only what it needs, so that a committer without owners closes its lanes.
        let (store, shared, batch) = (Arc::clone(&self.store), Arc::downgrade(self), self.options.batch.max(1));
        Lane { queue, task: spawn(run(name, store, shared, tickets, batch)) }
    }

    /// Moves the mark of a journal forward.
    fn mark(&self, journal: &str, clock: i64) {
        let mut marks = held(&self.marks);
        let forward = |known: &mut i64| {
            let moves = clock > *known;
            *known = clock.max(*known);
            moves
        };
        match marks.get(journal) {
            Some(mark) => _ = mark.send_if_modified(forward),
            None => _ = marks.insert(journal.to_owned(), watch::Sender::new(clock)),
        }
    }

    async fn look(&self, journal: &str) {
        match self.store.head(journal).await {
            Ok(head) => self.mark(journal, head.clock),
            Err(error) => tracing::debug!(journal, %error, "a hint could not be followed"),
        }
    }
}

/// Closes the lane of a task that ended, for whatever reason.
struct Ended {
    name: &'static str,
    shared: Weak<Shared>,
}

impl Drop for Ended {
    fn drop(&mut self) {
        let Some(shared) = self.shared.upgrade() else { return };
        // Commands that were queued while the task ended get their answer after the queue is closed.
        let closed = held(&shared.lanes).as_mut().and_then(|lanes| match lanes.get(self.name) {
            Some(lane) if lane.queue.is_closed() => lanes.remove(self.name),
            _ => None,
        });
        drop(closed);
    }
}

/// The task of a lane. It ends when no submitter is left and nothing waits.
async fn run(
    name: &'static str,
    store: Arc<dyn Store>,
    shared: Weak<Shared>,
    tickets: mpsc::Receiver<Ticket>,
    batch: usize,
) {
    let _ended = Ended { name, shared: shared.clone() };
    // `tickets` moves here, so that it is dropped before `_ended`, which looks for a closed queue.
    let mut tickets = tickets;
    let mut waiting = Vec::with_capacity(batch);
    let mut last = 1;
    while tickets.recv_many(&mut waiting, batch).await > 0 {
        gather(&mut tickets, &mut waiting, last).await;
        last = waiting.len();
        let (commands, callers): (Vec<_>, Vec<_>) =
            waiting.drain(..).map(|ticket| (ticket.command, ticket.caller)).unzip();
        let outcomes = commit(&*store, &commands).await;
        if let (Ok(outcomes), Some(shared)) = (&outcomes, shared.upgrade()) {
            publish(&shared, &commands, outcomes).await;
        }
        answer(callers, outcomes);
    }
}

/// Yields to other tasks while that brings more commands, up to the size of the last batch.
async fn gather(tickets: &mut mpsc::Receiver<Ticket>, waiting: &mut Vec<Ticket>, enough: usize) {
    let mut idle = 0;
    while waiting.len() < enough && idle < IDLE_TURNS {
        yield_now().await;
        let before = waiting.len();
        while waiting.len() < enough
            && let Ok(ticket) = tickets.try_recv()
        {
            waiting.push(ticket);
        }
        idle = if waiting.len() > before { 0 } else { idle + 1 };
    }
}

/// Commits, and turns an engine's panic into an error.
async fn commit(store: &dyn Store, commands: &[Command]) -> Result<Vec<Outcome>, CommitError> {
    let start = Instant::now();
    let outcomes = match AssertUnwindSafe(store.commit(commands)).catch_unwind().await {
        Ok(outcomes) => outcomes,
        Err(_) => Err(StoreError { cause: "the engine panicked".to_owned(), unknown: true }),
    };
    let took = start.elapsed();
    if took >= SLOW {
        tracing::warn!(
            commands = commands.len(),
            journal = commands.first().map(|one| one.journal),
            ?took,
            "a slow commit"
        );
    }
    match outcomes {
        Ok(outcomes) if outcomes.len() == commands.len() => Ok(outcomes),
        Ok(outcomes) => {
            Err(CommitError::Unknown(format!("{} outcomes of {} commands", outcomes.len(), commands.len())))
        }
        Err(error) => {
            tracing::warn!(commands = commands.len(), unknown = error.unknown, cause = %error, "a batch failed");
            Err(if error.unknown { CommitError::Unknown(error.cause) } else { CommitError::Failed(error.cause) })
        }
    }
}

/// Moves the marks of the journals. An outcome has the clock of the command's own journal only.
async fn publish(shared: &Shared, commands: &[Command], outcomes: &[Outcome]) {
    let (mut heads, mut others) = (HashMap::new(), HashSet::new());
    for (command, outcome) in commands.iter().zip(outcomes) {
        if let Some(clock) = outcome.clock() {
            let head = heads.entry(command.journal).or_insert(clock);
            *head = (*head).max(clock);
            others.extend(command.other_journals());
        }
    }
    for (journal, clock) in heads {
        shared.mark(journal, clock);
    }
    for journal in others {
        shared.look(journal).await;
    }
}

fn answer(callers: Vec<oneshot::Sender<Result<Outcome, CommitError>>>, outcomes: Result<Vec<Outcome>, CommitError>) {
    // A dropped caller gets no answer; its command is committed all the same.
    match outcomes {
        Ok(outcomes) => callers.into_iter().zip(outcomes).for_each(|(caller, outcome)| _ = caller.send(Ok(outcome))),
        Err(error) => callers.into_iter().for_each(|caller| _ = caller.send(Err(error.clone()))),
    }
}

/// Follows the engine's hints for the journals that this process waits for.
async fn follow(shared: Weak<Shared>, mut hints: broadcast::Receiver<String>) {
    loop {
        let hint = hints.recv().await;
        let Some(shared) = shared.upgrade() else { return };
        let known = |journal: &String| held(&shared.marks).contains_key(journal);
        match hint {
            Ok(journal) if known(&journal) => shared.look(&journal).await,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => {
                let journals: Vec<String> = held(&shared.marks).keys().cloned().collect();
                for journal in journals {
                    shared.look(&journal).await;
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// Takes the lock even if it is poisoned: no panic leaves this state half-changed.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
