//! The state of workers: leases, cursors, parked entries, orders and runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::things::{NOON, SampleEntity, commit_writes};
use super::{Database, Fixture};
use crate::port::store::{
    Cursor, FailedEntry, LONGEST_WAIT, Store, TimerRun, WorkerOrder, WorkerOrderKind, WorkerState,
};

/// The time of a lease that does not expire during a test.
const HELD: Duration = Duration::from_secs(600);
/// The time of a lease that expires at once.
const BRIEF: Duration = Duration::from_millis(1);

/// Takes the lease as soon as its holder's time is over.
async fn take_over(store: &Arc<dyn Store>, name: &str, holder: &str) {
    let taken = async {
        while !store.lease(name, holder, HELD).await.unwrap() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), taken).await.unwrap();
}

/// A lease is taken, refused to another process, renewed, taken over after its time, and released. Its time runs by the
/// engine's clock.
pub async fn check_leases(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    assert!(here.lease("w", "here", BRIEF).await.unwrap(), "taken");
    assert!(here.lease("w", "here", HELD).await.unwrap(), "renewed");
    tokio::time::sleep(10 * BRIEF).await;
    assert!(!there.lease("w", "there", HELD).await.unwrap(), "renewed means longer");
    assert!(here.lease("w", "here", BRIEF).await.unwrap());
    take_over(there, "w", "there").await;
    assert!(!here.lease("w", "here", HELD).await.unwrap(), "lost");
    here.release("w", "here").await.unwrap();
    assert!(!here.lease("w", "here", HELD).await.unwrap(), "only its holder gives it back");
    there.release("w", "there").await.unwrap();
    assert!(here.lease("w", "here", HELD).await.unwrap(), "free again");
    assert!(there.lease("other", "there", HELD).await.unwrap(), "another lease");
    assert!(there.lease("ahead", "there", 6 * HELD).await.unwrap());
    assert!(here.lease("ahead", "here", HELD).await.unwrap(), "the engine's clock was an hour ahead");
    assert!(!there.lease("ahead", "there", HELD).await.unwrap());
}

/// A lease is free as soon as its process is gone, before its time ends.
pub async fn a_lease_of_a_process_that_is_gone_is_free(fixture: &dyn Fixture) {
    let Database { store, other, keep, .. } = fixture.fresh().await;
    assert!(other.lease("w", "there", HELD).await.unwrap());
    assert!(other.lease("w", "there", HELD).await.unwrap(), "renewed");
    for _ in 0..20 {
        assert!(!store.lease("w", "here", HELD).await.unwrap(), "while it is there");
    }
    drop(other);
    take_over(&store, "w", "here").await;
    assert!(store.advance("w", "here", &Cursor { clock: 1, epoch: "e".into() }, &[]).await.unwrap());
    drop(keep);
}

/// Many processes want one lease at once, and one gets it. A process that lost the lease cannot move the cursor.
pub async fn an_advance_is_fenced(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..16 {
        let store = if number % 2 == 0 { database.store.clone() } else { database.other.clone() };
        tries.spawn(async move {
            let holder = format!("h-{number}");
            store.lease("w", &holder, HELD).await.unwrap().then_some(holder)
        });
    }
    let holders: Vec<_> = tries.join_all().await.into_iter().flatten().collect();
    assert_eq!(holders.len(), 1);
    let (store, at) = (&database.store, |clock| Cursor { clock, epoch: "e".into() });
    assert_eq!(store.cursor("w").await.unwrap(), Cursor::default());
    assert!(store.advance("w", &holders[0], &at(5), &[]).await.unwrap());
    assert!(!store.advance("w", "h-99", &at(9), &[aside("w", 9)]).await.unwrap(), "never had it");
    assert!(store.lease("w", &holders[0], BRIEF).await.unwrap());
    take_over(&database.other, "w", "next").await;
    assert!(!store.advance("w", &holders[0], &at(9), &[aside("w", 9)]).await.unwrap(), "lost it");
    assert_eq!(store.cursor("w").await.unwrap(), at(5));
    assert!(store.failed_entries("", 10).await.unwrap().is_empty());
    assert!(database.other.advance("w", "next", &at(6), &[]).await.unwrap());
    assert!(!database.other.advance("w", "next", &at(5), &[aside("w", 9)]).await.unwrap(), "it comes late");
    assert!(!database.other.advance("w", "next", &at(6), &[aside("w", 6)]).await.unwrap(), "it comes twice");
    assert!(database.other.advance("w", "next", &at(6), &[]).await.unwrap(), "nothing new");
    assert_eq!(store.cursor("w").await.unwrap(), at(6));
    assert!(store.failed_entries("", 10).await.unwrap().is_empty());
}

fn aside(worker: &str, clock: i64) -> FailedEntry {
    FailedEntry {
        worker: worker.into(),
        clock,
        entity_id: format!("e-{clock}"),
        attempts: 1,
        next_at: NOON,
        cause: "it broke".into(),
        parked: false,
        entry: vec![0, 1, 255],
    }
}

/// An entry is set aside together with the cursor, tried again, parked, and at last removed.
pub async fn failed_entries(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    for worker in ["w", "v"] {
        assert!(store.lease(worker, "here", HELD).await.unwrap());
    }
    let cursor = Cursor { clock: 4, epoch: "e".into() };
    assert!(store.advance("w", "here", &cursor, &[aside("w", 4), aside("w", 2)]).await.unwrap());
    assert!(store.advance("v", "here", &cursor, &[aside("v", 3)]).await.unwrap());
    assert_eq!(store.failed_entries("w", 10).await.unwrap(), [aside("w", 2), aside("w", 4)]);
    let clocks: Vec<_> = store.failed_entries("", 10).await.unwrap().iter().map(|entry| entry.clock).collect();
    assert_eq!(clocks, [2, 3, 4]);
    assert_eq!(store.failed_entries("", 2).await.unwrap().len(), 2);
    let counts = async || {
        let counts =
            store.count_failed().await.unwrap().into_iter().map(|count| (count.worker, count.parked, count.count));
        counts.collect::<BTreeSet<_>>()
    };
    assert_eq!(counts().await, BTreeSet::from([("w".to_owned(), false, 2), ("v".to_owned(), false, 1)]));
    let again = FailedEntry { attempts: 7, next_at: NOON + 1, cause: "still".into(), parked: true, ..aside("w", 2) };
    store.retry(&again).await.unwrap();
    assert_eq!(store.failed_entries("w", 1).await.unwrap(), [again]);
    let three = [("w".to_owned(), true, 1), ("w".to_owned(), false, 1), ("v".to_owned(), false, 1)];
    assert_eq!(counts().await, BTreeSet::from(three));
    store.retry(&aside("w", 2)).await.unwrap();
    assert_eq!(store.failed_entries("w", 1).await.unwrap()[0].attempts, 7, "what knows of fewer attempts comes late");
    let anew = FailedEntry { attempts: 0, ..aside("w", 2) };
    store.retry(&anew).await.unwrap();
    assert_eq!(store.failed_entries("w", 1).await.unwrap(), [anew]);
    store.remove_failed("w", 2).await.unwrap();
    store.remove_failed("w", 3).await.unwrap();
    assert_eq!(store.failed_entries("w", 10).await.unwrap(), [aside("w", 4)]);
    assert_eq!(store.failed_entries("v", 10).await.unwrap(), [aside("v", 3)]);
}

/// Only the first entry of each entity is due, unless it is parked. All later entries of the entity are blocked with
/// it. The engine's clock says what is due.
pub async fn the_first_of_each_entity_is_due(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = &database.store;
    assert!(store.lease("w", "here", HELD).await.unwrap());
    let due = async |limit: u32| {
        let due = store.due("w", limit).await.unwrap();
        due.entries.iter().map(|aside| aside.clock).collect::<Vec<_>>()
    };
    let before = store.due("w", 10).await.unwrap();
    assert!(before.now > NOON / 2 && before.entries.is_empty(), "the clock is told without an entry");
    let (past, later) = (before.now - 1, before.now + LONGEST_WAIT / 2);
    let of =
        |clock: i64, entity: &str, next_at: i64| FailedEntry { entity_id: entity.into(), next_at, ..aside("w", clock) };
    let mut all = vec![of(1, "a", past), of(2, "a", past), of(3, "b", later), of(4, "c", past - 1), of(5, "d", past)];
    all.extend((6..1_206).map(|clock| of(clock, "a", past)));
    all.push(of(1_206, "e", past));
    assert!(store.advance("w", "here", &Cursor { clock: 1_206, epoch: "e".into() }, &all).await.unwrap());
    store.retry(&FailedEntry { parked: true, ..of(5, "d", past) }).await.unwrap();
    assert_eq!(due(10).await, [4, 1, 1_206], "the longest due first");
    assert_eq!(due(1).await, [4]);
    store.retry(&of(3, "b", before.now + 100 * LONGEST_WAIT)).await.unwrap();
    assert_eq!(due(10).await, [4, 1, 1_206, 3], "of a clock that was ahead");
    assert!(store.due("v", 10).await.unwrap().entries.is_empty());
    let asked: Vec<String> = ["a", "b", "d", "e", "f"].map(str::to_owned).to_vec();
    let mut blocked = store.blocked("w", &asked).await.unwrap();
    blocked.sort();
    assert_eq!(blocked, ["a", "b", "d", "e"]);
    store.remove_failed("w", 1).await.unwrap();
    assert_eq!(due(10).await, [4, 2, 1_206, 3], "the next of its entity");
}

/// After a restore, a worker returns to the last clock that both epochs share. Its failed entries beyond that go.
pub async fn an_ended_epoch_says_what_is_shared(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = &database.store;
    let first = store.head("things").await.unwrap();
    commit_writes(store, vec![SampleEntity::new("a").create()]).await;
    commit_writes(store, vec![SampleEntity::new("b").create()]).await;
    let second = store.renew_epoch("things").await.unwrap();
    assert_eq!(second.clock, 2);
    assert_ne!(second.epoch, first.epoch);
    assert_eq!(database.other.head("things").await.unwrap(), second);
    commit_writes(store, vec![SampleEntity::new("c").create()]).await;
    let third = store.renew_epoch("things").await.unwrap();
    assert_eq!(third.clock, 3);
    for (epoch, shared) in [(&first.epoch, 2), (&second.epoch, 3), (&"never heard of".to_owned(), 3)] {
        assert_eq!(store.shared_until("things", epoch).await.unwrap(), shared, "{epoch}");
    }
    assert_eq!(store.shared_until("parts", "never heard of").await.unwrap(), 0);

    assert!(store.lease("w", "here", HELD).await.unwrap());
    let cursor = Cursor { clock: 9, epoch: first.epoch };
    assert!(store.advance("w", "here", &cursor, &[aside("w", 2), aside("w", 5)]).await.unwrap());
    let back = Cursor { clock: 2, epoch: third.epoch };
    assert!(!store.rewind("w", "there", &back).await.unwrap(), "only who has the lease");
    assert!(store.rewind("w", "here", &back).await.unwrap());
    assert_eq!(store.cursor("w").await.unwrap(), back);
    assert_eq!(store.failed_entries("w", 10).await.unwrap(), [aside("w", 2)]);
}

fn order(kind: WorkerOrderKind, at: i64, by: &str) -> WorkerOrder {
    WorkerOrder { kind, at, by: by.into(), note: format!("a note of {by}") }
}

/// An order that changes nothing is said to, and keeps who gave the first one. A paused worker takes no trigger, and
/// pausing drops one that waits.
pub async fn orders_are_kept_once(fixture: &dyn Fixture) {
    use WorkerOrderKind::{Activate, Pause, Trigger};
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    assert_eq!(here.worker_state("w").await.unwrap(), WorkerState { worker: "w".into(), ..WorkerState::default() });
    assert!(!here.order_worker("w", &order(Activate, NOON, "ann")).await.unwrap(), "active from the start");
    assert!(here.worker_states().await.unwrap().is_empty());
    assert!(here.order_worker("w", &order(Trigger, NOON, "ann")).await.unwrap());
    assert!(!there.order_worker("w", &order(Trigger, NOON + 1, "ben")).await.unwrap(), "once for several who ask");
    let asked = there.worker_state("w").await.unwrap();
    assert_eq!((asked.triggered_at, asked.triggered_by.as_str(), asked.is_paused), (NOON, "ann", false));
    assert!(there.order_worker("w", &order(Pause, NOON + 2, "ben")).await.unwrap());
    assert!(!here.order_worker("w", &order(Pause, NOON + 3, "ann")).await.unwrap(), "paused already");
    assert!(!here.order_worker("w", &order(Trigger, NOON + 3, "ann")).await.unwrap(), "a paused worker does not run");
    let paused = WorkerState {
        worker: "w".into(),
        is_paused: true,
        steered_at: NOON + 2,
        steered_by: "ben".into(),
        note: "a note of ben".into(),
        ..WorkerState::default()
    };
    assert_eq!(here.worker_states().await.unwrap(), std::slice::from_ref(&paused));
    assert!(here.order_worker("w", &order(Activate, NOON + 4, "ann")).await.unwrap());
    assert!(!here.order_worker("w", &order(Activate, NOON + 5, "ben")).await.unwrap());
    let active = WorkerState {
        is_paused: false,
        steered_at: NOON + 4,
        steered_by: "ann".into(),
        note: "a note of ann".into(),
        ..paused
    };
    assert_eq!(there.worker_states().await.unwrap(), [active]);
    assert!(here.order_worker("v", &order(Pause, NOON, "ann")).await.unwrap(), "another worker");
    assert!(!here.worker_state("w").await.unwrap().is_paused);
}

/// Only the holder of the lease records a run. The run that takes a trigger leaves none; an order after its begin waits for
/// the next run.
pub async fn runs_are_recorded_under_the_lease(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    let run = TimerRun { counted_from: 1, started_at: NOON, next_at: NOON + 9, ..TimerRun::default() };
    assert!(!here.record_run("w", "here", &run, false).await.unwrap(), "without a lease");
    assert!(here.lease("w", "here", HELD).await.unwrap());
    assert!(here.order_worker("w", &order(WorkerOrderKind::Trigger, NOON, "ann")).await.unwrap());
    assert!(!there.record_run("w", "there", &run, true).await.unwrap(), "another has the lease");
    assert_eq!(here.worker_state("w").await.unwrap().triggered_at, NOON);
    assert!(here.record_run("w", "here", &run, true).await.unwrap());
    let begun = there.worker_state("w").await.unwrap();
    assert_eq!((&begun.run, begun.triggered_at, begun.triggered_by.as_str()), (&run, 0, ""));
    assert!(begun.run.is_unfinished());
    assert!(there.order_worker("w", &order(WorkerOrderKind::Trigger, NOON + 1, "ben")).await.unwrap());
    let ended = TimerRun { ended_at: NOON + 2, cause: "it broke".into(), ..run };
    assert!(here.record_run("w", "here", &ended, false).await.unwrap());
    let state = there.worker_state("w").await.unwrap();
    assert_eq!((&state.run, state.triggered_at, state.run.is_unfinished()), (&ended, NOON + 1, false));
}

/// Failed entries are read in pages, and replayed one by one or all that are parked.
pub async fn failed_entries_are_replayed(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = &database.store;
    for worker in ["w", "v"] {
        assert!(store.lease(worker, "here", HELD).await.unwrap());
        let all: Vec<_> = (1..=5).map(|clock| FailedEntry { parked: clock % 2 == 0, ..aside(worker, clock) }).collect();
        assert!(store.advance(worker, "here", &Cursor { clock: 5, epoch: "e".into() }, &all).await.unwrap());
    }
    let page = async |after: i64| {
        let page = store.failed_page("w", after, 2).await.unwrap();
        assert!(page.iter().all(|entry| entry.worker == "w"));
        page.iter().map(|entry| entry.clock).collect::<Vec<_>>()
    };
    assert_eq!((page(0).await, page(2).await, page(4).await, page(5).await), (vec![1, 2], vec![3, 4], vec![5], vec![]));
    assert_eq!(store.replay_failed("w", Some(9)).await.unwrap(), 0, "no such entry");
    assert_eq!(store.replay_failed("w", Some(3)).await.unwrap(), 1, "one that is tried again anyway");
    assert_eq!(store.replay_failed("w", None).await.unwrap(), 2, "those that are parked");
    assert_eq!(store.replay_failed("w", None).await.unwrap(), 0, "none is left");
    let replayed = |entry: &FailedEntry| (entry.attempts, entry.next_at, entry.parked) == (0, 0, false);
    let clocks: Vec<i64> =
        store.failed_entries("w", 9).await.unwrap().iter().filter(|one| replayed(one)).map(|one| one.clock).collect();
    assert_eq!(clocks, [2, 3, 4]);
    assert!(!store.failed_entries("v", 9).await.unwrap().iter().any(replayed), "of another worker");
}
