//! The domain alone, and short names for its calls.

use std::ops::Deref;

use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result};
use pavise_messaging::contract::v1::alert_service_client::AlertServiceClient;
use pavise_messaging::contract::v1::*;
use pavise_messaging::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_testkit::scene::{Contract, Engine};
use tonic::{Response, Status};

pub(crate) use pavise_testkit::scene::{refusal_reason, request_by};

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";

pub(crate) struct Scene(pavise_testkit::scene::Scene);

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [scene_on(Engine::Sqlite).await, scene_on(Engine::Postgres).await]
}

/// The domain on an empty database.
pub(crate) async fn scene_on(engine: Engine) -> Scene {
    let contract = Contract {
        domain: "messaging",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let settings = Settings::default();
    let setup = contract.start_on(engine).await;
    Scene(setup.begin_scene(|kernel| pavise_messaging::DOMAIN.build(kernel, &settings).unwrap()))
}

/// The answer of a call, or its refusal.
pub(crate) fn into_answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}

pub(crate) fn text(locale: Locale, text: &str) -> LocalizedText {
    LocalizedText { locale: locale.into(), text: text.into() }
}

pub(crate) fn value(name: &str, text: &str) -> TextValue {
    TextValue { name: name.into(), text: text.into() }
}

impl Scene {
    pub(crate) fn alerts(&self) -> AlertServiceClient<Transport> {
        AlertServiceClient::new(self.transport())
    }
}
