//! Orders of supplements to a plan that the member has.

use pavise_kernel::common::v1::Currency;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::fulfillment::EntitlementStatus;
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, Scene, by, choice, reason, scene};
use crate::world::{cents, plan};

async fn add(scene: &Scene, who: &str, supplement: &str) -> Result<Order> {
    let request = AddSupplementsRequest {
        identity_id: "alice".into(),
        entitlement_id: "plan".into(),
        brand: "legalshield".into(),
        offer_id: "legal".into(),
        supplement_ids: vec![supplement.to_owned()],
        ..AddSupplementsRequest::default()
    };
    Ok(scene.orders().add_supplements(by(who, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn only_the_supplement_is_charged_and_the_plan_is_extended() {
    let scene = scene().await;
    scene.world.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    let order = add(&scene, ALICE, "extra").await.unwrap();
    assert_eq!((order.channel(), order.currency()), (OrderChannel::AddLegalSupplement, Currency::Cad));
    let totals = order.totals.unwrap();
    assert_eq!([totals.subtotal, totals.tax, totals.due].map(cents), [500, 65, 565]);
    assert_eq!(order.offers[0].subscription_action(), SubscriptionAction::Update);
    scene.purchase(&order).await.unwrap();
    assert_eq!(scene.work().await, 0);
    let handed = scene.world.state().provisions.values().next().unwrap().clone();
    assert_eq!((handed.entitlement_id.as_str(), handed.lines.len()), ("plan", 1));
    assert_eq!(handed.lines[0].supplement_ids, ["extra"]);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn a_plan_must_be_in_force_and_the_members_own() {
    let scene = scene().await;
    assert_eq!(reason(add(&scene, ALICE, "extra").await), "INVALID_FIELD");
    scene.world.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Cancelled));
    assert_eq!(reason(add(&scene, ALICE, "extra").await), "MEMBERSHIP_NOT_ACTIVE");
    scene.world.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    assert_eq!(reason(add(&scene, MALLORY, "extra").await), "NOT_THE_OWNER");
    assert_eq!(reason(add(&scene, ALICE, "held").await), "INVALID_FIELD");
}

#[tokio::test]
async fn the_plan_is_looked_at_again_at_purchase_and_the_order_stays_what_it_is() {
    let scene = scene().await;
    scene.world.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    let order = add(&scene, ALICE, "extra").await.unwrap();
    let put = PutOffersRequest { order_id: order.id.clone(), offers: vec![choice("legal")], ..PutOffersRequest::default() };
    assert_eq!(reason(scene.orders().put_offers(by(ALICE, put)).await.map_err(Error::from)), "SUPPLEMENTS_ONLY");
    scene.world.state().entitlements.get_mut("plan").unwrap().supplement_ids.push("extra".into());
    assert_eq!(reason(scene.purchase(&order).await), "OFFER_NOT_BUYABLE");
    scene.world.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Suspended));
    assert_eq!(reason(scene.purchase(&order).await), "MEMBERSHIP_NOT_ACTIVE");
}
