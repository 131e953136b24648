//! Idempotency records.

use std::slice::from_ref;
use std::time::Duration;

use tokio::task::JoinSet;

use super::Fixture;
use super::tables::THING;
use super::things::{NOON, SampleEntity, commit_all, journal_of, new_command, with_record};
use crate::port::committer::{Committer, Options};
use crate::port::store::{Cursor, ErasedTraces, FailedEntry, IdempotencyRecord, Outcome, PersonTraces};

fn known(outcome: &Outcome) -> &IdempotencyRecord {
    match outcome {
        Outcome::Replayed(record) => record,
        other => panic!("{other:?}"),
    }
}

/// A repeat in a later batch writes nothing and gets the first answer, even if its request differs.
pub async fn replayed_across_batches(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let first = with_record(
        new_command(vec![SampleEntity::new("a").create(), SampleEntity::new("b").create()]),
        "key",
        "request",
    );
    assert_eq!(commit_all(&store, from_ref(&first)).await, [Outcome::Committed(2)]);
    let again = commit_all(&store, from_ref(&first)).await;
    let expected = IdempotencyRecord { clock: 2, ..first.record.clone().unwrap() };
    assert_eq!(known(&again[0]), &expected);
    let other = with_record(new_command(vec![SampleEntity::new("c").create()]), "key", "another request");
    assert_eq!(known(&commit_all(&database.other, &[other]).await[0]).request, "request");
    assert!(store.get(&THING, "c").await.unwrap().is_none());
    assert_eq!(store.idempotency_record("things", "key").await.unwrap(), Some(expected));
    assert_eq!(store.idempotency_record("things", "nothing").await.unwrap(), None);
    assert_eq!(store.idempotency_record("parts", "key").await.unwrap(), None, "a journal has its own keys");
    assert_eq!(journal_of(&store, "things").await.len(), 2);
}

/// The same key occurs twice in one batch: the second command gets the answer of the first.
pub async fn replayed_within_a_batch(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let batch = [
        with_record(new_command(vec![SampleEntity::new("a").create()]), "key", "one"),
        with_record(new_command(vec![SampleEntity::new("b").create()]), "key", "two"),
        with_record(new_command(vec![SampleEntity::new("c").create()]), "other", "three"),
    ];
    let outcomes = commit_all(&store, &batch).await;
    assert_eq!((&outcomes[0], &outcomes[2]), (&Outcome::Committed(1), &Outcome::Committed(2)));
    assert_eq!((known(&outcomes[1]).request.as_str(), known(&outcomes[1]).clock), ("one", 1));
    assert_eq!(journal_of(&store, "things").await.len(), 2);
}

/// The key is checked before the versions, and a refused command leaves no record.
pub async fn replayed_before_conflict(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let create = with_record(new_command(vec![SampleEntity::new("a").with("code", "one").create()]), "create", "r");
    commit_all(&store, from_ref(&create)).await;
    assert_eq!(known(&commit_all(&store, &[create]).await[0]).key, "create", "not Exists");
    let change = with_record(new_command(vec![SampleEntity::new("a").change(1)]), "change", "r");
    commit_all(&store, from_ref(&change)).await;
    assert_eq!(known(&commit_all(&store, &[change]).await[0]).key, "change", "not Conflict");
    let lost = with_record(new_command(vec![SampleEntity::new("a").change(1)]), "lost", "r");
    assert_eq!(commit_all(&store, &[lost]).await, [Outcome::Conflict]);
    assert_eq!(store.idempotency_record("things", "lost").await.unwrap(), None);
    let nothing = with_record(new_command(Vec::new()), "nothing", "r");
    assert_eq!(commit_all(&store, from_ref(&nothing)).await, [Outcome::Committed(2)]);
    assert_eq!(known(&commit_all(&store, &[nothing]).await[0]).clock, 2);
}

/// 64 submitters repeat 50 requests: each request takes effect once.
pub async fn replayed_under_64_submitters(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let committer = Committer::start(store.clone(), Options::default());
    let mut submitters = JoinSet::new();
    for submitter in 0..64 {
        let committer = committer.clone();
        submitters.spawn(async move {
            let mut committed = 0;
            for number in 0..50 {
                let thing = SampleEntity::new(format!("{submitter}-{number}"));
                let one = with_record(new_command(vec![thing.create()]), &format!("key-{number}"), "request");
                match committer.submit(one).await.unwrap() {
                    Outcome::Committed(_) => committed += 1,
                    other => assert_eq!(known(&other).key, format!("key-{number}")),
                }
            }
            committed
        });
    }
    let committed: i32 = submitters.join_all().await.into_iter().sum();
    assert_eq!(committed, 50);
    assert_eq!(journal_of(&store, "things").await.len(), 50);
    println!("{} submitted, {committed} committed", 64 * 50);
}

/// Old records are deleted in portions, the oldest first; young ones stay.
pub async fn forget_some_at_a_time(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let batch: Vec<_> = (0..2_500)
        .map(|number| {
            let mut one = with_record(new_command(Vec::new()), &format!("key-{number}"), "r");
            one.record = one.record.map(|record| IdempotencyRecord { at: NOON + number, ..record });
            one
        })
        .collect();
    for some in batch.chunks(256) {
        commit_all(&store, some).await;
    }
    let (mut forgotten, mut rounds) = (0, 0);
    loop {
        let some = store.forget("things", NOON + 2_400).await.unwrap();
        if some == 0 {
            break;
        }
        (forgotten, rounds) = (forgotten + some, rounds + 1);
    }
    assert_eq!(forgotten, 2_400);
    assert!(rounds > 1, "not all at once");
    assert_eq!(store.idempotency_record("things", "key-2399").await.unwrap(), None);
    assert!(store.idempotency_record("things", "key-2400").await.unwrap().is_some());
    println!("{forgotten} forgotten in {rounds} rounds");
}

/// Answers go by the clock of their commit, or because they name the person, and causes by their entity. Keys stay.
pub async fn traces_of_a_person_are_erased(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    for (key, answer) in [("one", "of nobody yet"), ("two", "\0of ann, too"), ("three", "of bob")] {
        let mut command = with_record(new_command(vec![SampleEntity::new(key).create()]), key, "request");
        command.record = command.record.map(|record| IdempotencyRecord { answer: answer.to_owned().into(), ..record });
        commit_all(&store, &[command]).await;
    }
    assert!(store.lease("w", "here", Duration::from_secs(60)).await.unwrap());
    let failed = |clock: i64, entity: &str, entry: &str| FailedEntry {
        worker: "w".into(),
        clock,
        entity_id: entity.into(),
        attempts: 3,
        next_at: NOON,
        cause: "Ann is no name".into(),
        parked: true,
        entry: entry.into(),
    };
    let all = [failed(1, "one", ""), failed(2, "other", "\u{1}owner ann"), failed(3, "three", "owner bob")];
    assert!(store.advance("w", "here", &Cursor { clock: 3, epoch: "e".into() }, &all).await.unwrap());
    let by_clock = PersonTraces {
        journal: "things".into(),
        clocks: vec![1],
        entities: vec!["one".into()],
        person: String::new(),
        answer: b"\0gone".to_vec(),
        cause: "gone".into(),
    };
    let by_name = PersonTraces { clocks: Vec::new(), entities: Vec::new(), person: "ann".into(), ..by_clock.clone() };
    let one = ErasedTraces { answers: 1, causes: 1 };
    for traces in [by_clock, by_name] {
        assert_eq!(store.erase_traces(&traces).await.unwrap(), one);
        assert_eq!(store.erase_traces(&traces).await.unwrap(), ErasedTraces::default(), "a repeat finds nothing");
    }
    for (key, answer) in [("one", "\0gone"), ("two", "\0gone"), ("three", "of bob")] {
        let record = store.idempotency_record("things", key).await.unwrap().unwrap();
        assert_eq!((record.answer.as_ref(), record.request.as_str()), (answer.as_bytes(), "request"));
    }
    let causes: Vec<_> =
        store.failed_entries("w", 10).await.unwrap().into_iter().map(|one| (one.attempts, one.cause)).collect();
    assert_eq!(causes, [(3, "gone".to_owned()), (3, "gone".to_owned()), (3, "Ann is no name".to_owned())]);
}
