//! Lists in the order of a sortable lookup.

use std::sync::Arc;

use pavise_contract::common::v1::{Date, Money};
use prost_types::Timestamp;
use serde_json::{Value, json};

use super::tables::THING;
use super::things::{SampleEntity, commit_all, new_command};
use super::{Database, Fixture};
use crate::port::store::{Filter, Store, StoredRange, StoredRow};
use crate::read::range::SortKey;

/// The values of one thing, as its document has them, and the text of each.
struct Values {
    doc: [(&'static str, Value); 5],
    keys: [(&'static str, String); 5],
}

/// Values of each kind: some are missing, and some are equal. Their order is not that of the numbers.
fn values(number: usize) -> Values {
    let mixed = number * 7 % 40;
    let label = ["", "Zoë", "zoé", "Über", "a%b", "B", "a_b"][mixed % 7];
    let day = (mixed > 4).then(|| Date { year: 2026, month: i32::try_from(mixed % 12).unwrap() + 1, day: 9 });
    let nanos = [0, 500_000_000, 500_100_000, 123_456_789][mixed % 4];
    let at = (mixed > 3).then(|| Timestamp { seconds: i64::try_from(mixed / 8).unwrap(), nanos });
    let size = [0, -1, i32::MIN, i32::MAX, 9, 10, 100][mixed % 7];
    let amount = [0, -2995, 2995, 10_000_000_000, 99][mixed % 5];
    let money = (mixed > 2).then_some(Money { currency: 1, amount });
    let doc_of = |set: bool, value: Value| if set { value } else { Value::Null };
    Values {
        doc: [
            ("label", doc_of(!label.is_empty(), label.into())),
            ("dueOn", day.map_or(Value::Null, |day| day.key().into())),
            ("seenAt", at.map_or(Value::Null, |at| format!("{}Z", at.key()).into())),
            ("size", doc_of(size != 0, size.into())),
            (
                "total",
                money.map_or(Value::Null, |_| match amount {
                    0 => json!({"currency": "USD"}),
                    _ => json!({"currency": "USD", "amount": amount.to_string()}),
                }),
            ),
        ],
        keys: [
            ("label", label.to_ascii_lowercase()),
            ("due_on", day.key()),
            ("seen_at", at.key()),
            ("size", size.key()),
            ("total", money.key()),
        ],
    }
}

/// 40 things, each with its values, of four owners and two statuses.
async fn stocked(fixture: &dyn Fixture) -> Database {
    let database = fixture.fresh().await;
    let things = (0..40).map(|number| {
        let thing = SampleEntity::new(format!("id-{number:03}"))
            .owner(&format!("owner-{}", number % 4))
            .status(["NEW", "OPEN"][number / 20])
            .with("brand", format!("brand-{}", number % 3));
        let doc = values(number).doc.into_iter().filter(|(_, value)| !value.is_null());
        doc.fold(thing, |thing, (field, value)| thing.with(field, value))
    });
    commit_all(&database.store, &things.map(|thing| new_command(vec![thing.create()])).collect::<Vec<_>>()).await;
    database
}

fn sort_range(name: &str, descending: bool) -> StoredRange {
    let lookup = THING.lookup(name).unwrap();
    StoredRange { lookup, from: String::new(), until: String::new(), descending, after: None }
}

/// The values and ids of the things that are kept, in order.
fn expected(name: &str, descending: bool, keep: impl Fn(usize, &str) -> bool) -> Vec<(String, String)> {
    let key = |number: usize| values(number).keys.into_iter().find(|(of, _)| *of == name).unwrap().1;
    let all = (0..40).map(|number| (number, key(number))).filter(|(number, key)| keep(*number, key));
    let mut all: Vec<_> = all.map(|(number, key)| (key, format!("id-{number:03}"))).collect();
    all.sort();
    if descending {
        all.reverse();
    }
    all
}

async fn list(store: &Arc<dyn Store>, filter: &Filter) -> Vec<StoredRow> {
    store.list(&THING, filter).await.unwrap()
}

fn ids(rows: &[StoredRow]) -> Vec<&str> {
    rows.iter().map(|row| row.id.as_str()).collect()
}

fn ids_of(expected: &[(String, String)]) -> Vec<&str> {
    expected.iter().map(|(_, id)| id.as_str()).collect()
}

const NAMES: [&str; 5] = ["label", "due_on", "seen_at", "size", "total"];

/// Each kind of value has the order of its texts in Rust; of one value, ids rise. What has no value comes first.
pub async fn a_list_follows_each_kind_of_value(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for name in NAMES {
        for descending in [false, true] {
            let filter = Filter { sort_range: Some(sort_range(name, descending)), limit: 100, ..Filter::default() };
            let found = list(&database.store, &filter).await;
            assert_eq!(ids(&found), ids_of(&expected(name, descending, |_, _| true)), "{name} {descending}");
        }
    }
}

/// Pages of three hold every thing once, in both directions, with a range and without one.
pub async fn a_list_in_order_goes_on_after_a_place(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for name in NAMES {
        for (descending, from) in [(false, ""), (true, ""), (false, "1"), (true, "1")] {
            let whole = expected(name, descending, |_, key| key >= from);
            let mut asked = StoredRange { from: from.to_owned(), ..sort_range(name, descending) };
            let mut all = Vec::new();
            loop {
                let filter = Filter { sort_range: Some(asked.clone()), limit: 3, ..Filter::default() };
                let page = list(&database.store, &filter).await;
                assert!(page.len() <= 3);
                let Some(last) = page.last() else { break };
                asked.after = whole.iter().find(|(_, id)| *id == last.id).cloned();
                all.extend(page);
            }
            assert_eq!(ids(&all), ids_of(&whole), "{name} {descending} {from}");
        }
    }
}

/// A range holds its smallest and its greatest value, and nothing without a value.
pub async fn a_range_has_both_its_bounds(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for name in NAMES {
        let mut keys: Vec<String> =
            expected(name, false, |_, key| !key.is_empty()).into_iter().map(|one| one.0).collect();
        keys.dedup();
        let (low, high) = (keys[1].clone(), keys[keys.len() - 2].clone());
        for (from, until) in [(low.as_str(), ""), ("", high.as_str()), (&low, &high), (&low, &low), (&high, &low)] {
            let asked = StoredRange { from: from.to_owned(), until: until.to_owned(), ..sort_range(name, false) };
            let filter = Filter { sort_range: Some(asked), limit: 100, ..Filter::default() };
            let within = |key: &str| !key.is_empty() && key >= from && (until.is_empty() || key <= until);
            let wanted = expected(name, false, |_, key| within(key));
            assert_eq!(ids(&list(&database.store, &filter).await), ids_of(&wanted), "{name} {from} {until}");
        }
    }
}

/// Owner, status and other lookups narrow a list in order.
pub async fn a_list_in_order_is_filtered(fixture: &dyn Fixture) {
    let database = stocked(fixture).await;
    for name in NAMES {
        let filter = Filter {
            owner: Some("owner-1".into()),
            statuses: vec!["OPEN".into()],
            sort_range: Some(sort_range(name, true)),
            limit: 100,
            ..Filter::default()
        };
        let wanted = expected(name, true, |number, _| number % 4 == 1 && number >= 20);
        assert_eq!(ids(&list(&database.store, &filter).await), ids_of(&wanted), "{name}");
        let lookups = vec![(THING.lookup("brand").unwrap(), "brand-2".to_owned())];
        let filter = Filter { lookups, sort_range: Some(sort_range(name, false)), limit: 100, ..Filter::default() };
        let wanted = expected(name, false, |number, _| number % 3 == 2);
        assert_eq!(ids(&list(&database.store, &filter).await), ids_of(&wanted), "{name}");
    }
}
