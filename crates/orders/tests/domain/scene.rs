//! The domain alone, with a clock that stands still and workers that are moved by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use pavise_kernel::caller::{APPLICATION, Realm, Verifier};
use pavise_kernel::common::v1::{JournalEntry, ReadJournalRequest, RegionCode};
use pavise_kernel::error::Common;
use pavise_kernel::peers::{Credential, Transport};
use pavise_kernel::store::Store;
use pavise_kernel::time::{Ids, Micros, TestClock};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Caller, Error, Kernel, Result, async_trait};
use pavise_kernel_postgres::PostgresStore;
use pavise_kernel_sqlite::SqliteStore;
use pavise_orders::contract::v1::order_service_client::OrderServiceClient;
use pavise_orders::contract::v1::tax_service_client::TaxServiceClient;
use pavise_orders::contract::v1::*;
use pavise_orders::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_transcode::Transcoder;
use prost::{Message, Name};
use prost_reflect::DescriptorPool;
use tonic::Request;

use crate::world::{World, completed};

/// 2026-01-15, noon.
pub(crate) const NOW: Micros = 1_768_478_400_000_000;

pub(crate) struct Scene {
    pub(crate) kernel: Kernel,
    pub(crate) world: World,
    transport: Transport,
    workers: Vec<Arc<dyn Worker>>,
}

/// The domain on an empty SQLite file, with its tax areas.
pub(crate) async fn scene() -> Scene {
    on(Arc::new(SqliteStore::open(":memory:", &[&MIGRATIONS]).await.unwrap())).await
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    let url = pavise_testkit::postgres::database().await.unwrap();
    let postgres = PostgresStore::connect(&url, 4, &[&MIGRATIONS]).await.unwrap();
    [scene().await, on(Arc::new(postgres)).await]
}

async fn on(store: Arc<dyn Store>) -> Scene {
    let world = World::usual();
    let kernel = Kernel::builder(store, Transcoder::new(&DescriptorPool::decode(DESCRIPTORS).unwrap()))
        .clock(Arc::new(TestClock::at(NOW)))
        .ids(Ids::seeded(1))
        .verifier(Arc::new(Names))
        .credential(Arc::new(Names))
        .contract(METHODS, TABLES)
        .build();
    let domain = pavise_orders::domain(&kernel);
    let transport = pavise_mesh::local(domain.services.into_routes());
    let mut peers: BTreeMap<String, Transport> =
        ["billing", "catalog", "fulfillment"].map(|name| (name.to_owned(), world.transport())).into();
    peers.insert("orders".to_owned(), world.flaky(transport.clone()));
    kernel.peers().install(peers);
    pavise_orders::bootstrap(&kernel).await.unwrap();
    Scene { kernel, world, transport, workers: domain.workers }
}

/// Tokens that say who bears them: `Realm/identity/group`.
#[derive(Debug)]
struct Names;

#[async_trait]
impl Verifier for Names {
    async fn verify(&self, token: &str, _now: Micros) -> Result<Arc<Caller>> {
        let mut parts = token.split('/');
        let realm =
            parts.next().and_then(pavise_kernel::access::realm_of).ok_or_else(|| Error::new(Common::TokenInvalid, "no realm"))?;
        let identity = parts.next().unwrap_or_default().to_owned();
        let permissions = if matches!(realm, Realm::Machine | Realm::Internal) { vec!["*".to_owned()] } else { Vec::new() };
        Ok(Arc::new(Caller {
            identity,
            realm,
            groups: parts.map(str::to_owned).collect(),
            permissions: BTreeMap::from([(APPLICATION.to_owned(), permissions)]),
            ..Caller::default()
        }))
    }
}

impl Credential for Names {
    fn token(&self, _now: Micros) -> String {
        "Machine/platform".to_owned()
    }
}

/// A request of somebody; nobody for an empty name.
pub(crate) fn by<M>(who: &str, message: M) -> Request<M> {
    let mut request = Request::new(message);
    if !who.is_empty() {
        request.metadata_mut().insert("authorization", format!("Bearer {who}").parse().unwrap());
    }
    request
}

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";

/// An order of offers in a region, by their ids in the world.
pub(crate) fn draft(locality: RegionCode, offers: &[&str]) -> OrderDraft {
    OrderDraft {
        offers: offers.iter().map(|id| choice(id)).collect(),
        locality: locality.into(),
        channel: OrderChannel::BuyNow.into(),
        ..OrderDraft::default()
    }
}

pub(crate) fn choice(offer: &str) -> OfferChoice {
    let selection = Selection { product_id: "product".into(), tier_id: "tier".into(), supplement_ids: Vec::new() };
    OfferChoice { brand: "legalshield".into(), offer_id: offer.into(), selections: vec![selection], billing_period: 0 }
}

pub(crate) fn user(kind: AuthorizedUserType) -> AuthorizedUser {
    AuthorizedUser { r#type: kind.into(), first_name: "Bo".into(), last_name: "Lee".into(), ..AuthorizedUser::default() }
}

impl Scene {
    pub(crate) fn orders(&self) -> OrderServiceClient<Transport> {
        OrderServiceClient::new(self.transport.clone())
    }

    pub(crate) fn taxes(&self) -> TaxServiceClient<Transport> {
        TaxServiceClient::new(self.transport.clone())
    }

    /// An order of "alice" in Texas.
    pub(crate) async fn order(&self, offers: &[&str]) -> Order {
        self.create(ALICE, draft(RegionCode::Tx, offers)).await.unwrap()
    }

    pub(crate) async fn create(&self, who: &str, order: OrderDraft) -> Result<Order> {
        let request = CreateOrderRequest { identity_id: "alice".into(), order: Some(order) };
        Ok(self.orders().create_order(by(who, request)).await?.into_inner())
    }

    pub(crate) async fn get(&self, who: &str, order: &Order) -> Result<Order> {
        let request = GetOrderRequest { order_id: order.id.clone(), ..GetOrderRequest::default() };
        Ok(self.orders().get_order(by(who, request)).await?.into_inner())
    }

    pub(crate) async fn purchase(&self, order: &Order) -> Result<Order> {
        Ok(self.orders().purchase_order(by(ALICE, payment(order))).await?.into_inner())
    }

    pub(crate) async fn journal(&self) -> Vec<JournalEntry> {
        let ask = ReadJournalRequest { limit: 1000, ..ReadJournalRequest::default() };
        self.orders().read_journal(by(PLATFORM, ask)).await.unwrap().into_inner().entries
    }

    /// What the journal says was done to an order.
    pub(crate) async fn actions(&self, order: &Order) -> Vec<String> {
        self.journal().await.into_iter().filter(|entry| entry.entity_id == order.id).map(|entry| entry.action).collect()
    }

    /// What every journal must be: without a gap, with each version of an entity once, and in the end its state.
    pub(crate) async fn assert_journal(&self) {
        let mut last = BTreeMap::new();
        for (entry, clock) in self.journal().await.into_iter().zip(1..) {
            assert_eq!(entry.clock, clock);
            let order = pavise_kernel::worker::entity::<Order>(&entry).unwrap().unwrap();
            let before: Option<Order> = last.insert(order.id.clone(), order.clone());
            assert_eq!(order.version, before.map_or(0, |before| before.version) + 1);
        }
        for order in last.into_values() {
            assert_eq!(self.get(PLATFORM, &order).await.unwrap(), order);
        }
    }

    /// Lets every worker handle every entry once, as often as there is something new; an entry that fails is tried
    /// again with the next round. The number of failures.
    pub(crate) async fn work(&self) -> usize {
        let (mut failures, mut done) = (0, std::collections::BTreeSet::new());
        for _ in 0..20 {
            let mut news = false;
            for (worker, entry) in self.entries().await {
                if done.contains(&(worker, entry.clock)) {
                    continue;
                }
                news = true;
                match self.handle(worker, &entry).await {
                    Ok(()) => drop(done.insert((worker, entry.clock))),
                    Err(_) => failures += 1,
                }
            }
            if !news {
                break;
            }
        }
        failures
    }

    /// Hands an entry to a worker.
    pub(crate) async fn handle(&self, worker: usize, entry: &JournalEntry) -> Result<()> {
        let worker = &self.workers[worker];
        worker.handle(&Work::new(&self.kernel, worker.name(), entry.clock.to_string(), &entry.request_id), entry).await
    }

    /// Which worker has which entries to read: the first two those of orders, the third those of provisions.
    pub(crate) async fn entries(&self) -> Vec<(usize, JournalEntry)> {
        let orders = self.journal().await;
        let provisions: Vec<_> = self.world.state().provisions.values().map(completed).collect();
        let provisions = provisions.into_iter().zip(1..).map(|(provision, clock)| JournalEntry {
            clock,
            action: "UPDATE_STATUS".into(),
            entity_id: provision.id.clone(),
            entity: Some(any(&provision)),
            ..JournalEntry::default()
        });
        let twice = orders.iter().flat_map(|entry| [(0, entry.clone()), (1, entry.clone())]);
        twice.chain(provisions.map(|entry| (2, entry))).collect()
    }
}

pub(crate) fn payment(order: &Order) -> PurchaseOrderRequest {
    PurchaseOrderRequest {
        order_id: order.id.clone(),
        identity_id: "alice".into(),
        payment_method_id: "card".into(),
        ..PurchaseOrderRequest::default()
    }
}

fn any<M: Message + Name>(message: &M) -> prost_types::Any {
    prost_types::Any { type_url: M::type_url(), value: message.encode_to_vec() }
}

/// The reason of a refusal.
pub(crate) fn reason<T: std::fmt::Debug>(answer: Result<T>) -> String {
    answer.unwrap_err().reason().to_owned()
}
