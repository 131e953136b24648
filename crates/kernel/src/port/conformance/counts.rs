//! The counts that all processes share.

use std::time::Duration;

use super::Fixture;
use crate::port::store::{CountChange, Decay, SharedCount, Store};

const HOUR: Decay = Decay::After(3_600_000_000);

fn change(key: &str, decay: Decay, add: i64) -> CountChange {
    CountChange { key: key.to_owned(), decay, reset: false, add }
}

async fn share(store: &dyn Store, changes: &[CountChange]) -> Vec<(String, i64)> {
    let mut counts: Vec<_> =
        store.share_counts(changes).await.unwrap().into_iter().map(|one| (one.key, one.count)).collect();
    counts.sort();
    counts
}

async fn one(store: &dyn Store, change: CountChange) -> Option<SharedCount> {
    store.share_counts(&[change]).await.unwrap().pop()
}

/// Processes add to one count, take off, begin it again, and see what the others did.
pub async fn counts_are_shared(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&*database.store, &*database.other);
    assert_eq!(share(here, &[change("a", HOUR, 0)]).await, [], "nothing was counted");
    assert_eq!(share(here, &[change("a", HOUR, 3), change("b", HOUR, 1)]).await, [("a".into(), 3), ("b".into(), 1)]);
    assert_eq!(share(there, &[change("a", HOUR, 2)]).await, [("a".into(), 5)]);
    assert_eq!(share(here, &[change("b", HOUR, 0), change("a", HOUR, 0)]).await, [("a".into(), 5), ("b".into(), 1)]);
    assert_eq!(share(there, &[change("a", HOUR, -1)]).await, [("a".into(), 4)]);
    let again = CountChange { reset: true, ..change("a", HOUR, 1) };
    assert_eq!(share(there, &[again]).await, [("a".into(), 1)]);
    assert_eq!(share(here, &[change("a", HOUR, -7)]).await, [], "never below nothing");
    assert_eq!(share(here, &[change("a", HOUR, 1)]).await, [("a".into(), 1)]);
    assert_eq!(share(there, &[CountChange { reset: true, ..change("b", HOUR, 0) }]).await, []);
    assert_eq!(share(here, &[change("c", HOUR, -1)]).await, []);
    assert_eq!(share(here, &[change("c", HOUR, 1)]).await, [("c".into(), 1)]);
}

/// Counts fall by the engine's clock: at once after their time, or steadily.
pub async fn counts_fall_with_time(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&*database.store, &*database.other);
    let gone = |key: &'static str, decay: Decay| async move {
        while one(there, change(key, decay, 0)).await.is_some() {
            tokio::task::yield_now().await;
        }
    };
    let soon = Duration::from_secs(10);
    one(here, change("brief", Decay::After(20_000), 1)).await;
    tokio::time::timeout(soon, gone("brief", Decay::After(20_000))).await.unwrap();
    assert_eq!(one(here, change("brief", HOUR, 1)).await.unwrap().count, 1, "it began again");
    let minute = 60_000_000;
    let first = one(here, change("steady", Decay::Steady, minute)).await.unwrap();
    assert!(first.left <= minute && first.left > minute / 2, "{first:?}");
    let second = one(there, change("steady", Decay::Steady, minute)).await.unwrap();
    assert!(second.left <= 2 * minute && second.left > first.left, "{second:?}");
    assert_eq!(second.count, 2 * minute);
    one(here, change("drained", Decay::Steady, 20_000)).await;
    tokio::time::timeout(soon, gone("drained", Decay::Steady)).await.unwrap();
    let again = one(there, change("drained", Decay::Steady, minute)).await.unwrap();
    assert_eq!(again.count, minute, "the sum begins again with the count");
}

/// Many processes change the same counts at once, and nothing is lost.
pub async fn counts_lose_nothing(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let mut adding = tokio::task::JoinSet::new();
    for number in 0..32 {
        let store = if number % 2 == 0 { database.store.clone() } else { database.other.clone() };
        adding.spawn(async move {
            let mut changes = vec![change("a", HOUR, 1), change("b", HOUR, 2), change("c", Decay::Steady, 60_000_000)];
            if number % 4 < 2 {
                changes.reverse();
            }
            store.share_counts(&changes).await.map(drop)
        });
    }
    assert!(adding.join_all().await.iter().all(Result::is_ok));
    let all = [change("a", HOUR, 0), change("b", HOUR, 0), change("c", Decay::Steady, 0)];
    let counts = share(&*database.store, &all).await;
    assert_eq!(counts, [("a".into(), 32), ("b".into(), 64), ("c".into(), 32 * 60_000_000)]);
}
