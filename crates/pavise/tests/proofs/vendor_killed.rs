//! The server is killed again and again while it charges cards at a vendor that is often silent or busy: the vendor's own
//! ledger and ours hold the same charges. Then each damaged movement of the vendor is one row of the reconciliation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use pavise::domains;
use pavise::wire::{Client, Failure, Surface};
use pavise_testkit::runs::is_long_run;
use pavise_testkit::stripe::{API_KEY, StripeServer, VendorPayment};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::server::{Server, token};
use crate::shop::text;
use crate::year::Desk;
use crate::{journals, run_size, turn};

/// The day of the charges, and noon of it as the vendor counts: the seconds since 1970.
const TODAY: &str = "2026-01-15";
const NOON: i64 = 1_768_478_400;
/// Of a hundred requests so many get no answer, half of them after the work is done, and so many are answered with 429.
const SILENT: usize = 5;
const BUSY: usize = 5;
/// The time after which a silent connection breaks off in the short form. At length, silence lasts as long as anybody waits.
const SILENCE: Duration = Duration::from_millis(300);
/// The charges of one member. A killed try may count as a declined one, and a member with many of those is refused.
const OF_MEMBER: usize = 5;
const AT_ONCE: usize = 48;
/// How long one charge may take, with its kills and silences.
const PATIENCE: Duration = Duration::from_secs(180);
/// Between a failed try and the next.
const PAUSE: Duration = Duration::from_millis(50);

#[tokio::test(flavor = "multi_thread")]
async fn each_charge_is_made_once_and_each_damaged_movement_is_found() {
    let _turn = turn().await;
    let (count, kills) = (run_size(300, 10_000), run_size(3, 25));
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let vendor = StripeServer::start(NOON).await.unwrap();
    let key = folder.path().join("stripe.key");
    std::fs::write(&key, API_KEY).unwrap();
    let start = |day: &str| {
        let key = key.to_str().unwrap();
        let account = [("PAVISE_STRIPE_KEY_FILE", key), ("PAVISE_STRIPE_URL", vendor.url())];
        Server::start_with(&database, &[&account[..], &[("PAVISE_TEST_CLOCK", day)]].concat())
    };
    let mut server = start(TODAY);
    let (place, receiver) = watch::channel(server.base.clone());
    let payers = Arc::new(Payers::new(receiver));
    let cards = payers.add_cards(&vendor, count.div_ceil(OF_MEMBER)).await;

    vendor.disturb(17, SILENT, BUSY);
    if !is_long_run() {
        vendor.break_silence_after(SILENCE);
    }
    let charging = Arc::clone(&payers);
    let charging = tokio::spawn(async move { charging.charge_all(&cards, count).await });
    for kill in 1..=kills {
        until_charged(&payers, &charging, count * kill / (kills + 1)).await;
        server.kill();
        place.send_replace(String::new());
        // The clock is where it was: only an empty database begins on a given day.
        server = start("today");
        place.send_replace(server.base.clone());
    }
    charging.await.unwrap();
    vendor.calm();

    let desk = Desk::new(&server);
    let charged = vendor.payments();
    check_ledgers(&desk, &charged, count).await;
    assert_eq!(vendor.balance(), (0..count).map(amount_of).sum::<i64>());
    let failures = payers.failures.load(Ordering::SeqCst);
    println!(
        "{count} charges, {SILENT} % silence, {BUSY} % busy, {kills} kills, {failures} tries repeated, {} requests: 0 double, 0 lost",
        vendor.requests()
    );
    assert!(failures > 0, "no kill and no silence met a charge");
    if desk.call("test_clock.GetTestClock", json!({})).await["today"] == TODAY {
        find_damages(&desk, &vendor, &charged).await;
    } else {
        println!("the reconciliation is left out: the machine's midnight went by, and the vendor's clock stands");
    }
    server.kill();
    journals::sound(&journals::open(&database).await).await;
}

/// Waits for so many charges. A caller that fails is told of at once.
async fn until_charged(payers: &Payers, charging: &tokio::task::JoinHandle<()>, count: usize) {
    let began = Instant::now();
    while payers.charged.load(Ordering::SeqCst) < count && !charging.is_finished() {
        assert!(began.elapsed() < 10 * PATIENCE, "{count} charges do not come");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Compares the vendor's payments with our transactions and invoices: the same ids, the same amounts, each once.
async fn check_ledgers(desk: &Desk, charged: &[VendorPayment], count: usize) {
    let theirs: BTreeMap<&str, (&str, i64)> =
        charged.iter().map(|one| (one.reference.as_str(), (one.id.as_str(), one.received))).collect();
    assert_eq!((charged.len(), theirs.len()), (count, count), "payments at the vendor, and their references");
    let transactions = desk.list("payment_methods.ListTransactions", "transactions").await;
    assert_eq!(transactions.len(), count, "a charge has one transaction");
    for transaction in &transactions {
        assert_eq!(transaction["status"], "APPROVED", "{transaction}");
        let (id, received) = theirs[text(&transaction["id"]).as_str()];
        assert_eq!(
            (text(&transaction["vendorReference"]).as_str(), minor_units(&transaction["amount"])),
            (id, received)
        );
    }
    let invoices = desk.list("invoices.ListAllInvoices", "invoices").await;
    assert_eq!(invoices.len(), count);
    let mut paid_by = BTreeSet::new();
    for invoice in &invoices {
        assert_eq!((&invoice["status"], &invoice["paidAmount"]), (&json!("PAID"), &invoice["total"]), "{invoice}");
        let payments = invoice["payments"].as_array().unwrap();
        assert_eq!(payments.len(), 1, "{invoice}");
        paid_by.insert(text(&payments[0]["transactionId"]));
    }
    assert_eq!(paid_by.len(), count, "a transaction pays one invoice");
}

/// Damages three movements, lets two days pass, and expects three rows.
async fn find_damages(desk: &Desk, vendor: &StripeServer, charged: &[VendorPayment]) {
    let (gone, smaller) = (&charged[0], &charged[1]);
    vendor.damage_movement(&gone.id, None);
    vendor.damage_movement(&smaller.id, Some(smaller.received - 1));
    let stranger = vendor.add_movement(700);
    // A day is compared from one o'clock of the next day on. The second day brings that hour in any case.
    desk.call("test_clock.AdvanceTestClock", json!({"days": 2})).await;
    let began = Instant::now();
    while desk.call("test_clock.GetTestClock", json!({})).await["lastAdvance"]["advancing"] == true {
        assert!(began.elapsed() < PATIENCE, "the days do not pass");
        tokio::time::sleep(PAUSE).await;
    }
    let rows = desk.list("reconciliations.ListReconciliationRows", "reconciliationRows").await;
    let found: BTreeMap<String, String> =
        rows.iter().map(|row| (text(&row["vendorReference"]), text(&row["outcome"]))).collect();
    let expected = [
        (gone.id.clone(), "MISSING_THERE".to_owned()),
        (smaller.id.clone(), "AMOUNT_DIFFERS".to_owned()),
        (stranger, "MISSING_HERE".to_owned()),
    ];
    assert_eq!((rows.len(), found), (expected.len(), BTreeMap::from(expected)), "{rows:?}");
    println!("3 damaged movements among {}: the 3 rows that the reconciliation found", charged.len() + 1);
}

/// The amount of a charge, so that a wrong one shows.
fn amount_of(number: usize) -> i64 {
    1_000 + i64::try_from(number % 900).unwrap()
}

fn minor_units(amount: &Value) -> i64 {
    text(&amount["amount"]).parse().unwrap()
}

/// A member's card.
struct MemberCard {
    member: String,
    id: String,
}

/// Callers that pay invoices, and repeat each call with its key until it is answered.
struct Payers {
    client: Client,
    /// Where the server is; empty while it is down.
    place: watch::Receiver<String>,
    charged: AtomicUsize,
    failures: AtomicUsize,
}

impl Payers {
    fn new(place: watch::Receiver<String>) -> Self {
        let client = Client::new("http://127.0.0.1", Surface::Rest, &domains::pool(false).unwrap()).unwrap();
        let client = client.with_token(&token());
        Self { client, place, charged: AtomicUsize::new(0), failures: AtomicUsize::new(0) }
    }

    /// A card of so many members each.
    async fn add_cards(&self, vendor: &StripeServer, members: usize) -> Vec<MemberCard> {
        let adding = (0..members).map(|number| async move {
            let member = format!("member-{number}");
            let method = json!({
                "type": "CREDIT_CARD", "vendor": "STRIPE", "vendorToken": vendor.add_method("pm_card_visa"),
                "card": {"brand": "VISA", "last4": "4242", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"},
            });
            let request = json!({"identityId": member, "paymentMethod": method});
            let key = format!("card-{number}");
            let id = text(&self.repeat(&key, "payment_methods.CreatePaymentMethod", request).await["id"]);
            MemberCard { member, id }
        });
        futures::stream::iter(adding).buffered(8).collect().await
    }

    async fn charge_all(&self, cards: &[MemberCard], count: usize) {
        let charges = (0..count).map(|number| self.charge(number, &cards[number / OF_MEMBER]));
        futures::stream::iter(charges).buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
    }

    /// Raises an invoice, and pays it.
    async fn charge(&self, number: usize, card: &MemberCard) {
        let amount = json!({"currency": "USD", "amount": amount_of(number).to_string()});
        let item = json!({"type": "ORDER", "amount": amount, "description": "Family plan"});
        let invoice = json!({"identityId": card.member, "currency": "USD", "items": [item]});
        let invoice = self.repeat(&format!("invoice-{number}"), "invoices.CreateInvoice", invoice).await;
        let pay = json!({"identityId": card.member, "invoiceId": invoice["id"], "paymentMethodId": card.id});
        self.repeat(&format!("pay-{number}"), "invoices.PayInvoice", pay).await;
        self.charged.fetch_add(1, Ordering::SeqCst);
    }

    async fn repeat(&self, key: &str, name: &str, request: Value) -> Value {
        let began = Instant::now();
        loop {
            let base = self.place.clone().wait_for(|base| !base.is_empty()).await.unwrap().clone();
            let client = self.client.at(&base).with("idempotency-key", key);
            let failure = match client.call(name, request.clone()).await {
                Ok(answer) => return answer.json,
                Err(failure) => failure,
            };
            if let Failure::Refused(refusal) = &failure {
                // A payment without an outcome is ABORTED.
                let may_pass = ["ABORTED", "UNAVAILABLE", "DEADLINE_EXCEEDED"].contains(&refusal.code.as_str());
                assert!(may_pass, "{key}: {failure}");
            }
            self.failures.fetch_add(1, Ordering::SeqCst);
            assert!(began.elapsed() < PATIENCE, "{key} is not answered: {failure}");
            tokio::time::sleep(PAUSE).await;
        }
    }
}
