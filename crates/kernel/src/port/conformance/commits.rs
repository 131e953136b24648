//! The effects of a commit, and the commands that it refuses.

use std::collections::BTreeSet;

use tokio::task::JoinSet;

use super::Fixture;
use super::tables::{GADGET, PART, THING};
use super::things::{NOON, SampleEntity, canonical_form, commit_all, commit_writes, journal_of, new_command};
use crate::port::committer::{Committer, Options};
use crate::port::store::{Command, Outcome};

/// 64 submitters send 3,200 commands: each gets its own clock, and no clock is missing.
pub async fn clocks_have_no_gap_under_64_submitters(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let committer = Committer::start(database.store.clone(), Options::default());
    let mut submitters = JoinSet::new();
    for submitter in 0..64 {
        let committer = committer.clone();
        submitters.spawn(async move {
            let mut clocks = Vec::new();
            for number in 0..50 {
                let thing = SampleEntity::new(format!("{submitter:02}-{number:03}")).with("brand", "acme");
                match committer.submit(new_command(vec![thing.create()])).await.unwrap() {
                    Outcome::Committed(clock) => clocks.push(clock),
                    other => panic!("{other:?}"),
                }
            }
            assert!(clocks.is_sorted(), "clocks follow commit order");
            clocks
        });
    }
    let clocks: Vec<i64> = submitters.join_all().await.into_iter().flatten().collect();
    assert_eq!(clocks.len(), 3_200);
    assert_eq!(clocks.iter().copied().collect::<BTreeSet<_>>(), (1..=3_200).collect());
    assert_eq!(journal_of(&database.store, "things").await.len(), 3_200);
    assert_eq!(*committer.visible_clock("things").borrow(), 3_200);
    println!("{} commands, {} distinct clocks, 0 gaps", clocks.len(), clocks.iter().collect::<BTreeSet<_>>().len());
}

/// A commit refuses to create an existing entity, and to change a missing one or another version.
pub async fn conflicts_and_exists(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let thing = SampleEntity::new("a");
    assert_eq!(commit_writes(&store, vec![thing.change(1)]).await, Outcome::Conflict, "not there");
    assert_eq!(commit_writes(&store, vec![thing.create()]).await, Outcome::Committed(1));
    assert_eq!(commit_writes(&store, vec![thing.create()]).await, Outcome::Exists);
    assert_eq!(commit_writes(&store, vec![thing.change(2)]).await, Outcome::Conflict, "another version");
    assert_eq!(commit_writes(&store, vec![thing.change(1)]).await, Outcome::Committed(2));
    assert_eq!(commit_writes(&store, vec![thing.change(1)]).await, Outcome::Conflict, "the same change again");
    let row = store.get(&THING, "a").await.unwrap().unwrap();
    assert_eq!((row.version, row.clock, row.created_at, row.updated_at), (2, 2, NOON, NOON + 2));
    assert_eq!(journal_of(&store, "things").await.len(), 2, "what is refused takes no clock");
}

/// A command writes several aggregates, each with its clock. If one of them conflicts, nothing of the command is
/// written.
pub async fn a_command_is_whole_or_nothing(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let (a, b) = (SampleEntity::new("a"), SampleEntity::new("b"));
    assert_eq!(commit_writes(&store, vec![a.create(), b.create_gadget()]).await, Outcome::Committed(2));
    assert_eq!(commit_writes(&store, vec![a.change(1), b.create_gadget()]).await, Outcome::Exists);
    assert_eq!(commit_writes(&store, vec![b.create(), a.change(7)]).await, Outcome::Conflict);
    assert_eq!(store.get(&THING, "a").await.unwrap().unwrap().version, 1);
    assert_eq!(store.get(&GADGET, "b").await.unwrap().unwrap().clock, 2);
    assert!(store.get(&THING, "b").await.unwrap().is_none());
    let tables: Vec<_> =
        journal_of(&store, "things").await.into_iter().map(|entry| (entry.table, entry.clock)).collect();
    assert_eq!(tables, [("thing".to_owned(), 1), ("gadget".to_owned(), 2)]);
    assert_eq!(
        commit_writes(&store, Vec::new()).await,
        Outcome::Committed(2),
        "nothing to write is where the journal stands"
    );
}

/// One of 100 commands is bad, in every possible way. The other 99 pass in the same call.
pub async fn a_bad_command_fails_alone(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    commit_writes(&store, vec![SampleEntity::new("first").with("code", "c-0").create()]).await;
    let mut batch: Vec<_> =
        (0..100).map(|number| new_command(vec![SampleEntity::new(format!("t-{number:03}")).create()])).collect();
    batch[10] = new_command(vec![SampleEntity::new("taken").with("code", "c-0").create()]);
    batch[20].writes[0].row.doc = "{\"broken\":".into();
    batch[30] = new_command(vec![SampleEntity::new("missing").change(4)]);
    batch[40] = new_command(vec![SampleEntity::new("first").create()]);
    batch[50].writes[0].row.doc = r#"{"text":"\u0000"}"#.into();
    let outcomes = commit_all(&store, &batch).await;
    let bad: Vec<_> =
        outcomes.iter().enumerate().filter(|(_, outcome)| !matches!(outcome, Outcome::Committed(_))).collect();
    assert_eq!(bad.len(), 5, "{bad:?}");
    assert_eq!(outcomes[10], Outcome::Taken("code".into()));
    assert!(matches!(outcomes[20], Outcome::Refused(_)), "{:?}", outcomes[20]);
    assert_eq!(outcomes[30], Outcome::Conflict);
    assert_eq!(outcomes[40], Outcome::Exists);
    assert!(matches!(outcomes[50], Outcome::Refused(_)), "{:?}", outcomes[50]);
    let good: Vec<i64> = outcomes
        .iter()
        .filter_map(|outcome| if let Outcome::Committed(clock) = outcome { Some(*clock) } else { None })
        .collect();
    assert_eq!(good, (2..=96).collect::<Vec<_>>());
    assert_eq!(journal_of(&store, "things").await.len(), 96);
    println!("{} passed, {} failed alone", good.len(), bad.len());
}

/// An engine that gets the same entity twice in one batch handles the second as a later command.
pub async fn a_repeated_entity_in_a_batch_sees_what_came_first(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let thing = SampleEntity::new("a");
    let batch = [thing.create(), thing.create(), thing.change(1), thing.change(1), thing.change(2)]
        .map(|write| new_command(vec![write]));
    let outcomes = commit_all(&store, &batch).await;
    let expected =
        [Outcome::Committed(1), Outcome::Exists, Outcome::Committed(2), Outcome::Conflict, Outcome::Committed(3)];
    assert_eq!(outcomes, expected);
    assert_eq!(store.get(&THING, "a").await.unwrap().unwrap().version, 3);
    assert_eq!(journal_of(&store, "things").await.len(), 3);
}

/// 64 submitters of two processes change one entity, 10 times each, and retry on a conflict. No change is lost. A
/// losing command learns of its conflict at once, so that few batches suffice.
pub async fn a_hot_entity_loses_no_change(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let processes = [&database.store, &database.other].map(|store| Committer::start(store.clone(), Options::default()));
    commit_writes(&store, vec![SampleEntity::new("hot").create()]).await;
    let mut submitters = JoinSet::new();
    for submitter in 0..64 {
        let (committer, store) = (processes[submitter % 2].clone(), store.clone());
        submitters.spawn(async move {
            let (mut changes, mut conflicts) = (0, 0);
            while changes < 10 {
                let version = store.get(&THING, "hot").await.unwrap().unwrap().version;
                match committer.submit(new_command(vec![SampleEntity::new("hot").change(version)])).await.unwrap() {
                    Outcome::Committed(_) => changes += 1,
                    Outcome::Conflict => conflicts += 1,
                    other => panic!("{other:?}"),
                }
            }
            conflicts
        });
    }
    let conflicts: u32 = submitters.join_all().await.into_iter().sum();
    assert_eq!(store.get(&THING, "hot").await.unwrap().unwrap().version, 641);
    assert_eq!(journal_of(&store, "things").await.len(), 641);
    println!("640 changes of one entity, {conflicts} conflicts, 0 lost");
}

/// Every engine refuses what one engine would refuse or change. A table belongs to its own journal only, and a command
/// changes an entity once.
pub async fn nul_and_foreign_tables_are_refused(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let mut odd = Vec::new();
    for number in 0..7 {
        odd.push(new_command(vec![SampleEntity::new(format!("odd-{number}")).create()]));
    }
    odd[0].writes[0].row.doc = r#"{"text":"a\u0000b"}"#.into();
    odd[1].writes[0].row.owner_id = "a\0b".into();
    odd[2].actor = "\0".into();
    odd[3].writes[0].row.doc = r#"{"text":"\\\u0000"}"#.into();
    odd[4].journal = "parts";
    odd[5].writes[0].row.doc = r#"{"text":"\\u0000 is text"}"#.into();
    let twice = odd[6].writes[0].clone();
    odd[6].writes.push(twice);
    odd.swap(5, 6);
    let outcomes = commit_all(&store, &odd).await;
    assert!(outcomes[..6].iter().all(|outcome| matches!(outcome, Outcome::Refused(_))), "{outcomes:?}");
    assert_eq!(outcomes[6], Outcome::Committed(1));
    let row = store.get(&THING, "odd-5").await.unwrap().unwrap();
    assert_eq!(canonical_form(&row.doc)["text"], "\\u0000 is text");
}

/// A removed entity is in no read. The journal keeps its last state, and its id can be used again.
pub async fn removed_entities_are_gone_but_journalled(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let thing = SampleEntity::new("a").with("brand", "acme").many("emails.address", "a@example.com");
    commit_writes(&store, vec![thing.create()]).await;
    assert_eq!(commit_writes(&store, vec![thing.remove(1)]).await, Outcome::Committed(2));
    assert!(store.get(&THING, "a").await.unwrap().is_none());
    let brand = THING.lookup("brand").unwrap();
    assert!(store.find(&THING, brand, "acme").await.unwrap().is_none());
    let email = THING.lookup("emails.address").unwrap();
    assert!(store.find(&THING, email, "a@example.com").await.unwrap().is_none());
    assert!(store.find_id(&THING, brand, "acme").await.unwrap().is_none());
    assert!(store.find_id(&THING, email, "a@example.com").await.unwrap().is_none());
    assert_eq!(commit_writes(&store, vec![thing.change(2)]).await, Outcome::Conflict);
    let last = journal_of(&store, "things").await.pop().unwrap();
    assert!(last.removed);
    assert_eq!((last.action.as_str(), last.version, last.entity_id.as_str()), ("REMOVE", 2, "a"));
    assert_eq!(canonical_form(&last.doc)["brand"], "acme");
    assert_eq!(commit_writes(&store, vec![thing.create()]).await, Outcome::Committed(3));
}

/// Commands of several journals commit together; each journal counts for itself.
pub async fn several_journals(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let committer = Committer::start(store.clone(), Options::default());
    let mut submitters = JoinSet::new();
    for number in 0..200 {
        let committer = committer.clone();
        let thing = SampleEntity::new(format!("{number:03}"));
        let write = if number % 2 == 0 { thing.create() } else { thing.create_part() };
        submitters.spawn(async move { committer.submit(new_command(vec![write])).await.unwrap() });
    }
    assert!(submitters.join_all().await.iter().all(|outcome| matches!(outcome, Outcome::Committed(_))));
    assert_eq!(journal_of(&store, "things").await.len(), 100);
    assert_eq!(journal_of(&store, "parts").await.len(), 100);
    assert!(store.get(&PART, "001").await.unwrap().is_some());
    assert!(store.get(&PART, "000").await.unwrap().is_none());
}

/// A command of two journals is in both of them or in none, whichever is its own, and whoever else writes.
pub async fn a_command_of_two_journals_is_whole_or_nothing(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let (thing, part) = (
        |id: String| SampleEntity::new(id).create(),
        |id: String| SampleEntity::new(format!("{id}-part")).create_part(),
    );
    let both = |id: &str| new_command(vec![thing(id.to_owned()), part(id.to_owned()), part(format!("{id}-2"))]);
    let batch = [both("a"), new_command(vec![part("b".to_owned())]), both("c")];
    let outcomes = commit_all(&store, &batch).await;
    assert_eq!((&outcomes[0], &outcomes[2]), (&Outcome::Committed(1), &Outcome::Committed(2)));
    assert!(outcomes[1].clock().is_some());
    let lengths = || async { (journal_of(&store, "things").await.len(), journal_of(&store, "parts").await.len()) };
    assert_eq!(lengths().await, (2, 5));
    let exists = new_command(vec![thing("d".to_owned()), part("a".to_owned())]);
    let stale = new_command(vec![SampleEntity::new("a").change(7), part("d".to_owned())]);
    let foreign = Command { journal: "parts", ..new_command(vec![thing("d".to_owned())]) };
    let outcomes = commit_all(&store, &[exists, stale, foreign]).await;
    assert_eq!(outcomes[..2], [Outcome::Exists, Outcome::Conflict]);
    assert!(matches!(outcomes[2], Outcome::Refused(_)), "none of its writes is of its journal");
    assert_eq!(lengths().await, (2, 5), "nothing of them was written");

    let processes = [&database.store, &database.other].map(|store| Committer::start(store.clone(), Options::default()));
    let mut submitters = JoinSet::new();
    for number in 0..64 {
        let (committer, id) = (processes[number % 2].clone(), format!("{number:03}"));
        let mut writes = vec![thing(id.clone()), part(id)];
        if number % 4 < 2 {
            writes.reverse();
        }
        submitters.spawn(async move { committer.submit(new_command(writes)).await.unwrap() });
    }
    assert!(submitters.join_all().await.iter().all(|outcome| matches!(outcome, Outcome::Committed(_))));
    for (journal, expected) in [("things", 66), ("parts", 69)] {
        let clocks: Vec<i64> = journal_of(&store, journal).await.iter().map(|entry| entry.clock).collect();
        assert_eq!(clocks, (1..=expected).collect::<Vec<i64>>(), "{journal}");
        let seen = processes.iter().map(|committer| *committer.visible_clock(journal).borrow()).max();
        assert_eq!(seen, Some(expected), "a process that wrote last knows: {journal}");
    }
}

/// Quotes, backslashes, emoji, long texts and large numbers are read as they were written.
pub async fn odd_texts_survive(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let texts = [
        "'; DROP TABLE thing; --",
        "\"quoted\" \\ back",
        "line\nbreak\ttab\r",
        "\u{1}\u{7f}",
        "ÄÖÜ 漢字 🦀",
        "{a,b}",
        "NULL",
        "%$1%",
        "",
    ];
    for (number, text) in texts.iter().enumerate() {
        let thing = SampleEntity::new(format!("id-{number}-{text}"))
            .owner(text)
            .status(text)
            .with("text", *text)
            .many("tags", text);
        let thing = thing.with("number", 9_007_199_254_740_993_i64).with("long", text.repeat(10_000));
        let mut one = new_command(vec![thing.create()]);
        one.actor = (*text).to_owned();
        one.writes[0].action = (*text).to_owned();
        assert!(matches!(commit_all(&store, &[one]).await[0], Outcome::Committed(_)), "{text:?}");
        let row = store.get(&THING, &format!("id-{number}-{text}")).await.unwrap().unwrap();
        let doc = canonical_form(&row.doc);
        assert_eq!((row.owner_id.as_str(), row.status.as_str(), doc["text"].as_str()), (*text, *text, Some(*text)));
        assert_eq!(
            (doc["number"].as_i64(), doc["long"].as_str()),
            (Some(9_007_199_254_740_993), Some(text.repeat(10_000).as_str()))
        );
        let found = store.find(&THING, THING.lookup("tags").unwrap(), text).await.unwrap().unwrap();
        assert_eq!(found.id, row.id);
    }
    let entries = journal_of(&store, "things").await;
    assert!(entries.iter().zip(texts).all(|(entry, text)| entry.actor == text && entry.action == text));
    println!("{} odd texts", entries.len());
}
