//! The domain alone, and short names for its calls.

use std::ops::Deref;

use pavise_kernel::domain::Settings;
use pavise_members::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_testkit::scene::{Contract, Engine};

use crate::peers::peers;

pub(crate) struct Scene(pavise_testkit::scene::Scene);

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.0
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
        domain: "members",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let setup = contract.start_on(engine).await;
    let setup = setup.peers(["billing", "fulfillment", "identity", "orders"], &peers().transport());
    Scene(setup.begin_scene(|kernel| pavise_members::DOMAIN.build(kernel, &Settings::default()).unwrap()))
}
