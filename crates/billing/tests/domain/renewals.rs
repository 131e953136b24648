//! Tests of what happens by itself: periods are billed on their days, once, and charged.

use std::time::Duration;

use pavise_billing::contract::MIGRATIONS;
use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date, RegionCode};
use pavise_kernel::migrations::Migration;

use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, WireFault, card, into_answer, refusal_reason, request_by, scene, scenes,
    usd,
};
use crate::subscriptions::wanted;

pub(crate) fn day(month: i32, day: i32) -> Date {
    Date { year: 2026, month, day }
}

/// A plan of alice's that is billed on a day of the month, first a month after `first`.
pub(crate) fn plan(first: Date, method: &str) -> CreateSubscriptionRequest {
    CreateSubscriptionRequest { started_on: Some(first), payment_method_id: method.into(), ..wanted("") }
}

pub(crate) async fn begin(scene: &Scene, wanted: CreateSubscriptionRequest) -> Subscription {
    into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, wanted)).await).unwrap()
}

pub(crate) async fn get(scene: &Scene, id: &str) -> Subscription {
    let request = GetSubscriptionRequest { identity_id: "alice".into(), subscription_id: id.into() };
    into_answer(scene.subscriptions().get_subscription(request_by(STAFF, request)).await).unwrap()
}

/// The invoices of a subscription, in the order in which they were raised.
pub(crate) async fn invoices(scene: &Scene, id: &str) -> Vec<Invoice> {
    let request = ListInvoicesRequest {
        identity_id: "alice".into(),
        subscription_id: id.into(),
        page_size: 500,
        ..ListInvoicesRequest::default()
    };
    let mut listed = into_answer(scene.invoices().list_invoices(request_by(STAFF, request)).await).unwrap().invoices;
    listed.sort_by(|one, other| one.number.cmp(&other.number));
    listed
}

/// Moves to noon of a day and lets the workers come to rest.
pub(crate) async fn come_to(scene: &Scene, to: Date) {
    scene.go_to(to);
    assert_eq!(scene.run_workers(&format!("{to:?}")).await, 0, "{to:?}");
}

fn period(invoice: &Invoice) -> (Date, Date) {
    (invoice.period_from.unwrap(), invoice.period_until.unwrap())
}

#[tokio::test]
async fn monthly_from_the_31st_of_january_is_billed_on_the_last_days_and_charged_once_each() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = begin(&scene, plan(day(1, 31), &method.id)).await.id;
        for (to, billed) in
            [(day(2, 27), 0), (day(2, 28), 1), (day(3, 30), 1), (day(3, 31), 2), (day(4, 29), 2), (day(4, 30), 3)]
        {
            come_to(&scene, to).await;
            assert_eq!(invoices(&scene, &id).await.len(), billed, "{to:?}");
        }
        let billed = invoices(&scene, &id).await;
        let periods: Vec<_> = billed.iter().map(period).collect();
        let expected = [(day(2, 28), day(3, 30)), (day(3, 31), day(4, 29)), (day(4, 30), day(5, 30))];
        assert_eq!(periods, expected);
        assert!(billed.iter().all(|one| one.status() == InvoiceStatus::Paid && one.due_on == one.period_from));
        assert!(billed.iter().all(|one| !one.number.is_empty() && one.collection() == Collection::Charge));
        assert_eq!(scene.moved().await, 3 * 2995);
        let after = get(&scene, &id).await;
        assert_eq!((after.paid_to_date, after.next_bill_on), (Some(day(5, 30)), Some(day(5, 31))));
        assert_eq!(after.status(), SubscriptionStatus::Active);
        let entries = scene.read_journal("/pavise.billing.v1.SubscriptionService/ReadJournal").await;
        assert_eq!(entries.iter().filter(|entry| entry.action == "BILLING_ADVANCED").count(), 3);
        let receipts = scene.letters().into_iter().filter(|(template, _)| template == "billing.receipt");
        assert_eq!(receipts.count(), 3);
    }
}

#[tokio::test]
async fn missed_months_give_an_invoice_each_the_oldest_first() {
    for scene in scenes().await {
        let id = begin(&scene, plan(day(1, 15), "")).await.id;
        come_to(&scene, day(4, 20)).await;
        let billed = invoices(&scene, &id).await;
        let begins: Vec<Date> = billed.iter().map(|one| one.period_from.unwrap()).collect();
        assert_eq!(begins, [day(2, 15), day(3, 15), day(4, 15)]);
        let behind = get(&scene, &id).await;
        assert_eq!((behind.status(), behind.next_bill_on), (SubscriptionStatus::CatchingUp, Some(day(5, 15))));
        // A minute later the member adds a card: it pays all of them.
        scene.clock.move_forward(Duration::from_secs(60));
        scene.method(card(APPROVES)).await;
        assert_eq!(scene.run_workers("a card").await, 0);
        let paid = get(&scene, &id).await;
        assert_eq!((paid.status(), paid.paid_to_date), (SubscriptionStatus::Active, Some(day(5, 14))));
        assert_eq!(scene.moved().await, 3 * 2995);
    }
}

#[tokio::test]
async fn a_period_over_nothing_is_paid_and_taxes_are_items() {
    for scene in scenes().await {
        let mut free = plan(day(1, 15), "");
        free.items[0].price = usd(0);
        let free = begin(&scene, free).await.id;
        let method = scene.method(card(APPROVES)).await;
        let texan = CreateSubscriptionRequest {
            administrative_area: RegionCode::Tx.into(),
            billing_frequency: 2,
            next_bill_on: Some(day(2, 15)),
            ..plan(day(1, 15), &method.id)
        };
        let texan = begin(&scene, texan).await.id;
        come_to(&scene, day(2, 15)).await;
        let nothing = invoices(&scene, &free).await.remove(0);
        assert_eq!((nothing.status(), nothing.total, nothing.payments.len()), (InvoiceStatus::Paid, usd(0), 0));
        assert_eq!(get(&scene, &free).await.paid_to_date, Some(day(3, 14)));
        let taxed = invoices(&scene, &texan).await.remove(0);
        let items: Vec<_> = taxed.items.iter().map(|item| (item.r#type(), item.amount, item.tax_rate_ppm)).collect();
        assert_eq!(items, [(ItemType::Subscription, usd(5990), 0), (ItemType::Tax, usd(599), 100_000)]);
        assert_eq!((taxed.status(), taxed.total), (InvoiceStatus::Paid, usd(6589)));
        assert_eq!(period(&taxed), (day(2, 15), day(4, 14)), "two months at once");
    }
}

#[tokio::test]
async fn a_scheduled_end_cuts_the_period_and_nothing_follows() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let ends = CreateSubscriptionRequest { payment_method_id: method.id.clone(), ..wanted("acme") };
        let id = begin(&scene, ends).await.id;
        let schedule = ScheduleSubscriptionCancellationRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            cancel_on: Some(day(3, 1)),
            reason: CancelReason::MemberRequestedCancel.into(),
        };
        into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(STAFF, schedule)).await)
            .unwrap();
        come_to(&scene, day(2, 15)).await;
        let cut = invoices(&scene, &id).await.remove(0);
        // 14 of 28 days of 29.95.
        assert_eq!((period(&cut), cut.total), ((day(2, 15), day(2, 28)), usd(1498)));
        come_to(&scene, day(3, 20)).await;
        assert_eq!(invoices(&scene, &id).await.len(), 1);
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Cancelled);
    }
}

/// A payment method of that kind that alice has.
pub(crate) async fn add(scene: &Scene, kind: PaymentMethodType) -> PaymentMethod {
    let new = NewPaymentMethod { r#type: kind.into(), ..NewPaymentMethod::default() };
    let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
    into_answer(scene.payments().create_payment_method(request_by(PLATFORM, request)).await).unwrap()
}

#[tokio::test]
async fn what_others_bill_is_left_alone_and_an_invoice_by_post_is_not_charged() {
    for scene in scenes().await {
        let premium = add(&scene, PaymentMethodType::PremiumBilling).await;
        let cheque = add(&scene, PaymentMethodType::Check).await;
        let of_group = begin(&scene, plan(day(1, 15), &premium.id)).await;
        let external = CreateSubscriptionRequest { vendor: VendorType::Paypal.into(), ..plan(day(1, 15), "") };
        let external = begin(&scene, external).await;
        let by_invoice = begin(&scene, plan(day(1, 15), &cheque.id)).await;
        assert_eq!(
            [&of_group, &external, &by_invoice].map(Subscription::collection),
            [Collection::Group, Collection::External, Collection::ByInvoice]
        );
        come_to(&scene, day(2, 15)).await;
        for other in [&of_group, &external] {
            assert!(invoices(&scene, &other.id).await.is_empty());
            assert_eq!(get(&scene, &other.id).await, *other);
        }
        let sent = invoices(&scene, &by_invoice.id).await.remove(0);
        assert_eq!((sent.status(), sent.due_on), (InvoiceStatus::Active, Some(day(3, 1))));
        let told = ("billing.invoice".to_owned(), format!("29.95 USD, {}, 2026-03-01", sent.number));
        assert_eq!(scene.letters(), std::slice::from_ref(&told));
        // Its days, and those of grace.
        come_to(&scene, day(3, 7)).await;
        assert_eq!(scene.get_invoice(&sent.id).await.status(), InvoiceStatus::Active);
        come_to(&scene, day(3, 8)).await;
        assert_eq!(scene.get_invoice(&sent.id).await.status(), InvoiceStatus::Delinquent);
        let stopped = get(&scene, &by_invoice.id).await;
        assert_eq!(
            (stopped.status(), stopped.suspended_for()),
            (SubscriptionStatus::Suspended, SuspendReason::Payment)
        );
        assert!(scene.transactions().await.is_empty());
        assert_eq!(scene.letters().iter().filter(|one| **one == told).count(), 1);
        // With another method it is collected in another way.
        let card = scene.method(card(APPROVES)).await;
        let update = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: by_invoice.id.clone(),
            payment_method_id: card.id,
        };
        let named = scene.subscriptions().update_subscription_payment_method(request_by(ALICE, update)).await;
        assert_eq!(into_answer(named).unwrap().collection(), Collection::Charge);
        assert_eq!(scene.run_workers("a card").await, 0);
        assert_eq!(get(&scene, &by_invoice.id).await.status(), SubscriptionStatus::Active);
        assert_eq!(scene.moved().await, 2995);
    }
}

#[tokio::test]
async fn a_subscription_that_cannot_be_billed_does_not_stop_the_others() {
    for scene in scenes().await {
        let nowhere = CreateSubscriptionRequest { administrative_area: RegionCode::On.into(), ..plan(day(1, 15), "") };
        let nowhere = begin(&scene, nowhere).await.id;
        let fine = begin(&scene, plan(day(1, 15), "")).await.id;
        scene.go_to(day(2, 15));
        assert_eq!(refusal_reason(scene.run_timer("billing.renewals", "the day").await), "TAXES_UNKNOWN");
        assert!(invoices(&scene, &nowhere).await.is_empty());
        assert_eq!(invoices(&scene, &fine).await.len(), 1);
        // Once the place is right, it is billed.
        let correct = UpdateSubscriptionAdministrativeAreaRequest {
            identity_id: "alice".into(),
            subscription_id: nowhere.clone(),
            administrative_area: RegionCode::Tx.into(),
        };
        into_answer(scene.subscriptions().update_subscription_administrative_area(request_by(STAFF, correct)).await)
            .unwrap();
        assert_eq!(scene.run_workers("corrected").await, 0);
        assert_eq!(invoices(&scene, &nowhere).await.len(), 1);
    }
}

#[tokio::test]
async fn a_voided_period_is_billed_anew_and_no_day_twice() {
    for scene in scenes().await {
        let id = begin(&scene, plan(day(1, 15), "")).await.id;
        come_to(&scene, day(2, 15)).await;
        let first = invoices(&scene, &id).await.remove(0);
        let back = UpdateSubscriptionNextBillOnRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            next_bill_on: Some(day(2, 15)),
        };
        into_answer(scene.subscriptions().update_subscription_next_bill_on(request_by(STAFF, back)).await).unwrap();
        let bill = || BillSubscriptionRequest { subscription_id: id.clone() };
        let refused = scene.subscriptions().bill_subscription(request_by(PLATFORM, bill())).await;
        assert_eq!(refusal_reason(into_answer(refused)), "PERIOD_BILLED_BEFORE");
        let void = VoidInvoiceRequest { identity_id: "alice".into(), invoice_id: first.id.clone() };
        into_answer(scene.invoices().void_invoice(request_by(STAFF, void)).await).unwrap();
        let renew = UpdateSubscriptionIdempotentKeyRequest { identity_id: "alice".into(), subscription_id: id.clone() };
        into_answer(scene.subscriptions().update_subscription_idempotent_key(request_by(STAFF, renew)).await).unwrap();
        assert_eq!(scene.run_workers("anew").await, 0);
        let [voided, anew] = invoices(&scene, &id).await.try_into().unwrap();
        assert_eq!((voided.status(), period(&voided)), (InvoiceStatus::Voided, period(&anew)));
        assert_ne!(voided.billing_key, anew.billing_key);
        for who in [ALICE, STAFF] {
            let refused = scene.subscriptions().bill_subscription(request_by(who, bill())).await;
            assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
        }
    }
}

/// The charge does not wait for the next run of the schedule; an invoice that has days to
/// be paid is left, and so is one whose day is over.
#[tokio::test]
async fn an_invoice_is_charged_when_it_is_raised() {
    for scene in scenes().await {
        let charged = scene.method(card(APPROVES)).await;
        let by_post = add(&scene, PaymentMethodType::Check).await;
        let late = begin(&scene, plan(day(1, 10), &charged.id)).await.id;
        let [charged, by_post] = [&charged, &by_post].map(|method| begin(&scene, plan(day(1, 15), &method.id)));
        let (charged, by_post) = (charged.await.id, by_post.await.id);
        scene.go_to(day(2, 15));
        scene.run_timer("billing.renewals", "billed").await.unwrap();
        for _ in 0..2 {
            assert_eq!(scene.handle_all("billing.collect_when_billed").await, 0);
            assert_eq!(invoices(&scene, &charged).await[0].status(), InvoiceStatus::Paid);
            for left in [&by_post, &late] {
                assert_eq!(invoices(&scene, left).await[0].status(), InvoiceStatus::Active);
            }
            assert_eq!(scene.moved().await, 2995);
        }
    }
}

/// Wherever the process is killed, the period is billed and charged once.
#[tokio::test]
async fn a_worker_that_is_killed_between_any_two_steps_bills_and_charges_once() {
    const CUTS: [WireFault; 4] = [WireFault::Before, WireFault::After, WireFault::KilledBefore, WireFault::KilledAfter];
    // BillSubscription and CalculateTaxes; CollectInvoice, CreateCharge and the vendor.
    for (worker, calls) in
        [("billing.renewals", 2), ("billing.collect_invoices", 3), ("billing.collect_when_billed", 3)]
    {
        for at in 0..calls {
            for how in CUTS {
                let scene = scene().await;
                let method = scene.method(card(APPROVES)).await;
                let texan = CreateSubscriptionRequest {
                    administrative_area: RegionCode::Tx.into(),
                    ..plan(day(1, 15), &method.id)
                };
                let id = begin(&scene, texan).await.id;
                scene.go_to(day(2, 15));
                if worker != "billing.renewals" {
                    scene.run_timer("billing.renewals", "billed").await.unwrap();
                }
                scene.wire.break_after(at, how);
                // Each worker does one of these.
                let work = async {
                    scene.run_timer(worker, "cut").await?;
                    scene.handle_all(worker).await;
                    Ok(())
                };
                let _: Option<Result<()>> = scene.wire.unless_killed(work).await;
                assert!(!scene.wire.is_uncut(), "{worker} {at} {how:?}");
                // The next process; then the time after which a charge without an answer is asked for.
                for (occasion, wait) in [("again", 1), ("soon", 61), ("later", 16 * 60)] {
                    scene.clock.move_forward(Duration::from_secs(wait));
                    scene.run_workers(occasion).await;
                }
                let [paid] = invoices(&scene, &id).await.try_into().unwrap();
                assert_eq!(paid.status(), InvoiceStatus::Paid, "{worker} {at} {how:?}");
                assert_eq!(scene.moved().await, 3295, "{worker} {at} {how:?}");
                assert_eq!(get(&scene, &id).await.paid_to_date, Some(day(3, 14)));
            }
        }
    }
}

#[tokio::test]
async fn an_annual_charge_and_an_expiring_card_are_told_once_in_time() {
    for scene in scenes().await {
        let mut expiring = card(APPROVES);
        let printed = expiring.card.as_mut().unwrap();
        (printed.expiry_month, printed.expiry_year) = (5, 2026);
        let method = scene.method(expiring).await;
        let annual = CreateSubscriptionRequest {
            billing_period: BillingPeriod::Annual.into(),
            next_bill_on: Some(day(4, 15)),
            ..plan(day(1, 15), &method.id)
        };
        begin(&scene, annual).await;
        // 32 and 30 days before the charge of 15 April; the card can be used to the end of May.
        for to in [day(3, 14), day(3, 16), day(3, 17)] {
            come_to(&scene, to).await;
        }
        let told = |scene: &Scene, template: &str| {
            let letters = scene.letters().into_iter().filter(|(key, _)| key == template);
            letters.map(|(_, values)| values).collect::<Vec<_>>()
        };
        assert_eq!(told(&scene, "billing.renewal"), ["29.95 USD, 2026-04-15"]);
        for to in [day(5, 2), day(5, 3), day(5, 25), day(5, 26)] {
            come_to(&scene, to).await;
        }
        assert_eq!(told(&scene, "billing.card-expiring"), ["1111, 2026-05-31", "1111, 2026-05-31"]);
        assert_eq!(told(&scene, "billing.renewal").len(), 1);
    }
}

/// The migration that finds the billing days of subscriptions from before there were any.
fn renewals(of: &'static [Migration]) -> String {
    let step = of.iter().find(|step| step.sql.contains("'due_to_bill_on'")).unwrap();
    step.sql.split_once("INSERT INTO").map(|(_, rest)| format!("INSERT INTO{rest}")).unwrap()
}

/// Bills of periods and other invoices are counted together: no bill is refused because an invoice has its number.
#[tokio::test]
async fn bills_go_on_after_the_numbers_of_other_invoices() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let mut numbers = vec![scene.invoice(&[100], &method.id).await.number];
        let id = begin(&scene, plan(day(1, 31), &method.id)).await.id;
        come_to(&scene, day(2, 28)).await;
        numbers.extend(invoices(&scene, &id).await.into_iter().map(|bill| bill.number));
        numbers.push(scene.invoice(&[200], &method.id).await.number);
        assert_eq!(numbers, ["INV-26-000001", "INV-26-000002", "INV-26-000003"]);
    }
}

#[tokio::test]
async fn numbers_that_were_counted_apart_are_counted_on_after_the_higher_one() {
    let step = |all: &'static [Migration]| all.iter().find(|one| one.name == "series_of_invoices").unwrap().sql;
    let steps = [step(MIGRATIONS.sqlite), step(MIGRATIONS.postgres)];
    for (scene, step) in scenes().await.into_iter().zip(steps) {
        let apart = "INSERT INTO journal_series (journal, series, last)
             VALUES ('invoices', 'INV-26-', 2), ('subscriptions', 'INV-26-', 7)";
        scene.database().execute(apart).await;
        scene.database().execute(step).await;
        assert_eq!(scene.invoice(&[100], "").await.number, "INV-26-000008");
    }
}

#[tokio::test]
async fn a_subscription_from_before_there_was_a_billing_day_is_billed() {
    let early = [
        "UPDATE subscriptions SET doc = json_remove(doc, '$.collection', '$.billsOn', '$.dueToBillOn');
         UPDATE subscriptions_journal SET doc = json_remove(doc, '$.collection', '$.billsOn', '$.dueToBillOn');
         DELETE FROM subscriptions_lookup WHERE name = 'due_to_bill_on'",
        "UPDATE subscriptions SET doc = doc - 'collection' - 'billsOn' - 'dueToBillOn';
         UPDATE subscriptions_journal SET doc = doc - 'collection' - 'billsOn' - 'dueToBillOn';
         DELETE FROM subscriptions_lookup WHERE name = 'due_to_bill_on'",
    ];
    let steps = [renewals(MIGRATIONS.sqlite), renewals(MIGRATIONS.postgres)];
    for ((scene, early), step) in scenes().await.into_iter().zip(early).zip(steps) {
        let premium = add(&scene, PaymentMethodType::PremiumBilling).await;
        let of_group = begin(&scene, plan(day(1, 15), &premium.id)).await.id;
        let own = begin(&scene, plan(day(1, 15), "")).await.id;
        scene.database().execute(early).await;
        come_to(&scene, day(2, 15)).await;
        assert!(invoices(&scene, &own).await.is_empty(), "the lookup is empty");
        scene.database().execute(step.leak()).await;
        assert_eq!(scene.run_workers("the migration found the days").await, 0);
        assert_eq!(invoices(&scene, &own).await.len(), 1);
        assert!(invoices(&scene, &of_group).await.is_empty());
        assert_eq!(get(&scene, &of_group).await.collection(), Collection::Group, "it was found out");
    }
}
