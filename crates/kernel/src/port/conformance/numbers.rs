//! Numbers that a commit gives: without a gap within their series.

use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;
use std::sync::Arc;

use bytes::Bytes;
use tokio::task::JoinSet;

use super::Fixture;
use super::tables::{PART, THING};
use super::things::{SampleEntity, canonical_form, commit_all, journal_of, new_command, with_record};
use crate::port::committer::{Committer, Options};
use crate::port::numbers::{NumberPlan, NumberRequest, Rewrite};
use crate::port::store::{Command, Outcome, Store};

/// Adds a number to a command whose first document holds the mark.
fn numbered(mut command: Command, mark: &str, series: &str) -> Command {
    let rewrite = Rewrite::new(|answer, given| {
        let answer = String::from_utf8(answer.to_vec()).map_err(|error| error.to_string())?;
        Ok(given.iter().fold(answer, |answer, (mark, number)| answer.replace(mark, number)).into_bytes())
    });
    command.numbers.wanted.push(NumberRequest {
        mark: mark.into(),
        journal: command.journal,
        series: series.into(),
        width: 4,
    });
    Command { numbers: NumberPlan { rewrite: Some(rewrite), ..command.numbers }, ..command }
}

/// The command that makes a thing with a number as its code.
fn raised(id: &str, series: &str) -> Command {
    let mark = format!("mark-{id}");
    numbered(new_command(vec![SampleEntity::new(id).with("code", mark.as_str()).create()]), &mark, series)
}

/// The codes of all things, by series, in the order of the journal.
async fn codes(store: &Arc<dyn Store>) -> BTreeMap<String, Vec<String>> {
    let mut codes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in journal_of(store, "things").await {
        let doc = canonical_form(&entry.doc);
        let Some(code) = doc["code"].as_str() else { continue };
        assert_eq!(store.get(&THING, &entry.entity_id).await.unwrap().unwrap().doc, entry.doc, "the row and the entry");
        codes.entry(code.split('-').next().unwrap_or_default().to_owned()).or_default().push(code.to_owned());
    }
    codes
}

fn without_gap(series: &str, codes: &[String]) {
    let expected: Vec<String> = (1..=codes.len()).map(|count| format!("{series}-{count:04}")).collect();
    assert_eq!(codes, expected, "in the order of commits, without a gap");
}

/// The document, the entry, the lookups and the stored answer hold the number, and a repeat gets it.
pub async fn a_number_is_in_all_that_a_commit_writes(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let things = vec![
        SampleEntity::new("a").with("code", "one").with("also", "two").many("tags", "one").create(),
        SampleEntity::new("b").with("code", "two").with("of", "one").create(),
    ];
    let mut both = numbered(numbered(with_record(new_command(things), "key", "request"), "one", "x\"-"), "two", "x\"-");
    both.record.as_mut().unwrap().answer = Bytes::from("one and two");
    let given = vec!["x\"-0001".to_owned(), "x\"-0002".to_owned()];
    assert_eq!(commit_all(&store, from_ref(&both)).await, [Outcome::Numbered(2, given.clone())]);
    let docs =
        journal_of(&store, "things").await.into_iter().map(|entry| canonical_form(&entry.doc)).collect::<Vec<_>>();
    for (doc, field, number) in [(0, "code", 0), (0, "also", 1), (1, "code", 1), (1, "of", 0)] {
        assert_eq!(docs[doc][field], given[number].as_str(), "{doc} {field}");
    }
    for (lookup, value, id) in [("code", &given[1], "b"), ("tags", &given[0], "a")] {
        let found = store.find(&THING, THING.lookup(lookup).unwrap(), value).await.unwrap();
        assert_eq!(found.unwrap().id, id, "{lookup}");
    }
    match &commit_all(&database.other, &[both]).await[0] {
        Outcome::Replayed(record) => assert_eq!(record.answer, format!("{} and {}", given[0], given[1])),
        other => panic!("{other:?}"),
    }
    let next = commit_all(&store, &[raised("c", "x\"-")]).await;
    assert_eq!(next, [Outcome::Numbered(3, vec!["x\"-0003".into()])], "the repeat took none");
}

/// Commands that are refused take no number: one that exists, one in conflict, one whose value is taken, one that no
/// engine stores, one without a way to write its answer.
pub async fn a_refused_command_leaves_no_gap(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let taken = new_command(vec![SampleEntity::new("first").with("code", "n-0004").create()]);
    commit_all(&store, &[taken]).await;
    let mut batch: Vec<Command> = (0..10).map(|number| raised(&format!("t-{number}"), "n-")).collect();
    batch[1] = numbered(new_command(vec![SampleEntity::new("first").with("code", "m").create()]), "m", "n-");
    batch[2] = numbered(new_command(vec![SampleEntity::new("missing").with("code", "m").change(4)]), "m", "n-");
    batch[4].writes[0].row.doc = "{\"broken\":".into();
    batch[6] = with_record(raised("t-6", "n-"), "key", "request");
    batch[6].numbers.rewrite = None;
    let outcomes = commit_all(&store, &batch[..6]).await;
    let number = |count: i64| Outcome::Numbered(count + 1, vec![format!("n-{count:04}")]);
    assert_eq!((&outcomes[0], &outcomes[3], &outcomes[5]), (&number(1), &number(2), &number(3)));
    assert_eq!((&outcomes[1], &outcomes[2]), (&Outcome::Exists, &Outcome::Conflict));
    assert!(matches!(outcomes[4], Outcome::Refused(_)), "{:?}", outcomes[4]);
    let outcomes = commit_all(&store, &batch[6..]).await;
    assert!(matches!(outcomes[0], Outcome::Refused(_)), "{:?}", outcomes[0]);
    assert_eq!(outcomes[1..], [(); 3].map(|()| Outcome::Taken("code".into())), "another entity has the next number");
    let free = new_command(vec![SampleEntity::new("first").change(1)]);
    assert_eq!(commit_all(&store, &[free]).await, [Outcome::Committed(5)]);
    assert_eq!(commit_all(&database.other, &batch[7..8]).await, [Outcome::Numbered(6, vec!["n-0004".into()])]);
}

/// Each series of each journal counts for itself.
pub async fn series_count_apart(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let part = numbered(new_command(vec![SampleEntity::new("p").with("code", "m").create_part()]), "m", "a-");
    let batch = [raised("1", "a-"), raised("2", "b-"), raised("3", "a-")];
    let outcomes = commit_all(&store, &batch).await;
    let numbers: Vec<&str> = outcomes
        .iter()
        .map(|outcome| if let Outcome::Numbered(_, numbers) = outcome { numbers[0].as_str() } else { "" })
        .collect();
    assert_eq!(numbers, ["a-0001", "b-0001", "a-0002"]);
    assert_eq!(commit_all(&store, &[part]).await, [Outcome::Numbered(1, vec!["a-0001".into()])]);
    // A command of another journal takes the next number of the journal that counts the series.
    let writes = vec![SampleEntity::new("4").create(), SampleEntity::new("q").with("code", "m").create_part()];
    let mut of_other = numbered(new_command(writes), "m", "a-");
    for number in &mut of_other.numbers.wanted {
        number.journal = PART.journal;
    }
    assert_eq!(commit_all(&store, &[of_other]).await, [Outcome::Numbered(4, vec!["a-0002".into()])]);
    assert_eq!(commit_all(&store, &[raised("5", "a-")]).await, [Outcome::Numbered(5, vec!["a-0003".into()])]);
}

/// 64 writers of two processes take numbers of four series. Every third command is refused. No number is missing or
/// there twice, and numbers rise with clocks.
pub async fn no_gap_under_64_writers_and_refusals(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    commit_all(&store, &[new_command(vec![SampleEntity::new("there").with("siteName", "taken").create()])]).await;
    let processes = [&database.store, &database.other].map(|store| Committer::start(store.clone(), Options::default()));
    let mut writers = JoinSet::new();
    for writer in 0..64 {
        let committer = processes[writer % 2].clone();
        writers.spawn(async move {
            let mut given = Vec::new();
            for number in 0..12 {
                let (id, series) =
                    (format!("{writer:02}-{number:02}"), ["a-", "b-", "c-", "d-"][(writer + number) % 4]);
                let mut command = raised(&id, series);
                match number % 3 {
                    0 if number % 2 == 0 => command.writes.push(SampleEntity::new("there").create()),
                    0 => command.writes.push(SampleEntity::new(format!("{id}-x")).with("siteName", "Taken").create()),
                    _ => {}
                }
                match committer.submit(command).await.unwrap() {
                    Outcome::Numbered(clock, numbers) => given.push((clock, numbers)),
                    Outcome::Exists | Outcome::Taken(_) => assert_eq!(number % 3, 0),
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(given.len(), 8);
            given
        });
    }
    let given: Vec<_> = writers.join_all().await.into_iter().flatten().collect();
    let codes = codes(&store).await;
    assert_eq!(codes.len(), 4);
    codes.iter().for_each(|(series, codes)| without_gap(series, codes));
    let answered: BTreeSet<&String> = given.iter().flat_map(|(_, numbers)| numbers).collect();
    assert_eq!(answered, codes.values().flatten().collect(), "what was answered is what was stored");
    println!("{} numbers of {} series, 256 commands refused, 0 gaps", given.len(), codes.len());
}

/// Writers that are dropped while they wait leave whole commits or nothing, and no gap.
pub async fn no_gap_after_writers_that_are_dropped(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let committer = Committer::start(database.store.clone(), Options::default());
    for round in 0..10 {
        let mut writers = JoinSet::new();
        for writer in 0..16 {
            let committer = committer.clone();
            writers.spawn(async move { committer.submit(raised(&format!("{round}-{writer}"), "a-")).await });
        }
        if writers.join_next().await.is_some() {
            writers.abort_all();
        }
    }
    let last = committer.submit(raised("last", "a-")).await.unwrap();
    let codes = codes(&database.store).await;
    without_gap("a", &codes["a"]);
    let Outcome::Numbered(_, numbers) = last else { panic!("{last:?}") };
    assert_eq!(codes["a"].last(), numbers.first());
    println!("{} numbers, 0 gaps", codes["a"].len());
}
