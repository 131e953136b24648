//! A plan that the buyer has already.

use pavise_kernel::common::v1::{Date, RegionCode};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::billing::TransactionStatus;
use pavise_orders::contract::fulfillment::{Entitlement, EntitlementStatus};
use pavise_orders::contract::v1::*;

use crate::peers::plan;
use crate::scene::{ALICE, Scene, draft, payment, refusal_reason, request_by, scene, scenes};

const ADMIN: &str = "GroupAdmin/ann/acme";

/// Alice has a plan with the product that every offer of the peers sells.
fn holds(scene: &Scene, plan: Entitlement) {
    scene.peers.state().entitlements.insert(plan.id.clone(), plan);
}

async fn buy(scene: &Scene, order: &Order, buy_again: bool) -> Result<Order> {
    let request = PurchaseOrderRequest { buy_again, ..payment(order) };
    Ok(scene.orders().purchase_order(request_by(ALICE, request)).await?.into_inner())
}

#[tokio::test]
async fn a_plan_that_the_buyer_has_is_sold_again_only_when_it_is_meant() {
    let scene = scene().await;
    let other = Entitlement { id: "another".into(), product_id: "other".into(), ..plan(EntitlementStatus::Active) };
    holds(&scene, other);
    holds(&scene, Entitlement { name: "Legal Plan".into(), ..plan(EntitlementStatus::Active) });
    let order = scene.order(&["legal"]).await;
    let refused = buy(&scene, &order, false).await.unwrap_err();
    assert_eq!(refused.reason(), "PLAN_ALREADY_HELD");
    assert_eq!(refused.message(), "the buyer already has Legal Plan; send buy_again to buy it once more");
    let facts = ["product_id", "entitlement_id"].map(|name| refused.find_fact(name));
    assert_eq!(facts, [Some("product"), Some("plan")]);
    assert_eq!(scene.get(ALICE, &order).await.unwrap(), order, "a refused purchase changes nothing");
    assert!(buy(&scene, &order, true).await.unwrap().bought_again);
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn a_suspended_plan_is_held_and_one_that_is_over_is_not() {
    let yesterday = Some(Date { year: 2026, month: 1, day: 14 });
    let today = Some(Date { year: 2026, month: 1, day: 15 });
    let with = |status, ends_on| Entitlement { ends_on, ..plan(status) };
    let cases = [
        (with(EntitlementStatus::Suspended, None), true),
        (with(EntitlementStatus::Active, today), true),
        (with(EntitlementStatus::Active, yesterday), false),
        (with(EntitlementStatus::Cancelled, None), false),
        (Entitlement { owner_id: "bob".into(), ..plan(EntitlementStatus::Active) }, false),
    ];
    for (plan, held) in cases {
        let scene = scene().await;
        let said = format!("{plan:?}");
        holds(&scene, plan);
        let order = scene.order(&["legal"]).await;
        let bought = buy(&scene, &order, false).await;
        assert_eq!(
            bought.err().map(|refused| refused.reason().to_owned()),
            held.then(|| "PLAN_ALREADY_HELD".into()),
            "{said}"
        );
    }
}

#[tokio::test]
async fn of_two_purchases_at_once_one_is_refused_on_both_engines() {
    for scene in scenes().await {
        let (first, second) = (scene.order(&["legal"]).await, scene.order(&["legal"]).await);
        let (one, other) = tokio::join!(buy(&scene, &first, false), buy(&scene, &second, false));
        let refused = [&one, &other].into_iter().find_map(|answer| answer.as_ref().err()).unwrap();
        assert_eq!(refused.reason(), "PLAN_ALREADY_HELD");
        let (paid, left) = if one.is_ok() { (first, second) } else { (second, first) };
        assert_eq!([one, other].into_iter().flatten().count(), 1);
        assert_eq!(refusal_reason(buy(&scene, &left, false).await), "PLAN_ALREADY_HELD", "it is being paid");
        assert_eq!(buy(&scene, &paid, false).await.unwrap().attempt, 1, "the same purchase again is no second one");
        assert_eq!(buy(&scene, &left, true).await.unwrap().status(), OrderStatus::Processing);
        assert_eq!(scene.run_workers().await, 0);
        assert_eq!(scene.peers.state().charges.len(), 2);
        for order in [paid, left] {
            assert!(scene.get(ALICE, &order).await.unwrap().buying.is_empty(), "the entitlement says so from now on");
        }
    }
}

#[tokio::test]
async fn an_order_that_was_meant_twice_keeps_a_third_from_being_sold_unasked() {
    let scene = scene().await;
    let (first, second) = (scene.order(&["legal"]).await, scene.order(&["legal"]).await);
    buy(&scene, &first, true).await.unwrap();
    assert_eq!(refusal_reason(buy(&scene, &second, false).await), "PLAN_ALREADY_HELD");
}

#[tokio::test]
async fn declined_order_does_not_block_another() {
    let scene = scene().await;
    scene.peers.vendor_says("legal", &[TransactionStatus::Declined]);
    let (first, second) = (scene.order(&["legal"]).await, scene.order(&["legal"]).await);
    buy(&scene, &first, false).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    buy(&scene, &second, false).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(refusal_reason(buy(&scene, &second, false).await), "STATUS_NOT_ALLOWED");
}

#[tokio::test]
async fn the_plan_that_an_order_gave_does_not_keep_the_rest_of_it_from_being_paid() {
    let scene = scene().await;
    scene.peers.vendor_says("identity", &[TransactionStatus::Declined]);
    let order = scene.order(&["legal", "identity"]).await;
    buy(&scene, &order, false).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    holds(&scene, Entitlement { order_id: order.id.clone(), ..plan(EntitlementStatus::Active) });
    buy(&scene, &order, false).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn an_administrator_learns_of_the_plans_through_the_group_only() {
    let scene = scene().await;
    holds(&scene, plan(EntitlementStatus::Active));
    let create = CreateGroupOrderRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        order: Some(draft(RegionCode::Tx, &["employer"])),
    };
    let order = scene.orders().create_group_order(request_by(ADMIN, create)).await.unwrap().into_inner();
    let premium =
        PurchaseOrderRequest { group_id: "acme".into(), payment_method_id: "premium".into(), ..payment(&order) };
    assert_eq!(
        refusal_reason(buy(&scene, &order, false).await),
        "PLAN_ALREADY_HELD",
        "the member knows all of their plans"
    );
    holds(
        &scene,
        Entitlement { group_id: "acme".into(), id: "through acme".into(), ..plan(EntitlementStatus::Active) },
    );
    let refused = scene.orders().purchase_order(request_by(ADMIN, premium.clone())).await.map_err(Error::from);
    assert_eq!(refusal_reason(refused), "PLAN_ALREADY_HELD");
    let _ = scene.peers.state().entitlements.remove("through acme");
    scene.orders().purchase_order(request_by(ADMIN, premium)).await.unwrap();
}
