//! Every call refuses every invalid input with the sender's mistake, in the one shape of refusals: never a 5xx, never a
//! panic, never silence. The contract generates the inputs, so that a new call is tested at once.
//!
//! `PAVISE_LONG=1` runs the random part at length.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod bodies;
mod damage;
mod judge;
mod messages;
mod requests;
mod target;

use std::sync::Arc;

use pavise_contract::Contract;
use pavise_testapp::{Engine, TestApp};
use pavise_testkit::runs::run_size;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use judge::Tally;
use target::Target;

/// Paths asked at once. More would test how a flooded server behaves: it says that it is busy.
const AT_ONCE: usize = 64;

/// Every REST path of every service, but for those that take a file, or a body as it is: their bodies are no JSON.
fn targets(app: &TestApp) -> Vec<Target> {
    let contract = Contract::read(&app.app.pool).unwrap();
    contract
        .methods()
        .filter(|(_, method)| method.bytes.as_ref().is_none_or(|bytes| bytes.upload.is_none() && bytes.raw.is_none()))
        .flat_map(|(service, method)| method.bindings.iter().map(move |binding| Target::new(service, method, binding)))
        .collect()
}

/// Sends the requests of `cases` to every path, as staff and as a machine.
async fn everywhere<F, W>(engine: Engine, what: &str, at_least: u64, cases: F)
where
    F: Fn(judge::Sender, Target) -> W + Copy,
    W: Future<Output = Tally> + Send + 'static,
{
    let app = TestApp::on(engine).start().await.unwrap();
    let mut tally = Tally::default();
    let targets = targets(&app);
    let paths = targets.len();
    let places = Arc::new(Semaphore::new(AT_ONCE));
    for caller in [TestApp::staff(), TestApp::machine()] {
        let mut work = JoinSet::new();
        for target in targets.clone() {
            let sender = judge::Sender::new(&app, &caller, &target);
            let (cases, places) = (cases(sender, target), places.clone());
            work.spawn(async move {
                let _place = places.acquire_owned().await;
                cases.await
            });
        }
        while let Some(done) = work.join_next().await {
            match done {
                Ok(part) => tally.add(part),
                Err(panic) => tally.wrong.push(format!("a panic: {panic}")),
            }
        }
    }
    app.finish().await;
    tally.report(&format!("{what} on {engine:?}, {paths} paths"), at_least);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_json_are_refused() {
    everywhere(Engine::Sqlite, "bodies that are no JSON", 5_000, bodies::not_json).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_of_the_wrong_kind_is_refused_at_its_field() {
    everywhere(Engine::Sqlite, "values of the wrong kind", 12_000, bodies::wrong_kinds).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_beyond_its_bounds_is_refused() {
    everywhere(Engine::Sqlite, "money beyond its bounds", 300, bodies::money).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_queries_and_headers_that_say_nothing_are_refused() {
    everywhere(Engine::Sqlite, "paths, queries and headers", 10_000, requests::all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_an_engine_does_not_take_is_refused_before_it() {
    for engine in Engine::BOTH {
        everywhere(engine, "NUL characters", 500, requests::nul).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_requests_are_answered() {
    for engine in Engine::BOTH {
        damage::run(engine, run_size(2_000, 20_000)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn random_messages_are_answered_over_grpc() {
    messages::run(run_size(8, 200)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_in_a_frame_is_refused_with_a_reason() {
    messages::frames().await;
}
