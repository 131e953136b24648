//! One idempotency key from many callers at once, with the server killed in between.

use pavise_kernel::time::Ids;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::callers::{Caller, wait_until_settled};
use crate::server::Server;
use crate::{journals, run_size, turn};

/// How many callers use a key at once.
const AT_ONCE: usize = 32;

#[tokio::test(flavor = "multi_thread")]
async fn one_key_has_one_effect_and_one_answer() {
    let _turn = turn().await;
    let keys = run_size(40, 200);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let dice = Ids::from_seed(4);
    let (place, receiver) = watch::channel(String::new());
    let caller = Caller::new(receiver);
    let mut server = Server::start(&database);
    let (mut acks, mut kills) = (Vec::new(), 0);
    for key in 0..keys {
        let mut callers = JoinSet::new();
        for _ in 0..AT_ONCE {
            let (caller, owner) = (caller.clone(), format!("member-{key}"));
            callers.spawn(async move { caller.write(&owner).await });
        }
        place.send_replace(server.base.clone());
        if key.is_multiple_of(4) {
            // Where in the rush the kill falls is left to chance.
            tokio::time::sleep(Duration::from_micros(dice.bits() % 40_000)).await;
            server.kill();
            place.send_replace(String::new());
            kills += 1;
            server = Server::start(&database);
            place.send_replace(server.base.clone());
        }
        let answers = callers.join_all().await;
        for answer in &answers {
            assert_eq!((&answer.body, answer.clock), (&answers[0].body, answers[0].clock), "two answers to one key");
        }
        acks.push(answers[0].clone());
    }
    let failures = caller.failures();
    server.kill();
    let entries = wait_until_settled(&journals::open(&database).await, &acks).await;
    println!(
        "{keys} keys, {AT_ONCE} callers each, {kills} kills, {failures} tries repeated: {} entities, answers identical, {entries} journal entries, journals sound",
        acks.len()
    );
}
