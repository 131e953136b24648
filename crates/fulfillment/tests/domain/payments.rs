//! Entitlements are suspended with a subscription that is not paid, and come back with it.

use pavise_fulfillment::contract::billing::{SubscriptionStatus, SuspendReason};
use pavise_fulfillment::contract::v1::*;
use pavise_testkit::scene::Engine;

use crate::scene::{Scene, family};

const WORKER: &str = "fulfillment.follow_payments";

async fn plans(scene: &Scene) -> Vec<Entitlement> {
    let request = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    let mut plans = scene.entitlements("buyer").list_entitlements(request).await.unwrap().into_inner().entitlements;
    plans.sort_by(|one, other| one.name.cmp(&other.name));
    plans
}

/// The statuses of the plans, and why.
async fn states(scene: &Scene) -> Vec<(EntitlementStatus, EntitlementStatusReason)> {
    plans(scene).await.iter().map(|plan| (plan.status(), plan.status_reason())).collect()
}

/// Changes the subscription of the family, and lets the worker read the entry of its journal.
async fn turn(scene: &Scene, clock: i64, action: &str, status: SubscriptionStatus, suspended_for: SuspendReason) {
    let id = scene.peers.subscriptions()[0].id.clone();
    scene.peers.change_subscription(&id, |known| {
        known.set_status(status);
        known.set_suspended_for(suspended_for);
    });
    let changed = scene.peers.subscriptions().remove(0);
    for _ in 0..2 {
        // The second time, the worker reads the same entry again.
        scene.entry(WORKER, &changed, clock, action).await.unwrap();
    }
}

async fn sold(engine: Engine) -> Scene {
    let mut scene = Scene::on(engine).await;
    scene.create(family()).await;
    scene.run_workers().await;
    scene
}

const NONE: SuspendReason = SuspendReason::Unspecified;
const UNPAID: (EntitlementStatus, EntitlementStatusReason) =
    (EntitlementStatus::Suspended, EntitlementStatusReason::Payment);
const PAID: (EntitlementStatus, EntitlementStatusReason) =
    (EntitlementStatus::Active, EntitlementStatusReason::Payment);

#[tokio::test]
async fn plans_that_are_not_paid_cannot_be_used_until_the_payment() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let scene = sold(engine).await;
        turn(&scene, 7, "STATUS_CHANGED", SubscriptionStatus::Suspended, SuspendReason::Payment).await;
        assert_eq!(states(&scene).await, [UNPAID, UNPAID]);
        turn(&scene, 8, "STATUS_CHANGED", SubscriptionStatus::Precancel, SuspendReason::Payment).await;
        assert_eq!(states(&scene).await, [UNPAID, UNPAID], "the last warning changes nothing");
        turn(&scene, 9, "STATUS_CHANGED", SubscriptionStatus::Active, NONE).await;
        assert_eq!(states(&scene).await, [PAID, PAID]);
        // An end that was requested meanwhile stays, and the plans can be used until then.
        turn(&scene, 10, "STATUS_CHANGED", SubscriptionStatus::PendingCancel, SuspendReason::Payment).await;
        turn(&scene, 11, "PAID_TO_DATE_UPDATED", SubscriptionStatus::PendingCancel, NONE).await;
        assert_eq!(states(&scene).await, [PAID, PAID]);
    }
}

#[tokio::test]
async fn what_staff_suspended_stays_suspended() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let scene = sold(engine).await;
        let before = plans(&scene).await;
        let suspend = |plan: &Entitlement| SuspendEntitlementRequest {
            identity_id: "buyer".to_owned(),
            entitlement_id: plan.id.clone(),
            reason: EntitlementStatusReason::Payment.into(),
        };
        scene.entitlements("internal").suspend_entitlement(suspend(&before[0])).await.unwrap();
        turn(&scene, 7, "STATUS_CHANGED", SubscriptionStatus::Suspended, SuspendReason::Payment).await;
        assert_eq!(plans(&scene).await.iter().map(|plan| plan.unpaid).collect::<Vec<_>>(), [false, true]);
        turn(&scene, 8, "STATUS_CHANGED", SubscriptionStatus::Active, NONE).await;
        assert_eq!(states(&scene).await, [UNPAID, PAID]);
        // Staff take over what the platform suspended, and suspend the subscription.
        turn(&scene, 9, "STATUS_CHANGED", SubscriptionStatus::Suspended, SuspendReason::Payment).await;
        scene.entitlements("internal").suspend_entitlement(suspend(&before[1])).await.unwrap();
        turn(&scene, 10, "STATUS_CHANGED", SubscriptionStatus::Suspended, NONE).await;
        turn(&scene, 11, "STATUS_CHANGED", SubscriptionStatus::Active, NONE).await;
        assert_eq!(states(&scene).await, [UNPAID, UNPAID]);
    }
}

#[tokio::test]
async fn an_entry_that_is_read_late_follows_what_the_subscription_is_now() {
    let scene = sold(Engine::Sqlite).await;
    let id = scene.peers.subscriptions()[0].id.clone();
    scene.peers.change_subscription(&id, |known| {
        known.set_status(SubscriptionStatus::Suspended);
        known.set_suspended_for(SuspendReason::Payment);
    });
    let late = scene.peers.subscriptions().remove(0);
    scene.peers.change_subscription(&id, |known| {
        known.set_status(SubscriptionStatus::Active);
        known.set_suspended_for(NONE);
    });
    let before = plans(&scene).await;
    scene.entry(WORKER, &late, 7, "STATUS_CHANGED").await.unwrap();
    assert_eq!(plans(&scene).await, before, "it was paid meanwhile");
    for who in ["internal", "buyer"] {
        let request = FollowSubscriptionPaymentRequest { entitlement_id: before[0].id.clone(), unpaid: true };
        assert!(scene.entitlements(who).follow_subscription_payment(request).await.is_err(), "{who}");
    }
}
