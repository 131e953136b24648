//! What workers keep: leases, cursors, entries set aside.

use super::Fixture;
use super::things::NOON;
use crate::store::{Cursor, SetAside};

const SECOND: i64 = 1_000_000;

/// Taken, refused to another, renewed, taken over after its time, given back.
pub async fn leases(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    let until = |seconds: i64| NOON + seconds * SECOND;
    assert!(here.lease("w", "here", until(0), until(15)).await.unwrap(), "taken");
    assert!(!there.lease("w", "there", until(1), until(16)).await.unwrap(), "refused");
    assert!(here.lease("w", "here", until(5), until(20)).await.unwrap(), "renewed");
    assert!(!there.lease("w", "there", until(19), until(34)).await.unwrap(), "renewed means longer");
    assert!(there.lease("w", "there", until(20), until(35)).await.unwrap(), "taken over");
    assert!(!here.lease("w", "here", until(21), until(36)).await.unwrap(), "lost");
    here.release("w", "here").await.unwrap();
    assert!(!here.lease("w", "here", until(22), until(37)).await.unwrap(), "only its holder gives it back");
    there.release("w", "there").await.unwrap();
    assert!(here.lease("w", "here", until(23), until(38)).await.unwrap(), "free again");
    assert!(there.lease("other", "there", until(23), until(38)).await.unwrap(), "another lease");
}

/// Many want one lease at once: one gets it. Who lost it cannot move the cursor.
pub async fn an_advance_is_fenced(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..16 {
        let store = if number % 2 == 0 { database.store.clone() } else { database.other.clone() };
        tries.spawn(async move {
            let holder = format!("h-{number}");
            store.lease("w", &holder, NOON, NOON + SECOND).await.unwrap().then_some(holder)
        });
    }
    let holders: Vec<_> = tries.join_all().await.into_iter().flatten().collect();
    assert_eq!(holders.len(), 1);
    let (store, at) = (&database.store, |clock| Cursor { clock, epoch: "e".into() });
    assert_eq!(store.cursor("w").await.unwrap(), Cursor::default());
    assert!(store.advance("w", &holders[0], &at(5), &[]).await.unwrap());
    assert!(!store.advance("w", "h-99", &at(9), &[aside("w", 9)]).await.unwrap(), "never had it");
    assert!(database.other.lease("w", "next", NOON + SECOND, NOON + 2 * SECOND).await.unwrap());
    assert!(!store.advance("w", &holders[0], &at(9), &[aside("w", 9)]).await.unwrap(), "lost it");
    assert_eq!(store.cursor("w").await.unwrap(), at(5));
    assert!(store.set_aside("", 10).await.unwrap().is_empty());
    assert!(database.other.advance("w", "next", &at(6), &[]).await.unwrap());
    assert_eq!(store.cursor("w").await.unwrap(), at(6));
}

fn aside(worker: &str, clock: i64) -> SetAside {
    SetAside {
        worker: worker.into(),
        clock,
        entity_id: format!("e-{clock}"),
        attempts: 1,
        next_at: NOON,
        cause: "it broke".into(),
        parked: false,
        entry: vec![0, 1, 255],
    }
}

/// Set aside with the cursor, tried again, parked, settled.
pub async fn set_aside(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    for worker in ["w", "v"] {
        assert!(store.lease(worker, "here", NOON, NOON + SECOND).await.unwrap());
    }
    let cursor = Cursor { clock: 4, epoch: "e".into() };
    assert!(store.advance("w", "here", &cursor, &[aside("w", 4), aside("w", 2)]).await.unwrap());
    assert!(store.advance("v", "here", &cursor, &[aside("v", 3)]).await.unwrap());
    assert_eq!(store.set_aside("w", 10).await.unwrap(), [aside("w", 2), aside("w", 4)]);
    let clocks: Vec<_> = store.set_aside("", 10).await.unwrap().iter().map(|entry| entry.clock).collect();
    assert_eq!(clocks, [2, 3, 4]);
    assert_eq!(store.set_aside("", 2).await.unwrap().len(), 2);
    let again = SetAside { attempts: 7, next_at: NOON + 1, cause: "still".into(), parked: true, ..aside("w", 2) };
    store.retry(&again).await.unwrap();
    assert_eq!(store.set_aside("w", 1).await.unwrap(), [again]);
    store.settle("w", 2).await.unwrap();
    store.settle("w", 3).await.unwrap();
    assert_eq!(store.set_aside("w", 10).await.unwrap(), [aside("w", 4)]);
    assert_eq!(store.set_aside("v", 10).await.unwrap(), [aside("v", 3)]);
}
