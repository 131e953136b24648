//! Orders of supplements to a plan that the member has.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Money};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::billing::{Subscription, SubscriptionItem, SubscriptionStatus, TransactionStatus};
use pavise_orders::contract::fulfillment::{Entitlement, EntitlementStatus};
use pavise_orders::contract::v1::*;

use crate::peers::plan;
use crate::scene::{ALICE, MALLORY, PLATFORM, Scene, cents, choice, refusal_reason, request_by, scene, scenes};

async fn add(scene: &Scene, who: &str, supplement: &str) -> Result<Order> {
    order(scene, who, extra(supplement)).await
}

fn extra(supplement: &str) -> AddSupplementsRequest {
    AddSupplementsRequest {
        identity_id: "alice".into(),
        entitlement_id: "plan".into(),
        brand: "legalshield".into(),
        offer_id: "legal".into(),
        supplement_ids: vec![supplement.to_owned()],
        ..AddSupplementsRequest::default()
    }
}

async fn order(scene: &Scene, who: &str, request: AddSupplementsRequest) -> Result<Order> {
    Ok(scene.orders().add_supplements(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn only_the_supplement_is_charged_and_the_plan_is_extended() {
    let scene = scene().await;
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    let order = add(&scene, ALICE, "extra").await.unwrap();
    assert_eq!((order.channel(), order.currency()), (OrderChannel::AddLegalSupplement, Currency::Cad));
    let totals = order.totals.unwrap();
    assert_eq!([totals.subtotal, totals.tax, totals.due].map(cents), [500, 65, 565]);
    assert_eq!(order.offers[0].subscription_action(), SubscriptionAction::Update);
    scene.purchase(&order).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    let handed = scene.peers.state().provisions.values().next().unwrap().clone();
    assert_eq!((handed.entitlement_id.as_str(), handed.lines.len()), ("plan", 1));
    assert_eq!(handed.lines[0].supplement_ids, ["extra"]);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
}

#[tokio::test]
async fn a_plan_must_be_in_force_and_the_members_own() {
    let scene = scene().await;
    assert_eq!(refusal_reason(add(&scene, ALICE, "extra").await), "INVALID_FIELD");
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Cancelled));
    assert_eq!(refusal_reason(add(&scene, ALICE, "extra").await), "MEMBERSHIP_NOT_ACTIVE");
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    assert_eq!(refusal_reason(add(&scene, MALLORY, "extra").await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(add(&scene, ALICE, "held").await), "INVALID_FIELD");
}

#[tokio::test]
async fn the_plan_is_looked_at_again_at_purchase_and_the_order_stays_what_it_is() {
    let scene = scene().await;
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    let order = add(&scene, ALICE, "extra").await.unwrap();
    let put =
        PutOffersRequest { order_id: order.id.clone(), offers: vec![choice("legal")], ..PutOffersRequest::default() };
    assert_eq!(
        refusal_reason(scene.orders().put_offers(request_by(ALICE, put)).await.map_err(Error::from)),
        "SUPPLEMENTS_ONLY"
    );
    scene.peers.state().entitlements.get_mut("plan").unwrap().supplement_ids.push("extra".into());
    assert_eq!(refusal_reason(scene.purchase(&order).await), "OFFER_NOT_BUYABLE");
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Suspended));
    assert_eq!(refusal_reason(scene.purchase(&order).await), "MEMBERSHIP_NOT_ACTIVE");
}

/// A scene in which the plan is paid for by a subscription of Canadian dollars a year.
async fn paid_by_the_year() -> Scene {
    let scene = scene().await;
    let item = SubscriptionItem {
        price: Some(Money { currency: Currency::Cad.into(), amount: 29_940 }),
        ..Default::default()
    };
    let subscription = Subscription {
        owner_id: "alice".into(),
        status: SubscriptionStatus::Active.into(),
        billing_period: BillingPeriod::Annual.into(),
        payment_method_id: "card".into(),
        items: vec![item],
        ..Default::default()
    };
    let plan = Entitlement { subscription_id: "paying".into(), ..plan(EntitlementStatus::Active) };
    scene.peers.state().subscriptions.insert("paying".into(), subscription);
    scene.peers.state().entitlements.insert("plan".into(), plan);
    scene
}

fn paying(scene: &Scene, change: impl FnOnce(&mut Subscription)) {
    change(scene.peers.state().subscriptions.get_mut("paying").unwrap());
}

#[tokio::test]
async fn added_supplements_are_billed_with_the_plan() {
    let scene = paid_by_the_year().await;
    let made = add(&scene, ALICE, "extra").await.unwrap();
    assert_eq!((made.billing_period(), made.currency()), (BillingPeriod::Annual, Currency::Cad));
    let monthly = AddSupplementsRequest { billing_period: BillingPeriod::Monthly.into(), ..extra("extra") };
    assert_eq!(order(&scene, ALICE, monthly).await.unwrap_err().violations()[0].field, "billing_period");
    let dollars = AddSupplementsRequest { currency: Currency::Usd.into(), ..extra("extra") };
    assert_eq!(order(&scene, ALICE, dollars).await.unwrap_err().violations()[0].field, "currency");
    paying(&scene, |subscription| subscription.set_billing_period(BillingPeriod::Monthly));
    assert_eq!(refusal_reason(scene.purchase(&made).await), "OFFER_NOT_BUYABLE");
    paying(&scene, |subscription| subscription.set_status(SubscriptionStatus::Cancelled));
    assert_eq!(refusal_reason(scene.purchase(&made).await), "MEMBERSHIP_NOT_ACTIVE");
    assert_eq!(refusal_reason(add(&scene, ALICE, "extra").await), "MEMBERSHIP_NOT_ACTIVE");
}

#[tokio::test]
async fn supplements_at_the_employers_cost_are_refused() {
    let scene = paid_by_the_year().await;
    paying(&scene, |subscription| subscription.payment_method_id = "premium".into());
    assert_eq!(refusal_reason(add(&scene, ALICE, "extra").await), "PAYMENT_METHOD_NOT_USABLE");
    add(&scene, PLATFORM, "extra").await.unwrap();
}

#[tokio::test]
async fn a_supplement_is_paid_for_once() {
    for scene in scenes().await {
        scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
        let (first, second) = (add(&scene, ALICE, "extra").await.unwrap(), add(&scene, ALICE, "extra").await.unwrap());
        // The purchases run at the same moment: their order does not matter.
        let (one, other) = tokio::join!(scene.purchase(&first), scene.purchase(&second));
        let bought = [&one, &other].into_iter().flatten().count();
        assert_eq!(bought, 1, "{one:?} {other:?}");
        assert_eq!(scene.run_workers().await, 0);
        assert_eq!(scene.peers.state().charges.len(), 1);
        let paid = one.as_ref().or(other.as_ref()).unwrap();
        assert!(scene.get(ALICE, paid).await.unwrap().adding.is_empty(), "it is there: the plan says so from now on");
        let refused = [one, other].into_iter().find_map(Result::err).unwrap();
        assert_eq!(refused.reason(), "OFFER_NOT_BUYABLE");
    }
}

#[tokio::test]
async fn declined_supplements_can_be_bought_with_another_order() {
    let scene = scene().await;
    scene.peers.state().entitlements.insert("plan".into(), plan(EntitlementStatus::Active));
    scene.peers.vendor_says("legal", &[TransactionStatus::Declined]);
    let (first, second) = (add(&scene, ALICE, "extra").await.unwrap(), add(&scene, ALICE, "extra").await.unwrap());
    scene.purchase(&first).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    scene.purchase(&second).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.get(ALICE, &second).await.unwrap().status(), OrderStatus::Provisioned);
}
