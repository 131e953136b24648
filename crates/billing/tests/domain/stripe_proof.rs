//! A bounded proof: many charges with a vendor that is often silent or busy, and callers and processes that are killed. None
//! is charged twice, and none is lost.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_billing::contract::v1::TransactionStatus;
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs::run_size;
use pavise_testkit::stripe::StripeServer;

use crate::stripe_scene::{NOON, scene_at};

/// In how many of a hundred charges the caller is killed, and the process.
const KILLED_CALLS: usize = 5;
const KILLED_PROCESSES: usize = 1;
/// The time after which a payment that was tried no longer counts against its payer.
const A_TRY: Duration = Duration::from_secs(360);

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_charged_twice_or_lost() {
    let count = run_size(150, 10_000);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("billing.db");
    let server = StripeServer::start(NOON).await.unwrap();
    let mut random = SeededRandom::new(7);
    let mut scene = scene_at(&file, &server).await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    server.disturb(11, 5, 5);
    let (mut killed_calls, mut killed_processes, mut passed) = (0, 0, Duration::ZERO);
    for number in 0..count {
        let reference = format!("proof/{number}");
        if random.is_in_percent(KILLED_CALLS) {
            // The caller goes away after some steps.
            let steps = random.next_below(40);
            let gone = async {
                for _ in 0..steps {
                    tokio::task::yield_now().await;
                }
            };
            tokio::select! {
                biased;
                () = gone => {
                    killed_calls += 1;
                    // A caller who is gone counts as one who was declined, for a while.
                    passed += A_TRY;
                    scene.clock.move_forward(A_TRY);
                }
                _ = scene.sell(&method, &reference) => {}
            }
        } else {
            let _ = scene.sell(&method, &reference).await;
        }
        if random.is_in_percent(KILLED_PROCESSES) {
            scene.kernel.committer().shut_down().await;
            drop(scene);
            scene = scene_at(&file, &server).await;
            // A later process has a later time, and so other ids.
            passed += Duration::from_secs(1);
            scene.clock.move_forward(passed);
            killed_processes += 1;
        }
    }
    server.calm();
    // Each purchase is repeated by its caller until it has an outcome, and the platform resolves by itself.
    scene.clock.move_forward(Duration::from_secs(90_000));
    assert_eq!(scene.run_workers("resolves").await, 0);
    for number in 0..count {
        let mut sold = scene.sell(&method, &format!("proof/{number}")).await.unwrap();
        while sold.status() == TransactionStatus::Timedout {
            sold = scene.sell(&method, &format!("proof/{number}")).await.unwrap();
        }
        assert_eq!(sold.status(), TransactionStatus::Approved, "proof/{number}");
    }
    let mut charged: BTreeMap<String, usize> = BTreeMap::new();
    for payment in server.payments() {
        *charged.entry(payment.reference).or_default() += 1;
    }
    let twice = charged.values().filter(|times| **times > 1).count();
    let mut known = 0;
    for number in 0..count {
        let sold = scene.sell(&method, &format!("proof/{number}")).await.unwrap();
        known += usize::from(charged.contains_key(&sold.id));
    }
    println!(
        "{count} charges, 5 % silence, 5 % busy, {killed_calls} killed calls, {killed_processes} killed processes, {} requests: {twice} double, {} lost",
        server.requests(),
        count - known
    );
    assert_eq!((twice, known, charged.len()), (0, count, count));
}
