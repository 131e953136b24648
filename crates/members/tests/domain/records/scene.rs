//! The domain alone beside plans of members, and short names for its calls.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result};
use pavise_members::contract::fulfillment::{Entitlement, GetEntitlementRequest};
use pavise_members::contract::v1::amendment_service_client::AmendmentServiceClient;
use pavise_members::contract::v1::auto_comment_service_client::AutoCommentServiceClient;
use pavise_members::contract::v1::business_service_client::BusinessServiceClient;
use pavise_members::contract::v1::note_service_client::NoteServiceClient;
use pavise_members::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_testkit::scene::{Contract, Engine, PeerDouble};

pub(super) use pavise_testkit::scene::{into_answer, refusal_reason, request_by};

pub(super) const ALICE: &str = "User/alice";
pub(super) const MALLORY: &str = "User/mallory";
pub(super) const STAFF: &str = "Internal/staff";
pub(super) const PLATFORM: &str = "Machine/platform";
/// Callers who reach nothing that staff record.
pub(super) const OUTSIDERS: [&str; 3] = [ALICE, "GroupAdmin/ann/acme", "Partner/pat/+members.*"];

/// The owners of entitlements: "alice's plan" is alice's.
#[derive(Debug, Clone, Default)]
pub(super) struct Plans(Arc<Mutex<BTreeMap<String, String>>>);

impl Plans {
    /// Gives an entitlement to a member.
    pub(super) fn give(&self, id: &str, owner: &str) {
        self.0.lock().unwrap().insert(id.to_owned(), owner.to_owned());
    }

    fn find(&self, ask: &GetEntitlementRequest) -> Result<Entitlement> {
        let held = self.0.lock().unwrap().get(&ask.entitlement_id) == Some(&ask.identity_id);
        let found = || Entitlement { id: ask.entitlement_id.clone(), ..Entitlement::default() };
        held.then(found).ok_or_else(|| Error::not_found("entitlement", &ask.entitlement_id))
    }
}

pub(super) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(super) plans: Plans,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

/// The domain on an empty database of each engine. Alice has a plan, and Bob has one.
pub(super) async fn scenes() -> [Scene; 2] {
    [on(Engine::Sqlite).await, on(Engine::Postgres).await]
}

async fn on(engine: Engine) -> Scene {
    let contract = Contract {
        domain: "members",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let plans = Plans::default();
    plans.give("alice's plan", "alice");
    plans.give("bob's plan", "bob");
    let known = plans.clone();
    let double = PeerDouble::default()
        .on_anew("/pavise.fulfillment.v1.EntitlementService/GetEntitlement", move |ask| known.find(&ask.message));
    let setup = contract.start_on(engine).await;
    let setup = setup.peers(["billing", "fulfillment", "identity", "orders"], &double.transport());
    let scene = setup.begin_scene(|kernel| pavise_members::DOMAIN.build(kernel, &Settings::default()).unwrap());
    Scene { scene, plans }
}

impl Scene {
    pub(super) fn notes(&self) -> NoteServiceClient<Transport> {
        NoteServiceClient::new(self.transport())
    }

    pub(super) fn amendments(&self) -> AmendmentServiceClient<Transport> {
        AmendmentServiceClient::new(self.transport())
    }

    pub(super) fn comments(&self) -> AutoCommentServiceClient<Transport> {
        AutoCommentServiceClient::new(self.transport())
    }

    pub(super) fn businesses(&self) -> BusinessServiceClient<Transport> {
        BusinessServiceClient::new(self.transport())
    }

    /// The actions in a journal, in their order.
    pub(super) async fn actions(&self, journal: &'static str) -> Vec<String> {
        self.read_journal(journal).await.into_iter().map(|entry| entry.action).collect()
    }
}

/// The fields that a refusal names.
pub(super) fn fields<T: std::fmt::Debug>(answer: Result<T>) -> Vec<String> {
    answer.unwrap_err().violations().iter().map(|one| one.field.clone()).collect()
}
