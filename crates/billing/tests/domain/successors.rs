//! Tests of payment methods that subscriptions are paid with, and of cards that expire.

use std::time::Duration;

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::BillingPeriod;

use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, card, into_answer, refusal_reason, request_by, scenes, usd,
};

/// A plan of "alice" that is paid with the method.
async fn plan(scene: &Scene, method: &PaymentMethod, group: &str) -> Subscription {
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
        payment_method_id: method.id.clone(),
        group_id: group.into(),
        ..CreateSubscriptionRequest::default()
    };
    into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, request)).await).unwrap()
}

async fn delete(scene: &Scene, method: &PaymentMethod, successor: &str) -> Result<PaymentMethod> {
    let request = DeletePaymentMethodRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        successor_id: successor.into(),
    };
    into_answer(scene.payments().delete_payment_method(request_by(ALICE, request)).await)
}

async fn paid_with(scene: &Scene, plan: &Subscription) -> String {
    let request = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: plan.id.clone() };
    into_answer(scene.subscriptions().get_subscription(request_by(STAFF, request)).await).unwrap().payment_method_id
}

#[tokio::test]
async fn a_card_that_a_plan_is_paid_with_needs_a_successor() {
    for scene in scenes().await {
        let (old, new) = (scene.method(card(APPROVES)).await, scene.method(card(APPROVES)).await);
        let plans = [plan(&scene, &old, "").await, plan(&scene, &old, "").await];
        let refused = delete(&scene, &old, "").await.unwrap_err();
        assert_eq!(refused.reason(), "PAYMENT_METHOD_IN_USE");
        assert!(refused.message().starts_with("2 subscriptions"), "{refused}");
        let by_impersonator = DeletePaymentMethodByImpersonatorRequest {
            identity_id: "alice".into(),
            payment_method_id: old.id.clone(),
            ..DeletePaymentMethodByImpersonatorRequest::default()
        };
        let impersonated = scene
            .payments()
            .delete_payment_method_by_impersonator(request_by("User/alice@staff", by_impersonator))
            .await;
        assert_eq!(refusal_reason(into_answer(impersonated)), "PAYMENT_METHOD_IN_USE");
        assert_eq!(refusal_reason(delete(&scene, &old, &old.id).await), "INVALID_FIELD");
        assert_eq!(refusal_reason(delete(&scene, &old, "somebody-elses").await), "NOT_FOUND");
        for plan in &plans {
            assert_eq!(paid_with(&scene, plan).await, old.id, "a refused call moves nothing");
        }
        let deleted = delete(&scene, &old, &new.id).await.unwrap();
        assert_eq!(deleted.status(), PaymentMethodStatus::Inactive);
        for plan in &plans {
            assert_eq!(paid_with(&scene, plan).await, new.id);
        }
        assert_eq!(delete(&scene, &old, &new.id).await.unwrap(), deleted, "a repeat writes nothing");
        let cancel = |plan: &Subscription| CancelSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: plan.id.clone(),
            reason: CancelReason::MemberRequestedCancel.into(),
            ..CancelSubscriptionRequest::default()
        };
        for plan in &plans {
            into_answer(scene.subscriptions().cancel_subscription(request_by(STAFF, cancel(plan))).await).unwrap();
        }
        delete(&scene, &new, "").await.unwrap();
    }
}

#[tokio::test]
async fn no_plan_names_a_card_that_is_deleted_at_the_same_time() {
    for scene in scenes().await {
        let other = scene.method(card(APPROVES)).await;
        let paid = plan(&scene, &other, "").await;
        for _ in 0..20 {
            let method = scene.method(card(APPROVES)).await;
            let name = async |method: &PaymentMethod| {
                let request = UpdateSubscriptionPaymentMethodRequest {
                    identity_id: "alice".into(),
                    subscription_id: paid.id.clone(),
                    payment_method_id: method.id.clone(),
                };
                into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, request)).await)
            };
            let (named, deleted) = tokio::join!(name(&method), delete(&scene, &method, ""));
            assert_ne!(named.is_ok(), deleted.is_ok(), "{named:?} {deleted:?}");
            let active = scene.get_method(&method.id).await.status() == PaymentMethodStatus::Active;
            assert_eq!(active, paid_with(&scene, &paid).await == method.id);
            if named.is_ok() {
                name(&other).await.unwrap();
                delete(&scene, &method, "").await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_card_is_inactive_after_its_last_month_on_both_engines() {
    for scene in scenes().await {
        let mut ending = card(APPROVES);
        ending.card.as_mut().unwrap().expiry_year = 2026;
        ending.card.as_mut().unwrap().expiry_month = 1;
        let old = scene.method(ending).await;
        let new = scene.method(card(APPROVES)).await;
        let paid = plan(&scene, &old, "").await;
        assert!(old.is_default);
        assert_eq!(scene.run_workers("in its last month").await, 0);
        assert_eq!(scene.get_method(&old.id).await, old);
        scene.clock.move_forward(Duration::from_secs(17 * 24 * 3600));
        assert_eq!(scene.run_workers("when it is over").await, 0);
        let expired = scene.get_method(&old.id).await;
        assert_eq!((expired.status(), expired.is_default), (PaymentMethodStatus::Inactive, false));
        let heir = scene.get_method(&new.id).await;
        assert_eq!((heir.status(), heir.is_default), (PaymentMethodStatus::Active, true));
        assert_eq!(paid_with(&scene, &paid).await, old.id, "the next bill asks for another card");
    }
}
