//! The test clock of a database.

use std::time::Duration;

use super::Fixture;
use crate::port::store::{ClockDay, ClockRow, WorkerTick};

fn row(version: i64, offset: i64) -> ClockRow {
    ClockRow {
        version,
        offset,
        began: version + 7,
        started: -3,
        target: 900,
        settled: offset - 1,
        heads: "{\"things\":7}".to_owned(),
    }
}

fn day(offset: i64, figures: &str) -> ClockDay {
    ClockDay { offset, figures: figures.to_owned() }
}

/// One version follows the other, whichever process writes it, and business time never goes back.
pub async fn the_test_clock_moves_forward_one_version_at_a_time(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    assert_eq!(here.clock_row().await.unwrap(), None);
    assert!(!here.put_clock_row(&row(2, 0), None).await.unwrap(), "the first version comes first");
    assert!(here.put_clock_row(&row(1, -20), None).await.unwrap());
    assert!(!there.put_clock_row(&row(1, -20), None).await.unwrap(), "another process began it");
    assert_eq!(there.clock_row().await.unwrap(), Some(row(1, -20)));
    assert!(there.put_clock_row(&row(2, -10), Some(&day(-20, "{}"))).await.unwrap());
    assert!(!here.put_clock_row(&row(2, -10), Some(&day(-20, "{\"stale\":1}"))).await.unwrap());
    assert!(!here.put_clock_row(&row(3, -11), None).await.unwrap(), "it never goes back");
    assert!(!here.put_clock_row(&row(4, 0), None).await.unwrap(), "no version is left out");
    assert!(here.put_clock_row(&row(3, 5), Some(&day(-10, "{\"a\":1}"))).await.unwrap());
    assert_eq!(there.clock_row().await.unwrap(), Some(row(3, 5)));
    assert_eq!(there.clock_days(-21).await.unwrap(), [day(-20, "{}"), day(-10, "{\"a\":1}")]);
    assert_eq!(here.clock_days(-20).await.unwrap(), [day(-10, "{\"a\":1}")]);
}

/// The workers of all processes are known, and how far their ticks are.
pub async fn the_test_clock_knows_the_workers_of_all_processes(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let (here, there) = (&database.store, &database.other);
    assert!(here.is_unused().await.unwrap());
    let worker = |name: &str, journal: &str| WorkerTick {
        worker: name.to_owned(),
        journal: journal.to_owned(),
        offset: i64::MIN,
    };
    let (sell, sweep, bill) = (worker("orders.sell", "orders"), worker("orders.sweep", ""), worker("billing.bill", ""));
    here.set_workers(&["orders".to_owned()], &[sell.clone(), sweep.clone()]).await.unwrap();
    there.set_workers(&["billing".to_owned()], std::slice::from_ref(&bill)).await.unwrap();
    here.record_tick("orders.sweep", 7).await.unwrap();
    there.record_tick("orders.sweep", 6).await.unwrap();
    there.record_tick("nobody.at_all", 6).await.unwrap();
    let ticked = WorkerTick { offset: 7, ..sweep.clone() };
    assert_eq!(there.worker_ticks().await.unwrap(), [bill.clone(), sell, ticked.clone()]);
    // The process begins again, in a version that has another worker.
    let follow = worker("orders.follow", "billing");
    here.set_workers(&["orders".to_owned()], &[follow.clone(), sweep]).await.unwrap();
    assert_eq!(here.worker_ticks().await.unwrap(), [bill, follow, ticked]);
    assert!(here.is_unused().await.unwrap());
    assert!(here.lease("orders.sweep", "here", Duration::from_secs(60)).await.unwrap());
    assert!(!there.is_unused().await.unwrap());
}
