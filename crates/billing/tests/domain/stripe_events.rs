//! Events of Stripe: signed, stored once, and a reason to ask in any order.

use pavise_billing::contract::v1::{DeclineReason as Why, *};
use pavise_testkit::stripe::{EVENT_SECRET, SignedEvent, StripeServer, sign_event};

use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{ALICE, PLATFORM, Scene, configured, into_answer, refusal_reason, request_by, usd};
use crate::stripe_scene::{NOON, impatient_scene, stripe_scenes};

/// An invoice of 29.95 that was paid by charging a card at the stand-in, and its transaction.
async fn paid_invoice(scene: &Scene, server: &StripeServer) -> (Invoice, Transaction) {
    let method = scene.stripe_card(server, "pm_card_visa").await;
    let invoice = scene.invoice(&[2995], &method.id).await;
    let pay = PayInvoiceRequest { invoice_id: invoice.id.clone(), ..PayInvoiceRequest::default() };
    let paid = scene.pay(ALICE, &invoice.id, pay).await.unwrap();
    assert_eq!(paid.status(), InvoiceStatus::Paid);
    let transaction = scene.transaction(&paid.payments.first().unwrap().transaction_id).await;
    (paid, transaction)
}

/// Delivers what happened so far, in that order of places; each event twice.
async fn deliver_all(scene: &Scene, server: &StripeServer, backwards: bool) {
    let mut events = server.events();
    if backwards {
        events.reverse();
    }
    for event in events.iter().chain(&events) {
        scene.deliver(event).await.unwrap();
    }
}

#[tokio::test]
async fn a_dispute_marks_the_invoice_and_a_lost_one_takes_the_payment_back() {
    for backwards in [false, true] {
        for (scene, server) in stripe_scenes().await {
            let (invoice, sold) = paid_invoice(&scene, &server).await;
            let dispute = server.open_dispute(&sold.vendor_reference);
            if !backwards {
                deliver_all(&scene, &server, false).await;
                assert_eq!(scene.run_workers("opened").await, 0);
                let open = scene.get_invoice(&invoice.id).await;
                assert_eq!((open.status(), open.dispute_status()), (InvoiceStatus::Paid, DisputeStatus::Open));
                let marked = scene.transaction(&sold.id).await;
                assert_eq!(marked.dispute_status(), DisputeStatus::Open);
                assert!(marked.disputed_at.is_some() && marked.reversed_at.is_none());
            }
            server.close_dispute(&dispute, false);
            deliver_all(&scene, &server, backwards).await;
            assert_eq!(scene.run_workers("closed").await, 0);
            let lost = scene.get_invoice(&invoice.id).await;
            assert_eq!((lost.status(), lost.dispute_status()), (InvoiceStatus::Failed, DisputeStatus::Lost));
            assert_eq!(lost.open_amount.unwrap().amount, 2995, "it is owed again");
            assert_eq!(lost.payments[0].decline_reason(), Why::DisputeLost);
            let taken = scene.transaction(&sold.id).await;
            assert_eq!((taken.status(), taken.reversal_reason()), (TransactionStatus::Approved, Why::DisputeLost));
            let stored = scene.stored_events().await;
            assert_eq!(stored.len(), server.events().len(), "each is stored once");
            assert!(stored.iter().all(|event| event.status() == VendorEventStatus::Handled), "{stored:?}");
        }
    }
}

#[tokio::test]
async fn after_a_lost_dispute_nobody_is_charged_by_the_schedule_and_the_period_is_unpaid_in_the_end() {
    for (scene, server) in stripe_scenes().await {
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        let id = begin(&scene, plan(day(2, 1), &method.id)).await.id;
        come_to(&scene, day(3, 1)).await;
        let paid = invoices(&scene, &id).await.remove(0);
        assert_eq!(paid.status(), InvoiceStatus::Paid);
        // 45 days after the beginning: noon of 1 March.
        server.set_time(NOON + 45 * 86_400);
        let sold = scene.transaction(&paid.transaction_ids[0]).await;
        let dispute = server.open_dispute(&sold.vendor_reference);
        server.close_dispute(&dispute, false);
        deliver_all(&scene, &server, false).await;
        assert_eq!(scene.run_workers("lost").await, 0);
        let lost = scene.get_invoice(&paid.id).await;
        assert_eq!((lost.status(), lost.due_to_collect_on), (InvoiceStatus::Failed, Some(day(3, 4))));
        for to in [4, 6, 8] {
            come_to(&scene, day(3, to)).await;
        }
        assert_eq!(scene.get_invoice(&paid.id).await.status(), InvoiceStatus::Delinquent);
        assert_eq!(server.payments().len(), 1, "the card was charged again");
        let unpaid = get(&scene, &id).await;
        assert_eq!(unpaid.status(), SubscriptionStatus::Suspended);
        assert_eq!(unpaid.suspended_for(), SuspendReason::Payment);
    }
}

#[tokio::test]
async fn a_dispute_that_is_won_leaves_the_payment() {
    for (scene, server) in stripe_scenes().await {
        let (invoice, sold) = paid_invoice(&scene, &server).await;
        let dispute = server.open_dispute(&sold.vendor_reference);
        server.close_dispute(&dispute, true);
        deliver_all(&scene, &server, false).await;
        assert_eq!(scene.run_workers("won").await, 0);
        let won = scene.get_invoice(&invoice.id).await;
        assert_eq!((won.status(), won.dispute_status()), (InvoiceStatus::Paid, DisputeStatus::Won));
        assert!(scene.transaction(&sold.id).await.reversed_at.is_none());
    }
}

#[tokio::test]
async fn a_lost_dispute_takes_back_what_was_not_refunded() {
    let (scene, server) = impatient_scene().await;
    let (invoice, sold) = paid_invoice(&scene, &server).await;
    let back = RefundInvoiceRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        amount: usd(995),
        ..RefundInvoiceRequest::default()
    };
    into_answer(scene.invoices().refund_invoice(request_by(PLATFORM, back)).await).unwrap();
    let dispute = server.open_dispute(&sold.vendor_reference);
    server.close_dispute(&dispute, false);
    deliver_all(&scene, &server, true).await;
    assert_eq!(scene.run_workers("lost").await, 0);
    let lost = scene.get_invoice(&invoice.id).await;
    assert_eq!((lost.status(), lost.open_amount.unwrap().amount), (InvoiceStatus::Failed, 2995));
    assert_eq!((lost.paid_amount.unwrap().amount, lost.refunded_amount.unwrap().amount), (995, 995));
}

#[tokio::test]
async fn an_event_is_never_believed() {
    let (scene, server) = impatient_scene().await;
    let (invoice, sold) = paid_invoice(&scene, &server).await;
    // The text says what the vendor does not: that the payment failed, and that a dispute was lost.
    let lies = [
        format!(
            r#"{{"id":"evt_l1","type":"payment_intent.payment_failed","data":{{"object":{{"id":"{}","status":"requires_payment_method","amount":1}}}}}}"#,
            sold.vendor_reference
        ),
        format!(
            r#"{{"id":"evt_l2","type":"charge.dispute.closed","data":{{"object":{{"id":"dp_nobody","status":"lost","payment_intent":"{}"}}}}}}"#,
            sold.vendor_reference
        ),
        r#"{"id":"evt_l3","type":"balance.available","data":{"object":{}}}"#.to_owned(),
    ];
    for lie in &lies {
        scene.deliver(&sign_event(EVENT_SECRET, NOON, lie.as_bytes())).await.unwrap();
    }
    assert_eq!(scene.run_workers("lies").await, 0);
    assert_eq!(scene.get_invoice(&invoice.id).await, invoice);
    assert_eq!(scene.transaction(&sold.id).await, sold);
    let statuses: Vec<_> = scene.stored_events().await.iter().map(VendorEvent::status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == VendorEventStatus::Ignored).count(), 2);
}

#[tokio::test]
async fn forged_old_and_foreign_events_are_refused_and_nothing_is_stored() {
    for (scene, _server) in stripe_scenes().await {
        let body = br#"{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1"}}}"#;
        let right = sign_event(EVENT_SECRET, NOON, body);
        let changed = SignedEvent { body: [body.as_slice(), b" "].concat(), ..right.clone() };
        let unsigned = SignedEvent { signature: String::new(), ..right.clone() };
        for (what, event) in [
            ("changed", changed),
            ("unsigned", unsigned),
            ("old", sign_event(EVENT_SECRET, NOON - 301, body)),
            ("early", sign_event(EVENT_SECRET, NOON + 301, body)),
            ("foreign", sign_event("whsec_of_another_account", NOON, body)),
        ] {
            assert_eq!(refusal_reason(scene.deliver(&event).await), "WEBHOOK_SIGNATURE_WRONG", "{what}");
        }
        let long = vec![b' '; 1_048_577];
        assert_eq!(refusal_reason(scene.deliver(&sign_event(EVENT_SECRET, NOON, &long)).await), "INVALID_FIELD");
        for bad in [b"".as_slice(), b"[]", b"{", b"\xff\xfe", br#"{"id":"evt_1"}"#] {
            let refused = scene.deliver(&sign_event(EVENT_SECRET, NOON, bad)).await;
            assert_eq!(refusal_reason(refused), "INVALID_FIELD", "{bad:?}");
        }
        assert!(scene.stored_events().await.is_empty());
        scene.deliver(&sign_event(EVENT_SECRET, NOON - 300, body)).await.unwrap();
        scene.deliver(&sign_event("whsec_of_the_secret_before", NOON, body)).await.unwrap();
        assert_eq!(scene.stored_events().await.len(), 1, "the same event, signed with either secret");
    }
    let off = configured(pavise_billing::Config::default()).await;
    let refused = off.deliver(&sign_event(EVENT_SECRET, NOON, b"{}")).await;
    assert_eq!(refusal_reason(refused), "NOT_CONFIGURED");
}
