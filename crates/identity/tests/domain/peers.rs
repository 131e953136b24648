//! The other domains as one double: things that belong to identities and change hands. Each domain has the worker for
//! merges that the platform gives it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use pavise_kernel::error::Common;
use pavise_kernel::table::{OwnedEntity, OwnerList, Transfer};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Error, MoveToOwner, OwnerMove, Result, async_trait};
use pavise_owned::merge::MergeWorker;
use pavise_testkit::scene::{PeerDouble, RecordedCall};
use prost::Message;

/// The records of the other domains for an identity. The kind of record stands in the path.
pub(crate) static OWNED_ENTITIES: [&OwnedEntity; 7] = [
    &OwnedEntity {
        transfer: None,
        ..owned_entity("provision", "fulfillment", 10, "/pavise.fulfillment.v1.provision/List", "")
    },
    &owned_entity("orders", "orders", 20, "/pavise.orders.v1.order/List", "/pavise.orders.v1.order/Move"),
    &owned_entity("payment_methods", "billing", 30, "/pavise.billing.v1.card/List", "/pavise.billing.v1.card/Move"),
    &owned_entity(
        "subscriptions",
        "billing",
        40,
        "/pavise.billing.v1.subscription/List",
        "/pavise.billing.v1.subscription/Move",
    ),
    &owned_entity("invoices", "billing", 50, "/pavise.billing.v1.invoice/List", "/pavise.billing.v1.invoice/Move"),
    &owned_entity(
        "entitlements",
        "fulfillment",
        60,
        "/pavise.fulfillment.v1.entitlement/List",
        "/pavise.fulfillment.v1.entitlement/Move",
    ),
    &owned_entity(
        "coverages",
        "fulfillment",
        70,
        "/pavise.fulfillment.v1.coverage/List",
        "/pavise.fulfillment.v1.coverage/Move",
    ),
];

const fn owned_entity(
    processor: &'static str,
    domain: &'static str,
    place: i32,
    list: &'static str,
    transfer: &'static str,
) -> OwnedEntity {
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
        held: 0,
    };
    let transfer = Transfer { path: transfer, entity: 1, owner: 2, new_owner: 3, waits: &[] };
    OwnedEntity { processor, domain, message: "", place, list, transfer: Some(transfer), in_use: None, erasable: false }
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
struct MoveProvisionsToOwner(Arc<Peers>);

#[async_trait]
impl MoveToOwner for MoveProvisionsToOwner {
    fn processor(&self) -> &'static str {
        "provision"
    }

    async fn move_to_owner(&self, _work: &Work, thing: &OwnerMove<'_>) -> Result<()> {
        if !thing.undone {
            self.0.merges.lock().unwrap().insert(thing.id.to_owned(), thing.merge.to_owned());
        }
        Ok(())
    }
}

/// The records of the other domains.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    /// Owner by kind and id.
    things: Mutex<BTreeMap<(String, String), String>>,
    /// Merges by provision.
    merges: Mutex<BTreeMap<String, String>>,
    refused: Mutex<BTreeMap<String, Common>>,
    processing: Mutex<BTreeSet<String>>,
}

impl Peers {
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

    /// Their workers for merges.
    pub(crate) fn workers(self: &Arc<Self>) -> Vec<Arc<dyn Worker>> {
        let worker = |name: &'static str, domain: &str, moves_to_owner: &[Arc<dyn MoveToOwner>]| {
            let of_domain: Vec<_> =
                OWNED_ENTITIES.into_iter().filter(|owned_entity| owned_entity.domain == domain).collect();
            Arc::new(MergeWorker::new(name, &of_domain, moves_to_owner).unwrap()) as Arc<dyn Worker>
        };
        let provisions: Arc<dyn MoveToOwner> = Arc::new(MoveProvisionsToOwner(self.clone()));
        vec![
            worker("billing.hand_over", "billing", &[]),
            worker("fulfillment.hand_over", "fulfillment", &[provisions]),
            worker("orders.hand_over", "orders", &[]),
        ]
    }

    /// As a double. A path of both calls holds the kind of the records.
    pub(crate) fn double(self: &Arc<Self>) -> PeerDouble {
        OWNED_ENTITIES.into_iter().fold(PeerDouble::default(), |double, owned_entity| {
            let (peers, kind) = (self.clone(), kind_in(owned_entity.list.path));
            let double = double.with_call(owned_entity.list.path, move |asked: RecordedCall<ListRequest>| {
                Ok(peers.list(kind, &asked.message))
            });
            let Some(transfer) = &owned_entity.transfer else { return double };
            let peers = self.clone();
            double
                .with_call(transfer.path, move |asked: RecordedCall<MoveRequest>| peers.transfer(kind, &asked.message))
        })
    }

    fn owned(&self, kind: &str, owner: &str) -> Vec<String> {
        let things = self.things.lock().unwrap();
        things.iter().filter(|((of, _), by)| *of == kind && *by == owner).map(|((_, id), _)| id.clone()).collect()
    }

    fn transfer(&self, kind: &str, asked: &MoveRequest) -> Result<()> {
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

    /// A page of one thing.
    fn list(&self, kind: &str, asked: &ListRequest) -> ListResponse {
        assert!(asked.page_size > 0, "the size of a page is said");
        let ids = self.owned(kind, &asked.owner);
        let mut left = ids.into_iter().filter(|id| *id > asked.page_token);
        let things: Vec<_> = left.next().map(|id| Thing { id }).into_iter().collect();
        let next_page_token =
            left.next().and_then(|_| things.first()).map(|thing| thing.id.clone()).unwrap_or_default();
        ListResponse { things, next_page_token }
    }
}

/// The kind of record in the path of a call.
fn kind_in(path: &'static str) -> &'static str {
    let (service, _) = path.rsplit_once('/').unwrap();
    service.rsplit('.').next().unwrap()
}
