//! One platform with this domain in it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use http::Request;
use pavise_fulfillment::contract::v1::entitlement_service_client::EntitlementServiceClient;
use pavise_fulfillment::contract::v1::provision_service_client::ProvisionServiceClient;
use pavise_fulfillment::contract::v1::{
    CreateProvisionRequest, GetProvisionRequest, Provision, ProvisionAuthorizedUser, ProvisionLine, ProvisionStatus,
    UpdateStatusRequest,
};
use pavise_fulfillment::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::caller::{APPLICATION, Caller, Realm, Verifier};
use pavise_kernel::common::v1::{BillingPeriod, Currency, JournalEntry, Money, ReadJournalRequest, RelationType};
use pavise_kernel::error::Common;
use pavise_kernel::peers::{Credential, Transport};
use pavise_kernel::time::{Ids, Micros, TestClock};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Error, Kernel, Result, async_trait};
use pavise_kernel_sqlite::SqliteStore;
use pavise_transcode::Transcoder;
use prost::{Message, Name};
use prost_reflect::DescriptorPool;
use tonic::body::Body;
use tonic::service::interceptor::InterceptedService;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt as _};

use crate::outside::Outside;

/// Monday, 2 March 2026, 15:00 UTC.
pub(crate) const NOW: Micros = 1_772_463_600_000_000;

/// How a call gets lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// It is never made.
    Call,
    /// It is made, and its answer never comes.
    Answer,
}

/// Counts the worker's calls and loses one of them.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    calls: AtomicUsize,
    lose: Mutex<Option<(usize, Loss)>>,
}

/// The platform.
pub(crate) struct World {
    pub(crate) kernel: Kernel,
    pub(crate) outside: Arc<Outside>,
    pub(crate) clock: TestClock,
    gate: Arc<Gate>,
    direct: Transport,
    workers: Vec<Arc<dyn Worker>>,
    cursor: i64,
}

type Authorized = InterceptedService<Transport, Token>;

impl World {
    /// A new one, with an empty database.
    pub(crate) async fn new() -> Self {
        let store = Arc::new(SqliteStore::open(":memory:", &[&MIGRATIONS]).await.unwrap());
        let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
        let clock = TestClock::at(NOW);
        let kernel = Kernel::builder(store, Transcoder::new(&pool))
            .clock(Arc::new(clock.clone()))
            .ids(Ids::seeded(7))
            .verifier(Arc::new(Tokens))
            .credential(Arc::new(Tokens))
            .contract(METHODS, TABLES)
            .build();
        let domain = pavise_fulfillment::domain(&kernel);
        let direct = pavise_mesh::local(domain.services.into_routes());
        let (outside, gate) = (Arc::new(Outside::default()), Arc::new(Gate::default()));
        let peers = ["identity", "billing", "catalog", "orders"].map(|name| (name.to_owned(), gated(&gate, outside.transport())));
        let own = [("fulfillment".to_owned(), gated(&gate, direct.clone()))];
        kernel.peers().install(peers.into_iter().chain(own).collect::<BTreeMap<_, _>>());
        Self { kernel, outside, clock, gate, direct, workers: domain.workers, cursor: 0 }
    }

    /// The service provision, as seen by the bearer of `token`.
    pub(crate) fn provisions(&self, token: &'static str) -> ProvisionServiceClient<Authorized> {
        ProvisionServiceClient::with_interceptor(self.direct.clone(), Token(token))
    }

    /// The service entitlements.
    pub(crate) fn entitlements(&self, token: &'static str) -> EntitlementServiceClient<Authorized> {
        EntitlementServiceClient::with_interceptor(self.direct.clone(), Token(token))
    }

    /// Creates a provision.
    pub(crate) async fn create(&self, request: CreateProvisionRequest) -> Provision {
        self.provisions("machine").create_provision(request).await.unwrap().into_inner()
    }

    /// The provision as it is.
    pub(crate) async fn provision(&self, id: &str) -> Provision {
        self.provisions("internal").get_provision(GetProvisionRequest { provision_id: id.to_owned() }).await.unwrap().into_inner()
    }

    /// Asks for a status.
    pub(crate) async fn update_status(&self, id: &str, status: ProvisionStatus) -> Result<Provision, tonic::Status> {
        let request = UpdateStatusRequest { provision_id: id.to_owned(), status: status.into(), ..Default::default() };
        self.provisions("internal").update_status(request).await.map(tonic::Response::into_inner)
    }

    /// The journal of provisions from the start.
    pub(crate) async fn journal(&self) -> Vec<JournalEntry> {
        self.read(0).await
    }

    async fn read(&self, clock: i64) -> Vec<JournalEntry> {
        let request = ReadJournalRequest { clock, limit: 1000, ..Default::default() };
        self.provisions("machine").read_journal(request).await.unwrap().into_inner().entries
    }

    /// Loses the worker's call number `at` (from 1) from now on.
    pub(crate) fn lose(&self, at: usize, loss: Loss) {
        self.gate.calls.store(0, Ordering::SeqCst);
        *self.gate.lose.lock().unwrap() = Some((at, loss));
    }

    /// Whether the call that was to get lost was made.
    pub(crate) fn lost(&self) -> bool {
        self.gate.lose.lock().unwrap().is_none()
    }

    /// Lets the worker go on until the journal has nothing new. An entry that fails is handled again, as after a crash.
    pub(crate) async fn settle(&mut self) {
        for _ in 0..200 {
            let entries = self.read(self.cursor).await;
            if entries.is_empty() {
                return;
            }
            for entry in entries {
                self.handle(&entry).await;
                self.cursor = entry.clock;
            }
        }
        panic!("the worker does not come to rest");
    }

    /// Lets the worker handle the next entry of the journal.
    pub(crate) async fn step(&mut self) {
        let entries = self.read(self.cursor).await;
        self.handle(&entries[0]).await;
        self.cursor = entries[0].clock;
    }

    async fn handle(&self, entry: &JournalEntry) {
        for _ in 0..3 {
            let worker = &self.workers[0];
            let work = Work::new(&self.kernel, worker.name(), entry.clock.to_string(), &entry.request_id);
            match worker.handle(&work, entry).await {
                Ok(()) => return,
                Err(error) if error.is_transient() => {}
                Err(error) => panic!("entry {} {}: {error}", entry.clock, entry.action),
            }
        }
        panic!("entry {} {} is parked", entry.clock, entry.action);
    }

    /// Handles every entry again, as a worker does that lost its cursor.
    pub(crate) async fn replay(&self) {
        for entry in self.journal().await {
            self.handle(&entry).await;
        }
    }

    /// Lets a worker of another service's journal handle an entry; a repeat is the same entry.
    pub(crate) async fn entry<M: Message + Name>(&self, worker: &str, entity: &M, clock: i64, action: &str) -> Result<()> {
        let worker = self.workers.iter().find(|one| one.name() == worker).unwrap();
        let any = prost_types::Any { type_url: M::type_url(), value: entity.encode_to_vec() };
        let entry = JournalEntry { clock, action: action.to_owned(), entity: Some(any), ..Default::default() };
        worker.handle(&Work::new(&self.kernel, worker.name(), clock.to_string(), ""), &entry).await
    }

    /// Lets the timer of plan changes tick.
    pub(crate) async fn tick(&self) {
        let worker = &self.workers[1];
        let work = Work::new(&self.kernel, worker.name(), self.kernel.clock().now().to_string(), "");
        worker.tick(&work).await.unwrap();
    }
}

fn gated(gate: &Arc<Gate>, inner: Transport) -> Transport {
    let gate = gate.clone();
    BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
        let (gate, inner) = (gate.clone(), inner.clone());
        async move {
            let number = gate.calls.fetch_add(1, Ordering::SeqCst) + 1;
            let mut lose = (*gate.lose.lock().unwrap()).filter(|(at, _)| *at == number);
            if let Some((_, Loss::Call)) = lose {
                *gate.lose.lock().unwrap() = None;
                return Err(BoxError::from("the call got lost"));
            }
            let answer = inner.oneshot(request).await?;
            if lose.take().is_some() {
                *gate.lose.lock().unwrap() = None;
                return Err(BoxError::from("the answer got lost"));
            }
            Ok(answer)
        }
    }))
}

/// A bearer's token: `machine`, `internal`, or the id of a member.
#[derive(Debug, Clone)]
pub(crate) struct Token(&'static str);

impl tonic::service::Interceptor for Token {
    fn call(&mut self, mut request: tonic::Request<()>) -> Result<tonic::Request<()>, tonic::Status> {
        if !self.0.is_empty() {
            request.metadata_mut().insert("authorization", format!("Bearer {}", self.0).parse().unwrap());
        }
        Ok(request)
    }
}

#[derive(Debug)]
struct Tokens;

#[async_trait]
impl Verifier for Tokens {
    async fn verify(&self, token: &str, _now: Micros) -> Result<Arc<Caller>> {
        let all = BTreeMap::from([(APPLICATION.to_owned(), vec!["fulfillment.*".to_owned()])]);
        let caller = match token {
            "" => return Err(Error::new(Common::TokenInvalid, "no token")),
            "machine" => Caller { identity: "machine".to_owned(), realm: Realm::Machine, permissions: all, ..Caller::default() },
            "internal" => Caller { identity: "staff".to_owned(), realm: Realm::Internal, permissions: all, ..Caller::default() },
            member => Caller { identity: member.to_owned(), realm: Realm::User, ..Caller::default() },
        };
        Ok(Arc::new(caller))
    }
}

impl Credential for Tokens {
    fn token(&self, _now: Micros) -> String {
        "machine".to_owned()
    }
}

/// A line of a monthly product.
pub(crate) fn line(product: &str, family: &str, cents: i64) -> ProvisionLine {
    ProvisionLine {
        product_id: product.to_owned(),
        tier_id: "family".to_owned(),
        name: format!("{product} plan"),
        family: family.to_owned(),
        renewal_price: Some(usd(cents)),
        billing_period: BillingPeriod::Monthly.into(),
        ..Default::default()
    }
}

/// Dollars, in cents.
pub(crate) fn usd(amount: i64) -> Money {
    Money { currency: Currency::Usd.into(), amount }
}

/// Somebody besides the buyer.
pub(crate) fn user(first_name: &str, email: &str) -> ProvisionAuthorizedUser {
    ProvisionAuthorizedUser {
        relation_type: RelationType::Dependent.into(),
        first_name: first_name.to_owned(),
        last_name: "Doe".to_owned(),
        email: email.to_owned(),
        ..Default::default()
    }
}

/// A funded offer of two plans for a family of three.
pub(crate) fn family() -> CreateProvisionRequest {
    CreateProvisionRequest {
        identity_id: "buyer".to_owned(),
        order_id: "order".to_owned(),
        offer_id: "offer".to_owned(),
        order_offer_id: "order-offer".to_owned(),
        lines: vec![line("legal", "lgl", 2995), line("identity", "ids", 1495)],
        authorized_users: vec![user("Ann", "ann@example.org"), user("Ben", "")],
        payment_method_id: "card".to_owned(),
        ..Default::default()
    }
}
