//! Sales, made over REST and looked at over gRPC.

use std::time::{Duration, Instant};

use pavise::domains;
use pavise::wire::{Client, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use serde_json::{Value, json};

use crate::{callers, server};

/// How long a sale may take, with all that waits for a killed process.
const PATIENCE: Duration = Duration::from_secs(90);

/// The results of a sale.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) approved: usize,
    pub(crate) charged: usize,
    pub(crate) paid: usize,
    pub(crate) subscriptions: usize,
    pub(crate) entitlements: usize,
}

/// A sale under way.
pub(crate) struct Sale {
    identity: String,
    order: String,
}

/// The shop's callers, over REST and over gRPC.
pub(crate) struct Shop {
    rest: Client,
    grpc: Client,
}

impl Shop {
    pub(crate) fn new() -> Self {
        let pool = domains::pool(false).unwrap();
        let caller = |surface| Client::new("http://127.0.0.1", surface, &pool).unwrap().with_token(&server::token());
        Self { rest: caller(Surface::Rest), grpc: caller(Surface::Grpc) }
    }

    pub(crate) fn at(&mut self, base: &str) {
        (self.rest, self.grpc) = (self.rest.at(base), self.grpc.at(base));
    }

    pub(crate) async fn rest(&self, name: &str, request: Value) -> Value {
        self.rest.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}")).json
    }

    pub(crate) async fn grpc(&self, name: &str, request: Value) -> Value {
        self.grpc.call(name, request).await.unwrap_or_else(|error| panic!("{name}: {error}")).json
    }

    /// A new member with a card orders a plan; what is left to do is to purchase it.
    pub(crate) async fn order(&self, number: usize) -> (Sale, Value) {
        let member = json!({"realm": "User", "emails": [format!("member-{number}@example.com")]});
        let identity = text(&self.rest("identities.CreateIdentity", member).await["id"]);
        let method = self
            .rest(
                "payment_methods.CreatePaymentMethod",
                json!({"identityId": identity, "paymentMethod": callers::card()}),
            )
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
    pub(crate) async fn end(&self, sale: &Sale, what: &str) -> Left {
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
        let sales: Vec<&Value> =
            transactions.iter().filter(|one| one["type"] == "SALE" && one["status"] == "APPROVED").collect();
        assert_eq!(sales.len(), transactions.len(), "{what}: {transactions:?}");
        let ledger = list(&self.grpc("test_vendor.ListTestVendorEntries", json!({"pageSize": 500})).await, "entries");
        // The transaction's id is our reference at the vendor; a movement is money that changed hands.
        let mine_there = ledger.iter().filter(|entry| {
            sales.iter().any(|sale| sale["id"] == entry["reference"]) && entry["outcome"] == "APPROVED"
        });
        let moved: i64 = ledger.iter().map(|entry| entry["movements"].as_i64().unwrap()).sum();
        assert_eq!(usize::try_from(moved).unwrap(), ledger.len(), "{what}: money moved twice: {ledger:?}");
        let invoices = list(&self.rest("invoices.ListInvoices", mine.clone()).await, "invoices");
        assert!(invoices.iter().all(|invoice| invoice["status"] == "PAID"), "{what}: {invoices:?}");
        Left {
            approved: sales.len(),
            charged: mine_there.count(),
            paid: invoices.len(),
            subscriptions: list(&self.rest("subscriptions.ListSubscriptions", mine.clone()).await, "subscriptions")
                .len(),
            entitlements: list(&self.rest("entitlements.ListEntitlements", mine).await, "entitlements").len(),
        }
    }
}

/// The entries of a list.
pub(crate) fn list(answer: &Value, name: &str) -> Vec<Value> {
    answer[name].as_array().unwrap().clone()
}

/// A text; empty where there is none.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
