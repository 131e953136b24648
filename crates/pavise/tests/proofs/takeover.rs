//! Two servers on one PostgreSQL database: when one is killed, the other goes on with its workers' work at once.

use std::time::{Duration, Instant};

use pavise_testkit::postgres::Postgres;

use crate::server::Server;
use crate::shop::Shop;
use crate::{run_size, turn};

/// How long a sale may take whose leading process is killed at its beginning. A lease would run for 15 s, and for 10 s at
/// the least.
const SOON: Duration = Duration::from_secs(9);

#[tokio::test(flavor = "multi_thread")]
async fn another_process_goes_on_at_once() {
    let _turn = turn().await;
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let database = tokio::task::block_in_place(|| postgres.make_database().unwrap());
    // The first has all leases.
    let mut leads = Server::start(&database);
    leads.stock().await;
    let mut shop = Shop::new();
    let kills = run_size(2, 20);
    let mut slowest = Duration::ZERO;
    for number in 0..kills {
        let follows = Server::start(&database);
        shop.at(&follows.base);
        let (sale, purchase) = shop.order(number).await;
        shop.rest("orders.PurchaseOrder", purchase).await;
        leads.kill();
        let killed = Instant::now();
        let left = shop.end(&sale, "its leader was killed").await;
        slowest = slowest.max(killed.elapsed());
        assert_eq!((left.approved, left.charged, left.paid, left.subscriptions), (1, 1, 1, 1));
        leads = follows;
    }
    drop(leads);
    println!(
        "{kills} leading processes killed, each sale provisioned and charged once, {} ms after the kill at most",
        slowest.as_millis()
    );
    assert!(slowest < SOON, "somebody waited for the end of a lease: {slowest:?}");
}
