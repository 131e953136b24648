//! A sale is killed after each of its journal entries in turn; it ends as if nothing had been, charged once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use pavise_kernel::store::Store;

use crate::server::Server;
use crate::shop::Shop;
use crate::{journals, run_size, turn};

/// The journals that a sale writes to after the purchase.
const WRITTEN: [&str; 8] = [
    "orders",
    "payment_methods",
    "test_vendor",
    "invoices",
    "provision",
    "subscriptions",
    "entitlements",
    "identities",
];
/// How long one of its entries may take.
const PATIENCE: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_killed_after_any_step_ends_the_same() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let mut server = Server::start(&database);
    server.stock().await;
    let mut shop = Shop::new();
    shop.at(&server.base);
    let store = journals::open(&database).await;
    let (sale, purchase) = shop.order(0).await;
    let before = written(&store).await;
    shop.rest("orders.PurchaseOrder", purchase).await;
    let undisturbed = shop.end(&sale, "undisturbed").await;
    let steps = settled(&store).await - before;
    drop(store);
    assert_eq!((undisturbed.approved, undisturbed.charged, undisturbed.paid, undisturbed.subscriptions), (1, 1, 1, 1));
    assert!(undisturbed.entitlements > 0);
    let mut after = Vec::new();
    let rounds = run_size(1, 2);
    for round in 0..rounds {
        for step in 1..=steps {
            let store = journals::open(&database).await;
            let number = 1 + round * 1000 + usize::try_from(step).unwrap();
            let (sale, purchase) = shop.order(number).await;
            let before = written(&store).await;
            shop.rest("orders.PurchaseOrder", purchase).await;
            let began = Instant::now();
            while written(&store).await - before < step {
                assert!(began.elapsed() < PATIENCE, "no entry {step} in {} s", PATIENCE.as_secs());
                tokio::task::yield_now().await;
            }
            server.kill();
            after.push(written(&store).await - before);
            drop(store);
            server = Server::start(&database);
            shop.at(&server.base);
            let left = shop.end(&sale, &format!("killed after {step}")).await;
            assert_eq!(left, undisturbed, "killed after entry {step}");
        }
    }
    server.kill();
    let entries = journals::sound(&journals::open(&database).await).await;
    let distinct: std::collections::BTreeSet<i64> = after.iter().copied().collect();
    println!(
        "a sale has {steps} entries; {} kills, at {} different entries: each PROVISIONED, charged once, one invoice paid, one subscription, {} entitlements; {entries} journal entries, journals sound",
        after.len(),
        distinct.len(),
        undisturbed.entitlements
    );
}

/// How many entries these journals have together.
async fn written(store: &Arc<dyn Store>) -> i64 {
    join_all(WRITTEN.iter().map(|name| store.head(name))).await.into_iter().map(|head| head.unwrap().clock).sum()
}

/// The same when nothing more comes for a while.
async fn settled(store: &Arc<dyn Store>) -> i64 {
    let (mut seen, mut since) = (written(store).await, Instant::now());
    while since.elapsed() < Duration::from_millis(500) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = written(store).await;
        if now != seen {
            (seen, since) = (now, Instant::now());
        }
    }
    seen
}
