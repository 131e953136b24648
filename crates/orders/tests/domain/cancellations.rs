//! Orders that are taken back while the buyer may change their mind.

use std::time::Duration;

use pavise_kernel::Result;
use pavise_kernel::common::v1::RegionCode;
use pavise_orders::contract::billing::{Invoice, InvoiceItem, Subscription, SubscriptionStatus};
use pavise_orders::contract::fulfillment::{Entitlement, EntitlementStatus};
use pavise_orders::contract::v1::*;

use crate::scene::{
    ALICE, MALLORY, PLATFORM, STAFF, Scene, WireFault, draft, payment, refusal_reason, request_by, scene, scenes, usd,
};

const ADMIN: &str = "GroupAdmin/ann/acme";
const OTHER: &str = "GroupAdmin/otto/other";
const DAY: Duration = Duration::from_secs(86_400);

fn wish(order: &Order) -> CancelOrderRequest {
    CancelOrderRequest {
        order_id: order.id.clone(),
        identity_id: "alice".into(),
        reason: OrderCancelReason::ChangedMind.into(),
        ..CancelOrderRequest::default()
    }
}

async fn cancel(scene: &Scene, who: &str, order: &Order) -> Result<Order> {
    Ok(scene.orders().cancel_order(request_by(who, wish(order))).await?.into_inner())
}

/// Lets an order be paid and set up, with its subscription and its plans, and a second month that was paid.
async fn set_up(scene: &Scene, order: &Order) {
    assert_eq!(scene.run_workers().await, 0);
    let sold = scene.get(ALICE, order).await.unwrap();
    assert_eq!(sold.status(), OrderStatus::Provisioned);
    let mut state = scene.peers.state();
    for id in sold.offers.iter().flat_map(|offer| &offer.entitlement_ids) {
        let plan = Entitlement {
            id: id.clone(),
            owner_id: "alice".into(),
            status: EntitlementStatus::Active.into(),
            ..Entitlement::default()
        };
        state.entitlements.insert(id.clone(), plan);
    }
    let subscription = Subscription {
        id: "subscription".into(),
        owner_id: "alice".into(),
        status: SubscriptionStatus::Active.into(),
        ..Subscription::default()
    };
    state.subscriptions.insert("subscription".into(), subscription);
    let second_month = Invoice {
        id: "second month".into(),
        owner_id: "alice".into(),
        subscription_id: "subscription".into(),
        items: vec![InvoiceItem { amount: usd(2495), ..InvoiceItem::default() }],
        ..Invoice::default()
    };
    state.invoices.insert("second month".into(), second_month);
}

async fn bought(scene: &Scene) -> Order {
    let order = scene.order(&["legal", "identity"]).await;
    scene.purchase(&order).await.unwrap();
    set_up(scene, &order).await;
    order
}

/// Asserts the required end of a cancellation, whatever happened on the way.
async fn assert_taken_back(scene: &Scene, order: &Order) {
    let cancelled = scene.get(ALICE, order).await.unwrap().cancellation.unwrap();
    assert!(cancelled.finished_at.is_some());
    assert_eq!((cancelled.refunded, cancelled.credited), (usd(4083 + 2495), usd(0)));
    assert_eq!((cancelled.cancelled_by.as_str(), cancelled.reason()), ("alice", OrderCancelReason::ChangedMind));
    let mut state = scene.peers.state();
    assert_eq!(state.subscriptions["subscription"].status(), SubscriptionStatus::Cancelled);
    assert_eq!(state.entitlements.len(), 2);
    assert!(state.entitlements.values().all(|plan| plan.status() == EntitlementStatus::Cancelled));
    state.given_back.sort_unstable();
    assert_eq!(state.given_back, ["invoice 1", "second month"], "each invoice goes back once");
}

#[tokio::test]
async fn a_cancelled_order_gives_back_payments_plans_and_subscription() {
    for scene in scenes().await {
        let order = bought(&scene).await;
        let answered = cancel(&scene, ALICE, &order).await.unwrap();
        let cancellation = answered.cancellation.clone().unwrap();
        assert!(cancellation.at.is_some() && cancellation.finished_at.is_none());
        assert_eq!(cancel(&scene, ALICE, &order).await.unwrap(), answered, "a repeat has the effect of one");
        assert_eq!(scene.run_workers().await, 0);
        assert_taken_back(&scene, &order).await;
        let actions = scene.actions(&order).await;
        assert_eq!(actions[actions.len() - 2..], ["CANCELLED", "CANCELLATION_FINISHED"]);
        // Long after the days it is still answered as it is.
        scene.clock.move_forward(400 * DAY);
        assert!(cancel(&scene, ALICE, &order).await.unwrap().cancellation.unwrap().finished_at.is_some());
    }
}

#[tokio::test]
async fn whichever_answer_is_lost_everything_goes_back_once() {
    let undisturbed = scene().await;
    let order = bought(&undisturbed).await;
    cancel(&undisturbed, ALICE, &order).await.unwrap();
    let before = undisturbed.wire.calls();
    assert_eq!(undisturbed.run_workers().await, 0);
    let calls = undisturbed.wire.calls() - before;
    assert!(calls >= 10, "the subscription, two plans, two invoices, and what is read before: {calls}");
    for at in 0..calls {
        let scene = scene().await;
        let order = bought(&scene).await;
        cancel(&scene, ALICE, &order).await.unwrap();
        scene.wire.break_after(at, WireFault::After);
        assert_eq!(scene.run_workers().await, 1, "call {at} was lost");
        assert_taken_back(&scene, &order).await;
    }
}

#[tokio::test]
async fn the_last_day_is_the_tenth_after_the_purchase() {
    for scene in scenes().await {
        let (early, late) = (bought(&scene).await, scene.order(&["legal"]).await);
        scene.clock.move_forward(10 * DAY);
        let unpaid = cancel(&scene, ALICE, &late).await;
        assert_eq!(refusal_reason(unpaid), "STATUS_NOT_ALLOWED", "nothing was bought");
        scene.clock.move_forward(DAY);
        assert_eq!(refusal_reason(cancel(&scene, ALICE, &early).await), "CANCELLATION_PERIOD_OVER");
        assert_eq!(refusal_reason(cancel(&scene, STAFF, &early).await), "CANCELLATION_PERIOD_OVER");
        assert!(scene.get(ALICE, &early).await.unwrap().cancellation.is_none());
        assert!(scene.peers.state().given_back.is_empty());
    }
}

#[tokio::test]
async fn only_the_buyer_staff_and_those_who_pay_cancel_an_order() {
    for scene in scenes().await {
        let order = bought(&scene).await;
        assert_eq!(refusal_reason(cancel(&scene, MALLORY, &order).await), "NOT_THE_OWNER");
        let of_group = CancelOrderRequest { group_id: "acme".into(), ..wish(&order) };
        let foreign =
            scene.orders().cancel_order(request_by(ADMIN, of_group)).await.map_err(pavise_kernel::Error::from);
        assert_eq!(refusal_reason(foreign), "NOT_FOUND", "it was bought without the group");
        for (method, pays) in [("corporate", false), ("premium", true)] {
            let request = CreateGroupOrderRequest {
                group_id: "acme".into(),
                identity_id: "alice".into(),
                order: Some(draft(RegionCode::Tx, &["employer"])),
            };
            let order = scene.orders().create_group_order(request_by(PLATFORM, request)).await.unwrap().into_inner();
            let buy = PurchaseOrderRequest {
                group_id: "acme".into(),
                payment_method_id: method.into(),
                buy_again: true,
                ..payment(&order)
            };
            scene.orders().purchase_order(request_by(PLATFORM, buy)).await.unwrap();
            assert_eq!(scene.run_workers().await, 0);
            let of_group = |who: &str| {
                let request = request_by(who, CancelOrderRequest { group_id: "acme".into(), ..wish(&order) });
                let mut orders = scene.orders();
                async move { orders.cancel_order(request).await.map_err(pavise_kernel::Error::from) }
            };
            assert_eq!(refusal_reason(of_group(OTHER).await), "NOT_THE_OWNER");
            let cancelled = of_group(ADMIN).await;
            if pays {
                let cancellation = cancelled.unwrap().into_inner().cancellation.unwrap();
                assert_eq!(cancellation.cancelled_by, "ann");
            } else {
                assert_eq!(refusal_reason(cancelled), "ORDER_NOT_CANCELLABLE");
            }
        }
    }
}
