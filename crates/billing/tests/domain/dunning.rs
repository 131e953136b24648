//! Tests of bills that are not paid: they are tried again, the subscription is suspended, warned and cancelled, and any
//! payment brings it back.

use std::time::Duration;

use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::Date;

use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{ALICE, APPROVES, PLATFORM, STAFF, Scene, card, into_answer, request_by, scenes};

/// There is not enough money on it.
const POOR: &str = "test_4000000000000002";
/// It was stolen.
const STOLEN: &str = "test_4000000000000004";

/// A plan that is billed on 1 March with that card.
async fn billed_with(scene: &Scene, token: &str) -> Subscription {
    let method = scene.method(card(token)).await;
    begin(scene, plan(day(2, 1), &method.id)).await
}

/// A plan that was refused on 1, 4, 6 and 8 March.
async fn suspended(scene: &Scene) -> Subscription {
    let id = billed_with(scene, POOR).await.id;
    for to in [1, 4, 6, 8] {
        come_to(scene, day(3, to)).await;
    }
    get(scene, &id).await
}

fn stands(subscription: &Subscription) -> (SubscriptionStatus, SuspendReason) {
    (subscription.status(), subscription.suspended_for())
}

const UNPAID: (SubscriptionStatus, SuspendReason) = (SubscriptionStatus::Suspended, SuspendReason::Payment);
const ACTIVE: (SubscriptionStatus, SuspendReason) = (SubscriptionStatus::Active, SuspendReason::Unspecified);

#[tokio::test]
async fn refused_on_the_1st_it_is_tried_on_4_6_and_8_and_a_payment_on_10_brings_it_back() {
    for scene in scenes().await {
        let id = billed_with(&scene, POOR).await.id;
        let mut tries = Vec::new();
        for to in [1, 2, 3, 4, 5, 6, 7, 8] {
            come_to(&scene, day(3, to)).await;
            let status = invoices(&scene, &id).await[0].status();
            tries.push((scene.ledger().await.len(), status));
        }
        use InvoiceStatus::{Delinquent, Failed};
        let expected = [1_usize, 1, 1, 2, 2, 3, 3].map(|tried| (tried, Failed));
        assert_eq!(tries[..7], expected);
        assert_eq!(tries[7], (4, Delinquent));
        let unpaid = get(&scene, &id).await;
        assert_eq!((stands(&unpaid), unpaid.delinquent_since), (UNPAID, Some(day(3, 8))));
        assert_eq!((unpaid.due_to_dun_on, unpaid.bills_on), (Some(day(4, 7)), None));
        come_to(&scene, day(3, 10)).await;
        assert_eq!(scene.ledger().await.len(), 4, "the schedule is over");
        scene.method(card(APPROVES)).await;
        assert_eq!(scene.run_workers("a card").await, 0);
        let back = get(&scene, &id).await;
        assert_eq!((stands(&back), back.delinquent_since), (ACTIVE, None));
        assert_eq!((back.next_bill_on, back.paid_to_date), (Some(day(4, 1)), Some(day(3, 31))));
        assert_eq!(scene.moved().await, 2995);
        let told: Vec<_> = scene.letters();
        let told: Vec<(&str, &str)> = told.iter().map(|(key, values)| (key.as_str(), values.as_str())).collect();
        assert_eq!(
            told[..4],
            [
                ("billing.refused", "29.95 USD, INSUFFICIENT_FUNDS, 2026-03-04"),
                ("billing.refused", "29.95 USD, INSUFFICIENT_FUNDS, 2026-03-06"),
                ("billing.refused", "29.95 USD, INSUFFICIENT_FUNDS, 2026-03-08"),
                ("billing.suspended", "Legal, 2026-04-07"),
            ]
        );
        assert_eq!((told.len(), told[4].0), (5, "billing.receipt"));
    }
}

#[tokio::test]
async fn a_stolen_card_is_asked_once_and_a_new_one_is_charged_once() {
    for scene in scenes().await {
        let id = billed_with(&scene, STOLEN).await.id;
        for to in [1, 4] {
            come_to(&scene, day(3, to)).await;
            // The cooldown is over on the 4th.
            assert_eq!(scene.ledger().await.len(), 1, "{to}");
        }
        let refused = invoices(&scene, &id).await.remove(0);
        assert_eq!((refused.status(), refused.due_to_collect_on), (InvoiceStatus::Failed, Some(day(3, 6))));
        come_to(&scene, day(3, 5)).await;
        scene.method(card(APPROVES)).await;
        assert_eq!(scene.run_workers("a card").await, 0);
        let ledger = scene.ledger().await;
        assert_eq!((ledger.len(), ledger.iter().map(|entry| entry.movements).sum::<i32>()), (2, 1));
        assert_eq!(invoices(&scene, &id).await[0].status(), InvoiceStatus::Paid);
        come_to(&scene, day(3, 8)).await;
        assert_eq!(scene.ledger().await.len(), 2);
        assert_eq!(stands(&get(&scene, &id).await), ACTIVE);
    }
}

#[tokio::test]
async fn a_card_that_was_refused_for_good_is_asked_again_once_it_is_replaced() {
    for scene in scenes().await {
        let id = billed_with(&scene, STOLEN).await.id;
        for to in [1, 5] {
            come_to(&scene, day(3, to)).await;
        }
        let method = get(&scene, &id).await.payment_method_id;
        assert!(scene.get_method(&method).await.refused_for_good);
        let replaced = UpdateCardPaymentDetailsRequest {
            identity_id: "alice".into(),
            payment_method_id: method.clone(),
            card: card(APPROVES).card,
            vendor_token: APPROVES.into(),
            ..UpdateCardPaymentDetailsRequest::default()
        };
        into_answer(scene.payments().update_card_payment_details(request_by(ALICE, replaced)).await).unwrap();
        assert!(!scene.get_method(&method).await.refused_for_good);
        assert_eq!(scene.run_workers("another card").await, 0);
        assert_eq!((scene.ledger().await.len(), scene.moved().await), (2, 2995));
        assert_eq!(invoices(&scene, &id).await[0].status(), InvoiceStatus::Paid);
        // The next bill is charged to it, too.
        come_to(&scene, day(4, 1)).await;
        assert_eq!(scene.moved().await, 2 * 2995);
    }
}

#[tokio::test]
async fn another_default_is_asked_in_the_place_of_a_stolen_card() {
    for scene in scenes().await {
        // The first method of a member is the default.
        scene.method(card(APPROVES)).await;
        let id = billed_with(&scene, STOLEN).await.id;
        come_to(&scene, day(3, 1)).await;
        assert_eq!(invoices(&scene, &id).await[0].status(), InvoiceStatus::Paid);
        come_to(&scene, day(4, 1)).await;
        let ledger = scene.ledger().await;
        assert_eq!((ledger.len(), scene.moved().await), (3, 2 * 2995), "the stolen card was asked once");
    }
}

#[tokio::test]
async fn thirty_days_later_it_is_warned_and_sixty_days_later_cancelled() {
    for scene in scenes().await {
        let id = suspended(&scene).await.id;
        come_to(&scene, day(4, 6)).await;
        assert_eq!(stands(&get(&scene, &id).await), UNPAID);
        come_to(&scene, day(4, 7)).await;
        let warned = get(&scene, &id).await;
        assert_eq!((warned.status(), warned.due_to_dun_on), (SubscriptionStatus::Precancel, Some(day(5, 7))));
        assert_eq!(invoices(&scene, &id).await.len(), 1, "it is not billed meanwhile");
        come_to(&scene, day(5, 6)).await;
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Precancel);
        come_to(&scene, day(5, 7)).await;
        let over = get(&scene, &id).await;
        assert_eq!((over.status(), over.cancel_reason()), (SubscriptionStatus::Cancelled, CancelReason::Reinstate));
        assert_eq!((over.cancelled_on, over.ends_plans), (Some(day(5, 7)), true));
        let warnings = scene.letters().into_iter().filter(|(key, _)| key == "billing.last-warning");
        let warnings: Vec<String> = warnings.map(|(_, values)| values).collect();
        assert_eq!(warnings, ["Legal, 2026-05-07"]);
    }
}

#[tokio::test]
async fn whatever_settles_the_last_open_invoice_brings_it_back() {
    for scene in scenes().await {
        let forgiven = suspended(&scene).await;
        let invoice = invoices(&scene, &forgiven.id).await.remove(0);
        let forgive = ForgiveInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id,
            reason: "a mistake of ours".into(),
        };
        into_answer(scene.invoices().forgive_invoice(request_by(STAFF, forgive)).await).unwrap();
        assert_eq!(scene.run_workers("forgiven").await, 0);
        let back = get(&scene, &forgiven.id).await;
        assert_eq!((stands(&back), back.paid_to_date), (ACTIVE, Some(day(2, 28))), "forgiven is not paid");
    }
}

#[tokio::test]
async fn what_staff_suspended_stays_suspended_after_the_payment() {
    for scene in scenes().await {
        let id = billed_with(&scene, POOR).await.id;
        come_to(&scene, day(3, 1)).await;
        for reason in [SuspendReason::Review, SuspendReason::Payment] {
            let suspend = SuspendSubscriptionRequest {
                identity_id: "alice".into(),
                subscription_id: id.clone(),
                reason: reason.into(),
            };
            into_answer(scene.subscriptions().suspend_subscription(request_by(STAFF, suspend)).await).unwrap();
        }
        for to in [4, 6, 8] {
            come_to(&scene, day(3, to)).await;
        }
        let by_staff = (SubscriptionStatus::Suspended, SuspendReason::Unspecified);
        assert_eq!(stands(&get(&scene, &id).await), by_staff);
        come_to(&scene, day(3, 9)).await;
        scene.method(card(APPROVES)).await;
        assert_eq!(scene.run_workers("a card").await, 0);
        let paid = get(&scene, &id).await;
        assert_eq!((stands(&paid), paid.delinquent_since), (by_staff, None));
        assert_eq!(paid.paid_to_date, Some(day(3, 31)));
        assert!(scene.letters().iter().all(|(key, _)| key != "billing.suspended"));
    }
}

#[tokio::test]
async fn a_cancellation_that_others_announced_comes_after_the_last_try() {
    for scene in scenes().await {
        let id = billed_with(&scene, POOR).await.id;
        let announce = PreCancelSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        into_answer(scene.subscriptions().pre_cancel_subscription(request_by(STAFF, announce)).await).unwrap();
        for to in [1, 4, 6] {
            come_to(&scene, day(3, to)).await;
            assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Precancel);
        }
        come_to(&scene, day(3, 8)).await;
        let over = get(&scene, &id).await;
        assert_eq!((over.status(), over.cancel_reason()), (SubscriptionStatus::Cancelled, CancelReason::Reinstate));
    }
}

#[tokio::test]
async fn a_part_that_is_paid_is_not_charged_again() {
    for scene in scenes().await {
        let id = billed_with(&scene, POOR).await.id;
        come_to(&scene, day(3, 1)).await;
        scene.clock.move_forward(Duration::from_secs(60));
        // The good card is charged only once the member names it.
        let invoice = invoices(&scene, &id).await.remove(0);
        let good = scene.method(card(APPROVES)).await;
        let part = PayInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id.clone(),
            amount: crate::scene::usd(1000),
            payment_method_id: good.id.clone(),
            ..PayInvoiceRequest::default()
        };
        into_answer(scene.invoices().pay_invoice(request_by(ALICE, part)).await).unwrap();
        let update = UpdateInvoicePaymentMethodRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id.clone(),
            payment_method_id: good.id,
        };
        // An invoice that is paid in part keeps its method; the subscription names the good card.
        assert!(scene.invoices().update_invoice_payment_method(request_by(ALICE, update.clone())).await.is_err());
        let name = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            payment_method_id: update.payment_method_id,
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, name)).await).unwrap();
        come_to(&scene, day(3, 4)).await;
        let paid = scene.get_invoice(&invoice.id).await;
        assert_eq!((paid.status(), scene.moved().await), (InvoiceStatus::Paid, 2995));
    }
}

#[tokio::test]
async fn a_vendor_that_is_silent_is_asked_before_anything_is_sent_again() {
    for scene in scenes().await {
        // The answer is lost, and the outcome is told after 30 seconds.
        let id = billed_with(&scene, "test_4000000000000007").await.id;
        scene.go_to(day(3, 1));
        scene.run_workers("silence").await;
        assert_eq!(invoices(&scene, &id).await[0].status(), InvoiceStatus::Active);
        scene.clock.move_forward(Duration::from_secs(31));
        assert_eq!(scene.run_workers("it speaks").await, 0);
        let ledger = scene.ledger().await;
        assert_eq!((ledger.len(), ledger[0].submissions, ledger[0].movements), (1, 1, 1));
        assert_eq!(invoices(&scene, &id).await[0].status(), InvoiceStatus::Paid);
    }
}

#[tokio::test]
async fn only_the_platform_collects_reviews_and_duns() {
    for scene in scenes().await {
        let unpaid = suspended(&scene).await;
        let invoice = invoices(&scene, &unpaid.id).await.remove(0);
        let dun = || DunSubscriptionRequest { subscription_id: unpaid.id.clone() };
        let review = || ReviewSubscriptionRequest { subscription_id: unpaid.id.clone() };
        let collect = || CollectInvoiceRequest { invoice_id: invoice.id.clone() };
        for who in [ALICE, STAFF] {
            assert!(scene.subscriptions().dun_subscription(request_by(who, dun())).await.is_err());
            assert!(scene.subscriptions().review_subscription(request_by(who, review())).await.is_err());
            assert!(scene.invoices().collect_invoice(request_by(who, collect())).await.is_err());
        }
        // Before its day, and when nothing has changed, nothing happens.
        let same = into_answer(scene.subscriptions().dun_subscription(request_by(PLATFORM, dun())).await).unwrap();
        assert_eq!(same, unpaid);
        let same =
            into_answer(scene.subscriptions().review_subscription(request_by(PLATFORM, review())).await).unwrap();
        assert_eq!(same, unpaid);
        let same = into_answer(scene.invoices().collect_invoice(request_by(PLATFORM, collect())).await).unwrap();
        assert_eq!(same, invoice);
        assert_eq!(same.due_to_collect_on, None::<Date>);
    }
}
