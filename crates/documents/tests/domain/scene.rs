//! The domain alone, and short names for its calls.

use std::ops::Deref;
use std::sync::Arc;

use pavise_documents::contract::v1::answer_service_client::AnswerServiceClient;
use pavise_documents::contract::v1::question_service_client::QuestionServiceClient;
use pavise_documents::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_testkit::scene::{Contract, Engine};

use crate::peers::Peers;

pub(crate) use pavise_testkit::scene::{into_answer, refusal_reason, request_by};

pub(crate) const ADA: &str = "User/ada";
pub(crate) const BEN: &str = "User/ben";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";
/// A caller without a token.
pub(crate) const VISITOR: &str = "";

pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) peers: Arc<Peers>,
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
    [on(Engine::Sqlite).await, on(Engine::Postgres).await]
}

async fn on(engine: Engine) -> Scene {
    let contract = Contract {
        domain: "documents",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let peers = Arc::new(Peers::default());
    let setup = contract.start_on(engine).await.peers(["identity", "messaging"], &peers.double().transport());
    let scene = setup.begin_scene(|kernel| pavise_documents::DOMAIN.build(kernel, &Settings::default()).unwrap());
    Scene { scene, peers }
}

impl Scene {
    pub(crate) fn questions(&self) -> QuestionServiceClient<Transport> {
        QuestionServiceClient::new(self.transport())
    }

    pub(crate) fn answers(&self) -> AnswerServiceClient<Transport> {
        AnswerServiceClient::new(self.transport())
    }
}
