//! Tests of invoices that staff hold until a promised day, and of charges that staff make before the next day of the schedule.

use std::time::Duration;

use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::Date;

use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{ALICE, APPROVES, STAFF, Scene, card, into_answer, request_by, scenes};

/// There is not enough money on it.
const POOR: &str = "test_4000000000000002";
/// It was stolen.
const STOLEN: &str = "test_4000000000000004";

/// A plan that is billed on 1 March with that card, and refused on that day. Its id, and that of the invoice.
async fn refused(scene: &Scene, token: &str) -> (String, String) {
    let method = scene.method(card(token)).await;
    let id = begin(scene, plan(day(2, 1), &method.id)).await.id;
    come_to(scene, day(3, 1)).await;
    let invoice = invoices(scene, &id).await.remove(0);
    assert_eq!(invoice.status(), InvoiceStatus::Failed);
    (id, invoice.id)
}

fn hold_of(invoice_id: &str, until: Date) -> HoldInvoiceRequest {
    HoldInvoiceRequest {
        identity_id: "alice".into(),
        invoice_id: invoice_id.into(),
        held_until: Some(until),
        note: "Alice pays after payday".into(),
    }
}

async fn hold(scene: &Scene, invoice_id: &str, until: Date) -> Invoice {
    into_answer(scene.invoices().hold_invoice(request_by(STAFF, hold_of(invoice_id, until))).await).unwrap()
}

fn end_of(invoice_id: &str) -> EndInvoiceHoldRequest {
    EndInvoiceHoldRequest { identity_id: "alice".into(), invoice_id: invoice_id.into() }
}

fn try_of(invoice_id: &str) -> TryInvoiceNowRequest {
    TryInvoiceNowRequest { identity_id: "alice".into(), invoice_id: invoice_id.into() }
}

#[tokio::test]
async fn a_held_invoice_is_not_asked_for_before_its_day_is_over_and_then_once() {
    for scene in scenes().await {
        let (id, invoice_id) = refused(&scene, POOR).await;
        let held = hold(&scene, &invoice_id, day(3, 20)).await;
        assert_eq!((held.held_until, held.due_to_collect_on), (Some(day(3, 20)), Some(day(3, 21))));
        assert_eq!(held.held_note, "Alice pays after payday");
        // Not even a new card is asked.
        scene.clock.move_forward(Duration::from_secs(60));
        scene.method(card(APPROVES)).await;
        for to in [4, 6, 8, 20] {
            come_to(&scene, day(3, to)).await;
            assert_eq!(scene.ledger().await.len(), 1, "{to}");
            assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Active);
        }
        come_to(&scene, day(3, 21)).await;
        assert_eq!(scene.ledger().await.len(), 2);
        let over = scene.get_invoice(&invoice_id).await;
        assert_eq!((over.status(), over.held_until, over.held_note.as_str()), (InvoiceStatus::Delinquent, None, ""));
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Suspended);
        let actions = scene.read_journal("/pavise.billing.v1.InvoiceService/ReadJournal").await;
        assert!(actions.iter().any(|entry| entry.action == "HOLD_UPDATED"));
    }
}

#[tokio::test]
async fn a_payment_ends_the_hold() {
    for scene in scenes().await {
        let (id, invoice_id) = refused(&scene, POOR).await;
        hold(&scene, &invoice_id, day(3, 20)).await;
        let good = scene.method(card(APPROVES)).await;
        let pay = PayInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice_id.clone(),
            payment_method_id: good.id,
            ..PayInvoiceRequest::default()
        };
        let paid = into_answer(scene.invoices().pay_invoice(request_by(ALICE, pay)).await).unwrap();
        assert_eq!((paid.status(), paid.held_until, paid.due_to_collect_on), (InvoiceStatus::Paid, None, None));
        come_to(&scene, day(3, 21)).await;
        assert_eq!((scene.moved().await, get(&scene, &id).await.status()), (2995, SubscriptionStatus::Active));
    }
}

#[tokio::test]
async fn no_dunning_step_is_taken_before_the_promised_day_is_over() {
    for scene in scenes().await {
        let (id, invoice_id) = refused(&scene, POOR).await;
        for to in [4, 6, 8] {
            come_to(&scene, day(3, to)).await;
        }
        assert_eq!(get(&scene, &id).await.due_to_dun_on, Some(day(4, 7)));
        come_to(&scene, day(4, 1)).await;
        let held = hold(&scene, &invoice_id, day(4, 20)).await;
        assert_eq!((held.status(), held.due_to_collect_on), (InvoiceStatus::Delinquent, Some(day(4, 21))));
        assert_eq!(get(&scene, &id).await.due_to_dun_on, Some(day(4, 21)));
        come_to(&scene, day(4, 20)).await;
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Suspended);
        assert_eq!(scene.ledger().await.len(), 4);
        come_to(&scene, day(4, 21)).await;
        assert_eq!(scene.ledger().await.len(), 5, "it is asked for once more");
        let over = scene.get_invoice(&invoice_id).await;
        assert_eq!((over.status(), over.held_until, over.due_to_collect_on), (InvoiceStatus::Delinquent, None, None));
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Precancel);
        come_to(&scene, day(4, 22)).await;
        assert_eq!(scene.ledger().await.len(), 5);
    }
}

#[tokio::test]
async fn a_debt_that_staff_mark_while_it_is_held_suspends_after_the_hold() {
    for scene in scenes().await {
        let (id, invoice_id) = refused(&scene, POOR).await;
        hold(&scene, &invoice_id, day(3, 9)).await;
        let mark = MakeInvoiceDelinquentRequest { identity_id: "alice".into(), invoice_id: invoice_id.clone() };
        into_answer(scene.invoices().make_invoice_delinquent(request_by(STAFF, mark)).await).unwrap();
        come_to(&scene, day(3, 9)).await;
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Active);
        come_to(&scene, day(3, 10)).await;
        let suspended = get(&scene, &id).await;
        assert_eq!((suspended.status(), suspended.delinquent_since), (SubscriptionStatus::Suspended, Some(day(3, 10))));
    }
}

#[tokio::test]
async fn a_hold_that_staff_end_lets_the_schedule_go_on() {
    for scene in scenes().await {
        let (_, invoice_id) = refused(&scene, POOR).await;
        hold(&scene, &invoice_id, day(3, 20)).await;
        let earlier = hold(&scene, &invoice_id, day(3, 10)).await;
        assert_eq!((earlier.held_until, earlier.due_to_collect_on), (Some(day(3, 10)), Some(day(3, 11))));
        let ended =
            into_answer(scene.invoices().end_invoice_hold(request_by(STAFF, end_of(&invoice_id))).await).unwrap();
        assert_eq!((ended.held_until, ended.due_to_collect_on), (None, Some(day(3, 4))));
        let again = scene.invoices().end_invoice_hold(request_by(STAFF, end_of(&invoice_id))).await;
        assert!(into_answer(again).unwrap_err().is(ErrorReason::InvoiceNotHeld));
        come_to(&scene, day(3, 4)).await;
        assert_eq!(scene.ledger().await.len(), 2);
    }
}

#[tokio::test]
async fn only_staff_hold_and_only_until_a_day_within_ninety() {
    for scene in scenes().await {
        let (_, invoice_id) = refused(&scene, POOR).await;
        assert!(scene.invoices().hold_invoice(request_by(ALICE, hold_of(&invoice_id, day(3, 9)))).await.is_err());
        assert!(scene.invoices().end_invoice_hold(request_by(ALICE, end_of(&invoice_id))).await.is_err());
        assert!(scene.invoices().try_invoice_now(request_by(ALICE, try_of(&invoice_id))).await.is_err());
        for until in [day(2, 28), day(5, 31)] {
            assert!(scene.invoices().hold_invoice(request_by(STAFF, hold_of(&invoice_id, until))).await.is_err());
        }
        hold(&scene, &invoice_id, day(3, 1)).await;
        let get = GetInvoiceRequest { identity_id: "alice".into(), invoice_id: invoice_id.clone() };
        let seen = into_answer(scene.invoices().get_invoice(request_by(ALICE, get)).await).unwrap();
        assert_eq!((seen.held_until, seen.held_note.as_str()), (Some(day(3, 1)), ""), "staff wrote it for staff");
    }
}

#[tokio::test]
async fn a_try_by_staff_counts_for_the_schedule() {
    for scene in scenes().await {
        let (_, invoice_id) = refused(&scene, POOR).await;
        come_to(&scene, day(3, 3)).await;
        let tried = scene.invoices().try_invoice_now(request_by(STAFF, try_of(&invoice_id))).await;
        assert!(into_answer(tried).unwrap_err().is(ErrorReason::PaymentDeclined));
        assert_eq!(scene.ledger().await.len(), 2);
        let after = scene.get_invoice(&invoice_id).await;
        assert_eq!((after.last_refused_on, after.due_to_collect_on), (Some(day(3, 3)), Some(day(3, 4))));
        for to in [4, 6, 8] {
            come_to(&scene, day(3, to)).await;
        }
        assert_eq!(scene.ledger().await.len(), 5);
        assert_eq!(scene.get_invoice(&invoice_id).await.status(), InvoiceStatus::Delinquent);
    }
}

#[tokio::test]
async fn a_try_by_staff_during_a_hold_pays_and_a_refused_one_keeps_the_hold() {
    for scene in scenes().await {
        let (id, invoice_id) = refused(&scene, POOR).await;
        hold(&scene, &invoice_id, day(3, 20)).await;
        let tried = scene.invoices().try_invoice_now(request_by(STAFF, try_of(&invoice_id))).await;
        assert!(into_answer(tried).unwrap_err().is(ErrorReason::PaymentDeclined));
        let after = scene.get_invoice(&invoice_id).await;
        assert_eq!((after.held_until, after.due_to_collect_on), (Some(day(3, 20)), Some(day(3, 21))));
        scene.clock.move_forward(Duration::from_secs(60));
        let good = scene.method(card(APPROVES)).await;
        let name = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: id,
            payment_method_id: good.id,
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, name)).await).unwrap();
        let paid = into_answer(scene.invoices().try_invoice_now(request_by(STAFF, try_of(&invoice_id))).await).unwrap();
        assert_eq!((paid.status(), paid.held_until), (InvoiceStatus::Paid, None));
        assert_eq!(scene.moved().await, 2995);
    }
}

#[tokio::test]
async fn a_try_by_staff_asks_no_card_that_the_schedule_would_not() {
    for scene in scenes().await {
        let (_, invoice_id) = refused(&scene, STOLEN).await;
        // The cooldown is over.
        come_to(&scene, day(3, 3)).await;
        let tried = scene.invoices().try_invoice_now(request_by(STAFF, try_of(&invoice_id))).await;
        assert!(into_answer(tried).unwrap_err().is(ErrorReason::NoMethodToAsk));
        assert_eq!(scene.ledger().await.len(), 1);
    }
}
