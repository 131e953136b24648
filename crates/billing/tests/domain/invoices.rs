//! Invoices: raised, changed, paid, refunded, dropped; with and without faults.

use std::time::Duration;

use futures::future::join_all;
use pavise_billing::contract::v1::InvoiceStatus::{
    Active, Delinquent, Failed, Forgiven, Paid, PartiallyFunded, Refunded, Voided,
};
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use tonic::Request;

use crate::scene::{
    ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, WireFault, account, card, into_answer, item, refusal_reason,
    request_by, request_with_key, scene, scenes, usd,
};

fn charge(invoice: &Invoice, amount: Option<i64>) -> PayInvoiceRequest {
    PayInvoiceRequest { invoice_id: invoice.id.clone(), amount: amount.and_then(usd), ..PayInvoiceRequest::default() }
}

async fn refund(scene: &Scene, key: &str, invoice: &Invoice, amount: Option<i64>) -> Result<Invoice> {
    let request = RefundInvoiceRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        amount: amount.and_then(usd),
        ..Default::default()
    };
    into_answer(scene.invoices().refund_invoice(request_with_key(STAFF, key, request)).await)
}

#[tokio::test]
async fn an_invoice_is_paid_in_parts_and_given_back_in_parts_on_both_engines() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let bank = scene.method(account("test_bank_0001")).await;
        let invoice = scene.invoice(&[2000, 995], &visa.id).await;
        assert_eq!((invoice.status(), invoice.total, invoice.open_amount), (Active, usd(2995), usd(2995)));
        let part = scene.pay(ALICE, "1", charge(&invoice, Some(1000))).await.unwrap();
        assert_eq!((part.status(), part.open_amount), (PartiallyFunded, usd(1995)));
        assert_eq!(
            refusal_reason(scene.pay(ALICE, "2", charge(&invoice, Some(1996))).await),
            "PAYMENT_EXCEEDS_OPEN_AMOUNT"
        );
        let rest = PayInvoiceRequest { payment_method_id: bank.id.clone(), ..charge(&invoice, None) };
        let paid = scene.pay(ALICE, "3", rest.clone()).await.unwrap();
        assert_eq!((paid.status(), paid.open_amount, paid.paid_amount), (Paid, usd(0), usd(2995)));
        assert_eq!(scene.pay(ALICE, "3", rest).await.unwrap(), paid, "a repeat is answered the same");
        assert_eq!(refusal_reason(scene.pay(ALICE, "4", charge(&invoice, Some(1))).await), "STATUS_NOT_ALLOWED");
        assert_eq!(scene.moved().await, 2995);

        let some = refund(&scene, "r1", &invoice, Some(2500)).await.unwrap();
        assert_eq!((some.status(), some.refunded_amount), (Paid, usd(2500)));
        assert_eq!(
            refund(&scene, "r1", &invoice, Some(2500)).await.unwrap().refunds.len(),
            2,
            "a repeat gives nothing back"
        );
        assert_eq!(refusal_reason(refund(&scene, "r2", &invoice, Some(496)).await), "REFUND_EXCEEDS_PAYMENT");
        let all = refund(&scene, "r3", &invoice, None).await.unwrap();
        assert_eq!((all.status(), all.refunded_amount), (Refunded, usd(2995)));
        assert_eq!(scene.moved().await, 0);
        assert_eq!(refusal_reason(refund(&scene, "r4", &invoice, None).await), "STATUS_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn approved_sales_pay_an_order_and_each_pays_once() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let invoice = scene.invoice(&[2995, 2995], &visa.id).await;
        let other = scene.invoice(&[2995], &visa.id).await;
        let one = scene.sell(&visa, "order/one/1").await.unwrap();
        let two = scene.sell(&visa, "order/two/1").await.unwrap();
        let by_sale = |invoice: &Invoice, sale: &Transaction| PayInvoiceRequest {
            transaction_id: sale.id.clone(),
            ..charge(invoice, None)
        };
        assert_eq!(
            refusal_reason(scene.pay(ALICE, "m", by_sale(&invoice, &one)).await),
            "INVALID_FIELD",
            "members charge a method"
        );
        let part = scene.pay(PLATFORM, "1", by_sale(&invoice, &one)).await.unwrap();
        assert_eq!((part.status(), part.payments.len()), (PartiallyFunded, 1));
        assert_eq!(scene.pay(PLATFORM, "again", by_sale(&invoice, &one)).await.unwrap(), part);
        assert_eq!(
            refusal_reason(scene.pay(PLATFORM, "2", by_sale(&other, &one)).await),
            "ALREADY_EXISTS",
            "it pays one invoice"
        );
        assert_eq!(scene.pay(PLATFORM, "3", by_sale(&invoice, &two)).await.unwrap().status(), Paid);
        let declined = scene.method(card("test_4000000000000002")).await;
        let declined = scene.sell(&declined, "declined").await.unwrap();
        assert_eq!(
            refusal_reason(scene.pay(PLATFORM, "4", by_sale(&other, &declined)).await),
            "TRANSACTION_NOT_USABLE"
        );
        let foreign = Transaction { id: "nowhere".into(), ..Transaction::default() };
        assert_eq!(refusal_reason(scene.pay(PLATFORM, "5", by_sale(&other, &foreign)).await), "NOT_FOUND");
        assert_eq!(scene.moved().await, 2 * 2995);
    }
}

#[tokio::test]
async fn a_declined_payment_leaves_the_invoice_open() {
    let scene = scene().await;
    let empty = scene.method(card("test_4000000000000002")).await;
    let visa = scene.method(card(APPROVES)).await;
    let invoice = scene.invoice(&[2995], &empty.id).await;
    let refused = scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap_err();
    assert_eq!(
        (refused.reason(), refused.message()),
        ("PAYMENT_DECLINED", "the payment was declined: INSUFFICIENT_FUNDS")
    );
    assert_eq!(
        refusal_reason(scene.pay(ALICE, "1", charge(&invoice, None)).await),
        "PAYMENT_DECLINED",
        "a repeat does not charge again"
    );
    let open = scene.get_invoice(&invoice.id).await;
    assert_eq!(
        (open.status(), open.open_amount, open.payments[0].status()),
        (Active, usd(2995), TransactionStatus::Declined)
    );
    let other = PayInvoiceRequest { payment_method_id: visa.id.clone(), ..charge(&invoice, None) };
    assert_eq!(scene.pay(ALICE, "2", other).await.unwrap().status(), Paid);
    let resting = scene.method(card("test_4000000000000004")).await;
    let next = scene.invoice(&[100], &resting.id).await;
    assert_eq!(refusal_reason(scene.pay(ALICE, "3", charge(&next, None)).await), "PAYMENT_DECLINED");
    assert_eq!(refusal_reason(scene.pay(ALICE, "4", charge(&next, None)).await), "PAYMENT_METHOD_COOLING_DOWN");
    assert_eq!(scene.get_invoice(&next.id).await.open_amount, usd(100), "nothing is kept free for what was refused");
    assert_eq!(scene.ledger().await.len(), 3);
}

#[tokio::test]
async fn a_slow_vendor_is_waited_for_and_the_invoice_paid_without_a_repeat() {
    let scene = scene().await;
    let slow = scene.method(card("test_4000000000000007")).await;
    let invoice = scene.invoice(&[2995], &slow.id).await;
    assert_eq!(refusal_reason(scene.pay(ALICE, "1", charge(&invoice, None)).await), "PAYMENT_PENDING");
    assert_eq!(
        refusal_reason(scene.pay(ALICE, "2", charge(&invoice, None)).await),
        "PAYMENT_IN_PROGRESS",
        "not charged beside it"
    );
    let void = VoidInvoiceRequest { identity_id: "alice".into(), invoice_id: invoice.id.clone() };
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().void_invoice(request_by(STAFF, void)).await)),
        "PAYMENT_IN_PROGRESS"
    );
    assert!(scene.run_workers("too early").await > 0, "the entry is tried again later");
    scene.clock.move_forward(Duration::from_secs(31));
    assert_eq!(scene.run_workers("in time").await, 0);
    assert_eq!(scene.get_invoice(&invoice.id).await.status(), Paid);
    assert_eq!(scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap().status(), Paid);
    assert_eq!(scene.moved().await, 2995);
}

#[tokio::test]
async fn wherever_a_payment_is_cut_off_it_ends_paid_once() {
    let scene = scene().await;
    let visa = scene.method(card(APPROVES)).await;
    let invoice = scene.invoice(&[2995], &visa.id).await;
    let before = scene.wire.calls();
    scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap();
    let calls = scene.wire.calls() - before;
    assert_eq!(calls, 2, "one to charge, one to the vendor");
    for at in 0..calls {
        for how in [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter] {
            for repeats in [true, false] {
                let scene = crate::scene::scene().await;
                let visa = scene.method(card(APPROVES)).await;
                let invoice = scene.invoice(&[2995], &visa.id).await;
                scene.wire.break_after(at, how);
                let _ = scene.wire.unless_killed(scene.pay(ALICE, "1", charge(&invoice, None))).await;
                if repeats {
                    assert_eq!(
                        scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap().status(),
                        Paid,
                        "{at} {how:?}"
                    );
                } else {
                    scene.clock.move_forward(Duration::from_secs(61));
                    assert_eq!(scene.run_workers("then").await, 0, "{at} {how:?}");
                }
                let ended = scene.get_invoice(&invoice.id).await;
                assert_eq!(
                    (ended.status(), ended.payments.len(), ended.transaction_ids.len()),
                    (Paid, 1, 1),
                    "{at} {how:?} {repeats}"
                );
                assert_eq!(scene.moved().await, 2995, "{at} {how:?} {repeats}");
            }
        }
    }
}

#[tokio::test]
async fn many_payments_at_once_pay_what_is_owed() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let invoice = scene.invoice(&[2995], &visa.id).await;
        let keys: Vec<String> = (0..12).map(|at| format!("key {at}")).collect();
        let paid = join_all(keys.iter().map(|key| scene.pay(ALICE, key, charge(&invoice, None)))).await;
        assert_eq!(paid.iter().filter(|one| one.is_ok()).count(), 1);
        assert_eq!(scene.moved().await, 2995);
        let parts = scene.invoice(&[1000], &visa.id).await;
        let keys: Vec<String> = (0..12).map(|at| format!("part {at}")).collect();
        let paid = join_all(keys.iter().map(|key| scene.pay(ALICE, key, charge(&parts, Some(300))))).await;
        assert_eq!(paid.iter().filter(|one| one.is_ok()).count(), 3);
        assert_eq!(scene.moved().await, 2995 + 900);
        assert_eq!(scene.get_invoice(&parts.id).await.open_amount, usd(100));
    }
}

#[tokio::test]
async fn the_same_call_made_at_once_by_many_is_one() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let invoice = scene.invoice(&[2995], &visa.id).await;
        let paid = join_all((0..12).map(|_| scene.pay(ALICE, "one", charge(&invoice, None)))).await;
        assert!(paid.iter().all(|one| one.as_ref().is_ok_and(|one| one.status() == Paid)), "{paid:?}");
        assert_eq!(scene.moved().await, 2995);
        let back = join_all((0..12).map(|_| refund(&scene, "back", &invoice, None))).await;
        assert!(back.iter().all(|one| one.as_ref().is_ok_and(|one| one.status() == Refunded)), "{back:?}");
        assert_eq!(scene.moved().await, 0);
        let ended = scene.get_invoice(&invoice.id).await;
        assert_eq!((ended.payments.len(), ended.refunds.len()), (1, 1));
    }
}

#[tokio::test]
async fn wherever_a_refund_is_cut_off_it_ends_given_back_once() {
    for at in 0..2 {
        for how in [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter] {
            for repeats in [true, false] {
                let scene = scene().await;
                let visa = scene.method(card(APPROVES)).await;
                let invoice = scene.invoice(&[2995], &visa.id).await;
                scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap();
                scene.wire.break_after(at, how);
                let _ = scene.wire.unless_killed(refund(&scene, "back", &invoice, None)).await;
                if repeats {
                    assert_eq!(
                        refund(&scene, "back", &invoice, None).await.unwrap().status(),
                        Refunded,
                        "{at} {how:?}"
                    );
                } else {
                    scene.clock.move_forward(Duration::from_secs(61));
                    assert_eq!(scene.run_workers("then").await, 0, "{at} {how:?}");
                }
                assert_eq!(scene.get_invoice(&invoice.id).await.status(), Refunded, "{at} {how:?} {repeats}");
                assert_eq!(scene.moved().await, 0, "{at} {how:?} {repeats}");
            }
        }
    }
}

#[tokio::test]
async fn items_come_and_go_while_the_sums_stay_right() {
    let scene = scene().await;
    let invoice = scene.invoice(&[2000, 995], "").await;
    let add = |item: InvoiceItem| AddInvoiceItemRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        item: Some(item),
    };
    let added =
        into_answer(scene.invoices().add_invoice_item(request_by(STAFF, add(item(ItemType::Discount, -500)))).await)
            .unwrap();
    assert_eq!(added.total, usd(2495));
    assert_eq!(added.items[2].history[0].action(), ItemAction::Added);
    assert_eq!(
        refusal_reason(into_answer(
            scene.invoices().add_invoice_item(request_by(STAFF, add(item(ItemType::Discount, 1)))).await
        )),
        "INVALID_FIELD"
    );
    assert_eq!(
        refusal_reason(into_answer(
            scene.invoices().add_invoice_item(request_by(STAFF, add(item(ItemType::Discount, -2496)))).await
        )),
        "INVOICE_TOTAL_TOO_LOW"
    );
    let mut cad = item(ItemType::Tax, 1);
    cad.amount.as_mut().unwrap().currency = 2;
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().add_invoice_item(request_by(STAFF, add(cad))).await)),
        "CURRENCY_MISMATCH"
    );
    assert_eq!(
        refusal_reason(into_answer(
            scene.invoices().add_invoice_item(request_by(ALICE, add(item(ItemType::Tax, 1)))).await
        )),
        "REALM_NOT_ALLOWED"
    );
    let remove = |id: &str| RemoveInvoiceItemRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        item_id: id.into(),
    };
    let removed =
        into_answer(scene.invoices().remove_invoice_item(request_by(STAFF, remove(&added.items[1].id))).await).unwrap();
    assert_eq!(removed.total, usd(1500));
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().remove_invoice_item(request_by(STAFF, remove("gone"))).await)),
        "NOT_FOUND"
    );
    let register = RegisterInvoiceItemTaxRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        item_id: added.items[0].id.clone(),
    };
    let registered =
        into_answer(scene.invoices().register_invoice_item_tax(request_by(STAFF, register.clone())).await).unwrap();
    assert!(registered.items[0].tax_registered);
    assert_eq!(registered.items[0].history[1].action(), ItemAction::TaxRegistered);
    assert_eq!(
        into_answer(scene.invoices().register_invoice_item_tax(request_by(STAFF, register)).await).unwrap(),
        registered
    );
}

#[tokio::test]
async fn an_invoice_of_nothing_is_paid_with_nothing() {
    let scene = scene().await;
    let invoice = scene.invoice(&[0], "").await;
    assert_eq!(scene.pay(PLATFORM, "1", charge(&invoice, None)).await.unwrap().status(), Paid);
    assert!(scene.ledger().await.is_empty());
}

#[tokio::test]
async fn an_item_that_is_added_meanwhile_is_not_paid_with_nothing() {
    for scene in scenes().await {
        for round in 0..12 {
            let invoice = scene.invoice(&[0], "").await;
            let add = AddInvoiceItemRequest {
                identity_id: "alice".into(),
                invoice_id: invoice.id.clone(),
                item: Some(item(ItemType::Order, 100)),
            };
            let key = format!("round {round}");
            let add = async { into_answer(scene.invoices().add_invoice_item(request_by(STAFF, add)).await) };
            let (paid, added) = futures::join!(scene.pay(PLATFORM, &key, charge(&invoice, None)), add);
            let after = scene.get_invoice(&invoice.id).await;
            assert_eq!(after.status() == Paid, paid.is_ok(), "{paid:?}");
            assert_eq!(after.total, if added.is_ok() { usd(100) } else { usd(0) });
            assert_ne!(paid.is_ok(), added.is_ok(), "whichever was first, the other is refused");
        }
    }
}

#[tokio::test]
async fn versioned_payment_is_answered_after_the_worker_finished_it() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        for round in 0..12 {
            let invoice = scene.invoice(&[100], &visa.id).await;
            let named = |key: &str, version: i64| {
                let mut metadata = request_with_key(STAFF, &format!("{key} {round}"), ()).into_parts().0;
                metadata.insert("if-match", version.to_string().parse().unwrap());
                metadata
            };
            let pay = PayInvoiceRequest { identity_id: "alice".into(), ..charge(&invoice, None) };
            let pay = Request::from_parts(named("pay", invoice.version), tonic::Extensions::default(), pay);
            let paid = scene.while_settled(&invoice.id, scene.invoices().pay_invoice(pay)).await.unwrap();
            assert_eq!(paid.status(), Paid);

            let refund = RefundInvoiceRequest {
                identity_id: "alice".into(),
                invoice_id: invoice.id.clone(),
                ..Default::default()
            };
            let refund = Request::from_parts(named("refund", paid.version), tonic::Extensions::default(), refund);
            let refunded = scene.while_settled(&invoice.id, scene.invoices().refund_invoice(refund)).await.unwrap();
            assert_eq!(refunded.status(), Refunded);
        }
        assert_eq!(scene.moved().await, 0);
    }
}

#[tokio::test]
async fn an_invoice_is_marked_and_let_go_as_its_status_allows() {
    let scene = scene().await;
    let visa = scene.method(card(APPROVES)).await;
    let ids = |invoice: &Invoice| ("alice".to_owned(), invoice.id.clone());
    let fail = |invoice: &Invoice| FailInvoiceRequest { identity_id: ids(invoice).0, invoice_id: ids(invoice).1 };
    let delinquent =
        |invoice: &Invoice| MakeInvoiceDelinquentRequest { identity_id: ids(invoice).0, invoice_id: ids(invoice).1 };
    let void = |invoice: &Invoice| VoidInvoiceRequest { identity_id: ids(invoice).0, invoice_id: ids(invoice).1 };
    let forgive = |invoice: &Invoice| ForgiveInvoiceRequest {
        identity_id: ids(invoice).0,
        invoice_id: ids(invoice).1,
        reason: "hardship".into(),
    };

    let invoice = scene.invoice(&[100], &visa.id).await;
    assert_eq!(
        into_answer(scene.invoices().fail_invoice(request_by(STAFF, fail(&invoice))).await).unwrap().status(),
        Failed
    );
    let again = into_answer(scene.invoices().fail_invoice(request_by(STAFF, fail(&invoice))).await).unwrap();
    assert_eq!(again.version, 2, "it is where the call leads already");
    assert_eq!(
        into_answer(scene.invoices().make_invoice_delinquent(request_by(STAFF, delinquent(&invoice))).await)
            .unwrap()
            .status(),
        Delinquent
    );
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().void_invoice(request_by(STAFF, void(&invoice))).await)),
        "STATUS_NOT_ALLOWED"
    );
    let forgiven = into_answer(scene.invoices().forgive_invoice(request_by(STAFF, forgive(&invoice))).await).unwrap();
    assert_eq!(
        (forgiven.status(), forgiven.open_amount, forgiven.forgiven_reason.as_str()),
        (Forgiven, usd(0), "hardship")
    );
    assert_eq!(refusal_reason(scene.pay(ALICE, "1", charge(&invoice, None)).await), "STATUS_NOT_ALLOWED");
    let get = GetInvoiceRequest { identity_id: ids(&forgiven).0, invoice_id: ids(&forgiven).1 };
    let seen = into_answer(scene.invoices().get_invoice(request_by(ALICE, get.clone())).await).unwrap();
    assert_eq!(seen, Invoice { forgiven_reason: String::new(), ..forgiven.clone() }, "staff wrote it for staff");
    assert_eq!(into_answer(scene.invoices().get_invoice(request_by(STAFF, get)).await).unwrap(), forgiven);

    let invoice = scene.invoice(&[100], &visa.id).await;
    assert_eq!(
        into_answer(scene.invoices().void_invoice(request_by(STAFF, void(&invoice))).await).unwrap().status(),
        Voided
    );

    let invoice = scene.invoice(&[100], &visa.id).await;
    scene.pay(ALICE, "2", charge(&invoice, Some(40))).await.unwrap();
    into_answer(scene.invoices().fail_invoice(request_by(STAFF, fail(&invoice))).await).unwrap();
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().void_invoice(request_by(STAFF, void(&invoice))).await)),
        "INVOICE_HAS_PAYMENTS"
    );
    assert_eq!(scene.pay(ALICE, "3", charge(&invoice, None)).await.unwrap().status(), Paid);
}

#[tokio::test]
async fn an_invoice_has_the_next_number_of_its_year_on_both_engines() {
    for scene in scenes().await {
        let visa = scene.method(card(APPROVES)).await;
        let year = pavise_kernel::time::to_date(pavise_kernel::time::to_micros(&scene.now())).year % 100;
        for count in 1..=3 {
            let invoice = scene.invoice(&[100], &visa.id).await;
            assert_eq!(invoice.number, format!("INV-{year:02}-{count:06}"));
            assert_eq!(scene.get_invoice(&invoice.id).await, invoice);
            let wrong = CreateInvoiceRequest {
                identity_id: "alice".into(),
                currency: 1,
                items: vec![item(ItemType::Order, 1)],
                payment_method_id: "nothing".into(),
                ..CreateInvoiceRequest::default()
            };
            assert_eq!(
                refusal_reason(into_answer(scene.invoices().create_invoice(request_by(STAFF, wrong)).await)),
                "NOT_FOUND"
            );
            let paid = scene.pay(ALICE, &count.to_string(), charge(&invoice, None)).await.unwrap();
            assert_eq!(paid.number, invoice.number, "it stays");
        }
    }
}

#[tokio::test]
async fn an_invoice_is_its_members_own() {
    let scene = scene().await;
    let visa = scene.method(card(APPROVES)).await;
    let invoice = scene.invoice(&[100], &visa.id).await;
    let get = |identity: &str| GetInvoiceRequest { identity_id: identity.into(), invoice_id: invoice.id.clone() };
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().get_invoice(request_by(MALLORY, get("mallory"))).await)),
        "NOT_FOUND"
    );
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().get_invoice(request_by(MALLORY, get("alice"))).await)),
        "NOT_THE_OWNER"
    );
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().get_invoice(request_by("", get("alice"))).await)),
        "TOKEN_MISSING"
    );
    let steal = CreateInvoiceRequest {
        identity_id: "mallory".into(),
        currency: 1,
        items: vec![item(ItemType::Order, 1)],
        payment_method_id: visa.id.clone(),
        ..CreateInvoiceRequest::default()
    };
    assert_eq!(
        refusal_reason(into_answer(scene.invoices().create_invoice(request_by(STAFF, steal)).await)),
        "NOT_FOUND"
    );
    let list = |status: InvoiceStatus| ListInvoicesRequest {
        identity_id: "alice".into(),
        status: status.into(),
        ..Default::default()
    };
    assert_eq!(
        into_answer(scene.invoices().list_invoices(request_by(ALICE, list(Active))).await).unwrap().invoices.len(),
        1
    );
    assert!(
        into_answer(scene.invoices().list_invoices(request_by(ALICE, list(Paid))).await).unwrap().invoices.is_empty()
    );

    let pay = scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap();
    let change = ChangeInvoiceOwnerRequest {
        identity_id: "alice".into(),
        invoice_id: invoice.id.clone(),
        new_owner_id: "alicia".into(),
    };
    let moved = into_answer(scene.invoices().change_invoice_owner(request_by(STAFF, change)).await).unwrap();
    assert_eq!((moved.owner_id.as_str(), moved.status()), ("alicia", pay.status()));
    let back = RefundInvoiceRequest {
        identity_id: "alicia".into(),
        invoice_id: invoice.id.clone(),
        ..RefundInvoiceRequest::default()
    };
    let back = into_answer(scene.invoices().refund_invoice(request_by(STAFF, back)).await).unwrap();
    assert_eq!(back.status(), Refunded, "the money goes to where it came from, whoever has the invoice");
    assert_eq!(scene.moved().await, 0);
}

#[tokio::test]
async fn a_refused_refund_is_said_and_changes_nothing() {
    let scene = scene().await;
    let stubborn = scene.method(card("test_4000000000000008")).await;
    let invoice = scene.invoice(&[100], &stubborn.id).await;
    scene.pay(ALICE, "1", charge(&invoice, None)).await.unwrap();
    assert_eq!(refusal_reason(refund(&scene, "r", &invoice, Some(40)).await), "PAYMENT_DECLINED");
    let after = scene.get_invoice(&invoice.id).await;
    assert_eq!((after.status(), after.refunded_amount), (Paid, usd(0)));
}
