//! Readers over gRPC, who say how long they wait and ask again at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pavise::domains;
use pavise::wire::{Client, Failure, Surface};
use serde_json::Value;
use tokio::task::JoinSet;

use crate::server::token;

/// The refusals of a call over gRPC under faults. The last is tonic's own deadline, which is a moment before the
/// server's.
const REFUSALS: [&str; 3] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"];

/// The read, and its route through the network.
pub(crate) struct Way {
    pub(crate) base: String,
    pub(crate) call: &'static str,
    pub(crate) request: Value,
}

/// A reader: its route, and its results.
struct Reader {
    way: usize,
    deadline: Duration,
    answered: AtomicUsize,
    refused: AtomicUsize,
    /// How much later than its deadline the latest answer came, in microseconds.
    latest: AtomicU64,
}

/// Readers at work, until they are told to stop.
pub(crate) struct Readers {
    readers: Arc<Vec<Reader>>,
    stop: Arc<AtomicBool>,
    tasks: JoinSet<()>,
}

impl Readers {
    /// Starts a reader with each of these deadlines on each of these ways.
    pub(crate) fn start(ways: &[Way], deadlines: &[Duration]) -> Self {
        let client = Client::new("http://127.0.0.1", Surface::Grpc, &domains::pool(false).unwrap())
            .unwrap()
            .with_token(&token());
        let all = (0..ways.len()).flat_map(|way| deadlines.iter().map(move |deadline| (way, *deadline)));
        let (answered, refused, latest) = (AtomicUsize::default, AtomicUsize::default, AtomicU64::default);
        let readers = all.map(|(way, deadline)| Reader {
            way,
            deadline,
            answered: answered(),
            refused: refused(),
            latest: latest(),
        });
        let readers: Arc<Vec<Reader>> = Arc::new(readers.collect());
        let stop = Arc::<AtomicBool>::default();
        let mut tasks = JoinSet::new();
        for number in 0..readers.len() {
            let way = &ways[readers[number].way];
            let timeout = format!("{}m", readers[number].deadline.as_millis());
            let client = client.at(&way.base).with("grpc-timeout", &timeout);
            let (call, request) = (way.call, way.request.clone());
            let (readers, stop) = (Arc::clone(&readers), Arc::clone(&stop));
            tasks.spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    readers[number].read(&client, call, request.clone()).await;
                }
            });
        }
        Self { readers, stop, tasks }
    }

    /// How many answers each reader of a way, or of all, has.
    pub(crate) fn each(&self, way: Option<usize>) -> Vec<usize> {
        self.of(way).map(|reader| reader.answered.load(Ordering::SeqCst)).collect()
    }

    /// How often each reader of a way, or of all, was refused.
    pub(crate) fn refused(&self, way: Option<usize>) -> Vec<usize> {
        self.of(way).map(|reader| reader.refused.load(Ordering::SeqCst)).collect()
    }

    fn of(&self, way: Option<usize>) -> impl Iterator<Item = &Reader> {
        self.readers.iter().filter(move |reader| way.is_none_or(|way| way == reader.way))
    }

    /// How long after its deadline the latest answer came.
    pub(crate) fn latest(&self) -> Duration {
        let latest = self.readers.iter().map(|reader| reader.latest.load(Ordering::SeqCst)).max();
        Duration::from_micros(latest.unwrap_or_default())
    }

    /// Lets each have its answer.
    pub(crate) async fn finish(mut self) {
        self.stop.store(true, Ordering::SeqCst);
        while let Some(ended) = self.tasks.join_next().await {
            ended.unwrap();
        }
    }
}

impl Reader {
    async fn read(&self, client: &Client, call: &str, request: Value) {
        let began = Instant::now();
        let answer = client.call(call, request).await;
        let late = began.elapsed().saturating_sub(self.deadline);
        self.latest.fetch_max(u64::try_from(late.as_micros()).unwrap(), Ordering::SeqCst);
        match answer {
            Ok(_) => self.answered.fetch_add(1, Ordering::SeqCst),
            Err(Failure::Refused(refusal)) if REFUSALS.contains(&refusal.code.as_str()) => {
                self.refused.fetch_add(1, Ordering::SeqCst)
            }
            Err(other) => panic!("a reader got {other}"),
        };
    }
}
