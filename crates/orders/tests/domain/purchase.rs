//! From purchase to membership, with and without faults.

use pavise_kernel::common::v1::RegionCode;
use pavise_orders::contract::billing::TransactionStatus::{Approved, Declined, HardDeclined, Timedout};
use pavise_orders::contract::v1::*;

use crate::scene::{
    ALICE, MALLORY, PLATFORM, Scene, WireFault, cents, draft, payment, refusal_reason, request_by, scene, scenes,
};

/// Asserts the required end of a purchase of two offers, whatever happened on the way.
async fn assert_sold_once(scene: &Scene, order: &Order) {
    let sold = scene.get(ALICE, order).await.unwrap();
    assert_eq!(sold.status(), OrderStatus::Provisioned);
    let state = scene.peers.state();
    let mut amounts: Vec<_> = state.charges.iter().map(|(_, amount)| *amount).collect();
    amounts.sort_unstable();
    assert_eq!(amounts, [1588, 2495], "each offer is charged once, with its tax");
    assert_eq!(state.provisions.len(), 2);
    let paid: i64 = state.payments.values().map(|(_, amount)| *amount).sum();
    let invoiced: i64 = state.invoices.values().flat_map(|invoice| &invoice.items).map(|item| cents(item.amount)).sum();
    assert_eq!((paid, invoiced), (4083, 4083));
    for offer in &sold.offers {
        assert_eq!(offer.status(), OfferStatusOnOrder::Funded);
        assert_eq!(offer.provision_id, format!("provision {}", offer.id));
        assert_eq!(offer.entitlement_ids, [format!("entitlement {}", offer.id)]);
    }
}

#[tokio::test]
async fn a_purchase_ends_in_a_membership_on_both_engines() {
    for scene in scenes().await {
        let order = scene.order(&["legal", "identity"]).await;
        let begun = scene.purchase(&order).await.unwrap();
        assert_eq!(
            (begun.status(), begun.attempt, begun.payment_method()),
            (OrderStatus::Processing, 1, PaymentMethod::CreditCard)
        );
        assert_eq!(
            scene.purchase(&order).await.unwrap().version,
            begun.version,
            "a second purchase has the effect of one"
        );
        assert_eq!(scene.run_workers().await, 0);
        assert_sold_once(&scene, &order).await;
        let actions = scene.actions(&order).await;
        let recorded = ["SUBSCRIPTIONS_CREATED", "ENTITLEMENTS_CREATED"];
        let expected =
            [&["CREATED", "STATUS_CHANGED", "STATUS_CHANGED"][..], &recorded, &recorded, &["STATUS_CHANGED"]].concat();
        assert_eq!(actions, expected);
        assert_eq!(scene.peers.state().invoices.len(), 1);
    }
}

#[tokio::test]
async fn whichever_answer_is_lost_the_end_is_the_same_and_the_charge_is_one() {
    let undisturbed = scene().await;
    let order = undisturbed.order(&["legal", "identity"]).await;
    undisturbed.purchase(&order).await.unwrap();
    let before = undisturbed.wire.calls();
    assert_eq!(undisturbed.run_workers().await, 0);
    let calls = undisturbed.wire.calls() - before;
    assert!(calls >= 9, "two sales, an invoice, two payments, a settlement, two provisions, two records: {calls}");
    for at in 0..calls {
        let scene = scene().await;
        let order = scene.order(&["legal", "identity"]).await;
        scene.purchase(&order).await.unwrap();
        scene.wire.break_after(at, WireFault::After);
        assert_eq!(scene.run_workers().await, 1, "call {at} was lost");
        assert_sold_once(&scene, &order).await;
    }
}

#[tokio::test]
async fn entries_that_are_handled_again_later_change_nothing() {
    let scene = scene().await;
    let order = scene.order(&["legal", "identity"]).await;
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    let end = scene.get(ALICE, &order).await.unwrap();
    assert_eq!(scene.replay().await, 0);
    assert_sold_once(&scene, &order).await;
    assert_eq!(scene.get(ALICE, &order).await.unwrap(), end);
}

#[tokio::test]
async fn declined_offers_are_paid_later_and_paid_ones_not_charged_again() {
    let scene = scene().await;
    scene.peers.vendor_says("identity", &[Declined, HardDeclined]);
    let order = scene.order(&["legal", "identity"]).await;
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    let partial = scene.get(ALICE, &order).await.unwrap();
    assert_eq!(partial.status(), OrderStatus::PartiallyFunded);
    assert_eq!(cents(partial.totals.unwrap().due), 1588);
    assert_eq!(partial.offers[1].failure_reason, "INSUFFICIENT_FUNDS");
    assert!(!partial.offers[0].entitlement_ids.is_empty(), "what is paid is set up at once");
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::PartiallyFunded);
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    assert_sold_once(&scene, &order).await;
    assert_eq!(
        scene.get(ALICE, &order).await.unwrap().offers.iter().map(|offer| offer.attempts).collect::<Vec<_>>(),
        [1, 3]
    );
}

#[tokio::test]
async fn an_order_of_which_nothing_was_paid_can_be_changed_or_dropped() {
    let scene = scene().await;
    scene.peers.vendor_says("legal", &[Declined]);
    let order = scene.order(&["legal"]).await;
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::PaymentFailed);
    assert!(scene.peers.state().invoices.is_empty());
    let put = PutOffersRequest {
        order_id: order.id.clone(),
        offers: vec![crate::scene::choice("identity")],
        ..PutOffersRequest::default()
    };
    assert_eq!(
        scene.orders().put_offers(request_by(ALICE, put)).await.unwrap().into_inner().status(),
        OrderStatus::PaymentFailed
    );
    scene.orders().delete_order(request_by(ALICE, DeleteOrderRequest { order_id: order.id.clone() })).await.unwrap();
    assert_eq!(refusal_reason(scene.get(ALICE, &order).await), "NOT_FOUND");
}

#[tokio::test]
async fn a_payment_without_an_answer_is_asked_about_until_there_is_one() {
    let scene = scene().await;
    scene.peers.vendor_says("legal", &[Timedout, Timedout, Approved]);
    let order = scene.order(&["legal"]).await;
    scene.purchase(&order).await.unwrap();
    assert_eq!(scene.run_workers().await, 2);
    assert_eq!(scene.peers.state().charges.len(), 1);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn charged_offers_are_set_up_after_the_card_changed_hands() {
    let scene = scene().await;
    scene.peers.vendor_says("legal", &[Timedout, Approved]);
    let order = scene.order(&["legal"]).await;
    scene.purchase(&order).await.unwrap();
    assert!(
        scene.handle_entry("orders.sell_offers", &scene.last().await).await.is_err(),
        "the vendor has not answered yet"
    );
    scene.peers.state().methods.get_mut("card").unwrap().owner_id = "bert".into();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.peers.state().charges.len(), 1);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn an_order_that_is_paid_can_no_longer_be_changed() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    scene.purchase(&order).await.unwrap();
    scene.run_workers().await;
    let id = || order.id.clone();
    let codes = [
        scene
            .orders()
            .put_offers(request_by(ALICE, PutOffersRequest { order_id: id(), ..Default::default() }))
            .await
            .unwrap_err(),
        scene
            .orders()
            .put_authorized_users(request_by(ALICE, PutAuthorizedUsersRequest { order_id: id(), ..Default::default() }))
            .await
            .unwrap_err(),
        scene.orders().delete_order(request_by(ALICE, DeleteOrderRequest { order_id: id() })).await.unwrap_err(),
        scene.orders().purchase_order(request_by(ALICE, payment(&order))).await.unwrap_err(),
    ]
    .map(|status| pavise_kernel::Error::from(status).reason().to_owned());
    assert_eq!(codes, ["STATUS_NOT_ALLOWED"; 4]);
}

#[tokio::test]
async fn only_the_platform_settles_and_only_the_buyer_purchases() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    assert!(scene.orders().purchase_order(request_by(MALLORY, payment(&order))).await.is_err());
    let foreign = PurchaseOrderRequest { identity_id: "mallory".into(), ..payment(&order) };
    assert_eq!(
        scene.orders().purchase_order(request_by(MALLORY, foreign)).await.unwrap_err().code(),
        tonic::Code::NotFound
    );
    let begun = scene.purchase(&order).await.unwrap();
    let approved =
        OfferSettlement { order_offer_id: begun.offers[0].id.clone(), approved: true, ..OfferSettlement::default() };
    let settle = SettleOrderRequest {
        order_id: order.id.clone(),
        attempt: 1,
        offers: vec![approved],
        invoice_id: String::new(),
    };
    for who in ["", ALICE, "Internal/staff"] {
        assert!(scene.orders().settle_order(request_by(who, settle.clone())).await.is_err(), "{who}");
    }
    // Even the platform cannot mark an unpaid order as paid: the order's own invariants refuse it.
    assert_eq!(
        scene.orders().settle_order(request_by(PLATFORM, settle)).await.unwrap_err().code(),
        tonic::Code::Internal
    );
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Processing);
}

#[tokio::test]
async fn an_empty_order_or_a_foreign_payment_method_buys_nothing() {
    let scene = scene().await;
    let empty = scene.order(&[]).await;
    assert_eq!(refusal_reason(scene.purchase(&empty).await), "ORDER_EMPTY");
    let order = scene.order(&["legal"]).await;
    let foreign = PurchaseOrderRequest { payment_method_id: "somebody else's".into(), ..payment(&order) };
    let refused = scene.orders().purchase_order(request_by(ALICE, foreign)).await.map_err(pavise_kernel::Error::from);
    assert_eq!(refusal_reason(refused), "INVALID_FIELD");
}

#[tokio::test]
async fn an_offer_on_trial_is_bought_by_the_members_of_its_cohort_while_they_are_in_it() {
    let scene = scene().await;
    let put_in = |members: &[&'static str]| scene.peers.state().trials.insert("legal".into(), members.to_vec());
    put_in(&["bob"]);
    let refused = scene.create(ALICE, draft(RegionCode::Tx, &["legal"])).await;
    assert_eq!(refusal_reason(refused), "SELECTION_REFUSED");
    let unknown = scene.create(ALICE, draft(RegionCode::Tx, &["nothing"])).await.unwrap_err();
    let hidden = scene.create(ALICE, draft(RegionCode::Tx, &["legal"])).await.unwrap_err();
    assert_eq!(unknown.message(), hidden.message(), "it tells that there is one");
    put_in(&["bob", "alice"]);
    let (one, other) = (scene.order(&["legal"]).await, scene.order(&["legal"]).await);
    scene.purchase(&one).await.unwrap();
    put_in(&["bob"]);
    assert_eq!(refusal_reason(scene.purchase(&other).await), "OFFER_NOT_BUYABLE", "she has left the cohort");
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.get(ALICE, &one).await.unwrap().status(), OrderStatus::Provisioned, "what is begun goes on");
}
