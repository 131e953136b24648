//! The peers of a simulation: a journal to read, and a bank where each key has one effect.

use std::collections::BTreeMap;
use std::time::Duration;

use http::{Request, Response};
use pavise_kernel::common::v1::{JournalEntry, JournalPage, ReadJournalRequest};
use pavise_kernel::peers::{Peers, Transport};
use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Error, Result};
use pavise_testkit::grpc;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::uri::PathAndQuery;
use tower::BoxError;

use crate::cluster::{Cluster, Effect, Place, Reach};

/// The name of the worker and of its lease.
pub(crate) const WORKER: &str = "simulation.payer";
/// The deadline of a call to a peer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks at the journal.
const POLL: Duration = Duration::from_millis(500);

/// The peers of a process.
pub(crate) fn peers(reach: &Reach) -> Peers {
    let peers = Peers::default();
    let journal = reach.clone();
    let bank = reach.clone();
    peers.set_transports(BTreeMap::from([
        ("things".to_owned(), service(move |request| read(journal.clone(), request))),
        ("bank".to_owned(), service(move |request| pay(bank.clone(), request))),
    ]));
    peers
}

fn service<F, Fut>(answer: F) -> Transport
where
    F: Fn(Request<Body>) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<Response<Body>, BoxError>> + Send + 'static,
{
    Transport::new(tower::service_fn(answer))
}

async fn read(reach: Reach, request: Request<Body>) -> Result<Response<Body>, BoxError> {
    let asked: ReadJournalRequest = message(request).await?;
    let mut looks = i64::from(asked.wait) * 2;
    loop {
        let (after, limit) = (asked.clock, usize::try_from(asked.limit)?);
        let page = reach.ask(Place::Journal, PATIENCE, move |cluster| page(cluster, after, limit)).await;
        match page {
            None => return Ok(Status::unavailable("no answer").into_http()),
            Some(page) if page.entries.is_empty() && looks > 0 => {
                looks -= 1;
                tokio::time::sleep(POLL).await;
            }
            Some(page) => return Ok(answered(&page)),
        }
    }
}

fn page(cluster: &Cluster, after: i64, limit: usize) -> JournalPage {
    let entries: Vec<JournalEntry> =
        cluster.journal.iter().filter(|entry| entry.clock > after).take(limit).cloned().collect();
    JournalPage {
        clock: entries.last().map_or(after, |entry| entry.clock),
        entries,
        max_clock: i64::try_from(cluster.journal.len()).unwrap_or_default(),
        epoch: "one".to_owned(),
    }
}

async fn pay(reach: Reach, request: Request<Body>) -> Result<Response<Body>, BoxError> {
    let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let what: String = message(request).await?;
    let (clock, entity) = what.split_once(' ').ok_or("what?")?;
    let (clock, entity) = (clock.parse()?, entity.to_owned());
    let answer = reach.ask(Place::Bank, PATIENCE, move |cluster| {
        if cluster.trouble && cluster.dice.happens(30) {
            return Err(Status::unavailable("busy"));
        }
        let effect = cluster.effects.entry(key.clone()).or_insert(Effect { entity, clock, asked: 0 });
        effect.asked += 1;
        if effect.asked == 1 {
            cluster.order.push(key);
        }
        Ok("paid".to_owned())
    });
    Ok(match answer.await {
        Some(Ok(paid)) => answered(&paid),
        Some(Err(status)) => status.into_http(),
        None => Status::unavailable("no answer").into_http(),
    })
}

/// The message of a request.
async fn message<M: prost::Message + Default>(request: Request<Body>) -> Result<M, BoxError> {
    Ok(M::decode(grpc::read_request(request).await?)?)
}

fn answered(message: &impl prost::Message) -> Response<Body> {
    grpc::new_response(&message.encode_to_vec())
}

/// Pays for each entry.
#[derive(Debug)]
pub(crate) struct Payer;

#[pavise_kernel::async_trait]
impl Worker for Payer {
    fn name(&self) -> &'static str {
        WORKER
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Journal { domain: "things", service: "things", path: "/simulation.Things/ReadJournal" }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let mut bank = tonic::client::Grpc::new(work.peer_channel("bank"));
        bank.ready().await.map_err(|error| Error::unavailable("the bank", error))?;
        let codec = tonic_prost::ProstCodec::<String, String>::default();
        let request = work.new_request(format!("{} {}", entry.clock, entry.entity_id), "pay");
        bank.unary(request, PathAndQuery::from_static("/simulation.Bank/Pay"), codec).await?;
        Ok(())
    }
}
