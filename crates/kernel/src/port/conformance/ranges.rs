//! Range reads: entities whose value begins with a prefix.

use std::sync::Arc;

use super::tables::THING;
use super::things::{SampleEntity, commit_all, commit_writes, new_command};
use super::{Database, Fixture};
use crate::port::store::{Filter, Match, NeededValue, Range, RangePage, Store};

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
        limit: 1_000,
        ..Range::default()
    }
}

/// A page says where it ends: at its last match, or at a value after it that the filter excludes.
async fn read_page(store: &Arc<dyn Store>, range: &Range) -> RangePage {
    let page = store.range(&THING, range).await.unwrap();
    let place = |one: &Match| (one.value.clone(), one.id.clone());
    assert!(page.read >= page.matches.len() && page.last >= page.matches.last().map(place), "{range:?}");
    assert!(page.read <= range.limit as usize && page.last.is_some() == (page.read > 0), "{range:?}");
    assert!(page.goes_on || page.read < range.limit as usize, "{range:?}");
    assert!(page.matches.iter().all(|one| one.row.id == one.id), "{range:?}");
    assert!(page.matches.is_sorted_by(|left, right| place(left) < place(right)), "{range:?}");
    page
}

async fn read(store: &Arc<dyn Store>, range: &Range) -> Vec<Match> {
    read_page(store, range).await.matches
}

/// The ids of the matches, sorted, and the number of values read.
async fn read_ids(store: &Arc<dyn Store>, range: &Range) -> (Vec<String>, usize) {
    let page = read_page(store, range).await;
    let mut ids: Vec<String> = page.matches.into_iter().map(|one| one.id).collect();
    ids.sort_unstable();
    (ids, page.read)
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
    for (whole, count) in [("all", 6), ("al", 0), ("a", 0), ("zoé", 6), ("Zoé", 0), ("' OR true --", 0)] {
        let exact = Range { exact: true, ..begins("tags", whole) };
        assert_eq!(values(store, &exact).await, vec![whole; count]);
        let counts = store.count_ranges(&THING, &[exact.clone(), begins("tags", whole)]).await.unwrap();
        assert!(counts[0] == u32::try_from(count).unwrap() && counts[0] <= counts[1], "{whole}: {counts:?}");
        let (mut range, mut found) = (Range { limit: 4, ..exact }, 0);
        while let Some(last) = read_page(store, &range).await.last {
            (found, range.after) = (found + 1, Some(last));
        }
        assert_eq!(found, count.div_ceil(4), "{whole}");
    }
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
        let wanted = vec!["id-003".to_owned(), "id-023".to_owned()];
        let mut range = Range { filter: filter.clone(), ..begins(name, "") };
        assert_eq!(read_ids(&database.store, &range).await, (wanted.clone(), 40), "{name}");
        // Three at a time: a page without a match goes on after the last value read.
        range.limit = 3;
        let (mut found, mut pages) = (Vec::new(), 0);
        loop {
            let page = read_page(&database.store, &range).await;
            found.extend(page.matches.into_iter().map(|one| one.id));
            pages += 1;
            if page.read < 3 {
                break;
            }
            range.after = page.last;
        }
        found.sort_unstable();
        assert_eq!((found, pages), (wanted, 14), "{name}");
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
            let mut ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
            ids.sort_unstable();
            assert_eq!(ids.len(), expected.len(), "{name}: {ids:?}");
            assert!(expected.contains(&"") || ids == expected, "{name}: {ids:?}");
        }
    }
}

/// An entity that lacks a needed value counts as read and is not answered, or is passed over.
pub async fn a_range_needs_other_values(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let need = |name: &str, prefix: &str, exact: bool| NeededValue {
        lookup: THING.lookup(name).unwrap(),
        prefix: prefix.to_owned(),
        exact,
    };
    for (needs, expected) in [
        (vec![need("tags", "a", false)], vec!["id-011", "id-012", "id-014", "id-018", "id-019"]),
        (vec![need("tags", "a", true)], vec![]),
        (vec![need("tags", "all", true)], vec!["id-014"]),
        (vec![need("tags", "a", false), need("emails.address", "m18", false)], vec!["id-018"]),
        (vec![need("tags", "all", true), need("emails.address", "m18@example.com", true)], vec![]),
        (vec![need("tags", "' OR true --", false)], vec![]),
    ] {
        for name in ["emails.address", "id"] {
            let range = Range { needs: needs.clone(), ..begins(name, if name == "id" { "id-01" } else { "m1" }) };
            let expected: Vec<String> = expected.iter().map(|id| (*id).to_owned()).collect();
            let all = if name == "id" { 10 } else { 11 };
            assert_eq!(read_ids(&database.store, &range).await, (expected.clone(), all), "{name}: {needs:?}");
            let passed = read_ids(&database.store, &Range { skips: true, ..range }).await;
            assert_eq!(passed, (expected.clone(), expected.len()), "{name}: {needs:?}");
        }
    }
}

/// An entity that is left out counts as read and is not answered, or is passed over.
pub async fn a_range_leaves_entities_out(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for (without, expected) in [
        (vec![], vec!["id-014", "id-018"]),
        (vec!["id-014", "id-003"], vec!["id-018"]),
        (vec!["id-018", "id-014"], vec![]),
        (vec!["' OR true --", "[]", "\"id-018\""], vec!["id-014", "id-018"]),
    ] {
        let without: Vec<String> = without.into_iter().map(str::to_owned).collect();
        let range = Range {
            needs: vec![NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: "a".to_owned(), exact: false }],
            without,
            ..begins("emails.address", "m1")
        };
        let is_expected = |id: &String| ["id-014", "id-018"].contains(&id.as_str());
        let (met, all) = read_ids(&database.store, &range).await;
        assert_eq!(all, 11, "{:?}", range.without);
        assert_eq!(met.into_iter().filter(is_expected).collect::<Vec<_>>(), expected, "{:?}", range.without);
        let (passed, _) = read_ids(&database.store, &Range { skips: true, ..range }).await;
        assert_eq!(passed.into_iter().filter(is_expected).collect::<Vec<_>>(), expected);
    }
}

/// An entity is answered at the first of its values that begin so. The others count as read, or are passed over.
pub async fn a_range_answers_each_entity_once(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let things = [
        ("id-1", vec!["anna", "anna.1", "annabel", "b"]),
        ("id-2", vec!["anna.1", "zoe"]),
        ("id-3", vec!["an", "annabel", "zoe"]),
    ];
    for (id, tags) in &things {
        let thing = tags.iter().fold(SampleEntity::new(*id), |thing, tag| thing.many("tags", tag));
        commit_writes(&database.store, vec![thing.create()]).await;
    }
    let after = Some(("anna".to_owned(), "id-1".to_owned()));
    let needs = vec![NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: "b".to_owned(), exact: true }];
    let without = vec!["id-1".to_owned()];
    // A range, the number of its values, and the places that are answered.
    for (range, read_at_all, expected) in [
        (begins("tags", ""), 9, "an id-3, anna id-1, anna.1 id-2"),
        (begins("tags", "anna"), 5, "anna id-1, anna.1 id-2, annabel id-3"),
        (Range { after, ..begins("tags", "anna") }, 4, "anna.1 id-2, annabel id-3"),
        (Range { needs, ..begins("tags", "anna.") }, 2, "anna.1 id-1"),
        (Range { without, ..begins("tags", "annab") }, 2, "annabel id-3"),
    ] {
        let range = Range { once: true, ..range };
        let places = |page: RangePage| {
            page.matches.iter().map(|one| format!("{} {}", one.value, one.id)).collect::<Vec<_>>().join(", ")
        };
        let met = read_page(&database.store, &range).await;
        assert_eq!((met.read, places(met).as_str()), (read_at_all, expected), "{range:?}");
        let passed = read_page(&database.store, &Range { skips: true, ..range.clone() }).await;
        assert_eq!((passed.read, places(passed).as_str()), (expected.split(", ").count(), expected), "{range:?}");
        for (most, limit) in [(0, 1), (0, 2), (1, 2), (1, 1_000), (2, 3)] {
            let mut range = Range { most, limit, ..range.clone() };
            let mut all = Vec::new();
            loop {
                let page = read_page(&database.store, &range).await;
                let (goes_on, last) = (page.goes_on, page.last.clone());
                all.extend(Some(places(page)).filter(|places| !places.is_empty()));
                if !goes_on {
                    break;
                }
                range.after = last.or(range.after);
            }
            assert_eq!(all.join(", "), expected, "{range:?}");
        }
    }
}

/// A page ends at the last of the entities asked for, whatever was read beyond it, and the next one goes on there. Excluded
/// entities do not count, but those whose rows the filter excludes do.
pub async fn a_range_ends_at_the_entities_asked_for(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let need = |prefix: &str| {
        vec![NeededValue { lookup: THING.lookup("tags").unwrap(), prefix: prefix.to_owned(), exact: false }]
    };
    let open = Filter { statuses: vec!["OPEN".into()], ..Filter::default() };
    let without = vec!["id-004".to_owned()];
    for name in ["emails.address", "id"] {
        for range in [
            begins(name, ""),
            Range { needs: need("a"), ..begins(name, "") },
            Range { needs: need("a"), without: without.clone(), filter: open.clone(), ..begins(name, "") },
            Range { needs: need("none"), ..begins(name, "") },
        ] {
            let range = Range { once: name != "id", ..range };
            let whole = read(&database.store, &range).await;
            for (most, limit) in [(1, 1_000), (1, 7), (4, 7), (7, 4), (40, 1_000), (41, 41)] {
                let mut range = Range { most, limit, ..range.clone() };
                let mut all: Vec<Match> = Vec::new();
                loop {
                    let page = read_page(&database.store, &range).await;
                    assert!(page.matches.len() <= most as usize, "{range:?}");
                    all.extend(page.matches);
                    if !page.goes_on {
                        break;
                    }
                    assert!(page.last > range.after, "{range:?}");
                    range.after = page.last;
                }
                assert_eq!(all, whole, "{range:?}");
            }
        }
    }
    let first = Range { most: 3, ..begins("id", "") };
    let page = read_page(&database.store, &first).await;
    assert_eq!((page.matches.len(), page.last.unwrap().1.as_str()), (3, "id-002"));
    let last = Range { most: 3, ..begins("id", "id-039") };
    assert!(!read_page(&database.store, &last).await.goes_on, "there is no other one");
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
