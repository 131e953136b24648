//! Subscriptions, as far as the sale and its changes need them.

use pavise_billing::contract::v1::SubscriptionStatus::{Active, Cancelled, PendingCancel, Precancel, Suspended};
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date};

use crate::scene::{ADMIN, ALICE, MALLORY, PLATFORM, STAFF, Scene, answer, by, keyed, reason, scene, scenes, usd};

fn wanted(group: &str) -> CreateSubscriptionRequest {
    CreateSubscriptionRequest {
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
        order_id: "order".into(),
        group_id: group.into(),
        ..CreateSubscriptionRequest::default()
    }
}

async fn subscription(scene: &Scene, group: &str) -> Subscription {
    answer(scene.subscriptions().create_subscription(by(PLATFORM, wanted(group))).await).unwrap()
}

async fn cancel(scene: &Scene, who: &str, group: &str, id: &str, reason: CancelReason) -> Result<Subscription> {
    let request = CancelSubscriptionRequest {
        identity_id: "alice".into(),
        subscription_id: id.into(),
        group_id: group.into(),
        reason: reason.into(),
    };
    answer(scene.subscriptions().cancel_subscription(by(who, request)).await)
}

#[tokio::test]
async fn a_subscription_is_made_once_and_belongs_to_its_member_on_both_engines() {
    for scene in scenes().await {
        let made = answer(scene.subscriptions().create_subscription(keyed(PLATFORM, "k", wanted(""))).await).unwrap();
        assert_eq!(answer(scene.subscriptions().create_subscription(keyed(PLATFORM, "k", wanted(""))).await).unwrap(), made);
        assert_eq!((made.status(), made.next_bill_on), (Active, Some(Date { year: 2026, month: 2, day: 15 })));
        assert_eq!(made.retry_schedule, [3, 5, 7]);
        let list = ListSubscriptionsRequest { identity_id: "alice".into(), order_id: "order".into(), ..Default::default() };
        let listed = answer(scene.subscriptions().list_subscriptions(by(ALICE, list)).await).unwrap();
        assert_eq!(listed.subscriptions, std::slice::from_ref(&made));
        let get = GetSubscriptionRequest { identity_id: "mallory".into(), subscription_id: made.id };
        assert_eq!(reason(answer(scene.subscriptions().get_subscription(by(MALLORY, get)).await)), "NOT_FOUND");
        let once = CreateSubscriptionRequest { billing_period: BillingPeriod::OneTime.into(), ..wanted("") };
        assert_eq!(reason(answer(scene.subscriptions().create_subscription(by(PLATFORM, once)).await)), "INVALID_FIELD");
        scene.assert_journals().await;
    }
}

#[tokio::test]
async fn a_subscription_is_stopped_and_brought_back_as_its_status_allows() {
    let scene = scene().await;
    let id = subscription(&scene, "").await.id;
    let ids = || ("alice".to_owned(), id.clone());
    let suspend = || SuspendSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    let activate = || ActivateSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    let pre_cancel = || PreCancelSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    let pending = || PendingCancelSubscriptionRequest { identity_id: ids().0, subscription_id: ids().1 };
    assert_eq!(answer(scene.subscriptions().suspend_subscription(by(STAFF, suspend())).await).unwrap().status(), Suspended);
    assert_eq!(answer(scene.subscriptions().pre_cancel_subscription(by(STAFF, pre_cancel())).await).unwrap().status(), Precancel);
    assert_eq!(reason(answer(scene.subscriptions().suspend_subscription(by(STAFF, suspend())).await)), "STATUS_NOT_ALLOWED");
    assert_eq!(
        answer(scene.subscriptions().pending_cancel_subscription(by(STAFF, pending())).await).unwrap().status(),
        PendingCancel
    );
    assert_eq!(answer(scene.subscriptions().activate_subscription(by(STAFF, activate())).await).unwrap().status(), Active);
    let ended = cancel(&scene, STAFF, "", &id, CancelReason::Deceased).await.unwrap();
    assert_eq!((ended.status(), ended.cancelled_on), (Cancelled, Some(Date { year: 2026, month: 1, day: 15 })));
    assert_eq!(
        reason(answer(scene.subscriptions().activate_subscription(by(STAFF, activate())).await)),
        "SUBSCRIPTION_NOT_REINSTATABLE"
    );
    assert_eq!(reason(cancel(&scene, STAFF, "", &id, CancelReason::Unspecified).await), "INVALID_FIELD", "a reason is required");

    let other = subscription(&scene, "").await.id;
    cancel(&scene, STAFF, "", &other, CancelReason::Reinstate).await.unwrap();
    let activate = ActivateSubscriptionRequest { identity_id: "alice".into(), subscription_id: other };
    let back = answer(scene.subscriptions().activate_subscription(by(STAFF, activate)).await).unwrap();
    assert_eq!((back.status(), back.cancel_reason(), back.cancelled_on), (Active, CancelReason::Unspecified, None));
}

#[tokio::test]
async fn an_administrator_ends_what_came_through_his_group() {
    let scene = scene().await;
    let own = subscription(&scene, "").await.id;
    let grouped = subscription(&scene, "acme").await.id;
    let reason_of = CancelReason::NoLongerEmployed;
    assert_eq!(reason(cancel(&scene, ADMIN, "acme", &own, reason_of).await), "NOT_FOUND", "it is none of his business");
    assert_eq!(reason(cancel(&scene, ADMIN, "other", &grouped, reason_of).await), "NOT_THE_OWNER");
    assert_eq!(reason(cancel(&scene, ADMIN, "", &grouped, reason_of).await), "NOT_THE_OWNER");
    assert_eq!(reason(cancel(&scene, ALICE, "", &own, reason_of).await), "REALM_NOT_ALLOWED");
    let pending = PendingCancelGroupSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: grouped.clone(),
        reason: CancelReason::LeaveOfAbsence.into(),
    };
    let pending = answer(scene.subscriptions().pending_cancel_group_subscription(by(ADMIN, pending)).await).unwrap();
    assert_eq!((pending.status(), pending.cancel_reason()), (PendingCancel, CancelReason::LeaveOfAbsence));
    let remove = RemovePendingCancelSubscriptionRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        subscription_id: grouped.clone(),
    };
    let back = answer(scene.subscriptions().remove_pending_cancel_subscription(by(ADMIN, remove)).await).unwrap();
    assert_eq!((back.status(), back.cancel_reason()), (Active, CancelReason::Unspecified));
    assert_eq!(cancel(&scene, ADMIN, "acme", &grouped, reason_of).await.unwrap().status(), Cancelled);
}
