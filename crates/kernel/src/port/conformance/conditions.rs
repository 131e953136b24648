//! Conditions of a command: versions and groups that were read.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::Fixture;
use super::tables::{GADGET, PART, THING};
use super::things::{SampleEntity, commit_all, commit_writes, journal_of, new_command};
use crate::port::committer::{Committer, Options};
use crate::port::conditions::{Condition, GroupState};
use crate::port::store::{Command, Filter, Outcome, Store, Write};

fn on(writes: Vec<Write>, conditions: Vec<Condition>) -> Command {
    Command { conditions, ..new_command(writes) }
}

fn version(id: &str, version: Option<i64>) -> Condition {
    Condition::Version { table: &THING, id: id.into(), version }
}

/// A command passes only while the entities that it names have those versions, also within one batch.
pub async fn a_version_that_was_read_holds_or_refuses(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    commit_writes(&store, vec![SampleEntity::new("a").create()]).await;
    let next = |id: &str, conditions: Vec<Condition>| on(vec![SampleEntity::new(id).create_gadget()], conditions);
    let batch = [
        next("1", vec![version("a", Some(1)), version("b", None)]),
        next("2", vec![version("a", Some(2))]),
        next("3", vec![version("a", None)]),
        next("4", vec![version("b", Some(1))]),
        new_command(vec![SampleEntity::new("a").change(1)]),
        next("5", vec![version("a", Some(1))]),
        next("6", vec![version("a", Some(2))]),
        new_command(vec![SampleEntity::new("a").remove(2)]),
        next("7", vec![version("a", None)]),
    ];
    let outcomes = commit_all(&store, &batch).await;
    let (passed, refused) = (Outcome::Committed, Outcome::Conflict);
    let expected = [
        passed(2),
        refused.clone(),
        refused.clone(),
        refused.clone(),
        passed(3),
        refused,
        passed(4),
        passed(5),
        passed(6),
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(journal_of(&store, "things").await.len(), 6);
    let foreign = |id: &str, version| {
        let condition = Condition::Version { table: &PART, id: "p".into(), version };
        on(vec![SampleEntity::new(id).create_gadget()], vec![condition])
    };
    let outcomes = commit_all(&store, &[foreign("8", Some(1)), foreign("9", None)]).await;
    assert_eq!(outcomes, [Outcome::Conflict, passed(7)], "a table of another journal");
    assert!(store.get(&GADGET, "8").await.unwrap().is_none());
}

/// The things with that brand, or tag, or owner, and the condition that they stay the same.
async fn group(store: &Arc<dyn Store>, name: &str, value: &str) -> (usize, Condition) {
    let lookup = THING.lookup(name);
    let mut filter = Filter { limit: 1_000, ..Filter::default() };
    match lookup {
        Some(lookup) => filter.lookups.push((lookup, value.to_owned())),
        None => filter.owner = Some(value.to_owned()),
    }
    let rows = store.list(&THING, &filter).await.unwrap();
    let mut state = GroupState::default();
    rows.iter().for_each(|row| state.add(row));
    (rows.len(), Condition::Group { table: &THING, lookup, value: value.to_owned(), state })
}

/// A command passes only while nothing came to a group, left it, or changed in it; another group does not matter.
pub async fn a_group_that_was_read_holds_or_refuses(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let of = |id: &str| SampleEntity::new(id).owner("ann").with("brand", "acme").many("tags", "x");
    let away = |id: &str| SampleEntity::new(id).owner("ben").with("brand", "other").many("tags", "y");
    for (number, name) in ["brand", "tags", "owner"].into_iter().enumerate() {
        let (value, id) = (["acme", "x", "ann"][number], |part: &str| format!("{name}-{part}"));
        let (empty, condition) = group(&store, name, value).await;
        let first = on(vec![of(&id("a")).create(), of(&id("b")).create()], vec![condition.clone()]);
        assert!(commit_all(&store, &[first]).await[0].clock().is_some(), "{name}: {empty} before");
        let gadget = |part: &str, condition: &Condition| {
            on(vec![SampleEntity::new(id(part)).create_gadget()], vec![condition.clone()])
        };
        assert_eq!(commit_all(&store, &[gadget("1", &condition)]).await, [Outcome::Conflict], "{name}: two came");
        let changes: [(&str, Write, bool); 4] = [
            ("2", of(&id("a")).change(1), false),
            ("3", away(&id("a")).change(2), false),
            ("4", away(&id("a")).change(3), true),
            ("5", of(&id("b")).remove(1), false),
        ];
        for (part, change, holds) in changes {
            let (_, condition) = group(&store, name, value).await;
            let batch = [new_command(vec![change]), gadget(part, &condition)];
            let outcomes = commit_all(&store, &batch).await;
            assert!(outcomes[0].clock().is_some(), "{name} {part}");
            assert_eq!(outcomes[1].clock().is_some(), holds, "{name} {part}");
        }
    }
}

/// 32 writers of two processes each want the only place of a parent. The rule is checked on what was read. For each
/// parent, exactly one gets the place.
pub async fn siblings_never_both_pass(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let processes = [&database.store, &database.other]
        .map(|store| (store.clone(), Committer::start(store.clone(), Options::default())));
    let mut writers = JoinSet::new();
    for writer in 0..32 {
        let (store, committer) = processes[writer % 2].clone();
        writers.spawn(async move {
            let mut won = 0;
            for parent in 0..5 {
                let parent = format!("parent-{parent}");
                loop {
                    let (others, condition) = group(&store, "brand", &parent).await;
                    if others > 0 {
                        break;
                    }
                    let thing = SampleEntity::new(format!("{parent}-{writer}")).with("brand", parent.as_str());
                    match committer.submit(on(vec![thing.create()], vec![condition])).await.unwrap() {
                        Outcome::Committed(_) => won += 1,
                        Outcome::Conflict => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
            won
        });
    }
    assert_eq!(writers.join_all().await.into_iter().sum::<i32>(), 5);
    assert_eq!(journal_of(&database.store, "things").await.len(), 5);
}
