//! Entitlements end with the subscription that paid for them.

use std::time::Duration;

use pavise_fulfillment::contract::billing::{self, CancelReason, SubscriptionStatus};
use pavise_fulfillment::contract::v1::*;
use pavise_kernel::common::v1::{Date, ReadJournalRequest};

use crate::scene::{Scene, family};

const WORKER: &str = "fulfillment.endings";

async fn plans(world: &Scene) -> Vec<Entitlement> {
    let request = ListEntitlementsRequest { identity_id: "buyer".to_owned(), ..Default::default() };
    world.entitlements("buyer").list_entitlements(request).await.unwrap().into_inner().entitlements
}

/// A family's two plans, and the subscription that pays for them, which has ended for a reason.
async fn ended(world: &mut Scene, reason: CancelReason, on: Date) -> billing::Subscription {
    world.create(family()).await;
    world.run_workers().await;
    let id = world.outside.subscriptions()[0].id.clone();
    assert_eq!(plans(world).await.iter().filter(|plan| plan.subscription_id == id).count(), 2);
    world.outside.change_subscription(&id, |known| {
        known.set_status(SubscriptionStatus::Cancelled);
        known.set_cancel_reason(reason);
        known.cancelled_on = Some(on);
    });
    world.outside.subscriptions().remove(0)
}

#[tokio::test]
async fn plans_end_with_the_day_that_was_paid_for_and_once() {
    let mut world = Scene::new().await;
    let april = Date { year: 2026, month: 4, day: 1 };
    let over = ended(&mut world, CancelReason::MemberRequestedCancel, april).await;
    // From 2 March to 1 April.
    world.clock.advance(Duration::from_secs(30 * 24 * 3600));
    world.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    let after = plans(&world).await;
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
    world.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    world.entry(WORKER, &over, 8, "ENDED").await.unwrap();
    assert_eq!(plans(&world).await, after, "a repeat changes nothing");
    let journal = ReadJournalRequest { limit: 1000, ..Default::default() };
    let entries = world.entitlements("machine").read_journal(journal).await.unwrap().into_inner().entries;
    assert_eq!(entries.iter().filter(|entry| entry.action == "STATUS_UPDATE").count(), 2);
}

#[tokio::test]
async fn one_that_ended_before_its_plans_began_ends_them_on_their_first_day() {
    let mut world = Scene::new().await;
    let before = Date { year: 2026, month: 2, day: 10 };
    let over = ended(&mut world, CancelReason::Unspecified, before).await;
    world.entry(WORKER, &over, 7, "ENDED").await.unwrap();
    for plan in plans(&world).await {
        assert_eq!((plan.status(), plan.ends_on), (EntitlementStatus::Cancelled, plan.effective_on));
        assert_eq!(plan.status_reason(), EntitlementStatusReason::Internal);
    }
}

#[tokio::test]
async fn plans_go_on_where_the_subscription_was_cancelled_at_once_or_stands_again() {
    let mut world = Scene::new().await;
    let april = Date { year: 2026, month: 4, day: 1 };
    let over = ended(&mut world, CancelReason::MemberRequestedCancel, april).await;
    // A plan change cancels the former subscription, too.
    world.entry(WORKER, &over, 7, "STATUS_CHANGED").await.unwrap();
    world.outside.change_subscription(&over.id, |known| known.set_status(SubscriptionStatus::Active));
    world.entry(WORKER, &over, 8, "ENDED").await.unwrap();
    assert!(plans(&world).await.iter().all(|plan| plan.status() == EntitlementStatus::Active));
}
