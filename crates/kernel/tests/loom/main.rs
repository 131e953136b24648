//! The committer under every order of steps of its callers, its lanes and its shutdown, as loom finds them.
//!
//! The committer's own file is compiled here. The `sync` module of this folder replaces Tokio's and the library's
//! locks, tasks and channels, and defines the steps. `store` is the part of the storage port that the committer uses.
//! These rules hold in every order:
//!
//! * every command is answered or refused, once, and the commands answered as committed are exactly the committed ones;
//! * after a shutdown nothing is committed, and no caller waits;
//! * a lane whose task ended is opened anew, and its waiting callers get an answer;
//! * no wake-up is lost: a thread that waits for nothing is a deadlock, which loom reports.
//!
//! `LOOM_MAX_PREEMPTIONS` and loom's other variables explore further; `LOOM_LOG=trace` shows an order.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../src/port/committer.rs"]
#[expect(dead_code, unreachable_pub, reason = "nobody reads journals here")]
mod committer;
mod engine;
mod store;
mod sync;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use committer::{CommitError, Committer, Options};
use engine::{Engine, command};
use loom::future::block_on;
use loom::thread;
use pavise_testkit::runs;
use store::{Outcome, Store};

pub(crate) use engine::is_doomed;

/// Preemptions per thread. Two find almost every fault that three or more would find.
const PREEMPTIONS: usize = 2;

/// The time for each model in a quick run.
const QUICK: Duration = Duration::from_secs(7);

/// Runs the model in every order of its steps, as far as time allows, and answers the number of orders.
fn explore(what: &str, options: Options, model: impl Fn(&Committer, &Arc<Engine>) + Send + Sync + 'static) {
    let (orders, began) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let counted = Arc::clone(&orders);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(PREEMPTIONS));
    builder.max_branches = 20_000;
    if !runs::is_long_run() {
        builder.max_duration = Some(QUICK);
    }
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let engine = Arc::new(Engine::default());
        let committer = Committer::start(Arc::clone(&engine) as Arc<dyn Store>, options);
        model(&committer, &engine);
    });
    let end = if began.elapsed() < QUICK { "all there are" } else { "as many as there was time for" };
    println!("{what}: {} orders, {end}", orders.load(Ordering::Relaxed));
}

/// A caller as a thread.
fn caller(committer: &Committer, name: &'static str) -> thread::JoinHandle<Result<Outcome, CommitError>> {
    let committer = committer.clone();
    thread::spawn(move || block_on(committer.submit(command(name))))
}

/// Asserts that the commands answered as committed are the engine's journal, in its order.
fn assert_told(engine: &Engine, answers: &[(&str, &Result<Outcome, CommitError>)]) {
    let journal = engine.journal();
    for (name, answer) in answers {
        let places: Vec<usize> =
            journal.iter().enumerate().filter(|(_, kept)| kept == name).map(|(place, _)| place).collect();
        match answer {
            Ok(Outcome::Committed(clock)) => {
                assert_eq!(places, [usize::try_from(*clock).unwrap() - 1], "{name}: {journal:?}")
            }
            Err(CommitError::Closed | CommitError::Overloaded | CommitError::Failed(_)) => {
                assert!(places.is_empty(), "{name} was refused: {journal:?}");
            }
            Err(CommitError::Unknown(_)) => assert!(places.len() <= 1, "{name}: {journal:?}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn callers_and_a_shutdown() {
    explore("two callers and a shutdown", Options::default(), |committer, engine| {
        let (ann, ben) = (caller(committer, "ann"), caller(committer, "ben"));
        block_on(committer.shut_down());
        let committed = engine.journal().len();
        let (ann, ben) = (ann.join().unwrap(), ben.join().unwrap());
        assert_told(engine, &[("ann", &ann), ("ben", &ben)]);
        for answer in [ann, ben] {
            assert!(matches!(answer, Ok(Outcome::Committed(_)) | Err(CommitError::Closed)), "{answer:?}");
        }
        assert_eq!(engine.journal().len(), committed, "nothing is committed after the shutdown");
        assert_eq!(block_on(committer.submit(command("late"))), Err(CommitError::Closed));
    });
}

#[test]
fn two_shutdowns_at_once_both_wait() {
    explore("a caller and two shutdowns", Options::default(), |committer, engine| {
        let ann = caller(committer, "ann");
        let (second, at_engine) = (committer.clone(), Arc::clone(engine));
        let second = thread::spawn(move || {
            block_on(second.shut_down());
            at_engine.journal().len()
        });
        block_on(committer.shut_down());
        let committed = engine.journal().len();
        assert_eq!(second.join().unwrap(), committed, "both are back once all is done");
        let ann = ann.join().unwrap();
        assert_told(engine, &[("ann", &ann)]);
        assert_eq!(engine.journal().len(), committed);
    });
}

#[test]
fn a_full_lane_refuses() {
    explore("two callers and room for one", Options { capacity: 1, batch: 1 }, |committer, engine| {
        let ann = caller(committer, "ann");
        let own = block_on(committer.submit(command("own")));
        let ann = ann.join().unwrap();
        assert_told(engine, &[("ann", &ann), ("own", &own)]);
        for answer in [&ann, &own] {
            assert!(matches!(answer, Ok(Outcome::Committed(_)) | Err(CommitError::Overloaded)), "{answer:?}");
        }
        block_on(committer.shut_down());
    });
}

#[test]
fn an_engine_that_fails_fails_its_batch_only() {
    explore("a batch that fails and one that panics", Options { capacity: 8, batch: 1 }, |committer, engine| {
        let ann = caller(committer, "fails");
        let panicked = block_on(committer.submit(command("panics")));
        assert!(matches!(panicked, Err(CommitError::Unknown(_))), "{panicked:?}");
        let own = block_on(committer.submit(command("own")));
        assert_eq!(own, Ok(Outcome::Committed(1)));
        assert_eq!(ann.join().unwrap(), Err(CommitError::Failed("it broke".to_owned())));
        assert_told(engine, &[("own", &own)]);
        block_on(committer.shut_down());
    });
}

#[test]
fn a_lane_whose_task_ended_is_opened_anew() {
    explore("a task that is dropped", Options { capacity: 8, batch: 1 }, |committer, engine| {
        let ann = caller(committer, "dooms");
        let ben = block_on(committer.submit(command("ben")));
        assert!(matches!(ben, Ok(Outcome::Committed(_)) | Err(CommitError::Unknown(_))), "{ben:?}");
        let ann = ann.join().unwrap();
        assert!(matches!(ann, Err(CommitError::Unknown(_))), "{ann:?}");
        // The task may still be ending; a caller that was refused so finds the next task.
        let own = block_on(committer.submit(command("own")));
        assert!(matches!(own, Ok(Outcome::Committed(_)) | Err(CommitError::Unknown(_))), "{own:?}");
        let again = block_on(committer.submit(command("again")));
        assert!(matches!(again, Ok(Outcome::Committed(_))), "{again:?}");
        assert_told(engine, &[("ben", &ben), ("own", &own), ("again", &again)]);
        block_on(committer.shut_down());
    });
}
