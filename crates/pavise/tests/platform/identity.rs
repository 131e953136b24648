//! Every call of the identity domain, good and bad, over REST, gRPC and gRPC-web, on both engines.
//!
//! Each file tells the story of one service. What a story leaves out fails the run: every call must have been answered
//! and refused over every surface that it has.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod accounts;
mod application_settings;
mod applications;
mod data_accesses;
mod data_keys;
mod factors;
pub(crate) mod invitations;
mod merges;
mod platform_workers;
mod proofs;
mod resets;
mod sessions;
mod stage;
mod test_clock;
mod tokens;
mod user_states;

use pavise::wire::Surface;
use pavise_testapp::{Cut, Engine, Platform};

use crate::identity::stage::Stage;

async fn run(engine: Engine) {
    let platform = Platform::start_with(engine, Cut::Whole, |settings| settings.with_test_clock(None)).await.unwrap();
    let (mut good, mut bad) = (0, 0);
    for surface in Surface::ALL {
        let mut stage = Stage::new(&platform, surface);
        accounts::story(&mut stage).await;
        applications::story(&mut stage).await;
        application_settings::story(&mut stage).await;
        data_accesses::story(&mut stage).await;
        data_keys::story(&mut stage).await;
        factors::story(&mut stage).await;
        invitations::story(&mut stage).await;
        merges::story(&mut stage).await;
        platform_workers::story(&mut stage).await;
        resets::story(&mut stage).await;
        sessions::story(&mut stage).await;
        tokens::story(&mut stage).await;
        user_states::story(&mut stage).await;
        test_clock::story(&mut stage).await;
        let counts = stage.complete();
        good += counts.0;
        bad += counts.1;
    }
    println!("{engine:?}: {good} answered, {bad} refused");
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}
