//! The other domains as one double: things that belong to identities and change hands. Like the real ones it answers a
//! repeated idempotency key with what it answered before. Each domain has the worker for merges that the platform gives it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use http::{Request, Response};
use pavise_kernel::error::Common;
use pavise_kernel::peers::Transport;
use pavise_kernel::table::{Holding, OwnerList, Transfer};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Error, HandOver, Handover, Result, async_trait};
use pavise_owned::merge::MergeWorker;
use pavise_testkit::grpc::{answered, asked};
use prost::Message;
use tonic::body::Body;
use tower::BoxError;
use tower::util::BoxCloneSyncService;

/// The records of the other domains for an identity. The kind of record stands in the path.
pub(crate) static HOLDINGS: [&Holding; 7] = [
    &Holding { transfer: None, ..holding("provision", "fulfillment", 10, "/pavise.fulfillment.v1.provision/List", "") },
    &holding("orders", "orders", 20, "/pavise.orders.v1.order/List", "/pavise.orders.v1.order/Move"),
    &holding("payment_methods", "billing", 30, "/pavise.billing.v1.card/List", "/pavise.billing.v1.card/Move"),
    &holding(
        "subscriptions",
        "billing",
        40,
        "/pavise.billing.v1.subscription/List",
        "/pavise.billing.v1.subscription/Move",
    ),
    &holding("invoices", "billing", 50, "/pavise.billing.v1.invoice/List", "/pavise.billing.v1.invoice/Move"),
    &holding(
        "entitlements",
        "fulfillment",
        60,
        "/pavise.fulfillment.v1.entitlement/List",
        "/pavise.fulfillment.v1.entitlement/Move",
    ),
    &holding(
        "coverages",
        "fulfillment",
        70,
        "/pavise.fulfillment.v1.coverage/List",
        "/pavise.fulfillment.v1.coverage/Move",
    ),
];

const fn holding(
    processor: &'static str,
    domain: &'static str,
    place: i32,
    list: &'static str,
    transfer: &'static str,
) -> Holding {
    let list = OwnerList {
        path: list,
        owner: 1,
        status: 0,
        statuses: &[],
        page_size: 2,
        page_token: 3,
        items: 1,
        item_id: 1,
        next_page_token: 2,
    };
    let transfer = Transfer { path: transfer, entity: 1, owner: 2, new_owner: 3, waits: &[] };
    Holding { processor, domain, message: "", place, list, transfer: Some(transfer) }
}

#[derive(Message)]
struct ListRequest {
    #[prost(string, tag = "1")]
    owner: String,
    #[prost(int32, tag = "2")]
    page_size: i32,
    #[prost(string, tag = "3")]
    page_token: String,
}

/// The id is the token of the page after the thing.
#[derive(Message)]
struct ListResponse {
    #[prost(message, repeated, tag = "1")]
    things: Vec<Thing>,
    #[prost(string, tag = "2")]
    next_page_token: String,
}

#[derive(Message)]
struct Thing {
    #[prost(string, tag = "1")]
    id: String,
}

#[derive(Message)]
struct MoveRequest {
    #[prost(string, tag = "1")]
    id: String,
    #[prost(string, tag = "2")]
    owner: String,
    #[prost(string, tag = "3")]
    new_owner: String,
}

/// A provision keeps its owner and learns of the merge.
#[derive(Debug)]
struct HandOverProvisions(Arc<Outside>);

#[async_trait]
impl HandOver for HandOverProvisions {
    fn processor(&self) -> &'static str {
        "provision"
    }

    async fn hand_over(&self, _work: &Work, thing: &Handover<'_>) -> Result<()> {
        if !thing.undone {
            self.0.merges.lock().unwrap().insert(thing.id.to_owned(), thing.merge.to_owned());
        }
        Ok(())
    }
}

/// When a call is never answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Before anything happened.
    Before,
    /// After it has happened.
    After,
}

/// The records of the other domains.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Owner by kind and id.
    things: Mutex<BTreeMap<(String, String), String>>,
    /// Merges by provision.
    merges: Mutex<BTreeMap<String, String>>,
    memories: Mutex<BTreeMap<String, Vec<u8>>>,
    down: Mutex<BTreeSet<&'static str>>,
    refused: Mutex<BTreeMap<String, Common>>,
    processing: Mutex<BTreeSet<String>>,
    calls: AtomicUsize,
    silent: Mutex<Option<(usize, Silence)>>,
    fell_silent: tokio::sync::Notify,
}

impl Outside {
    /// Gives a thing to an identity.
    pub(crate) fn give(&self, kind: &str, id: &str, owner: &str) {
        self.things.lock().unwrap().insert((kind.to_owned(), id.to_owned()), owner.to_owned());
    }

    /// The records of an identity, as "kind id".
    pub(crate) fn of(&self, owner: &str) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.iter().filter(|(_, of)| *of == owner).map(|((kind, id), _)| format!("{kind} {id}")).collect()
    }

    /// The merge that was recorded on a provision.
    pub(crate) fn merge_of(&self, provision: &str) -> Option<String> {
        self.merges.lock().unwrap().get(provision).cloned()
    }

    /// Lets a domain answer nothing, or answer again.
    pub(crate) fn is_down(&self, domain: &'static str, down: bool) {
        let mut all = self.down.lock().unwrap();
        if down {
            all.insert(domain)
        } else {
            all.remove(domain)
        };
    }

    /// Refuses to move a thing, or does so no more.
    pub(crate) fn refuses(&self, id: &str, reason: Option<Common>) {
        match reason {
            Some(reason) => self.refused.lock().unwrap().insert(id.to_owned(), reason),
            None => self.refused.lock().unwrap().remove(id),
        };
    }

    /// Lets an order be paid at the moment, or not any more.
    pub(crate) fn is_processing(&self, order: &str, processing: bool) {
        let mut all = self.processing.lock().unwrap();
        if processing {
            all.insert(order.to_owned())
        } else {
            all.remove(order)
        };
    }

    /// Never answers the call number `at` (from 1) from now on.
    pub(crate) fn falls_silent(&self, at: usize, how: Silence) {
        self.calls.store(0, Ordering::SeqCst);
        *self.silent.lock().unwrap() = Some((at, how));
    }

    /// Ends when the call was made that is never answered.
    pub(crate) async fn fell_silent(&self) {
        self.fell_silent.notified().await;
    }

    /// Their workers for merges.
    pub(crate) fn workers(self: &Arc<Self>) -> Vec<Arc<dyn Worker>> {
        let worker = |name: &'static str, domain: &str, hand_overs: &[Arc<dyn HandOver>]| {
            let of_domain: Vec<_> = HOLDINGS.into_iter().filter(|holding| holding.domain == domain).collect();
            Arc::new(MergeWorker::new(name, &of_domain, hand_overs).unwrap()) as Arc<dyn Worker>
        };
        let provisions: Arc<dyn HandOver> = Arc::new(HandOverProvisions(self.clone()));
        vec![
            worker("billing.hand_over", "billing", &[]),
            worker("fulfillment.hand_over", "fulfillment", &[provisions]),
            worker("orders.hand_over", "orders", &[]),
        ]
    }

    /// As a transport.
    pub(crate) fn transport(self: &Arc<Self>) -> Transport {
        let outside = self.clone();
        BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
            let outside = outside.clone();
            async move { outside.serve(request).await }
        }))
    }

    async fn serve(&self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let path = request.uri().path().to_owned();
        if self.down.lock().unwrap().iter().any(|domain| path.starts_with(&format!("/pavise.{domain}."))) {
            return Err("nobody is there".into());
        }
        let count = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let silence = self.silent.lock().unwrap().filter(|(at, _)| *at == count).map(|(_, how)| how);
        if silence == Some(Silence::Before) {
            return self.never().await;
        }
        let key = request.headers().get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
        let message = asked(request).await?;
        let memory = key.map(|key| format!("{path} {key}"));
        let known = memory.as_ref().and_then(|memory| self.memories.lock().unwrap().get(memory).cloned());
        let answer = known.map_or_else(|| self.answer(&path, &message), Ok);
        if let (Ok(answer), Some(memory)) = (&answer, memory) {
            self.memories.lock().unwrap().insert(memory, answer.clone());
        }
        if silence == Some(Silence::After) {
            return self.never().await;
        }
        Ok(answer.map_or_else(|error| error.into_status("outside", "").into_http(), |answer| answered(&answer)))
    }

    async fn never<T>(&self) -> T {
        *self.silent.lock().unwrap() = None;
        self.fell_silent.notify_one();
        std::future::pending().await
    }

    fn owned(&self, kind: &str, owner: &str) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.iter().filter(|((of, _), by)| *of == kind && *by == owner).map(|((_, id), _)| id.clone()).collect()
    }

    fn moves(&self, kind: &str, asked: &MoveRequest) -> Result<()> {
        if let Some(reason) = self.refused.lock().unwrap().get(&asked.id) {
            return Err(Error::new(*reason, "it stays"));
        }
        if self.processing.lock().unwrap().contains(&asked.id) {
            return Err(Error::new(Common::Unavailable, "it is being paid"));
        }
        let mut things = self.things.lock().unwrap();
        let owner = things.get_mut(&(kind.to_owned(), asked.id.clone())).filter(|owner| **owner == asked.owner);
        asked.new_owner.clone_into(owner.ok_or_else(|| Error::not_found("thing", &asked.id))?);
        Ok(())
    }

    fn answer(&self, path: &str, message: &[u8]) -> Result<Vec<u8>> {
        let (service, call) = path.rsplit_once('/').unwrap();
        let kind = service.rsplit('.').next().unwrap();
        if call == "Move" {
            self.moves(kind, &read(message))?;
            return Ok(Vec::new());
        }
        // One thing a page.
        let asked: ListRequest = read(message);
        assert!(asked.page_size > 0, "the size of a page is said");
        let ids = self.owned(kind, &asked.owner);
        let mut left = ids.into_iter().filter(|id| *id > asked.page_token);
        let things: Vec<_> = left.next().map(|id| Thing { id }).into_iter().collect();
        let next_page_token =
            left.next().and_then(|_| things.first()).map(|thing| thing.id.clone()).unwrap_or_default();
        Ok(ListResponse { things, next_page_token }.encode_to_vec())
    }
}

fn read<M: Message + Default>(message: &[u8]) -> M {
    M::decode(message).unwrap()
}
