//! Events of Stripe: signed, stored once, and a reason to ask in any order.

use std::time::Duration;

use pavise_billing::contract::v1::{DeclineReason as Why, *};
use pavise_kernel::time::{to_date, to_micros};
use pavise_testkit::stripe::{EVENT_SECRET, SignedEvent, StripeServer, sign_event};

use crate::credits::credits;
use crate::payers::shown_credit;
use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{ALICE, PLATFORM, STAFF, Scene, card, configured, into_answer, refusal_reason, request_by, usd};
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

/// The transactions with a dispute in that state, as staff list them.
async fn disputed(scene: &Scene, state: DisputeStatus) -> Vec<String> {
    let request = ListTransactionsRequest { dispute_status: state.into(), ..ListTransactionsRequest::default() };
    let answer = into_answer(scene.payments().list_transactions(request_by(STAFF, request)).await).unwrap();
    answer.transactions.into_iter().map(|one| one.id).collect()
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
                assert_eq!(disputed(&scene, DisputeStatus::Open).await, [sold.id.as_str()]);
                assert!(disputed(&scene, DisputeStatus::Lost).await.is_empty());
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
            assert_eq!(disputed(&scene, DisputeStatus::Lost).await, [sold.id.as_str()]);
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
    let today = to_date(to_micros(&scene.transaction(&sold.id).await.reversed_at.unwrap()));
    let ask = GetStatementRequest { identity_id: "alice".into(), from: Some(today), to: Some(today) };
    let statement = into_answer(scene.invoices().get_statement(request_by(ALICE, ask)).await).unwrap();
    let [part] = statement.parts.as_slice() else { panic!("{statement:?}") };
    let reversal = part.entries.iter().find(|entry| entry.r#type() == StatementEntryType::Reversal).unwrap();
    assert_eq!(
        (reversal.on, reversal.amount, reversal.invoice_id.as_str()),
        (Some(today), usd(2000), invoice.id.as_str())
    );
    assert_eq!((part.reversals, part.refunds, part.closing), (usd(2000), usd(995), usd(2995)));
}

#[tokio::test]
async fn a_refund_that_fails_days_later_becomes_a_credit_once() {
    for (amount, status) in [(usd(995), InvoiceStatus::Paid), (None, InvoiceStatus::Refunded)] {
        for (scene, server) in stripe_scenes().await {
            let (invoice, sold) = paid_invoice(&scene, &server).await;
            let back = || RefundInvoiceRequest {
                identity_id: "alice".into(),
                invoice_id: invoice.id.clone(),
                amount,
                ..RefundInvoiceRequest::default()
            };
            let refunded = scene.invoices().refund_invoice(request_by(PLATFORM, back())).await;
            let refunded = into_answer(refunded).unwrap();
            let refund = scene.transaction(&refunded.refunds[0].transaction_id).await;
            scene.clock.move_forward(Duration::from_secs(3 * 86_400));
            server.set_time(NOON + 3 * 86_400);
            server.fail_refund(&refund.vendor_reference);
            // Both kinds of events come, each twice, and the older one last.
            deliver_all(&scene, &server, true).await;
            assert_eq!(scene.run_workers("failed").await, 0);
            let failed = scene.transaction(&refund.id).await;
            assert_eq!((failed.status(), failed.reversal_reason()), (TransactionStatus::Approved, Why::RefundFailed));
            assert!(failed.reversed_at.is_some());
            let after = scene.get_invoice(&invoice.id).await;
            assert_eq!((after.status(), after.refunded_amount, after.open_amount), (status, usd(0), usd(0)));
            assert_eq!(after.refunds[0].decline_reason(), Why::RefundFailed);
            let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
            assert_eq!((credit.left, credit.reason()), (refund.amount, CreditReason::Refund));
            assert_eq!((&credit.invoice_id, &credit.id), (&invoice.id, &after.refunds[0].credit_id));
            let told = scene.letters().into_iter().filter(|(template, _)| template == "billing.refund-failed");
            assert_eq!(told.count(), 1);
            // The member has the amount again, and does not get it a second time.
            let most = sold.amount.unwrap().amount - refund.amount.unwrap().amount;
            let more = RefundInvoiceRequest { amount: usd(most + 1), ..back() };
            assert!(scene.invoices().refund_invoice(request_by(PLATFORM, more)).await.is_err());
            assert_eq!(
                scene.refund_part(&sold, most + 1, "more").await.unwrap_err().reason(),
                "REFUND_EXCEEDS_PAYMENT"
            );
            assert_eq!(server.balance(), 2995);
            // The movement that brought it back is one that we know of.
            scene.clock.move_forward(Duration::from_secs(86_400));
            scene.run_timer("billing.reconcile", "failed").await.unwrap();
            let rows = ListReconciliationRowsRequest { page_size: 500, ..ListReconciliationRowsRequest::default() };
            let rows = scene.reconciliations().list_reconciliation_rows(request_by(PLATFORM, rows)).await;
            assert_eq!(into_answer(rows).unwrap().reconciliation_rows, []);
        }
    }
}

#[tokio::test]
async fn a_failed_refund_of_what_an_employer_paid_becomes_a_credit_of_the_employer() {
    for (scene, server) in stripe_scenes().await {
        let new = NewPaymentMethod { vendor: Vendor::Stripe.into(), ..card(&server.add_method("pm_card_visa")) };
        let request = CreateGroupPaymentMethodRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            payment_method: Some(new),
        };
        let employers = scene.payments().create_group_payment_method(request_by(PLATFORM, request)).await;
        let employers = into_answer(employers).unwrap().id;
        let through_acme = CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(2, 1), &employers) };
        let id = begin(&scene, through_acme).await.id;
        come_to(&scene, day(3, 1)).await;
        // 45 days after the beginning: noon of 1 March.
        server.set_time(NOON + 45 * 86_400);
        let paid = invoices(&scene, &id).await.remove(0);
        let back = RefundInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: paid.id.clone(),
            ..RefundInvoiceRequest::default()
        };
        let refunded = into_answer(scene.invoices().refund_invoice(request_by(PLATFORM, back)).await).unwrap();
        let refund = scene.transaction(&refunded.refunds[0].transaction_id).await;
        server.fail_refund(&refund.vendor_reference);
        deliver_all(&scene, &server, false).await;
        assert_eq!(scene.run_workers("failed").await, 0);
        let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!((credit.left, credit.group_id.as_str(), shown_credit(&scene).await), (usd(2995), "acme", 0));
    }
}

#[tokio::test]
async fn staff_find_a_failed_refund_that_nobody_told_of() {
    let (scene, server) = impatient_scene().await;
    let (_, sold) = paid_invoice(&scene, &server).await;
    let refund = scene.refund_part(&sold, 995, "part").await.unwrap();
    server.fail_refund(&refund.vendor_reference);
    scene.clock.move_forward(Duration::from_secs(86_400));
    scene.run_timer("billing.reconcile", "untold").await.unwrap();
    let rows = ListReconciliationRowsRequest { page_size: 500, ..ListReconciliationRowsRequest::default() };
    let rows = scene.reconciliations().list_reconciliation_rows(request_by(PLATFORM, rows)).await;
    let [row] = into_answer(rows).unwrap().reconciliation_rows.try_into().unwrap();
    assert_eq!((row.outcome(), row.vendor_amount), (ReconciliationOutcome::StatusDiffers, usd(995)));
    assert_eq!(row.transaction_id, refund.id);
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
