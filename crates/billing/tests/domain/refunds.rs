//! Tests of refunds.

use futures::future::join_all;
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;

use crate::scene::{
    APPROVES, STAFF, Scene, WireFault, card, into_answer, refusal_reason, request_by, scene, scenes, usd,
};

async fn refund(scene: &Scene, of: &Transaction, amount: Option<i64>, reference: &str) -> Result<Transaction> {
    let request = CreateRefundRequest {
        identity_id: "alice".into(),
        payment_method_id: of.payment_method_id.clone(),
        transaction_id: of.id.clone(),
        amount: amount.and_then(usd),
        reference: reference.into(),
        ..CreateRefundRequest::default()
    };
    into_answer(scene.payments().create_refund(request_by(STAFF, request)).await)
}

#[tokio::test]
async fn parts_are_given_back_until_nothing_is_left() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let sold = scene.sell(&method, "r").await.unwrap();
        assert_eq!(refund(&scene, &sold, Some(1000), "").await.unwrap().amount, usd(1000));
        assert_eq!(refusal_reason(refund(&scene, &sold, Some(1996), "").await), "REFUND_EXCEEDS_PAYMENT");
        assert_eq!(refund(&scene, &sold, None, "").await.unwrap().amount, usd(1995));
        assert_eq!(refusal_reason(refund(&scene, &sold, Some(1), "").await), "REFUND_EXCEEDS_PAYMENT");
        assert_eq!(scene.transaction(&sold.id).await.refunded_amount, usd(2995));
        assert_eq!(scene.moved().await, 0);
    }
}

#[tokio::test]
async fn many_at_once_give_back_no_more_than_there_is() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let sold = scene.sell(&method, "r").await.unwrap();
        let references: Vec<String> = (0..6).map(|at| format!("part {at}")).collect();
        let refunds = join_all(references.iter().map(|reference| refund(&scene, &sold, Some(1000), reference))).await;
        let approved = refunds
            .iter()
            .filter(|one| one.as_ref().is_ok_and(|one| one.status() == TransactionStatus::Approved))
            .count();
        assert_eq!(approved, 2);
        assert_eq!(scene.moved().await, 995);
        assert_eq!(scene.transaction(&sold.id).await.refunded_amount, usd(2000));
    }
}

#[tokio::test]
async fn the_same_refund_asked_for_by_many_at_once_is_one() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let sold = scene.sell(&method, "r").await.unwrap();
        let refunds = join_all((0..12).map(|_| refund(&scene, &sold, None, "back"))).await;
        let ids: std::collections::BTreeSet<String> = refunds.into_iter().map(|one| one.unwrap().id).collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(scene.moved().await, 0);
    }
}

#[tokio::test]
async fn a_refused_refund_leaves_the_payment_as_it_was() {
    let scene = scene().await;
    let method = scene.method(card("test_4000000000000008")).await;
    let sold = scene.sell(&method, "r").await.unwrap();
    let refused = refund(&scene, &sold, Some(500), "").await.unwrap();
    assert_eq!((refused.status(), refused.decline_reason()), (TransactionStatus::Declined, DeclineReason::Other));
    assert_eq!(scene.transaction(&sold.id).await.refunded_amount, None);
}

#[tokio::test]
async fn only_what_was_charged_is_given_back() {
    let scene = scene().await;
    let declined = scene.method(card("test_4000000000000002")).await;
    let sold = scene.sell(&declined, "declined").await.unwrap();
    assert_eq!(refusal_reason(refund(&scene, &sold, None, "").await), "NOT_REFUNDABLE");
    let silent = scene.method(card("test_4000000000000005")).await;
    let sold = scene.sell(&silent, "silent").await.unwrap();
    assert_eq!(sold.status(), TransactionStatus::Timedout);
    assert_eq!(refusal_reason(refund(&scene, &sold, None, "").await), "NOT_REFUNDABLE");
    let other = scene.method(card(APPROVES)).await;
    let sold = scene.sell(&other, "other").await.unwrap();
    let crossed = Transaction { payment_method_id: silent.id, ..sold };
    assert_eq!(refusal_reason(refund(&scene, &crossed, None, "").await), "NOT_FOUND");
}

#[tokio::test]
async fn a_deleted_card_gets_its_money_back() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let sold = scene.sell(&method, "r").await.unwrap();
    let delete = DeletePaymentMethodRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        ..Default::default()
    };
    into_answer(scene.payments().delete_payment_method(request_by(STAFF, delete)).await).unwrap();
    assert_eq!(refusal_reason(scene.sell(&method, "another").await), "PAYMENT_METHOD_INACTIVE");
    assert_eq!(refund(&scene, &sold, None, "").await.unwrap().status(), TransactionStatus::Approved);
}

#[tokio::test]
async fn a_refund_that_is_cut_off_is_given_back_once() {
    for how in [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter] {
        let scene = scene().await;
        let method = scene.method(card(APPROVES)).await;
        let sold = scene.sell(&method, "r").await.unwrap();
        scene.wire.break_after(0, how);
        let _ = scene.wire.unless_killed(refund(&scene, &sold, Some(1000), "back")).await;
        assert_eq!(
            scene.transaction(&sold.id).await.refunded_amount,
            usd(1000),
            "set aside before the vendor is asked"
        );
        assert_eq!(refund(&scene, &sold, Some(1000), "back").await.unwrap().status(), TransactionStatus::Approved);
        assert_eq!(scene.moved().await, 1995, "{how:?}");
        assert_eq!(scene.transaction(&sold.id).await.refunded_amount, usd(1000));
    }
}
