//! The domain alone, with doubles of the others, and short names for its calls.

use std::ops::Deref;
use std::sync::Arc;

use pavise_fulfillment::contract::v1::entitlement_service_client::EntitlementServiceClient;
use pavise_fulfillment::contract::v1::provision_service_client::ProvisionServiceClient;
use pavise_fulfillment::contract::v1::{
    CreateProvisionRequest, GetProvisionRequest, Provision, ProvisionAuthorizedUser, ProvisionLine, ProvisionStatus,
    UpdateStatusRequest,
};
use pavise_fulfillment::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Currency, JournalEntry, Money, RelationType};
use pavise_kernel::peers::Transport;
use pavise_kernel::time::{Ids, Micros};
use pavise_testkit::scene::{Contract, Engine, journal_entry};
use prost::{Message, Name};
use tonic::service::interceptor::InterceptedService;

use crate::peers::Peers;

pub(crate) use pavise_testkit::scene::WireFault;

/// Monday, 2 March 2026, 15:00 UTC.
pub(crate) const NOW: Micros = 1_772_463_600_000_000;

/// The gRPC path of the journal of provisions.
const JOURNAL: &str = "/pavise.fulfillment.v1.ProvisionService/ReadJournal";
/// The worker that reads it.
const WORKER: &str = "fulfillment.provision_products";
/// The timer of plan changes.
const TIMER: &str = "fulfillment.change_plans";

/// The domain, and its worker's cursor.
pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) peers: Arc<Peers>,
    cursor: i64,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

type Authorized = InterceptedService<Transport, Token>;

impl Scene {
    /// A new one, with an empty database.
    pub(crate) async fn new() -> Self {
        Self::on(Engine::Sqlite).await
    }

    /// The same on an engine.
    pub(crate) async fn on(engine: Engine) -> Self {
        let contract = Contract {
            domain: "fulfillment",
            descriptors: DESCRIPTORS,
            methods: METHODS,
            tables: TABLES,
            migrations: &MIGRATIONS,
        };
        let peers = Arc::new(Peers::default());
        let setup = contract.start_on(engine).await.at(NOW).ids(Ids::from_seed(7));
        let setup = setup.peers(["identity", "billing", "catalog", "members", "orders"], &peers.double().transport());
        Self {
            scene: setup.begin_scene(|kernel| {
                pavise_fulfillment::DOMAIN.build(kernel, &pavise_kernel::domain::Settings::default()).unwrap()
            }),
            peers,
            cursor: 0,
        }
    }

    /// The service provision, as seen by the bearer of `token`.
    pub(crate) fn provisions(&self, token: &'static str) -> ProvisionServiceClient<Authorized> {
        ProvisionServiceClient::with_interceptor(self.transport(), Token(token))
    }

    /// The service entitlements.
    pub(crate) fn entitlements(&self, token: &'static str) -> EntitlementServiceClient<Authorized> {
        EntitlementServiceClient::with_interceptor(self.transport(), Token(token))
    }

    /// Creates a provision.
    pub(crate) async fn create(&self, request: CreateProvisionRequest) -> Provision {
        self.provisions("machine").create_provision(request).await.unwrap().into_inner()
    }

    /// The provision as it is.
    pub(crate) async fn provision(&self, id: &str) -> Provision {
        self.provisions("internal")
            .get_provision(GetProvisionRequest { provision_id: id.to_owned() })
            .await
            .unwrap()
            .into_inner()
    }

    /// Asks for a status.
    pub(crate) async fn update_status(&self, id: &str, status: ProvisionStatus) -> Result<Provision, tonic::Status> {
        let request = UpdateStatusRequest { provision_id: id.to_owned(), status: status.into(), ..Default::default() };
        self.provisions("internal").update_status(request).await.map(tonic::Response::into_inner)
    }

    /// The journal of provisions.
    pub(crate) async fn entries(&self) -> Vec<JournalEntry> {
        self.read_journal(JOURNAL).await
    }

    /// Loses the worker's call number `at`, counted from 1 from here on.
    pub(crate) fn lose(&self, at: usize, how: WireFault) {
        self.wire.break_after(at - 1, how);
    }

    /// Whether the call to be lost was made.
    pub(crate) fn lost(&self) -> bool {
        !self.wire.is_uncut()
    }

    /// Runs the worker until the journal has nothing new. A failed entry is handled again, as after a crash.
    pub(crate) async fn run_workers(&mut self) {
        for _ in 0..200 {
            let entries = self.news().await;
            if entries.is_empty() {
                return;
            }
            for entry in entries {
                self.read(&entry).await;
                self.cursor = entry.clock;
            }
        }
        panic!("the worker does not come to rest");
    }

    /// Lets the worker handle the next entry of the journal.
    pub(crate) async fn step(&mut self) {
        let entry = self.news().await.remove(0);
        self.read(&entry).await;
        self.cursor = entry.clock;
    }

    async fn news(&self) -> Vec<JournalEntry> {
        self.entries().await.into_iter().filter(|entry| entry.clock > self.cursor).collect()
    }

    async fn read(&self, entry: &JournalEntry) {
        for _ in 0..3 {
            match self.handle_entry(WORKER, entry).await {
                Ok(()) => return,
                Err(error) if error.is_transient() => {}
                Err(error) => panic!("entry {} {}: {error}", entry.clock, entry.action),
            }
        }
        panic!("entry {} {} is parked", entry.clock, entry.action);
    }

    /// Handles every entry again, as a worker after a lost cursor.
    pub(crate) async fn replay(&self) {
        for entry in self.entries().await {
            self.read(&entry).await;
        }
    }

    /// Lets a worker of another service's journal handle an entry; a repeat is the same entry.
    pub(crate) async fn entry<M: Message + Name>(
        &self,
        worker: &str,
        entity: &M,
        clock: i64,
        action: &str,
    ) -> Result<()> {
        self.handle_entry(worker, &journal_entry(clock, action, "", entity)).await
    }

    /// Lets the timer of plan changes tick.
    pub(crate) async fn tick(&self) {
        self.scene.run_timer(TIMER, &self.kernel.business_clock().now().to_string()).await.unwrap();
    }
}

/// A bearer: `machine`, `internal`, the id of a member, or nobody.
#[derive(Debug, Clone)]
pub(crate) struct Token(&'static str);

impl tonic::service::Interceptor for Token {
    fn call(&mut self, mut request: tonic::Request<()>) -> Result<tonic::Request<()>, tonic::Status> {
        let name = match self.0 {
            "" => return Ok(request),
            "machine" => "Machine/platform".to_owned(),
            "internal" => "Internal/staff".to_owned(),
            member => format!("User/{member}"),
        };
        request.metadata_mut().insert("authorization", format!("Bearer {name}").parse().unwrap());
        Ok(request)
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

/// A person besides the buyer.
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
