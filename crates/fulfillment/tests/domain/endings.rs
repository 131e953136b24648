//! Entitlements end with the subscription that paid for them.

use std::time::Duration;

use pavise_fulfillment::contract::billing::{self, CancelReason, SubscriptionStatus};
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{Date, ReadJournalRequest};

use crate::scene::{Scene, family};

const WORKER: &str = "fulfillment.end_coverages";

async fn plans(scene: &Scene) -> Vec<Entitlement> {
    let request = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    scene.entitlements("buyer").list_entitlements(request).await.unwrap().into_inner().entitlements
}

/// A family's two plans, and the subscription that pays for them, which has ended for a reason.
async fn ended(scene: &mut Scene, reason: CancelReason, on: Date) -> billing::Subscription {
    scene.create(family()).await;
    scene.run_workers().await;
    let id = scene.peers.subscriptions()[0].id.clone();
    assert_eq!(plans(scene).await.iter().filter(|plan| plan.subscription_id == id).count(), 2);
    scene.peers.change_subscription(&id, |known| {
        known.set_status(SubscriptionStatus::Cancelled);
        known.set_cancel_reason(reason);
        known.cancelled_on = Some(on);
    });
    scene.peers.subscriptions().remove(0)
}

#[tokio::test]
async fn plans_end_with_the_day_that_was_paid_for_and_once() {
    let mut scene = Scene::new().await;
    let april = Date { year: 2026, month: 4, day: 1 };
    let over = ended(&mut scene, CancelReason::MemberRequestedCancel, april).await;
    // From 2 March to 1 April.
    scene.clock.move_forward(Duration::from_secs(30 * 24 * 3600));
    scene.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    let after = plans(&scene).await;
    for plan in &after {
        assert_eq!(
            (plan.status(), plan.status_reason(), plan.ends_on),
            (
                EntitlementStatus::Cancelled,
                EntitlementStatusReason::MemberRequest,
                Some(Date { year: 2026, month: 3, day: 31 })
            )
        );
    }
    scene.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    scene.entry(WORKER, &over, 8, "ENDED").await.unwrap();
    assert_eq!(plans(&scene).await, after, "a repeat changes nothing");
    let journal = ReadJournalRequest { limit: 1000, ..Default::default() };
    let entries = scene.entitlements("machine").read_journal(journal).await.unwrap().into_inner().entries;
    assert_eq!(entries.iter().filter(|entry| entry.action == "STATUS_UPDATE").count(), 2);
}

#[tokio::test]
async fn one_that_ended_before_its_plans_began_ends_them_on_their_first_day() {
    let mut scene = Scene::new().await;
    let before = Date { year: 2026, month: 2, day: 10 };
    let over = ended(&mut scene, CancelReason::Unspecified, before).await;
    scene.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    for plan in plans(&scene).await {
        assert_eq!((plan.status(), plan.ends_on), (EntitlementStatus::Cancelled, plan.effective_on));
        assert_eq!(plan.status_reason(), EntitlementStatusReason::Internal);
    }
}

#[tokio::test]
async fn plans_go_on_where_the_subscription_was_cancelled_at_once_or_stands_again() {
    let mut scene = Scene::new().await;
    let april = Date { year: 2026, month: 4, day: 1 };
    let over = ended(&mut scene, CancelReason::MemberRequestedCancel, april).await;
    // A plan change cancels the former subscription, too.
    scene.entry(WORKER, &over, 7, "STATUS_CHANGED").await.unwrap();
    scene.peers.change_subscription(&over.id, |known| known.set_status(SubscriptionStatus::Active));
    scene.entry(WORKER, &over, 8, "ENDED").await.unwrap();
    assert!(plans(&scene).await.iter().all(|plan| plan.status() == EntitlementStatus::Active));
}
