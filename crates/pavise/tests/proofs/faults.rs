//! Network faults, between the parts and before the database. Callers get an answer in time, no acknowledged write is
//! lost or done twice, memory stays bounded, and every caller goes on within a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pavise::domains;
use pavise::wire::{Client, Surface};
use pavise_testkit::faults::{Fault, FaultProxy};
use pavise_testkit::postgres::Postgres;
use serde_json::json;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::callers::{Load, until, wait_until_settled};
use crate::readers::{Readers, Way};
use crate::server::{Server, free_port, token};
use crate::shop::{Sale, Shop};
use crate::{journals, run_size, turn};

const CALLERS: usize = 8;
/// The deadlines of an impatient and of a patient caller: the patient caller's calls should be repeated, not given
/// up.
const DEADLINES: [Duration; 2] = [Duration::from_millis(1_000), Duration::from_secs(10)];
/// The tolerance of a deadline: the machine does other work, too.
const MARGIN: Duration = Duration::from_millis(300);
/// The time within which the last caller succeeds after the fault.
const BACK: Duration = Duration::from_secs(1);
/// The most memory of a process under faults, as a multiple of its memory at rest.
const MEMORY: f64 = 1.5;
/// How often this machine is watched, and how late a watch is that did not get on.
const BEAT: Duration = Duration::from_millis(10);
const STALL: Duration = Duration::from_millis(100);
/// The entries that a slow reader reads at once, the rate of its line in bytes a second, and the number of such
/// readers.
const PAGE: usize = 1_000;
const TRICKLE: u32 = 20_000;
const SLOW_READERS: usize = 4;

/// A fault of a proxy.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// The proxy goes on, slower.
    Slow(Fault),
    /// The proxy swallows all data for so many milliseconds, without an error.
    Silent(u64),
    /// The proxy resets open connections, and refuses new ones.
    Away,
    /// The proxy resets open connections.
    Cut,
}

const TROUBLES: [Trouble; 8] = [
    Trouble::Slow(Fault::Delay { latency: Duration::from_millis(40), jitter: Duration::from_millis(40) }),
    Trouble::Slow(Fault::Narrow(400_000)),
    Trouble::Cut,
    Trouble::Silent(500),
    Trouble::Silent(1_000),
    Trouble::Silent(2_000),
    Trouble::Silent(3_000),
    Trouble::Away,
];

/// Watches whether this machine gets on: a thread that sleeps for a moment wakes late where it does not. Nobody is
/// answered meanwhile, whatever the servers do.
#[derive(Debug, Default)]
struct Pulse {
    stalls: AtomicUsize,
    /// In microseconds.
    longest: AtomicU64,
}

impl Pulse {
    fn start() -> Arc<Self> {
        let pulse = Arc::new(Self::default());
        let watched = Arc::downgrade(&pulse);
        std::thread::spawn(move || {
            while let Some(pulse) = watched.upgrade() {
                let began = Instant::now();
                std::thread::sleep(BEAT);
                let late = began.elapsed().saturating_sub(BEAT);
                pulse.stalls.fetch_add(usize::from(late > STALL), Ordering::Relaxed);
                pulse.longest.fetch_max(u64::try_from(late.as_micros()).unwrap(), Ordering::Relaxed);
            }
        });
        pulse
    }

    fn longest(&self) -> Duration {
        Duration::from_micros(self.longest.load(Ordering::Relaxed))
    }
}

/// Servers under load, and what was measured.
struct Trial<'a> {
    load: &'a Load,
    /// The way of the readers that the load takes, too.
    loaded: usize,
    readers: Readers,
    servers: &'a [Server],
    pulse: Arc<Pulse>,
    idle: Vec<u64>,
    back: Duration,
    most: f64,
}

impl<'a> Trial<'a> {
    /// Starts with warm servers at rest; then load and readers go on.
    async fn start(load: &'a Load, base: &str, loaded: usize, ways: &[Way], servers: &'a [Server]) -> Self {
        load.at(base);
        let warm = Readers::start(ways, &DEADLINES);
        load.reach(5 * CALLERS).await;
        until("readers are answered", || warm.each(None).iter().all(|answered| *answered >= 5)).await;
        warm.finish().await;
        load.pause().await;
        let mut idle = Vec::new();
        for server in servers {
            idle.push(at_rest(server).await);
        }
        load.at(base);
        let readers = Readers::start(ways, &DEADLINES);
        let pulse = Pulse::start();
        Self { load, loaded, readers, servers, pulse, idle, back: Duration::ZERO, most: 0.0 }
    }

    /// How often every caller was answered.
    fn answered(&self) -> Vec<usize> {
        [self.load.each(), self.readers.each(None)].concat()
    }

    fn refused(&self) -> usize {
        self.load.caller.failures() + self.readers.refused(None).iter().sum::<usize>()
    }

    /// Waits until every reader on the way has so many more answers or refusals, and the load as many for each
    /// caller.
    async fn felt(&self, way: usize, what: &str, count: impl Fn() -> (usize, Vec<usize>), more: usize) {
        let (load, readers) = count();
        until(what, || {
            let (load_now, readers_now) = count();
            let all = readers_now.iter().zip(&readers).all(|(now, before)| *now >= before + more);
            all && (way != self.loaded || load_now >= load + more * CALLERS)
        })
        .await;
    }

    /// Injects a fault on one way; afterwards every caller is soon answered. Where a server logs that its disk stalled
    /// meanwhile, or the machine did, the fault is repeated; a third late answer counts.
    async fn run(&mut self, proxy: &FaultProxy, way: usize, trouble: Trouble) {
        for tries_left in (0..3).rev() {
            let (acks, refused, stalls) = (self.load.count(), self.refused(), self.stalls());
            let over = CancellationToken::new();
            let disturb = async {
                self.disturb(proxy, way, trouble).await;
                let (healed, before) = (Instant::now(), self.answered());
                until("every caller is answered", || {
                    self.answered().iter().zip(&before).all(|(now, before)| now > before)
                })
                .await;
                let back = healed.elapsed();
                over.cancel();
                back
            };
            let (most, back) = tokio::join!(watch(self.servers, &over), disturb);
            let (acks, refused, stalls) = (self.load.count() - acks, self.refused() - refused, self.stalls() - stalls);
            let what = format!(
                "{trouble:?} on way {way}: {acks} writes, {refused} refusals, all back after {} ms",
                back.as_millis()
            );
            self.judge_memory(&what, &most);
            if back <= BACK {
                self.back = self.back.max(back);
                return;
            }
            println!("  the disk or the machine stalled {stalls} times meanwhile");
            assert!(
                stalls > 0 && tries_left > 0,
                "{trouble:?} on way {way}: the last was back after {back:?}: {:#?}",
                self.said()
            );
        }
    }

    /// Injects a fault on one way until every caller there has felt it, and removes it.
    async fn disturb(&self, proxy: &FaultProxy, way: usize, trouble: Trouble) {
        match trouble {
            Trouble::Slow(fault) => {
                proxy.set(fault);
                let answers = || (self.load.count(), self.readers.each(Some(way)));
                self.felt(way, "callers are answered", answers, 3).await;
            }
            Trouble::Silent(milliseconds) => {
                proxy.set(Fault::HalfOpen);
                tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            }
            Trouble::Away => {
                proxy.set(Fault::Refuse);
                proxy.cut_connections();
                let refusals = || (self.load.caller.failures(), self.readers.refused(Some(way)));
                self.felt(way, "callers go without", refusals, 3).await;
            }
            Trouble::Cut => {
                let accepted = proxy.count_connections();
                proxy.cut_connections();
                until("connections are made", || proxy.count_connections() > accepted).await;
            }
        }
        proxy.end_fault();
    }

    /// The number of commits that took longer than a caller waits, and of stalls of the machine.
    fn stalls(&self) -> usize {
        let slow = |server: &Server| server.said().iter().filter(|line| line.contains("a slow commit")).count();
        self.servers.iter().map(slow).sum::<usize>() + self.pulse.stalls.load(Ordering::Relaxed)
    }

    /// Lets some readers read pages slowly: the server keeps little for them, and delays no other caller.
    async fn slow_readers(&mut self, server: &Server) {
        self.load.reach(PAGE).await;
        let proxy = FaultProxy::start(server.base.strip_prefix("http://").unwrap().parse().unwrap(), 1).unwrap();
        proxy.set(Fault::Narrow(TRICKLE));
        let (refused, before, over) = (self.refused(), self.answered(), CancellationToken::new());
        let mut reading = JoinSet::new();
        for number in 0..SLOW_READERS {
            let surface = if number % 2 == 0 { Surface::Rest } else { Surface::Grpc };
            let base = format!("http://{}", proxy.address());
            let client = Client::new(&base, surface, &domains::pool(false).unwrap()).unwrap().with_token(&token());
            reading.spawn(async move {
                client.call("payment_methods.ReadJournal", json!({"limit": PAGE})).await.unwrap().json
            });
        }
        let others = async {
            // Each slow reader has had two seconds' worth, and every other caller is answered again and again.
            let enough = u64::from(2 * TRICKLE) * u64::try_from(SLOW_READERS).unwrap();
            until("pages trickle", || proxy.count_forwarded() >= enough).await;
            until("others go on", || self.answered().iter().zip(&before).all(|(now, before)| *now >= before + 5)).await;
            over.cancel();
        };
        let (most, ()) = tokio::join!(watch(self.servers, &over), others);
        assert!(reading.try_join_next().is_none(), "a page of {PAGE} entries was there at once");
        let held_up = self.refused() - refused;
        self.judge_memory(&format!("{SLOW_READERS} slow readers: {held_up} others refused"), &most);
        assert_eq!(held_up, 0, "slow readers held up others: {:#?}", self.said());
        proxy.end_fault();
        while let Some(page) = reading.join_next().await {
            assert_eq!(page.unwrap()["entries"].as_array().unwrap().len(), PAGE, "a page came whole in the end");
        }
    }

    fn judge_memory(&mut self, what: &str, most: &[u64]) {
        let grown: Vec<f64> = most.iter().zip(&self.idle).map(|(most, idle)| ratio(*most, *idle)).collect();
        println!("  {what}, memory {grown:.2?} of idle");
        self.most = grown.into_iter().fold(self.most, f64::max);
    }

    fn said(&self) -> Vec<String> {
        self.servers.iter().flat_map(|server| server.said().into_iter().rev().take(30).rev()).collect()
    }

    /// Checks the guarantees over the whole run.
    async fn judge(self, what: &str) {
        let late = self.load.caller.latest().max(self.readers.latest());
        println!(
            "{what}: {} writes acknowledged, {} tries repeated, {} reads over gRPC, {} refused, answered {} ms after their deadlines at most (the machine stood still for {} ms), all back after {} ms at most, memory at most {:.2} of idle ({:?} MB)",
            self.load.count(),
            self.load.caller.failures(),
            self.readers.each(None).iter().sum::<usize>(),
            self.readers.refused(None).iter().sum::<usize>(),
            late.as_millis(),
            self.pulse.longest().as_millis(),
            self.back.as_millis(),
            self.most,
            self.idle.iter().map(|idle| idle >> 20).collect::<Vec<_>>(),
        );
        // While the machine stands still, nobody is answered in time.
        assert!(late <= MARGIN + self.pulse.longest(), "a caller waited {late:?} longer than it said");
        assert_eq!(self.load.caller.broken(), 0, "a caller got no answer at all");
        assert!(self.most <= MEMORY, "memory grew to {:.2} of what it was", self.most);
        self.readers.finish().await;
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

/// The memory of a server at rest: its value once it has been stable for a second.
async fn at_rest(server: &Server) -> u64 {
    let (mut memory, mut since, began) = (server.memory(), Instant::now(), Instant::now());
    while since.elapsed() < Duration::from_secs(1) && began.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = server.memory();
        if now != memory {
            (memory, since) = (now, Instant::now());
        }
    }
    memory
}

/// Callers with each of the deadlines in turn.
fn load() -> Load {
    Load::start_as(CALLERS, |number, caller| caller.within(DEADLINES[number % DEADLINES.len()]))
}

fn way(base: &str, call: &'static str) -> Way {
    Way { base: base.to_owned(), call, request: json!({"identityId": "member-0-1"}) }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_before_postgresql() {
    let _turn = turn().await;
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let direct = tokio::task::block_in_place(|| postgres.make_database().unwrap());
    let place = direct.strip_prefix("postgres://postgres@").unwrap().split('/').next().unwrap().to_owned();
    let proxy = FaultProxy::start(place.parse().unwrap(), 1).unwrap();
    let servers = [Server::start(&direct.replace(&place, &proxy.address().to_string()))];
    let base = &servers[0].base;
    let load = load();
    let ways = [way(base, "payment_methods.ListPaymentMethods")];
    let mut trial = Trial::start(&load, base, 0, &ways, &servers).await;
    for _ in 0..run_size(1, 9) {
        for trouble in TROUBLES {
            trial.run(&proxy, 0, trouble).await;
        }
    }
    trial.slow_readers(&servers[0]).await;
    trial.judge("faults before PostgreSQL").await;
    let acks = load.finish().await;
    drop(servers);
    let entries = wait_until_settled(&journals::open(&direct).await, &acks).await;
    println!("  0 lost, 0 double, {entries} journal entries, journals sound");
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_between_the_parts() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let parts = [("PAVISE_ONLY", "orders"), ("PAVISE_ONLY", "billing"), ("PAVISE_EXCEPT", "orders,billing")];
    let ports = parts.map(|_| free_port());
    let proxies = ports.map(|port| FaultProxy::start(([127, 0, 0, 1], port).into(), 1).unwrap());
    let [orders, billing, rest] = proxies.each_ref().map(|proxy| format!("http://{}", proxy.address()));
    let peers = format!("{rest},orders={orders},billing={billing}");
    let databases = ports.map(|port| format!("sqlite://{}", folder.path().join(format!("{port}.db")).display()));
    let servers: Vec<Server> = std::iter::zip(parts, ports)
        .zip(&databases)
        .map(|((part, port), database)| Server::start_at(port, database, &[part, ("PAVISE_PEERS", &peers)]))
        .collect();
    let rest = &servers[2];
    rest.stock().await;
    let mut shop = Shop::new();
    shop.at(&rest.base);
    let load = load();
    // A way through each proxy; the load is on the way to billing, and a sale needs all of them.
    let ways = [
        way(&rest.base, "orders.ListOrders"),
        way(&rest.base, "payment_methods.ListPaymentMethods"),
        way(&servers[1].base, "entitlements.ListEntitlements"),
    ];
    let mut trial = Trial::start(&load, &rest.base, 1, &ways, &servers).await;
    let mut sales: Vec<Sale> = Vec::new();
    for round in 0..run_size(1, 9) {
        for (number, trouble) in TROUBLES.into_iter().enumerate() {
            let (sale, purchase) = shop.order(sales.len()).await;
            shop.rest("orders.PurchaseOrder", purchase).await;
            sales.push(sale);
            let way = (round + number) % proxies.len();
            trial.run(&proxies[way], way, trouble).await;
        }
    }
    trial.slow_readers(rest).await;
    trial.judge("faults between the parts").await;
    let acks = load.finish().await;
    for sale in &sales {
        let left = shop.end(sale, "after faults").await;
        assert_eq!((left.approved, left.charged, left.paid, left.subscriptions), (1, 1, 1, 1));
    }
    drop(servers);
    let store = journals::open(&databases[1]).await;
    let mine: Vec<_> =
        journals::methods(&store).await.into_iter().filter(|row| row.owner_id.starts_with("member-")).collect();
    assert_eq!(mine.len(), acks.len(), "one effect for each write");
    let mut entries = 0;
    for database in &databases {
        entries += journals::sound(&journals::open(database).await).await;
    }
    println!("  {} sales, each provisioned and charged once; {entries} journal entries, journals sound", sales.len());
}
