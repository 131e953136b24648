//! Journals: the view of readers while others write.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pavise_contract::table::Lookup;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Fixture;
use super::tables::THING;
use super::things::{SampleEntity, canonical_form, commit_writes, journal_of, new_command};
use crate::port::committer::{Committer, Options};
use crate::port::store::{Entry, JournalHead, JournalPart, Outcome, Store};

/// Polls a journal until it is told to stop and has reached the end, and checks every page against its head.
async fn follow(store: Arc<dyn Store>, stop: Arc<AtomicBool>) -> (Vec<Entry>, usize) {
    let (mut entries, mut pages): (Vec<Entry>, usize) = (Vec::new(), 0);
    loop {
        let stopped = stop.load(Ordering::SeqCst);
        let after = entries.last().map_or(0, |entry| entry.clock);
        let (page, head) = store.journal("things", "", after, 37).await.unwrap();
        pages += 1;
        let upto = head.clock.min(after + 37);
        let clocks: Vec<i64> = page.iter().map(|entry| entry.clock).collect();
        assert_eq!(clocks, (after + 1..=upto).collect::<Vec<_>>(), "a page holds all that its head admits");
        entries.extend(page);
        if stopped && head.clock == upto {
            return (entries, pages);
        }
    }
}

/// Every page that is read under load holds exactly the entries up to its head.
pub async fn a_page_and_its_head_are_one_state(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let (committer, stop) = (Committer::start(store.clone(), Options::default()), Arc::new(AtomicBool::new(false)));
    let readers: Vec<_> = (0..4).map(|_| tokio::spawn(follow(store.clone(), stop.clone()))).collect();
    submit(&committer, "s", 32, 40).await;
    stop.store(true, Ordering::SeqCst);
    let mut pages = 0;
    for reader in readers {
        let (entries, read) = reader.await.unwrap();
        assert_eq!(entries.len(), 32 * 40);
        pages += read;
    }
    println!("{pages} pages, each consistent with its head");
}

/// The entries of an owner come from the span that is asked for, with the head of the whole journal.
pub async fn an_owner_has_a_part_of_each_span(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = &database.store;
    let of = |owner: &str| JournalPart::Owner(owner.to_owned());
    let (none, head) = store.journal_of("things", &of("bob"), 0, 10, 10).await.unwrap();
    assert!(none.is_empty() && head.clock == 0 && !head.epoch.is_empty());
    for number in 1..=12 {
        let owner = if number % 3 == 0 { "bob" } else { "ann" };
        commit_writes(store, vec![SampleEntity::new(format!("t-{number}")).owner(owner).create()]).await;
    }
    let clocks = async |after: i64, through: i64, limit: u32| {
        let (entries, head) = store.journal_of("things", &of("bob"), after, through, limit).await.unwrap();
        assert_eq!(head.clock, 12);
        assert!(entries.iter().all(|entry| entry.owner_id == "bob"));
        entries.iter().map(|entry| entry.clock).collect::<Vec<_>>()
    };
    assert_eq!(clocks(0, 100, 10).await, [3, 6, 9, 12]);
    assert_eq!(clocks(3, 9, 10).await, [6, 9]);
    assert_eq!(clocks(0, 100, 2).await, [3, 6]);
    assert!(clocks(9, 11, 10).await.is_empty());
    assert!(store.journal_of("things", &of("eve"), 0, 100, 10).await.unwrap().0.is_empty());
}

/// The entries of a value, of a text or a list of texts, come from the span that is asked for, and from one table.
pub async fn a_value_has_a_part_of_each_span(fixture: &dyn Fixture) {
    static TAGS: Lookup = Lookup { name: "tags", json: "tags", many: true, ..Lookup::PLAIN };
    let database = fixture.fresh().await;
    let store = &database.store;
    for number in 1..=12 {
        let brand = if number % 3 == 0 { "it's" } else { "other" };
        let tags = if number % 2 == 0 { vec!["red", "blue"] } else { vec!["it's"] };
        let thing = SampleEntity::new(format!("t-{number}")).with("brand", brand).with("tags", tags);
        commit_writes(store, vec![thing.create()]).await;
    }
    commit_writes(store, vec![SampleEntity::new("g").with("brand", "it's").create_gadget()]).await;
    commit_writes(store, vec![SampleEntity::new("t-3").with("brand", "other").change(1)]).await;
    let clocks = async |lookup: &'static Lookup, value: &str, after: i64, through: i64, limit: u32| {
        let part = JournalPart::Value { table: &THING, lookup, value: value.to_owned() };
        let (entries, head) = store.journal_of("things", &part, after, through, limit).await.unwrap();
        assert_eq!(head.clock, 14);
        entries.iter().map(|entry| entry.clock).collect::<Vec<_>>()
    };
    let brand = THING.lookup("brand").unwrap();
    assert_eq!(clocks(brand, "it's", 0, 100, 10).await, [3, 6, 9, 12], "no gadget, and no entry that left");
    assert_eq!(clocks(brand, "it's", 3, 9, 10).await, [6, 9]);
    assert_eq!(clocks(brand, "it's", 0, 100, 2).await, [3, 6]);
    assert_eq!(clocks(brand, "other", 12, 100, 10).await, [14], "where it went");
    assert_eq!(clocks(&TAGS, "blue", 0, 6, 10).await, [2, 4, 6]);
    assert_eq!(clocks(&TAGS, "it's", 6, 100, 10).await, [7, 9, 11]);
    for nothing in ["", "it", "[\"red\", \"blue\"]", "%"] {
        assert!(clocks(&TAGS, nothing, 0, 100, 10).await.is_empty(), "{nothing}");
        assert!(clocks(brand, nothing, 0, 100, 10).await.is_empty(), "{nothing}");
    }
}

/// The entries of a person are those of what is theirs or names them, whole texts only, and those of the tables that are
/// named besides.
pub async fn a_person_has_what_is_theirs_and_what_names_them(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = &database.store;
    for (id, owner, brand) in [
        ("t-1", "ann", ""),
        ("t-2", "", "ann"),
        ("t-3", "bob", "anna"),
        ("ann", "", ""),
        ("t-4", "bob", "o\"n'e"),
        ("t-5", "bob", "a%"),
    ] {
        commit_writes(store, vec![SampleEntity::new(id).owner(owner).with("brand", brand).create()]).await;
    }
    commit_writes(store, vec![SampleEntity::new("g").owner("bob").create_gadget()]).await;
    let clocks = async |id: &str, also: &[&'static str], after: i64, through: i64| {
        let part = JournalPart::Person { id: id.to_owned(), also: also.to_vec() };
        let (entries, head) = store.journal_of("things", &part, after, through, 10).await.unwrap();
        assert_eq!(head.clock, 7);
        entries.iter().map(|entry| entry.clock).collect::<Vec<_>>()
    };
    assert_eq!(clocks("ann", &[], 0, 100).await, [1, 2, 4]);
    assert_eq!(clocks("ann", &[], 1, 3).await, [2]);
    assert_eq!(clocks("ann", &["gadget"], 0, 100).await, [1, 2, 4, 7]);
    assert_eq!(clocks("o\"n'e", &[], 0, 100).await, [5]);
    assert_eq!(clocks("a%", &[], 0, 100).await, [6], "no pattern");
    assert!(clocks("an", &[], 0, 100).await.is_empty());
}

async fn submit(committer: &Committer, name: &str, submitters: usize, each: usize) {
    let mut tasks = JoinSet::new();
    for submitter in 0..submitters {
        let (committer, name) = (committer.clone(), name.to_owned());
        tasks.spawn(async move {
            for number in 0..each {
                let thing = SampleEntity::new(format!("{name}-{submitter}-{number}"));
                let outcome = committer.submit(new_command(vec![thing.create()])).await.unwrap();
                assert!(matches!(outcome, Outcome::Committed(_)), "{outcome:?}");
            }
        });
    }
    tasks.join_all().await;
}

/// Two processes write one journal while two read it: no entry is missing or repeated.
pub async fn two_processes_leave_no_gap(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let stop = Arc::new(AtomicBool::new(false));
    let readers = [&database.store, &database.other].map(|store| tokio::spawn(follow(Arc::clone(store), stop.clone())));
    let (one, two) = (
        Committer::start(database.store.clone(), Options::default()),
        Committer::start(database.other.clone(), Options::default()),
    );
    tokio::join!(submit(&one, "one", 32, 40), submit(&two, "two", 32, 40));
    stop.store(true, Ordering::SeqCst);
    for reader in readers {
        let (entries, pages) = reader.await.unwrap();
        let mut ids: Vec<_> = entries.iter().map(|entry| entry.entity_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((entries.len(), ids.len()), (2_560, 2_560));
        println!("{} entries in {pages} pages, 0 missed, 0 twice", entries.len());
    }
}

/// A journal without writes stands at 0. Its epoch never changes, and every process sees the same one.
pub async fn a_new_journal_has_a_lasting_epoch(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let head = database.store.head("things").await.unwrap();
    assert_eq!(head.clock, 0);
    assert!(head.epoch.len() >= 16, "{head:?}");
    assert_eq!(database.store.journal("things", "", 0, 10).await.unwrap(), (Vec::new(), head.clone()));
    commit_writes(&database.store, vec![SampleEntity::new("a").create()]).await;
    assert_eq!(database.other.head("things").await.unwrap(), JournalHead { clock: 1, epoch: head.epoch.clone() });
    let (page, empty) = database.other.journal("parts", "", 0, 10).await.unwrap();
    assert_eq!((page.len(), empty.clock), (0, 0));
    assert_ne!(empty.epoch, head.epoch);
    let beyond = database.store.journal("things", "", 99, 10).await.unwrap();
    assert_eq!((beyond.0.len(), beyond.1.clock), (0, 1));
}

/// The last entry of every entity equals its row; a removed entity has no row.
pub async fn replay_equals_state(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    for round in 0..6_i64 {
        for number in 0..20 {
            let thing = SampleEntity::new(format!("{number:02}"))
                .owner(&format!("o-{}", number % 3))
                .status(&format!("S{round}"));
            let thing = thing.with("z", round).with("a", json_of(round)).with("code", format!("{number}-{round}"));
            let write = match round {
                0 => thing.create(),
                5 if number % 4 == 0 => thing.remove(round),
                _ => thing.change(round),
            };
            assert!(matches!(commit_writes(&store, vec![write]).await, Outcome::Committed(_)));
        }
    }
    let mut state = BTreeMap::new();
    let entries = journal_of(&store, "things").await;
    for entry in &entries {
        if entry.removed {
            state.remove(&entry.entity_id);
        } else {
            state.insert(entry.entity_id.clone(), entry.clone());
        }
    }
    let rows = store.scan(&THING, "", 1_000).await.unwrap();
    assert_eq!((rows.len(), state.len()), (15, 15));
    for row in &rows {
        let entry = &state[&row.id];
        assert_eq!(row.doc, entry.doc, "byte for byte");
        assert_eq!(canonical_form(&row.doc), canonical_form(&entry.doc));
        assert_eq!((&row.owner_id, row.version, row.clock), (&entry.owner_id, entry.version, entry.clock));
    }
    let (history, head) = store.journal("things", "07", 20, 2).await.unwrap();
    let expected: Vec<_> =
        entries.iter().filter(|entry| entry.entity_id == "07" && entry.clock > 20).take(2).cloned().collect();
    assert_eq!((history, head.clock), (expected, 120), "the history of one entity");
    println!("{} entries replay to {} rows", entries.len(), rows.len());
}

fn json_of(round: i64) -> serde_json::Value {
    serde_json::json!({ "nested": [round, "ä", null, { "z": 1, "b": 1.50 }] })
}

/// A commit of one process moves the mark of the other one, where the engine sends hints.
pub async fn hints_reach_the_other_process(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let here = Committer::start(database.store.clone(), Options::default());
    let mut mark = here.visible_clock("things");
    assert_eq!(*mark.borrow_and_update(), 0);
    commit_writes(&database.other, vec![SampleEntity::new("a").create()]).await;
    if database.store.hints().is_some() {
        timeout(Duration::from_secs(10), mark.wait_for(|clock| *clock == 1)).await.unwrap().unwrap();
    }
    let outcome = here.submit(new_command(vec![SampleEntity::new("b").create()])).await.unwrap();
    assert_eq!(outcome, Outcome::Committed(2));
    timeout(Duration::from_secs(10), mark.wait_for(|clock| *clock == 2)).await.unwrap().unwrap();
}
