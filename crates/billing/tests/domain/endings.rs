//! A subscription's end is asked for, and taken back by whom it is to take back.

use std::time::Duration;

use pavise_billing::contract::v1::SubscriptionStatus::{Active, Cancelled, PendingCancel, Suspended};
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date};

use crate::scene::{ADMIN, ALICE, MALLORY, PLATFORM, STAFF, Scene, answer, by, keyed, reason, scenes, usd};

/// A subscription of alice's, through a group.
async fn subscription(scene: &Scene) -> String {
    let request = CreateSubscriptionRequest {
        identity_id: "alice".into(),
        offer_id: "offer".into(),
        items: vec![SubscriptionItem {
            r#type: OfferItemType::Product.into(),
            product_id: "product".into(),
            name: "Legal".into(),
            price: usd(2995),
            ..SubscriptionItem::default()
        }],
        billing_period: BillingPeriod::Monthly.into(),
        group_id: "acme".into(),
        ..CreateSubscriptionRequest::default()
    };
    let made = answer(scene.subscriptions().create_subscription(by(PLATFORM, request)).await).unwrap();
    let paid = UpdateSubscriptionPaidToDateRequest {
        identity_id: "alice".into(),
        subscription_id: made.id.clone(),
        paid_to_date: Some(Date { year: 2026, month: 1, day: 31 }),
    };
    answer(scene.subscriptions().update_subscription_paid_to_date(by(STAFF, paid)).await).unwrap();
    made.id
}

async fn end(scene: &Scene, who: &str, id: &str) -> Result<Subscription> {
    let request = PendingCancelSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.into() };
    answer(scene.subscriptions().pending_cancel_subscription(by(who, request)).await)
}

async fn end_by_group(scene: &Scene, id: &str, reason: CancelReason) {
    let request = PendingCancelGroupSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: id.into(),
        reason: reason.into(),
    };
    answer(scene.subscriptions().pending_cancel_group_subscription(by(ADMIN, request)).await).unwrap();
}

fn wish(owner: &str, group: &str, id: &str) -> RemovePendingCancelSubscriptionRequest {
    RemovePendingCancelSubscriptionRequest { group_id: group.into(), identity_id: owner.into(), subscription_id: id.into() }
}

async fn keep(scene: &Scene, who: &str, id: &str) -> Result<Subscription> {
    let group = if who == ADMIN { "acme" } else { "" };
    answer(scene.subscriptions().remove_pending_cancel_subscription(by(who, wish("alice", group, id))).await)
}

#[tokio::test]
async fn a_member_ends_her_plan_and_thinks_better_of_it() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        let ended = end(&scene, ALICE, &id).await.unwrap();
        assert_eq!(
            (ended.status(), ended.cancel_reason(), ended.status_before_end()),
            (PendingCancel, CancelReason::MemberRequestedCancel, Active)
        );
        assert_eq!(end(&scene, ALICE, &id).await.unwrap(), ended, "to ask again changes nothing");
        let others =
            answer(scene.subscriptions().remove_pending_cancel_subscription(by(MALLORY, wish("mallory", "", &id))).await);
        assert_eq!(reason(others), "NOT_FOUND");
        assert_eq!(reason(keep(&scene, MALLORY, &id).await), "NOT_THE_OWNER");
        let back = || keyed(ALICE, "k", wish("alice", "", &id));
        let kept = answer(scene.subscriptions().remove_pending_cancel_subscription(back()).await).unwrap();
        assert_eq!(
            (kept.status(), kept.cancel_reason(), kept.status_before_end()),
            (Active, CancelReason::Unspecified, SubscriptionStatus::Unspecified)
        );
        let repeated = answer(scene.subscriptions().remove_pending_cancel_subscription(back()).await).unwrap();
        assert_eq!(repeated, kept, "a repeat has the effect of one");
        assert_eq!(reason(keep(&scene, ALICE, &id).await), "STATUS_NOT_ALLOWED", "there is nothing to take back");
        scene.assert_journals().await;
    }
}

#[tokio::test]
async fn what_others_decided_is_not_hers_to_take_back() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        end_by_group(&scene, &id, CancelReason::NoLongerEmployed).await;
        assert_eq!(end(&scene, ALICE, &id).await.unwrap().cancel_reason(), CancelReason::NoLongerEmployed, "it stays theirs");
        let refusal = keep(&scene, ALICE, &id).await.unwrap_err();
        assert!(
            refusal.is(ErrorReason::SubscriptionEndNotYours) && refusal.message().ends_with("NO_LONGER_EMPLOYED"),
            "{refusal}"
        );
        assert_eq!(keep(&scene, ADMIN, &id).await.unwrap().status(), Active);

        assert_eq!(end(&scene, STAFF, &id).await.unwrap().cancel_reason(), CancelReason::Unspecified);
        assert_eq!(reason(keep(&scene, ALICE, &id).await), "SUBSCRIPTION_END_NOT_YOURS");
        assert_eq!(keep(&scene, STAFF, &id).await.unwrap().status(), Active);

        end_by_group(&scene, &id, CancelReason::MemberRequestedCancel).await;
        assert_eq!(keep(&scene, ALICE, &id).await.unwrap().status(), Active, "she had asked her group for it");
    }
}

#[tokio::test]
async fn taking_an_end_back_leads_out_of_no_suspension() {
    for scene in scenes().await {
        let id = subscription(&scene).await;
        let suspend = SuspendSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        answer(scene.subscriptions().suspend_subscription(by(STAFF, suspend)).await).unwrap();
        end(&scene, ALICE, &id).await.unwrap();
        assert_eq!(keep(&scene, ALICE, &id).await.unwrap().status(), Suspended);
        let activate = ActivateSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        assert_eq!(
            reason(answer(scene.subscriptions().activate_subscription(by(ALICE, activate)).await)),
            "REALM_NOT_ALLOWED",
            "that is for staff"
        );
    }
}

#[tokio::test]
async fn once_its_last_day_is_over_or_it_is_cancelled_an_end_stands() {
    for scene in scenes().await {
        let (passed, cancelled) = (subscription(&scene).await, subscription(&scene).await);
        end(&scene, ALICE, &passed).await.unwrap();
        end(&scene, ALICE, &cancelled).await.unwrap();
        let cancel = CancelSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: cancelled.clone(),
            reason: CancelReason::MemberRequestedCancel.into(),
            ..CancelSubscriptionRequest::default()
        };
        let over = answer(scene.subscriptions().cancel_subscription(by(STAFF, cancel)).await).unwrap();
        assert_eq!((over.status(), over.status_before_end()), (Cancelled, SubscriptionStatus::Unspecified));
        assert_eq!(reason(keep(&scene, ALICE, &cancelled).await), "STATUS_NOT_ALLOWED");
        // From 15 January to 1 February.
        scene.clock.advance(Duration::from_secs(17 * 24 * 3600));
        assert_eq!(reason(keep(&scene, ALICE, &passed).await), "SUBSCRIPTION_END_PASSED");
        assert_eq!(keep(&scene, STAFF, &passed).await.unwrap().status(), Active, "staff may all the same");
    }
}
