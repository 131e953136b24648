//! A sale is killed after each of its journal entries in turn; it ends as if nothing had been, charged once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use pavise::app;
use pavise::wire::{Client, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_kernel::store::Store;
use serde_json::{Value, json};

use crate::server::{self, Server};
use crate::{callers, journals, long, turn};

/// The journals that a sale writes to after the purchase.
const WRITTEN: [&str; 8] =
    ["orders", "payment_methods", "test_vendor", "invoices", "provision", "subscriptions", "entitlements", "identities"];
/// The workers that lead it.
const WORKERS: [&str; 7] = [
    "orders.sale",
    "orders.fulfillment",
    "orders.provisioned",
    "fulfillment.provision",
    "billing.post",
    "billing.resolve",
    "billing.settle",
];
/// How long a sale may take, with all that waits for a killed process.
const PATIENCE: Duration = Duration::from_secs(90);

/// What a sale left.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    approved: usize,
    charged: usize,
    paid: usize,
    subscriptions: usize,
    entitlements: usize,
}

/// A sale under way.
struct Sale {
    identity: String,
    order: String,
}

/// The shop's callers, over REST and over gRPC.
struct Shop {
    rest: Client,
    grpc: Client,
}

impl Shop {
    fn new() -> Self {
        let pool = app::pool(false).unwrap();
        let caller = |surface| Client::new("http://127.0.0.1", surface, &pool).unwrap().with_token(&server::token());
        Self { rest: caller(Surface::Rest), grpc: caller(Surface::Grpc) }
    }

    fn at(&mut self, base: &str) {
        (self.rest, self.grpc) = (self.rest.at(base), self.grpc.at(base));
    }

    async fn rest(&self, name: &str, request: Value) -> Value {
        self.rest.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}")).json
    }

    async fn grpc(&self, name: &str, request: Value) -> Value {
        self.grpc.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}")).json
    }

    /// A new member with a card orders a plan; what is left to do is to purchase it.
    async fn order(&self, number: usize) -> (Sale, Value) {
        let member = json!({"realm": "User", "emails": [format!("member-{number}@example.com")]});
        let identity = text(&self.rest("identities.CreateIdentity", member).await["id"]);
        let method = self
            .rest("payment_methods.CreatePaymentMethod", json!({"identityId": identity, "paymentMethod": callers::card()}))
            .await;
        let draft = json!({
            "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "individual"}]}],
            "personalInfo": {"firstName": "Ada", "lastName": "Example", "email": format!("member-{number}@example.com")},
            "address": {"address1": "1 Main Street", "city": "Austin", "locality": "TX", "postalCode": "78701", "country": "USA"},
            "channel": "BuyNow",
        });
        let order = text(&self.rest("orders.CreateOrder", json!({"identityId": identity, "order": draft})).await["id"]);
        let purchase = json!({"identityId": identity, "orderId": order, "paymentMethodId": method["id"]});
        (Sale { identity, order }, purchase)
    }

    async fn status(&self, sale: &Sale) -> String {
        text(&self.rest("orders.GetOrder", json!({"identityId": sale.identity, "orderId": sale.order})).await["status"])
    }

    /// Waits for the end; what there is then.
    async fn end(&self, sale: &Sale, what: &str) -> Left {
        let began = Instant::now();
        loop {
            let status = self.status(sale).await;
            if status == "PROVISIONED" {
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: still {status} after {} s", PATIENCE.as_secs());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mine = json!({"identityId": sale.identity});
        let of_order = json!({"identityId": sale.identity, "orderId": sale.order});
        let transactions = list(&self.grpc("payment_methods.ListTransactions", of_order).await, "transactions");
        let sales: Vec<&Value> = transactions.iter().filter(|one| one["type"] == "SALE" && one["status"] == "APPROVED").collect();
        assert_eq!(sales.len(), transactions.len(), "{what}: {transactions:?}");
        let ledger = list(&self.grpc("test_vendor.ListTestVendorEntries", json!({"pageSize": 500})).await, "entries");
        // The transaction's id is our reference at the vendor; a movement is money that changed hands.
        let mine_there = ledger
            .iter()
            .filter(|entry| sales.iter().any(|sale| sale["id"] == entry["reference"]) && entry["outcome"] == "APPROVED");
        let moved: i64 = ledger.iter().map(|entry| entry["movements"].as_i64().unwrap()).sum();
        assert_eq!(usize::try_from(moved).unwrap(), ledger.len(), "{what}: money moved twice: {ledger:?}");
        let invoices = list(&self.rest("invoices.ListInvoices", mine.clone()).await, "invoices");
        assert!(invoices.iter().all(|invoice| invoice["status"] == "PAID"), "{what}: {invoices:?}");
        Left {
            approved: sales.len(),
            charged: mine_there.count(),
            paid: invoices.len(),
            subscriptions: list(&self.rest("subscriptions.ListSubscriptions", mine.clone()).await, "subscriptions").len(),
            entitlements: list(&self.rest("entitlements.ListEntitlements", mine).await, "entitlements").len(),
        }
    }
}

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
    let rounds = if long() { 2 } else { 1 };
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
            if !long() {
                expire(&store).await;
            }
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

/// Lets the killed process's leases run out at once. A long run waits for them instead.
async fn expire(store: &Arc<dyn Store>) {
    for worker in WORKERS {
        assert!(store.lease(worker, "nobody", i64::MAX - 1, i64::MAX).await.unwrap(), "{worker}");
        store.release(worker, "nobody").await.unwrap();
    }
}

fn list(answer: &Value, name: &str) -> Vec<Value> {
    answer[name].as_array().unwrap().clone()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
