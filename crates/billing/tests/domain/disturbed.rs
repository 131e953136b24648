//! Payments under faults: lost answers, killed processes, impatient and concurrent callers.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use pavise_billing::contract::v1::TransactionStatus::{Approved, Created, Declined, Timedout};
use pavise_billing::contract::v1::*;

use crate::scene::{
    ALICE, APPROVES, PLATFORM, WireFault, at, card, into_answer, request_by, request_with_key, sale, scene, scenes,
};

/// The call to the vendor, after the one that reads the order.
const TO_VENDOR: usize = 1;

const CUTS: [WireFault; 4] = [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter];

#[tokio::test]
async fn wherever_a_sale_is_cut_off_a_repeat_ends_it_charged_once() {
    for token in [APPROVES, "test_4000000000000005"] {
        for how in CUTS {
            let scene = scene().await;
            let method = scene.method(card(token)).await;
            scene.wire.break_after(TO_VENDOR, how);
            let first = scene.wire.unless_killed(scene.sell(&method, "order/offer/1")).await;
            match how {
                WireFault::Before | WireFault::After => assert_eq!(first.unwrap().unwrap().status(), Timedout),
                WireFault::KilledBefore | WireFault::KilledAfter => assert!(first.is_none()),
            }
            assert!(matches!(scene.transactions().await[0].status(), Created | Timedout));
            let mut sold = scene.sell(&method, "order/offer/1").await.unwrap();
            if sold.status() == Timedout {
                // The first call had not arrived; now its answer was lost.
                sold = scene.sell(&method, "order/offer/1").await.unwrap();
            }
            assert_eq!(sold.status(), Approved, "{token} {how:?}");
            assert_eq!(scene.transactions().await.len(), 1);
            let ledger = scene.ledger().await;
            assert_eq!((ledger.len(), ledger[0].submissions, ledger[0].movements), (1, 1, 1), "{token} {how:?}");
            assert_eq!(ledger[0].reference, sold.id);
        }
    }
}

#[tokio::test]
async fn a_second_process_finds_in_the_database_what_the_killed_one_left() {
    for how in [WireFault::KilledBefore, WireFault::KilledAfter] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("billing.db");
        let first = at(&file).await;
        let method = first.method(card(APPROVES)).await;
        first.wire.break_after(TO_VENDOR, how);
        let request = || {
            request_with_key(
                PLATFORM,
                "the caller's key",
                CreateSaleRequest { reference: String::new(), ..sale(&method, "") },
            )
        };
        assert!(first.wire.unless_killed(first.payments().create_sale(request())).await.is_none());
        first.kernel.committer().shut_down().await;
        drop(first);
        let second = at(&file).await;
        let sold = into_answer(second.payments().create_sale(request()).await).unwrap();
        assert_eq!(sold.status(), Approved);
        assert_eq!(second.moved().await, 2995);
        assert_eq!(second.ledger().await[0].movements, 1);
    }
}

#[tokio::test]
async fn payments_of_a_killed_process_are_finished_once() {
    for how in [WireFault::KilledBefore, WireFault::KilledAfter] {
        for (reference, keyless_end) in
            [("order/offer/1", Approved), ("", if how == WireFault::KilledAfter { Approved } else { Declined })]
        {
            let scene = scene().await;
            let method = scene.method(card(APPROVES)).await;
            scene.wire.break_after(TO_VENDOR, how);
            let request = request_by(PLATFORM, CreateSaleRequest { reference: reference.into(), ..sale(&method, "") });
            assert!(scene.wire.unless_killed(scene.payments().create_sale(request)).await.is_none());
            let id = scene.transactions().await[0].id.clone();
            scene.run_workers("at once").await;
            assert_eq!(scene.transaction(&id).await.status(), Created, "it may still be in progress");
            scene.clock.move_forward(Duration::from_secs(61));
            scene.run_workers("soon").await;
            scene.clock.move_forward(Duration::from_secs(15 * 60));
            scene.run_workers("later").await;
            let ended = scene.transaction(&id).await;
            assert_eq!(ended.status(), keyless_end, "{how:?} {reference:?}");
            let moved = if ended.status() == Approved { 2995 } else { 0 };
            assert_eq!(scene.moved().await, moved, "{how:?} {reference:?}");
            if moved == 0 {
                assert_eq!(ended.decline_reason(), DeclineReason::NotSubmitted);
            }
        }
    }
}

#[tokio::test]
async fn a_method_that_was_deleted_meanwhile_is_not_charged_late() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    scene.wire.break_after(TO_VENDOR, WireFault::KilledBefore);
    assert!(scene.wire.unless_killed(scene.sell(&method, "order/offer/1")).await.is_none());
    let delete = DeletePaymentMethodRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        ..Default::default()
    };
    into_answer(scene.payments().delete_payment_method(request_by(ALICE, delete)).await).unwrap();
    scene.clock.move_forward(Duration::from_secs(16 * 60));
    scene.run_workers("later").await;
    assert_eq!(scene.transactions().await[0].status(), Declined);
    assert_eq!(scene.moved().await, 0);
}

#[tokio::test]
async fn many_at_once_are_one_on_both_engines() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let sales = join_all((0..24).map(|_| scene.sell(&method, "order/offer/1"))).await;
        let sales: Vec<Transaction> = sales.into_iter().collect::<Result<_, _>>().unwrap();
        let ids: BTreeSet<&str> = sales.iter().map(|sold| sold.id.as_str()).collect();
        assert_eq!(ids.len(), 1);
        assert!(sales.iter().any(|sold| sold.status() == Approved));
        let ended = scene.sell(&method, "order/offer/1").await.unwrap();
        assert_eq!(ended.status(), Approved);
        assert_eq!(scene.moved().await, 2995);

        let request = || {
            request_with_key(PLATFORM, "same key", CreateSaleRequest { reference: String::new(), ..sale(&method, "") })
        };
        let sales =
            join_all((0..24).map(|_| async { into_answer(scene.payments().create_sale(request()).await) })).await;
        let ids: BTreeSet<String> = sales.into_iter().map(|sold| sold.unwrap().id).collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(scene.moved().await, 2 * 2995);
    }
}
