//! Lists and lookups.

use std::sync::Arc;

use super::tables::THING;
use super::things::{SampleEntity, commit_all, new_command};
use super::{Database, Fixture};
use crate::port::store::{Filter, Range, Store};

/// 100 things with four owners, three statuses, five brands and two tags, in turns.
async fn stocked(fixture: &dyn Fixture) -> Database {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let things = (0..100).map(|number| {
        SampleEntity::new(format!("id-{number:03}"))
            .owner(&format!("owner-{}", number % 4))
            .status(["NEW", "OPEN", "CLOSED"][number % 3])
            .with("brand", format!("brand-{}", number % 5))
            .with("siteName", format!("Site {number}"))
            .many("tags", if number % 2 == 0 { "even" } else { "odd" })
            .many("tags", "all")
            .many("emails.address", &format!("M{number}@example.com"))
    });
    commit_all(&store, &things.map(|thing| new_command(vec![thing.create()])).collect::<Vec<_>>()).await;
    database
}

async fn ids(store: &Arc<dyn Store>, filter: &Filter) -> Vec<String> {
    store.list(&THING, filter).await.unwrap().into_iter().map(|row| row.id).collect()
}

fn expected(keep: impl Fn(usize) -> bool) -> Vec<String> {
    (0..100).rev().filter(|number| keep(*number)).map(|number| format!("id-{number:03}")).collect()
}

/// Pages of seven, newest first, hold every thing once. New things do not disturb later pages.
pub async fn paging_newest_first(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = database.store.clone();
    let mut filter = Filter { limit: 7, ..Filter::default() };
    let (mut all, mut pages) = (Vec::new(), 0);
    loop {
        let page = ids(&store, &filter).await;
        if page.is_empty() {
            break;
        }
        filter.before = page.last().cloned();
        all.extend(page);
        pages += 1;
        let late = SampleEntity::new(format!("late-{pages}"));
        commit_all(&store, &[new_command(vec![late.create()])]).await;
    }
    assert_eq!(all, expected(|_| true));
    println!("{} rows in {pages} pages", all.len());
}

/// Filters by owner, statuses and lookups, alone and together.
pub async fn check_filters(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = database.store.clone();
    let lookup = |name: &str, value: &str| (THING.lookup(name).unwrap(), value.to_owned());
    let all = Filter { limit: 1_000, ..Filter::default() };
    let owner = Filter { owner: Some("owner-1".into()), ..all.clone() };
    assert_eq!(ids(&store, &owner).await, expected(|n| n % 4 == 1));
    let statuses = Filter { statuses: vec!["NEW".into(), "CLOSED".into()], ..all.clone() };
    assert_eq!(ids(&store, &statuses).await, expected(|n| n % 3 != 1));
    let brand = Filter { lookups: vec![lookup("brand", "brand-2")], ..all.clone() };
    assert_eq!(ids(&store, &brand).await, expected(|n| n % 5 == 2));
    let tags = Filter { lookups: vec![lookup("tags", "odd"), lookup("tags", "all")], ..all.clone() };
    assert_eq!(ids(&store, &tags).await, expected(|n| n % 2 == 1));
    let joint = Filter {
        owner: Some("owner-3".into()),
        statuses: vec!["OPEN".into()],
        lookups: vec![lookup("tags", "odd"), lookup("brand", "brand-1")],
        before: Some("id-090".into()),
        ..all.clone()
    };
    assert_eq!(ids(&store, &joint).await, expected(|n| n % 4 == 3 && n % 3 == 1 && n % 5 == 1 && n < 90));
    let nobody = Filter { owner: Some("' OR true --".into()), ..all };
    assert!(ids(&store, &nobody).await.is_empty());
}

/// Rows without an owner are left out where only those with one are asked for: in lists, in counts and in ranges.
pub async fn rows_with_an_owner(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let nobodys = (0..5).map(|number| {
        let brand = SampleEntity::new(format!("id-none-{number}")).owner("").with("brand", "brand-2");
        new_command(vec![brand.many("tags", "all").create()])
    });
    commit_all(&database.store, &nobodys.collect::<Vec<_>>()).await;
    let brand = (THING.lookup("brand").unwrap(), "brand-2".to_owned());
    let all = Filter { lookups: vec![brand], limit: 1_000, ..Filter::default() };
    let owned = Filter { owned: true, ..all.clone() };
    assert_eq!(ids(&database.store, &all).await.len(), 25);
    assert_eq!(ids(&database.store, &owned).await, expected(|n| n % 5 == 2));
    assert_eq!(database.store.count(&THING, &owned).await.unwrap(), 20);
    let lookup = THING.lookup("tags");
    let range = Range { lookup, prefix: "all".into(), filter: owned, limit: 1_000, skips: true, ..Range::default() };
    assert_eq!(database.store.range(&THING, &range).await.unwrap().matches.len(), 20);
}

/// Lists hold the rows of any of the caller's scopes, of one lookup or of several, and no others. Random scopes are
/// compared with a plain model.
pub async fn rows_within_scopes(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = database.store.clone();
    let (brand, tags) = (THING.lookup("brand").unwrap(), THING.lookup("tags").unwrap());
    for number in 0..64_usize {
        let brands: Vec<usize> = (0..6).filter(|brand| (number >> brand) & 1 == 1).collect();
        let words = ["even", "odd", "none"][number % 3];
        let mut within = vec![(brand, brands.iter().map(|brand| format!("brand-{brand}")).collect())];
        if number % 2 == 0 {
            within.push((tags, vec![words.to_owned()]));
        }
        let owner = (number % 5 == 0).then(|| format!("owner-{}", number % 4));
        let tagged = |n: usize| number % 2 == 0 && words == (if n.is_multiple_of(2) { "even" } else { "odd" });
        let model = expected(|n| (owner.is_none() || n % 4 == number % 4) && (brands.contains(&(n % 5)) || tagged(n)));
        let mut filter = Filter { within, owner, limit: 9, ..Filter::default() };
        let mut all = Vec::new();
        loop {
            let page = ids(&store, &filter).await;
            filter.before = page.last().cloned();
            let last = page.len() < 9;
            all.extend(page);
            if last {
                break;
            }
        }
        assert_eq!(all, model, "{filter:?}");
    }
}

/// Finds the newest entity with a value of a scalar, folded or repeated lookup, and several entities by id.
pub async fn find_and_get_many(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = database.store.clone();
    for (name, value, found) in [
        ("brand", "brand-2", Some("id-097")),
        ("site_name", "site 42", Some("id-042")),
        ("site_name", "Site 42", None),
        ("tags", "even", Some("id-098")),
        ("emails.address", "m7@example.com", Some("id-007")),
        ("emails.address", "nobody@example.com", None),
    ] {
        let row = store.find(&THING, THING.lookup(name).unwrap(), value).await.unwrap();
        assert_eq!(row.map(|row| row.id).as_deref(), found, "{name} {value}");
        let id = store.find_id(&THING, THING.lookup(name).unwrap(), value).await.unwrap();
        assert_eq!(id.as_deref(), found, "{name} {value}");
    }
    let some = ["id-005", "nothing", "id-099", "id-005"].map(str::to_owned);
    let mut rows: Vec<_> = store.get_many(&THING, &some).await.unwrap().into_iter().map(|row| row.id).collect();
    rows.sort();
    assert_eq!(rows, ["id-005", "id-099"]);
    assert!(store.get_many(&THING, &[]).await.unwrap().is_empty());
    assert!(store.get(&THING, "nothing").await.unwrap().is_none());
}

/// Finds the entities with values of a scalar, a folded and a repeated unique lookup.
pub async fn find_many_by_a_unique_value(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let coded = SampleEntity::new("id-200").with("code", "c1");
    commit_all(&database.store, &[new_command(vec![coded.create()])]).await;
    for (name, values, expected) in [
        ("code", ["c1", "c2", "' OR true --"], vec![("c1", "id-200")]),
        ("site_name", ["site 7", "site 42", "Site 9"], vec![("site 42", "id-042"), ("site 7", "id-007")]),
        (
            "emails.address",
            ["m7@example.com", "x@example.com", "m42@example.com"],
            vec![("m42@example.com", "id-042"), ("m7@example.com", "id-007")],
        ),
    ] {
        let lookup = THING.lookup(name).unwrap();
        let found = database.store.find_many(&THING, lookup, &values.map(str::to_owned)).await.unwrap();
        let mut found: Vec<(&str, &str)> = found.iter().map(|(value, row)| (value.as_str(), row.id.as_str())).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{name}");
        assert!(database.store.find_many(&THING, lookup, &[]).await.unwrap().is_empty(), "{name}");
    }
}

/// Counts what a list holds, up to the limit.
pub async fn counts_up_to_the_limit(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let owner = Some("owner-1".to_owned());
    for (owner, statuses, limit, expected) in [
        (None, vec![], 1_000, 100),
        (None, vec![], 30, 30),
        (owner.clone(), vec![], 1_000, 25),
        (owner, vec!["NEW".to_owned()], 1_000, 8),
        (Some("nobody".to_owned()), vec![], 1_000, 0),
    ] {
        let filter = Filter { owner, statuses, limit, ..Filter::default() };
        assert_eq!(database.store.count(&THING, &filter).await.unwrap(), expected, "{filter:?}");
    }
}

/// A scan reads every row once, by rising id.
pub async fn scan_in_id_order(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    let store = database.store.clone();
    let (mut after, mut all) = (String::new(), Vec::new());
    loop {
        let rows = store.scan(&THING, &after, 30).await.unwrap();
        let Some(last) = rows.last() else { break };
        after.clone_from(&last.id);
        all.extend(rows.into_iter().map(|row| row.id));
    }
    all.reverse();
    assert_eq!(all, expected(|_| true));
}
