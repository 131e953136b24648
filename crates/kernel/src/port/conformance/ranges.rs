//! Range reads: entities whose value begins with a prefix.

use std::sync::Arc;

use super::tables::THING;
use super::things::{SampleEntity, commit_all, commit_writes, new_command};
use super::{Database, Fixture};
use crate::port::store::{Filter, Match, Range, Store};

/// 40 things with an address each, and some with odd tags.
async fn stocked(fixture: &dyn Fixture) -> Database {
    let database = fixture.fresh().await;
    let things = (0..40).map(|number| {
        SampleEntity::new(format!("id-{number:03}"))
            .owner(&format!("owner-{}", number % 4))
            .status(["NEW", "OPEN"][number % 2])
            .with("brand", format!("brand-{}", number % 5))
            .many("tags", ["all", "Zoë", "zoé", "Über", "a%b", "a_b", "A"][number % 7])
            .many("emails.address", &format!("M{number}@example.com"))
    });
    commit_all(&database.store, &things.map(|thing| new_command(vec![thing.create()])).collect::<Vec<_>>()).await;
    database
}

fn begins(name: &str, prefix: &str) -> Range {
    Range {
        lookup: (name != "id").then(|| THING.lookup(name).unwrap()),
        prefix: prefix.to_owned(),
        after: None,
        filter: Filter::default(),
        limit: 1_000,
        skips: false,
    }
}

async fn read(store: &Arc<dyn Store>, range: &Range) -> Vec<Match> {
    store.range(&THING, range).await.unwrap()
}

async fn values(store: &Arc<dyn Store>, range: &Range) -> Vec<String> {
    read(store, range).await.into_iter().map(|one| one.value).collect()
}

/// A range is ordered by value and id, byte by byte: without a language's order and without pattern letters.
pub async fn a_range_is_what_begins_so(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = &database.store;
    let mut expected: Vec<String> =
        (0..40).map(|n| format!("m{n}@example.com")).filter(|value| value.starts_with("m1")).collect();
    expected.sort();
    assert_eq!(expected.len(), 11);
    assert_eq!(values(store, &begins("emails.address", "m1")).await, expected);
    assert_eq!(values(store, &begins("emails.address", "m1@")).await, ["m1@example.com"]);
    let everything = begins("tags", "");
    let mut all = values(store, &everything).await;
    assert_eq!(all.len(), 40);
    assert!(all.is_sorted(), "{all:?}");
    all.dedup();
    assert_eq!(all, ["A", "Zoë", "a%b", "a_b", "all", "zoé", "Über"]);
    for (prefix, count) in [
        ("Ü", 6),
        ("zo", 6),
        ("Zo", 6),
        ("a", 17),
        ("a%", 6),
        ("a_", 5),
        ("%", 0),
        ("_", 0),
        ("' OR true --", 0),
        ("\\", 0),
    ] {
        assert_eq!(values(store, &begins("tags", prefix)).await.len(), count, "{prefix}");
    }
    let ids: Vec<String> = (10..20).map(|n| format!("id-{n:03}")).collect();
    assert_eq!(values(store, &begins("id", "id-01")).await, ids);
    assert!(values(store, &begins("id", "ID-01")).await.is_empty());
}

/// Pages of seven hold every value once. Entities with the same value are ordered by their ids.
pub async fn a_range_goes_on_after_a_place(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for name in ["emails.address", "tags", "id"] {
        let whole = read(&database.store, &begins(name, "")).await;
        let mut range = Range { limit: 7, ..begins(name, "") };
        let mut all: Vec<Match> = Vec::new();
        loop {
            let page = read(&database.store, &range).await;
            let Some(last) = page.last() else { break };
            assert!(page.len() <= 7);
            range.after = Some((last.value.clone(), last.id.clone()));
            all.extend(page);
        }
        assert_eq!(all, whole, "{name}");
        assert!(all.is_sorted_by(|left, right| (&left.value, &left.id) < (&right.value, &right.id)), "{name}");
        assert!(all.iter().all(|one| one.row.as_ref().is_some_and(|row| row.id == one.id)), "{name}");
    }
}

/// Rows that a filter excludes count as read but are not answered, so that a limit bounds the read.
pub async fn a_range_is_filtered_as_it_is_read(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let filter = Filter {
        owner: Some("owner-3".into()),
        statuses: vec!["OPEN".into()],
        lookups: vec![(THING.lookup("brand").unwrap(), "brand-3".into())],
        ..Filter::default()
    };
    for name in ["emails.address", "id"] {
        let met = read(&database.store, &Range { filter: filter.clone(), ..begins(name, "") }).await;
        assert_eq!(met.len(), 40, "{name}");
        let mut wanted: Vec<String> = met.iter().filter_map(|one| one.row.as_ref()).map(|row| row.id.clone()).collect();
        wanted.sort();
        assert_eq!(wanted, ["id-003", "id-023"], "{name}");
        let few = read(&database.store, &Range { filter: filter.clone(), limit: 3, ..begins(name, "") }).await;
        assert_eq!(few.len(), 3, "{name}");
    }
}

/// Rows that a filter excludes can be passed over, so that an answer tells nothing of them.
pub async fn a_range_passes_over_what_a_filter_excludes(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let brand = (THING.lookup("brand").unwrap(), vec!["brand-3".to_owned()]);
    let narrow = Filter { owner: Some("owner-3".into()), within: vec![brand], ..Filter::default() };
    let wide = Filter { statuses: vec!["OPEN".into()], ..Filter::default() };
    for (filter, expected) in [(narrow, vec!["id-003", "id-023"]), (wide, (1..40).step_by(2).map(|_| "").collect())] {
        for name in ["emails.address", "id"] {
            let mut range = Range { filter: filter.clone(), limit: 1, skips: true, ..begins(name, "") };
            let mut found: Vec<Match> = Vec::new();
            loop {
                let page = read(&database.store, &range).await;
                let Some(last) = page.last() else { break };
                range.after = Some((last.value.clone(), last.id.clone()));
                found.extend(page);
            }
            assert!(found.is_sorted_by(|left, right| (&left.value, &left.id) < (&right.value, &right.id)), "{name}");
            assert!(found.iter().all(|one| one.row.as_ref().is_some_and(|row| row.id == one.id)), "{name}");
            let mut ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
            ids.sort_unstable();
            assert_eq!(ids.len(), expected.len(), "{name}: {ids:?}");
            assert!(expected.contains(&"") || ids == expected, "{name}: {ids:?}");
        }
    }
}

/// A range omits a value that its entity lost, or whose entity was removed, and holds a new value.
pub async fn a_range_follows_its_entities(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let renamed = SampleEntity::new("id-003").many("emails.address", "New@example.com");
    commit_writes(&database.store, vec![renamed.change(1)]).await;
    commit_writes(&database.store, vec![SampleEntity::new("id-004").remove(1)]).await;
    for name in ["m3@", "m4@"] {
        assert!(values(&database.store, &begins("emails.address", name)).await.is_empty(), "{name}");
    }
    let new = read(&database.store, &begins("emails.address", "ne")).await;
    assert_eq!(new.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["id-003"]);
    assert!(values(&database.store, &begins("id", "id-004")).await.is_empty());
}

/// Each range is counted by itself, whatever its filter, and no further than its limit.
pub async fn ranges_are_counted_up_to_their_limit(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = &database.store;
    assert!(store.count_ranges(&THING, &[]).await.unwrap().is_empty());
    let mut ranges: Vec<Range> = [
        ("emails.address", "m1"),
        ("emails.address", "m1@"),
        ("emails.address", "x"),
        ("tags", "zo"),
        ("tags", "a%"),
        ("tags", "' OR true --"),
        ("id", "id-01"),
        ("tags", ""),
    ]
    .map(|(name, prefix)| begins(name, prefix))
    .into();
    let mut expected = Vec::new();
    for range in &ranges {
        expected.push(u32::try_from(read(store, range).await.len()).unwrap());
    }
    assert_eq!(expected, [11, 1, 0, 6, 6, 0, 10, 40]);
    assert_eq!(store.count_ranges(&THING, &ranges).await.unwrap(), expected);
    let (owner, after) = (Some("owner-3".to_owned()), Some(("m3".to_owned(), "id-003".to_owned())));
    for range in &mut ranges {
        *range = Range {
            after: after.clone(),
            filter: Filter { owner: owner.clone(), ..Filter::default() },
            skips: true,
            ..range.clone()
        };
    }
    assert_eq!(store.count_ranges(&THING, &ranges).await.unwrap(), expected, "the index alone");
    ranges.iter_mut().for_each(|range| range.limit = 7);
    assert_eq!(store.count_ranges(&THING, &ranges).await.unwrap(), [7, 1, 0, 6, 6, 0, 7, 7]);
    commit_writes(store, vec![SampleEntity::new("id-001").remove(1)]).await;
    assert_eq!(store.count_ranges(&THING, &ranges[1..2]).await.unwrap(), [0], "it is gone");
    let all: Vec<Range> = std::iter::repeat_n(begins("id", ""), 30).collect();
    assert_eq!(store.count_ranges(&THING, &all).await.unwrap(), [39; 30]);
}
