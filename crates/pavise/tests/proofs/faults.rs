//! What networks do, between the parts and before the database: callers get an answer in their time, nothing that was
//! acknowledged is lost and nothing is done twice, memory stays what it was, and all goes on within a second.

use std::time::{Duration, Instant};

use pavise::app;
use pavise::wire::{Client, Failure, Surface};
use pavise_testkit::faults::{Fault, FaultProxy};
use pavise_testkit::postgres::Postgres;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::callers::{Load, settle, until};
use crate::server::{Server, free_port, token};
use crate::shop::{Sale, Shop};
use crate::{journals, size, turn};

const CALLERS: usize = 8;
/// How long a caller waits.
const DEADLINE: Duration = Duration::from_millis(1_000);
/// How much later an answer may come: the machine has other things to do, too.
const MARGIN: Duration = Duration::from_millis(750);
/// How soon a call succeeds after the network is well again.
const BACK: Duration = Duration::from_secs(1);
/// How much memory a process may have in trouble, of what it has when it has nothing to do.
const MEMORY: f64 = 1.5;

/// How a call over gRPC is refused meanwhile. The last is how tonic's client says that its own time is over, which is a
/// moment before the server's.
const REFUSALS: [&str; 3] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"];

/// What is done to a proxy.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// It goes on, worse.
    Slow(Fault),
    /// Nothing comes through.
    Silent(Fault),
    /// What is open is reset, and nobody is let in.
    Away,
    /// What is open is reset.
    Cut,
}

const TROUBLES: [Trouble; 5] = [
    Trouble::Slow(Fault::Delay { latency: Duration::from_millis(40), jitter: Duration::from_millis(40) }),
    Trouble::Slow(Fault::Narrow(400_000)),
    Trouble::Cut,
    Trouble::Silent(Fault::HalfOpen),
    Trouble::Away,
];

/// Servers under load, and what was measured.
struct Trial<'a> {
    load: &'a Load,
    servers: &'a [Server],
    reader: Client,
    slowest: Duration,
    most: f64,
    refused: usize,
}

impl<'a> Trial<'a> {
    /// Of this load; the reader asks the same server.
    fn new(load: &'a Load, servers: &'a [Server], base: &str) -> Self {
        let reader = Client::new(base, Surface::Grpc, &app::pool(false).unwrap()).unwrap().with_token(&token());
        let reader = reader.with("grpc-timeout", &format!("{}m", DEADLINE.as_millis()));
        Self { load, servers, reader, slowest: Duration::ZERO, most: 0.0, refused: 0 }
    }

    /// Reads over gRPC, until it is over; how often it was refused.
    async fn read(&self, over: &CancellationToken) -> usize {
        let mut refused = 0;
        while !over.is_cancelled() {
            let began = Instant::now();
            let answer = self.reader.call("payment_methods.ListPaymentMethods", json!({"identityId": "member-0-1"})).await;
            let took = began.elapsed();
            assert!(took <= DEADLINE + MARGIN, "a reader waited {took:?}, not {DEADLINE:?}");
            match answer {
                Ok(_) => {}
                Err(Failure::Refused(refusal)) if REFUSALS.contains(&refusal.code.as_str()) => {
                    refused += 1;
                }
                Err(other) => panic!("a reader got {other}"),
            }
        }
        refused
    }

    /// Lets the network do this, until every caller has felt it; then it is well again.
    async fn run(&mut self, proxy: &FaultProxy, trouble: Trouble, idle: &[u64]) {
        let (acks, failures) = (self.load.count(), self.load.caller.failures());
        let over = CancellationToken::new();
        let watching = watch(self.servers, &over);
        let disturb = async {
            match trouble {
                Trouble::Slow(fault) => {
                    proxy.set(fault);
                    self.load.reach(acks + 3 * CALLERS).await;
                }
                Trouble::Silent(fault) => {
                    proxy.set(fault);
                    until("callers go without", || self.load.caller.failures() >= failures + 3 * CALLERS).await;
                }
                Trouble::Away => {
                    proxy.set(Fault::Refuse);
                    proxy.cut();
                    until("callers go without", || self.load.caller.failures() >= failures + 3 * CALLERS).await;
                }
                Trouble::Cut => {
                    let accepted = proxy.accepted();
                    proxy.cut();
                    until("connections are made", || proxy.accepted() > accepted).await;
                }
            }
            proxy.heal();
            let (healed, so_far) = (Instant::now(), self.load.count());
            self.load.reach(so_far + 1).await;
            let back = self.load.since(so_far)[0].at.saturating_duration_since(healed);
            self.load.reach(so_far + 2 * CALLERS).await;
            over.cancel();
            back
        };
        let (most, back, refused) = tokio::join!(watching, disturb, self.read(&over));
        self.refused += refused;
        let grown = most.iter().zip(idle).map(|(most, idle)| ratio(*most, *idle)).fold(0.0, f64::max);
        println!(
            "  {trouble:?}: {} writes, {} tries repeated, back after {} ms, memory {grown:.2} of idle",
            self.load.count() - acks,
            self.load.caller.failures() - failures,
            back.as_millis()
        );
        assert!(back <= BACK, "{trouble:?}: the first write came {back:?} after the network was well: {:#?}", self.said());
        self.slowest = self.slowest.max(back);
        self.most = self.most.max(grown);
    }

    fn said(&self) -> Vec<String> {
        self.servers.iter().flat_map(|server| server.said().into_iter().rev().take(30).rev()).collect()
    }

    /// What holds of all of it.
    fn judge(&self, what: &str) {
        let slowest = self.load.caller.slowest();
        assert!(slowest <= DEADLINE + MARGIN, "a caller waited {slowest:?} for its answer, not {DEADLINE:?}");
        assert_eq!(self.load.caller.broken(), 0, "a caller got no answer at all");
        assert!(self.most <= MEMORY, "memory grew to {:.2} of what it was", self.most);
        println!(
            "{what}: {} writes acknowledged, {} tries repeated, {} reads over gRPC refused, the slowest answered in {} ms of {}, back after {} ms at most, memory at most {:.2} of idle",
            self.load.count(),
            self.load.caller.failures(),
            self.refused,
            slowest.as_millis(),
            DEADLINE.as_millis(),
            self.slowest.as_millis(),
            self.most
        );
    }
}

/// The most memory that each server has until it is over.
async fn watch(servers: &[Server], over: &CancellationToken) -> Vec<u64> {
    let mut most = vec![0; servers.len()];
    while !over.is_cancelled() {
        for (most, server) in most.iter_mut().zip(servers) {
            *most = server.memory().max(*most);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    most
}

#[expect(clippy::cast_precision_loss, reason = "bytes of memory are few enough")]
fn ratio(most: u64, idle: u64) -> f64 {
    most as f64 / idle as f64
}

/// What servers that have been used have when they have nothing to do.
async fn idle(load: &Load, servers: &[Server]) -> Vec<u64> {
    load.reach(5 * CALLERS).await;
    servers.iter().map(Server::memory).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_before_postgresql() {
    let _turn = turn().await;
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let direct = tokio::task::block_in_place(|| postgres.database().unwrap());
    let place = direct.strip_prefix("postgres://postgres@").unwrap().split('/').next().unwrap().to_owned();
    let proxy = FaultProxy::start(place.parse().unwrap(), 1).unwrap();
    let servers = [Server::start(&direct.replace(&place, &proxy.address().to_string()))];
    let load = Load::start_as(CALLERS, |caller| caller.within(DEADLINE));
    load.at(&servers[0].base);
    let idle = idle(&load, &servers).await;
    let mut trial = Trial::new(&load, &servers, &servers[0].base);
    for _ in 0..size(1, 8) {
        for trouble in TROUBLES {
            trial.run(&proxy, trouble, &idle).await;
        }
    }
    trial.judge("faults before PostgreSQL");
    let acks = load.finish().await;
    drop(servers);
    let entries = settle(&journals::open(&direct).await, &acks).await;
    println!("  0 lost, 0 double, {entries} journal entries, journals sound");
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_between_the_parts() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let parts = ["orders", "billing", "identity,catalog,fulfillment"].map(|domains| (domains, free_port()));
    let proxies = parts.map(|(_, port)| FaultProxy::start(([127, 0, 0, 1], port).into(), u64::from(port)).unwrap());
    let database = |domains: &str| format!("sqlite://{}", folder.path().join(format!("{}.db", &domains[..6])).display());
    let peers: Vec<String> = parts
        .iter()
        .zip(&proxies)
        .flat_map(|((domains, _), proxy)| domains.split(',').map(|domain| format!("{domain}=http://{}", proxy.address())))
        .collect();
    let peers = peers.join(",");
    let servers = parts
        .map(|(domains, port)| Server::start_at(port, &database(domains), &[("PAVISE_ONLY", domains), ("PAVISE_PEERS", &peers)]));
    let rest = &servers[2];
    rest.stock().await;
    let mut shop = Shop::new();
    shop.at(&rest.base);
    let load = Load::start_as(CALLERS, |caller| caller.within(DEADLINE));
    load.at(&rest.base);
    let idle = idle(&load, &servers).await;
    let mut trial = Trial::new(&load, &servers, &rest.base);
    let mut sales: Vec<Sale> = Vec::new();
    for round in 0..size(1, 8) {
        for trouble in TROUBLES {
            let (sale, purchase) = shop.order(sales.len()).await;
            shop.rest("orders.PurchaseOrder", purchase).await;
            sales.push(sale);
            // The load is on the way to billing; the sale needs all of them.
            if round % 2 == 1 {
                proxies[0].cut();
                proxies[2].cut();
            }
            trial.run(&proxies[1], trouble, &idle).await;
        }
    }
    trial.judge("faults between the parts");
    let acks = load.finish().await;
    for sale in &sales {
        let left = shop.end(sale, "after faults").await;
        assert_eq!((left.approved, left.charged, left.paid, left.subscriptions), (1, 1, 1, 1));
    }
    drop(servers);
    let store = journals::open(&database("billing")).await;
    let mine: Vec<_> = journals::methods(&store).await.into_iter().filter(|row| row.owner_id.starts_with("member-")).collect();
    assert_eq!(mine.len(), acks.len(), "one effect for each write");
    let mut entries = 0;
    for (domains, _) in parts {
        entries += journals::sound(&journals::open(&database(domains)).await).await;
    }
    println!("  {} sales, each provisioned and charged once; {entries} journal entries, journals sound", sales.len());
}
