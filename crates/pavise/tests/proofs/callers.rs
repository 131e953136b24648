//! Callers that write, with idempotency keys, and repeat what was not answered.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use pavise_kernel::store::Store;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::journals;
use crate::server::token;

/// How long a write may go unanswered.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between a failed try and the next.
const PAUSE: Duration = Duration::from_millis(10);

/// An acknowledged write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ack {
    /// The member of the write. Each write has a member of its own, so that a repeated effect shows.
    pub(crate) owner: String,
    /// The payment method.
    pub(crate) id: String,
    /// Its journal clock.
    pub(crate) clock: i64,
    /// The whole answer.
    pub(crate) body: String,
    /// When it came.
    pub(crate) at: Instant,
}

/// Writes payment methods.
#[derive(Clone)]
pub(crate) struct Caller {
    http: reqwest::Client,
    token: String,
    /// Where the server is; empty while it is down.
    place: watch::Receiver<String>,
    /// The number of callers without a server.
    waiting: Arc<AtomicUsize>,
    failures: Arc<AtomicUsize>,
    /// The deadline of a try, where the caller sends one.
    deadline: Option<Duration>,
    /// Whether it raises invoices in the place of payment methods.
    raises: bool,
    /// The largest delay after the deadline, in microseconds.
    latest: Arc<AtomicU64>,
    broken: Arc<AtomicUsize>,
}

/// The cause of a failed try.
enum Failed {
    /// No answer came.
    Broken,
    /// The server is unavailable for now.
    Unavailable,
}

impl Caller {
    pub(crate) fn new(place: watch::Receiver<String>) -> Self {
        let http = pavise::wire::client_builder().http1_only().timeout(Duration::from_secs(20)).build().unwrap();
        Self {
            http,
            token: token(),
            place,
            waiting: Arc::default(),
            failures: Arc::default(),
            deadline: None,
            raises: false,
            latest: Arc::default(),
            broken: Arc::default(),
        }
    }

    /// The same, with a deadline on each try.
    pub(crate) fn within(self, deadline: Duration) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// The same, raising invoices.
    pub(crate) fn raising_invoices(self) -> Self {
        Self { raises: true, ..self }
    }

    /// How long after its deadline the latest answer came.
    pub(crate) fn latest(&self) -> Duration {
        Duration::from_micros(self.latest.load(Ordering::SeqCst))
    }

    /// How many tries had no answer at all.
    pub(crate) fn broken(&self) -> usize {
        self.broken.load(Ordering::SeqCst)
    }

    /// How many tries failed.
    pub(crate) fn failures(&self) -> usize {
        self.failures.load(Ordering::SeqCst)
    }

    /// Adds a payment method of the owner, until it is answered; the owner is also the idempotency key.
    pub(crate) async fn write(&self, owner: &str) -> Ack {
        let began = Instant::now();
        loop {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            let base = self.place.clone().wait_for(|base| !base.is_empty()).await.unwrap().clone();
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            let tried = Instant::now();
            let answer = self.attempt(&base, owner).await;
            let late = self.deadline.map_or(Duration::ZERO, |deadline| tried.elapsed().saturating_sub(deadline));
            self.latest.fetch_max(u64::try_from(late.as_micros()).unwrap(), Ordering::SeqCst);
            match answer {
                Ok(ack) => return ack,
                Err(failed) => {
                    self.broken.fetch_add(usize::from(matches!(failed, Failed::Broken)), Ordering::SeqCst);
                    self.failures.fetch_add(1, Ordering::SeqCst);
                    assert!(
                        began.elapsed() < PATIENCE,
                        "{owner} is not answered: {}",
                        if matches!(failed, Failed::Broken) { "broken" } else { "unavailable" }
                    );
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn attempt(&self, base: &str, owner: &str) -> Result<Ack, Failed> {
        let (what, body) = if self.raises { ("invoices", invoice()) } else { ("paymentMethods", card()) };
        let url = format!("{base}/v1/identities/{owner}/{what}");
        let sent =
            self.http.post(url).header("host", "localhost").header("idempotency-key", owner).bearer_auth(&self.token);
        let sent = match self.deadline {
            Some(deadline) => sent.header("request-timeout", deadline.as_secs_f64().to_string()),
            None => sent,
        };
        let response = sent.json(&body).send().await.map_err(|_| Failed::Broken)?;
        let status = response.status().as_u16();
        let clock =
            response.headers().get("pavise-clock").and_then(|clock| clock.to_str().ok()?.parse().ok()).unwrap_or(0);
        let body = response.text().await.map_err(|_| Failed::Broken)?;
        if matches!(status, 503 | 504) {
            return Err(Failed::Unavailable);
        }
        assert!((200..300).contains(&status), "{owner}: {status} {body}");
        let json: Value = serde_json::from_str(&body).unwrap();
        Ok(Ack {
            owner: owner.to_owned(),
            id: json["id"].as_str().unwrap().to_owned(),
            clock,
            body,
            at: Instant::now(),
        })
    }

    /// GET with a good answer.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let base = self.place.borrow().clone();
        let response = self
            .http
            .get(format!("{base}{path}"))
            .header("host", "localhost")
            .bearer_auth(&self.token)
            .send()
            .await
            .unwrap();
        let (status, body) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path}: {status} {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// How many of these writes the server at `place` does not know.
    pub(crate) async fn lost(&self, acks: &[Ack]) -> usize {
        let asked = futures::stream::iter(acks).map(|ack| async move {
            let path = format!("/v1/identities/{}/paymentMethods", ack.owner);
            let list = self.get(&path).await;
            let found = list["paymentMethods"].as_array().map(Vec::as_slice).unwrap_or_default();
            assert!(found.len() <= 1, "{} has {} payment methods", ack.owner, found.len());
            found.iter().all(|method| method["id"] != ack.id.as_str())
        });
        asked.buffer_unordered(8).filter(|lost| std::future::ready(*lost)).count().await
    }
}

/// Callers at work, until they are told to stop.
pub(crate) struct Load {
    pub(crate) caller: Caller,
    place: watch::Sender<String>,
    acks: Arc<Mutex<Vec<Ack>>>,
    /// How many writes of each caller were acknowledged.
    each: Arc<Vec<AtomicUsize>>,
    stop: Arc<AtomicBool>,
    tasks: JoinSet<()>,
}

impl Load {
    /// Starts so many callers; they wait until there is a server.
    pub(crate) fn start(callers: usize) -> Self {
        Self::start_as(callers, |_, caller| caller)
    }

    /// The same with callers of a kind, by their number.
    pub(crate) fn start_as(callers: usize, kind: impl Fn(usize, Caller) -> Caller) -> Self {
        let (place, receiver) = watch::channel(String::new());
        let caller = Caller::new(receiver);
        let (acks, stop) = (Arc::<Mutex<Vec<Ack>>>::default(), Arc::<AtomicBool>::default());
        let each: Arc<Vec<AtomicUsize>> = Arc::new((0..callers).map(|_| AtomicUsize::default()).collect());
        let mut tasks = JoinSet::new();
        for number in 0..callers {
            let caller = kind(number, caller.clone());
            let (acks, each, stop) = (Arc::clone(&acks), Arc::clone(&each), Arc::clone(&stop));
            tasks.spawn(async move {
                let mut count = 0;
                while !stop.load(Ordering::SeqCst) {
                    count += 1;
                    let ack = caller.write(&format!("member-{number}-{count}")).await;
                    acks.lock().unwrap().push(ack);
                    each[number].fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Self { caller, place, acks, each, stop, tasks }
    }

    /// Says where the server is; empty: it is down.
    pub(crate) fn at(&self, base: &str) {
        self.place.send_replace(base.to_owned());
    }

    /// Lets every caller have its answer and wait.
    pub(crate) async fn pause(&self) {
        self.at("");
        until("callers wait", || self.caller.waiting.load(Ordering::SeqCst) == self.each.len()).await;
    }

    /// How many writes of each caller were acknowledged.
    pub(crate) fn each(&self) -> Vec<usize> {
        self.each.iter().map(|count| count.load(Ordering::SeqCst)).collect()
    }

    /// How many writes were acknowledged.
    pub(crate) fn count(&self) -> usize {
        self.acks.lock().unwrap().len()
    }

    /// The acknowledged writes from the given one on.
    pub(crate) fn since(&self, first: usize) -> Vec<Ack> {
        self.acks.lock().unwrap()[first..].to_vec()
    }

    /// Waits until so many writes are acknowledged.
    pub(crate) async fn reach(&self, count: usize) {
        until("writes are acknowledged", || self.count() >= count).await;
    }

    /// Lets every caller end its write; all acknowledged writes.
    pub(crate) async fn finish(mut self) -> Vec<Ack> {
        self.stop.store(true, Ordering::SeqCst);
        while let Some(ended) = self.tasks.join_next().await {
            ended.unwrap();
        }
        self.since(0)
    }
}

/// Waits until something holds; a minute at most.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "not in {} s: {what}", PATIENCE.as_secs());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Checks with the servers gone: each acknowledged write is there once, at its clock, nothing else is, and every
/// journal is sound. How many entries there are.
pub(crate) async fn wait_until_settled(store: &Arc<dyn Store>, acks: &[Ack]) -> i64 {
    let kept: BTreeSet<(String, String)> =
        journals::methods(store).await.into_iter().map(|row| (row.owner_id, row.id)).collect();
    let told: BTreeSet<(String, String)> = acks.iter().map(|ack| (ack.owner.clone(), ack.id.clone())).collect();
    assert_eq!(told.difference(&kept).count(), 0, "acknowledged and not kept");
    assert_eq!(
        kept.difference(&told).count(),
        0,
        "kept and never acknowledged, though every write was repeated until it was"
    );
    let journal = journals::entries(store, journals::METHODS).await;
    for ack in acks {
        let entry = &journal[usize::try_from(ack.clock).unwrap() - 1];
        assert_eq!((entry.clock, entry.entity_id.as_str()), (ack.clock, ack.id.as_str()), "{}", ack.owner);
    }
    journals::sound(store).await
}

/// An invoice of one plan.
fn invoice() -> Value {
    let amount = json!({"currency": "USD", "amount": "2995"});
    json!({"currency": "USD", "items": [{"type": "ORDER", "amount": amount, "description": "Family plan"}]})
}

/// A payment method that the test vendor approves.
pub(crate) fn card() -> Value {
    json!({
        "type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"},
    })
}
