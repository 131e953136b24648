//! The domain alone, with its tax areas, and short names for its calls.

use std::ops::Deref;

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Currency, JournalEntry, Money, RegionCode};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::sealed::MasterKeys;
use pavise_orders::contract::v1::order_note_service_client::OrderNoteServiceClient;
use pavise_orders::contract::v1::order_service_client::OrderServiceClient;
use pavise_orders::contract::v1::tax_service_client::TaxServiceClient;
use pavise_orders::contract::v1::*;
use pavise_orders::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::scene::{Contract, Engine, MASTER};

use crate::peers::Peers;

pub(crate) use pavise_testkit::scene::{WireFault, refusal_reason, request_by};

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";

/// The gRPC path of the journal of orders.
pub(crate) const JOURNAL: &str = "/pavise.orders.v1.OrderService/ReadJournal";

/// Personal data in the tests: no log has them.
const PERSONAL: [&str; 13] = [
    "ada@example.com",
    "robert@example.com",
    "zq@example.com",
    "jim.b@example.com",
    "wilhelmina",
    "lawson-beaumont",
    "wother",
    "van der berg",
    "17 heron wharf",
    "5125550177",
    "15125550177",
    "(512) 555-0177",
    "1987-06-05",
];

pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) peers: Peers,
    _logs: LogWatch,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    on(Engine::Sqlite).await
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [scene().await, on(Engine::Postgres).await]
}

fn trials() -> pavise_orders::Config {
    pavise_orders::Config { sample_taxes: true, ..pavise_orders::Config::default() }
}

async fn on(engine: Engine) -> Scene {
    configured(engine, trials()).await
}

/// The domain with other master keys, or with none.
pub(crate) async fn mastered(engine: Engine, masters: Option<MasterKeys>) -> Scene {
    begun(engine, trials(), masters).await
}

/// The domain with other settings.
pub(crate) async fn configured(engine: Engine, config: pavise_orders::Config) -> Scene {
    begun(engine, config, Some(MasterKeys::new(MASTER, None))).await
}

async fn begun(engine: Engine, config: pavise_orders::Config, masters: Option<MasterKeys>) -> Scene {
    let logs = LogWatch::begin();
    PERSONAL.into_iter().for_each(logs::known_in_any_case);
    let settings = Settings::default().with(config);
    let peers = Peers::usual();
    let contract = Contract {
        domain: "orders",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let feed = peers.clone();
    let setup = contract
        .start_on(engine)
        .await
        .peers(["billing", "catalog", "fulfillment", "groups", "identity", "members"], &peers.double().transport());
    let setup = setup.with_feed("/pavise.fulfillment.v1.ProvisionService/ReadJournal", move || feed.provisions());
    let setup = setup.with_masters(masters);
    let scene = setup.begin_scene(|kernel| pavise_orders::DOMAIN.build(kernel, &settings).unwrap());
    pavise_orders::DOMAIN.bootstrap(&scene.kernel, &settings).await.unwrap();
    Scene { scene, peers, _logs: logs }
}

/// An order of offers in a region, by their ids in the peers.
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
    AuthorizedUser {
        r#type: kind.into(),
        first_name: "Bo".into(),
        last_name: "Lee".into(),
        ..AuthorizedUser::default()
    }
}

impl Scene {
    pub(crate) fn orders(&self) -> OrderServiceClient<Transport> {
        OrderServiceClient::new(self.transport())
    }

    pub(crate) fn notes(&self) -> OrderNoteServiceClient<Transport> {
        OrderNoteServiceClient::new(self.transport())
    }

    pub(crate) fn taxes(&self) -> TaxServiceClient<Transport> {
        TaxServiceClient::new(self.transport())
    }

    /// An order of "alice" in Texas.
    pub(crate) async fn order(&self, offers: &[&str]) -> Order {
        self.create(ALICE, draft(RegionCode::Tx, offers)).await.unwrap()
    }

    pub(crate) async fn create(&self, who: &str, order: OrderDraft) -> Result<Order> {
        let request = CreateOrderRequest { identity_id: "alice".into(), order: Some(order) };
        Ok(self.orders().create_order(request_by(who, request)).await?.into_inner())
    }

    pub(crate) async fn get(&self, who: &str, order: &Order) -> Result<Order> {
        let request = GetOrderRequest { order_id: order.id.clone(), ..GetOrderRequest::default() };
        Ok(self.orders().get_order(request_by(who, request)).await?.into_inner())
    }

    pub(crate) async fn purchase(&self, order: &Order) -> Result<Order> {
        Ok(self.orders().purchase_order(request_by(ALICE, payment(order))).await?.into_inner())
    }

    /// The journal actions of an order.
    pub(crate) async fn actions(&self, order: &Order) -> Vec<String> {
        self.read_journal(JOURNAL)
            .await
            .into_iter()
            .filter(|entry| entry.entity_id == order.id)
            .map(|entry| entry.action)
            .collect()
    }

    /// The journal actions of the orders of a buyer.
    pub(crate) async fn actions_of(&self, buyer: &str) -> Vec<String> {
        let entries = self.read_journal(JOURNAL).await.into_iter().filter(|entry| entry.owner_id == buyer);
        entries.map(|entry| entry.action).collect()
    }

    /// Runs every worker, and answers the number of failures.
    pub(crate) async fn run_workers(&self) -> usize {
        self.scene.run_workers("").await.failures
    }

    /// The last entry of the journal of orders.
    pub(crate) async fn last(&self) -> JournalEntry {
        self.read_journal(JOURNAL).await.pop().unwrap()
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

pub(crate) fn cents(amount: Option<Money>) -> i64 {
    amount.unwrap().amount
}

pub(crate) fn usd(amount: i64) -> Option<Money> {
    Some(Money { currency: Currency::Usd.into(), amount })
}
