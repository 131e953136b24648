//! Tests of changes within a period: the preview, the invoice, the credit, and what happens when nothing is paid.

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Date, Money, RegionCode};
use pavise_testkit::scene::Engine;

use crate::admission::employers_card;
use crate::credits::credits;
use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{
    ADMIN, ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, card, configured_on, into_answer, refusal_reason,
    request_by, request_with_key, scenes, usd,
};
use crate::subscriptions::wanted;

const DECLINES: &str = "test_4000000000000002";
/// A card that is charged, and whose answers are lost.
const ANSWER_IS_LOST: &str = "test_4000000000000005";

fn items(amount: i64) -> Vec<SubscriptionItem> {
    let mut items = wanted("").items;
    items[0].price = usd(amount);
    items
}

/// A change of the only item's price.
pub(crate) fn change(id: &str, amount: i64, time: ChangeTime) -> UpdateSubscriptionOfferRequest {
    UpdateSubscriptionOfferRequest {
        identity_id: "alice".into(),
        subscription_id: id.into(),
        offer_id: "better".into(),
        items: items(amount),
        time: time.into(),
        ..UpdateSubscriptionOfferRequest::default()
    }
}

fn preview_of(change: &UpdateSubscriptionOfferRequest) -> PreviewSubscriptionRequest {
    PreviewSubscriptionRequest {
        identity_id: change.identity_id.clone(),
        subscription_id: change.subscription_id.clone(),
        offer_id: change.offer_id.clone(),
        items: change.items.clone(),
        billing_period: change.billing_period,
        time: change.time,
        on: change.on,
        ..PreviewSubscriptionRequest::default()
    }
}

pub(crate) async fn preview(
    scene: &Scene,
    who: &str,
    change: &UpdateSubscriptionOfferRequest,
) -> Result<SubscriptionPreview> {
    into_answer(scene.subscriptions().preview_subscription(request_by(who, preview_of(change))).await)
}

pub(crate) async fn make(scene: &Scene, key: &str, change: UpdateSubscriptionOfferRequest) -> Result<Subscription> {
    into_answer(scene.subscriptions().update_subscription_offer(request_with_key(STAFF, key, change)).await)
}

/// Makes a change as it was shown, and compares its invoice with the preview.
async fn make_as_shown(scene: &Scene, key: &str, mut change: UpdateSubscriptionOfferRequest) -> Subscription {
    let shown = preview(scene, ALICE, &change).await.unwrap();
    change.expected_total = shown.total;
    let id = change.subscription_id.clone();
    let changed = make(scene, key, change).await.unwrap();
    let raised = invoices(scene, &id).await.pop().unwrap();
    let shown_invoice = shown.invoice.unwrap();
    assert_eq!(lines(&raised), lines(&shown_invoice));
    assert_eq!((raised.total, raised.period_until), (shown_invoice.total, shown_invoice.period_until));
    assert_eq!(changed.next_bill_on, shown.next_bill_on);
    changed
}

pub(crate) fn lines(invoice: &Invoice) -> Vec<(ItemType, Option<Money>)> {
    invoice.items.iter().map(|item| (item.r#type(), item.amount)).collect()
}

/// A plan whose April is paid; it is the 11th, with 20 of 30 days left.
pub(crate) async fn in_april(scene: &Scene, new: CreateSubscriptionRequest) -> String {
    let id = begin(scene, new).await.id;
    come_to(scene, day(4, 1)).await;
    come_to(scene, day(4, 11)).await;
    id
}

#[tokio::test]
async fn a_dearer_plan_is_charged_by_days_and_back_again_gives_a_credit_for_the_next_month() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let dearer = make_as_shown(&scene, "up", change(&id, 3495, ChangeTime::Now)).await;
        assert_eq!((dearer.items[0].price, dearer.offer_id.as_str()), (usd(3495), "better"));
        let charged = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!(lines(&charged), [(ItemType::Subscription, usd(2330)), (ItemType::Discount, usd(-1997))]);
        assert_eq!((charged.status(), charged.total), (InvoiceStatus::Paid, usd(333)));
        assert_eq!(scene.moved().await, 2995 + 333);
        // The same call again changes and charges nothing.
        let again = UpdateSubscriptionOfferRequest { expected_total: usd(333), ..change(&id, 3495, ChangeTime::Now) };
        assert_eq!(make(&scene, "up", again).await.unwrap().items, dearer.items);
        assert_eq!(scene.moved().await, 2995 + 333);
        make_as_shown(&scene, "down", change(&id, 2995, ChangeTime::Now)).await;
        let nothing = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!((nothing.status(), nothing.total), (InvoiceStatus::Paid, usd(0)));
        let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!(
            (credit.left, credit.reason(), &credit.invoice_id),
            (usd(333), CreditReason::PlanChange, &nothing.id)
        );
        come_to(&scene, day(5, 1)).await;
        let may = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!((may.status(), may.total), (InvoiceStatus::Paid, usd(2995 - 333)));
        assert_eq!(credits(&scene, ALICE).await.unwrap()[0].status(), CreditStatus::Used);
        assert_eq!(scene.moved().await, 2995 + 2995);
    }
}

/// The answer to the payment of a change is lost, and the next billing day comes before anybody asked again.
#[tokio::test]
async fn a_bill_waits_for_the_outcome_of_a_change() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let name = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            payment_method_id: scene.method(card(ANSWER_IS_LOST)).await.id,
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, name)).await).unwrap();
        scene.go_to(day(4, 30));
        let _: Result<Subscription> = make(&scene, "up", change(&id, 3495, ChangeTime::Now)).await;
        assert!(!get(&scene, &id).await.change.unwrap().invoice_id.is_empty(), "it is being paid");
        scene.go_to(day(5, 1));
        let bill = BillSubscriptionRequest { subscription_id: id.clone() };
        let waits = into_answer(scene.subscriptions().bill_subscription(request_by(PLATFORM, bill)).await).unwrap();
        assert_eq!(waits.next_bill_on, Some(day(5, 1)));
        assert_eq!(invoices(&scene, &id).await.len(), 2, "April, and the change");
        scene.run_workers("the vendor is asked again").await;
        come_to(&scene, day(5, 2)).await;
        let may = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!((may.period_from, may.total), (Some(day(5, 1)), usd(3495)));
        assert_eq!(get(&scene, &id).await.next_bill_on, Some(day(6, 1)));
    }
}

#[tokio::test]
async fn a_declined_change_changes_nothing_and_gives_its_credit_back() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let before = get(&scene, &id).await;
        let other = scene.method(card(DECLINES)).await;
        let name = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            payment_method_id: other.id,
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, name)).await).unwrap();
        crate::credits::give(&scene, usd(100), None).await;
        for key in ["declined", "declined", "another"] {
            let refused = make(&scene, key, change(&id, 3495, ChangeTime::Now)).await;
            assert_eq!(refusal_reason(refused), "PAYMENT_DECLINED", "{key}");
        }
        let after = get(&scene, &id).await;
        assert_eq!((after.items, after.offer_id, after.change), (before.items, before.offer_id, None));
        assert_eq!((after.next_bill_on, after.paid_to_date), (before.next_bill_on, before.paid_to_date));
        let all = invoices(&scene, &id).await;
        let voided = all.iter().filter(|one| one.status() == InvoiceStatus::Voided);
        assert_eq!((all.len(), voided.count()), (3, 2), "one for each key");
        assert_eq!(credits(&scene, STAFF).await.unwrap()[0].left, usd(100));
        assert_eq!(scene.run_workers("declined").await, 0);
        assert_eq!(get(&scene, &id).await.status(), SubscriptionStatus::Active);
    }
}

#[tokio::test]
async fn another_period_begins_today_with_its_taxes_and_the_rest_of_the_old_one_off() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let texan =
            CreateSubscriptionRequest { administrative_area: RegionCode::Tx.into(), ..plan(day(3, 1), &method.id) };
        let id = in_april(&scene, texan).await;
        let annual = UpdateSubscriptionOfferRequest {
            billing_period: BillingPeriod::Annual.into(),
            ..change(&id, 29900, ChangeTime::Now)
        };
        let changed = make_as_shown(&scene, "annual", annual).await;
        let next_year = Date { year: 2027, ..day(4, 11) };
        assert_eq!((changed.next_bill_on, changed.bill_cycle_day), (Some(next_year), 11));
        assert_eq!(changed.paid_to_date, Some(Date { day: 10, ..next_year }));
        // 299.00 and its tax, less 19.97 and 2.00.
        let invoice = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!(invoice.total, usd(29900 + 2990 - 1997 - 200));
        // Back to the month at once: what is left of the year is all of it.
        let monthly = UpdateSubscriptionOfferRequest {
            billing_period: BillingPeriod::Monthly.into(),
            ..change(&id, 2995, ChangeTime::Now)
        };
        make_as_shown(&scene, "monthly", monthly).await;
        let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!(credit.amount, usd(29900 + 2990 - 2995 - 300));
    }
}

#[tokio::test]
async fn a_change_waits_for_its_day_or_its_bill_and_is_withdrawn_until_then() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let withdraw = || WithdrawSubscriptionChangeRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            ..Default::default()
        };
        let wait =
            |time: ChangeTime, on: Option<Date>| UpdateSubscriptionOfferRequest { on, ..change(&id, 3495, time) };
        let shown = preview(&scene, ALICE, &wait(ChangeTime::NextBillingDay, None)).await.unwrap();
        assert_eq!((shown.effective_on, shown.total), (Some(day(5, 1)), usd(3495)));
        let waiting = make(&scene, "later", wait(ChangeTime::NextBillingDay, None)).await.unwrap();
        assert_eq!(waiting.items[0].price, usd(2995));
        assert_eq!(waiting.change.unwrap().effective_on, Some(day(5, 1)));
        for who in [MALLORY, "User/bob"] {
            assert!(scene.subscriptions().withdraw_subscription_change(request_by(who, withdraw())).await.is_err());
        }
        let gone = scene.subscriptions().withdraw_subscription_change(request_by(ALICE, withdraw())).await;
        assert_eq!(into_answer(gone).unwrap().change, None);
        let again = scene.subscriptions().withdraw_subscription_change(request_by(ALICE, withdraw())).await;
        assert_eq!(refusal_reason(into_answer(again)), "NO_CHANGE_WAITING");
        // On a day of the period: ten days later it is ten of thirty.
        make(&scene, "on a day", wait(ChangeTime::OnDay, Some(day(4, 21)))).await.unwrap();
        come_to(&scene, day(4, 20)).await;
        assert_eq!(get(&scene, &id).await.items[0].price, usd(2995));
        come_to(&scene, day(4, 21)).await;
        let taken_up = get(&scene, &id).await;
        assert_eq!((taken_up.items[0].price, taken_up.change), (usd(3495), None));
        // 10 of 30 days: 11.65 less 9.98.
        assert_eq!(invoices(&scene, &id).await.pop().unwrap().total, usd(1165 - 998));
        make(&scene, "down", change(&id, 1000, ChangeTime::NextBillingDay)).await.unwrap();
        come_to(&scene, day(5, 1)).await;
        let may = invoices(&scene, &id).await.pop().unwrap();
        assert_eq!((may.total, get(&scene, &id).await.change), (usd(1000), None));
    }
}

#[tokio::test]
async fn what_cannot_be_changed_now_is_refused_with_its_reason() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let mut shown = change(&id, 3495, ChangeTime::Now);
        shown.expected_total = usd(332);
        assert_eq!(refusal_reason(make(&scene, "price", shown).await), "PRICE_CHANGED");
        let mut canadian = change(&id, 3495, ChangeTime::Now);
        canadian.items[0].price = Some(Money { currency: 2, amount: 3495 });
        assert_eq!(refusal_reason(make(&scene, "currency", canadian).await), "CURRENCY_MISMATCH");
        let mut past = change(&id, 3495, ChangeTime::OnDay);
        past.on = Some(day(4, 10));
        assert_eq!(refusal_reason(make(&scene, "past", past).await), "INVALID_FIELD");
        let mut timeless = change(&id, 3495, ChangeTime::Unspecified);
        timeless.expected_total = usd(333);
        assert_eq!(refusal_reason(make(&scene, "no time", timeless).await), "INVALID_FIELD");
        for who in [MALLORY, ADMIN] {
            assert!(preview(&scene, who, &change(&id, 3495, ChangeTime::Now)).await.is_err(), "{who}");
        }
        let refused =
            scene.subscriptions().update_subscription_offer(request_by(ALICE, change(&id, 1, ChangeTime::Now))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED", "members do not name prices");
        let premium =
            NewPaymentMethod { r#type: PaymentMethodType::PremiumBilling.into(), ..NewPaymentMethod::default() };
        let add = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(premium) };
        let premium = into_answer(scene.payments().create_payment_method(request_by(PLATFORM, add)).await).unwrap();
        let of_group = begin(&scene, plan(day(4, 1), &premium.id)).await.id;
        for time in [ChangeTime::Now, ChangeTime::NextBillingDay] {
            let refused = make(&scene, &format!("group {time:?}"), change(&of_group, 3495, time)).await;
            assert_eq!(refusal_reason(refused), "SUBSCRIPTION_NOT_CHANGEABLE");
        }
        assert_eq!(scene.moved().await, 2995);
    }
}

#[tokio::test]
async fn an_administrator_touches_only_what_their_group_pays_for() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let through_acme = CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(3, 1), &method.id) };
        let id = in_april(&scene, through_acme).await;
        let asked = PreviewSubscriptionRequest {
            group_id: "acme".into(),
            ..preview_of(&change(&id, 3495, ChangeTime::NextBillingDay))
        };
        let shown = scene.subscriptions().preview_subscription(request_by(ADMIN, asked)).await;
        assert_eq!(refusal_reason(into_answer(shown)), "SUBSCRIPTION_NOT_CHANGEABLE", "the member pays");
        make(&scene, "later", change(&id, 3495, ChangeTime::NextBillingDay)).await.unwrap();
        let withdraw = WithdrawSubscriptionChangeRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            subscription_id: id.clone(),
        };
        let withdrawn = scene.subscriptions().withdraw_subscription_change(request_by(ADMIN, withdraw)).await;
        assert_eq!(refusal_reason(into_answer(withdrawn)), "SUBSCRIPTION_NOT_CHANGEABLE");
        // A request without member and group names the same plan by its id.
        let asked = PreviewSubscriptionRequest {
            identity_id: String::new(),
            ..preview_of(&change(&id, 3495, ChangeTime::NextBillingDay))
        };
        let shown = scene.subscriptions().preview_subscription(request_by(ADMIN, asked)).await;
        assert!(shown.is_err(), "it shows the credits and the taxes of the member");
        let withdraw = WithdrawSubscriptionChangeRequest {
            subscription_id: id.clone(),
            ..WithdrawSubscriptionChangeRequest::default()
        };
        assert!(scene.subscriptions().withdraw_subscription_change(request_by(ADMIN, withdraw)).await.is_err());
        assert!(get(&scene, &id).await.change.is_some());
    }
}

/// Asks what an end today would give.
async fn preview_end(scene: &Scene, id: &str, unused: UnusedDays) -> SubscriptionPreview {
    let end = PreviewSubscriptionRequest {
        end: true,
        unused_days: unused.into(),
        ..preview_of(&change(id, 0, ChangeTime::Unspecified))
    };
    into_answer(scene.subscriptions().preview_subscription(request_by(ALICE, end)).await).unwrap()
}

pub(crate) async fn end(scene: &Scene, who: &str, id: &str, unused: UnusedDays) -> Result<Subscription> {
    let cancel = CancelSubscriptionRequest {
        identity_id: "alice".into(),
        subscription_id: id.to_owned(),
        reason: CancelReason::MemberRequestedCancel.into(),
        unused_days: unused.into(),
        ..CancelSubscriptionRequest::default()
    };
    into_answer(scene.subscriptions().cancel_subscription(request_by(who, cancel)).await)
}

#[tokio::test]
async fn what_a_group_paid_lowers_bills_of_the_group_only_and_no_own_credit_lowers_these() {
    for scene in scenes().await {
        let employers = employers_card(&scene).await;
        let through_acme = CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(3, 1), &employers.id) };
        let id = in_april(&scene, through_acme).await;
        crate::credits::give(&scene, usd(500), None).await;
        let asked = PreviewSubscriptionRequest {
            group_id: "acme".into(),
            ..preview_of(&change(&id, 3495, ChangeTime::NextBillingDay))
        };
        let shown = scene.subscriptions().preview_subscription(request_by(ADMIN, asked)).await;
        assert_eq!(into_answer(shown).unwrap().total, usd(3495), "the credit is the member's own");
        // The member names a card of their own before the plan becomes cheaper.
        let own = scene.method(card(APPROVES)).await;
        let name = UpdateSubscriptionPaymentMethodRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            payment_method_id: own.id,
        };
        into_answer(scene.subscriptions().update_subscription_payment_method(request_by(ALICE, name)).await).unwrap();
        make(&scene, "down", change(&id, 995, ChangeTime::Now)).await.unwrap();
        let [_, given] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        // 20 of 30 days: 19.97 off, 6.63 on.
        assert_eq!((given.left, given.group_id.as_str()), (usd(1997 - 663), "acme"));
        come_to(&scene, day(5, 1)).await;
        assert_eq!(invoices(&scene, &id).await.pop().unwrap().total, usd(995 - 500));
        let lefts: Vec<_> = credits(&scene, ALICE).await.unwrap().iter().map(|credit| credit.left).collect();
        assert_eq!(lefts, [usd(0), usd(1997 - 663)]);
    }
}

#[tokio::test]
async fn ending_at_once_gives_nothing_or_the_credit_that_was_shown() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        for unused in [UnusedDays::Unspecified, UnusedDays::Credit] {
            let id = if unused == UnusedDays::Unspecified {
                in_april(&scene, plan(day(3, 1), &method.id)).await
            } else {
                // It came from elsewhere: its price says what was paid.
                begin(&scene, plan(day(4, 1), &method.id)).await.id
            };
            let shown = preview_end(&scene, &id, unused).await;
            let ended = end(&scene, STAFF, &id, unused).await.unwrap();
            assert_eq!((ended.unused_days(), shown.refund), (shown.unused_days(), None));
            let given: Vec<_> = credits(&scene, ALICE).await.unwrap().iter().map(|one| one.left).collect();
            if unused == UnusedDays::Credit {
                assert_eq!((shown.credit, shown.total), (usd(1997), usd(-1997)));
                assert_eq!(given, [usd(1997)]);
            } else {
                assert_eq!((shown.credit, shown.total), (None, usd(0)));
                assert_eq!((given, ended.unused_days()), (Vec::new(), UnusedDays::Nothing));
            }
        }
    }
}

#[tokio::test]
async fn unused_days_go_back_to_the_card_once_however_often_the_plan_is_ended() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let shown = preview_end(&scene, &id, UnusedDays::Refund).await;
        assert_eq!((shown.refund, shown.credit, shown.total), (usd(1997), None, usd(-1997)));
        assert_eq!(shown.unused_days(), UnusedDays::Refund);
        for _ in 0..2 {
            let ended = end(&scene, STAFF, &id, UnusedDays::Refund).await.unwrap();
            assert_eq!((ended.status(), ended.unused_days()), (SubscriptionStatus::Cancelled, UnusedDays::Refund));
            assert_eq!(scene.run_workers("refund").await, 0);
            assert_eq!(scene.moved().await, 2995 - 1997);
        }
        let [april] = invoices(&scene, &id).await.try_into().unwrap();
        assert_eq!((april.refunded_amount, april.refunds.len()), (usd(1997), 1));
        assert!(credits(&scene, ALICE).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_cannot_go_back_to_where_it_came_from_gives_a_credit_once() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        // A credit paid a part of the month: the card has less to give back than the days are worth.
        crate::credits::give(&scene, usd(1995), None).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        assert_eq!(scene.moved().await, 1000);
        let shown = preview_end(&scene, &id, UnusedDays::Refund).await;
        assert_eq!((shown.refund, shown.credit, shown.total), (usd(1000), usd(997), usd(-1997)));
        end(&scene, STAFF, &id, UnusedDays::Refund).await.unwrap();
        assert_eq!(scene.run_workers("refund").await, 0);
        assert_eq!(scene.moved().await, 0);
        let mut all = credits(&scene, ALICE).await.unwrap();
        all.retain(|one| one.status() == CreditStatus::Open);
        let given: Vec<_> = all.iter().map(|one| (one.left, one.reason())).collect();
        assert_eq!(given, [(usd(997), CreditReason::PlanEnd)]);
    }
}

#[tokio::test]
async fn each_change_is_told_once_when_it_is_taken_up() {
    for scene in scenes().await {
        let told = || {
            let letters = scene.letters().into_iter().filter(|(template, _)| template == "billing.changed");
            letters.map(|(_, values)| values).collect::<Vec<_>>()
        };
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        make(&scene, "now", change(&id, 3495, ChangeTime::Now)).await.unwrap();
        assert_eq!(scene.run_workers("now").await, 0);
        assert_eq!(told(), ["Legal, 34.95 USD, 2026-04-11"]);
        make(&scene, "later", change(&id, 1995, ChangeTime::NextBillingDay)).await.unwrap();
        assert_eq!(scene.run_workers("later").await, 0);
        assert_eq!(told().len(), 1, "it waits");
        for to in [day(5, 1), day(6, 1)] {
            come_to(&scene, to).await;
        }
        assert_eq!(told(), ["Legal, 34.95 USD, 2026-04-11", "Legal, 19.95 USD, 2026-05-01"]);
    }
}

#[tokio::test]
async fn the_setting_decides_where_nobody_chooses() {
    let config = pavise_billing::Config {
        test_vendor: true,
        unused_days: UnusedDays::Refund,
        ..pavise_billing::Config::default()
    };
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let scene = configured_on(engine, config.clone()).await;
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let shown = preview_end(&scene, &id, UnusedDays::Unspecified).await;
        assert_eq!((shown.unused_days(), shown.refund), (UnusedDays::Refund, usd(1997)));
        assert_eq!(end(&scene, STAFF, &id, UnusedDays::Unspecified).await.unwrap().unused_days(), UnusedDays::Refund);
        assert_eq!(scene.run_workers("refund").await, 0);
        assert_eq!(scene.moved().await, 2995 - 1997);
        // One that ends on its day was to be used until then: nothing goes back, whatever the setting is.
        let through_acme = CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(4, 5), &method.id) };
        let other = begin(&scene, through_acme).await.id;
        come_to(&scene, day(5, 5)).await;
        let schedule = ScheduleSubscriptionCancellationRequest {
            group_id: "acme".into(),
            identity_id: "alice".into(),
            subscription_id: other.clone(),
            cancel_on: Some(day(5, 15)),
            reason: CancelReason::MemberRequestedCancel.into(),
        };
        into_answer(scene.subscriptions().schedule_subscription_cancellation(request_by(STAFF, schedule)).await)
            .unwrap();
        let before = scene.moved().await;
        come_to(&scene, day(5, 16)).await;
        let ended = get(&scene, &other).await;
        assert_eq!((ended.status(), ended.unused_days()), (SubscriptionStatus::Cancelled, UnusedDays::Unspecified));
        assert_eq!(scene.moved().await, before);
    }
}

pub(crate) async fn give_back(scene: &Scene, key: &str, id: &str) -> Result<Invoice> {
    let request = GiveBackInvoiceRequest { invoice_id: id.to_owned() };
    into_answer(scene.invoices().give_back_invoice(request_with_key(PLATFORM, key, request)).await)
}

#[tokio::test]
async fn all_of_a_changed_plan_goes_back_once_and_its_credit_with_it() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        make(&scene, "up", change(&id, 3495, ChangeTime::Now)).await.unwrap();
        make(&scene, "down", change(&id, 2995, ChangeTime::Now)).await.unwrap();
        assert_eq!(scene.moved().await, 2995 + 333);
        end(&scene, STAFF, &id, UnusedDays::Nothing).await.unwrap();
        for round in ["first", "again"] {
            for invoice in invoices(&scene, &id).await {
                give_back(&scene, &format!("{round} {}", invoice.id), &invoice.id).await.unwrap();
            }
            assert_eq!(scene.run_workers(round).await, 0);
            assert_eq!(scene.moved().await, 0);
            let left: i64 = credits(&scene, ALICE).await.unwrap().iter().map(|one| one.left.unwrap().amount).sum();
            assert_eq!(left, 0, "its money went back to the card");
        }
    }
}

#[tokio::test]
async fn a_credit_of_a_change_that_was_paid_out_does_not_go_back_a_second_time() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        make(&scene, "down", change(&id, 995, ChangeTime::Now)).await.unwrap();
        let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!(credit.left, usd(1334));
        let pay = PayOutCreditRequest {
            identity_id: "alice".into(),
            credit_id: credit.id,
            amount: usd(500),
            reference: "cheque 7".into(),
        };
        into_answer(scene.credits().pay_out_credit(request_by(STAFF, pay)).await).unwrap();
        end(&scene, STAFF, &id, UnusedDays::Nothing).await.unwrap();
        for round in ["first", "again"] {
            for invoice in invoices(&scene, &id).await {
                give_back(&scene, &format!("{round} {}", invoice.id), &invoice.id).await.unwrap();
            }
            assert_eq!(scene.run_workers(round).await, 0);
            assert_eq!(scene.moved().await, 500, "the member has them by cheque");
            let left: i64 = credits(&scene, ALICE).await.unwrap().iter().map(|one| one.left.unwrap().amount).sum();
            assert_eq!(left, 0);
        }
    }
}

#[tokio::test]
async fn what_a_credit_paid_comes_back_as_a_credit_once() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let give = CreateCreditRequest {
            identity_id: "alice".into(),
            amount: usd(500),
            reason: CreditReason::Goodwill.into(),
            ..CreateCreditRequest::default()
        };
        into_answer(scene.credits().create_credit(request_by(STAFF, give)).await).unwrap();
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        let [april] = invoices(&scene, &id).await.try_into().unwrap();
        assert_eq!(scene.moved().await, 2495);
        end(&scene, STAFF, &id, UnusedDays::Nothing).await.unwrap();
        for key in ["first", "again"] {
            let back = give_back(&scene, key, &april.id).await.unwrap();
            assert_eq!((back.status(), back.returned_credit), (InvoiceStatus::Refunded, usd(500)));
            assert_eq!(scene.moved().await, 0);
            let left: i64 = credits(&scene, ALICE).await.unwrap().iter().map(|one| one.left.unwrap().amount).sum();
            assert_eq!(left, 500);
        }
    }
}

#[tokio::test]
async fn what_was_paid_by_cheque_comes_back_as_a_credit_once() {
    for scene in scenes().await {
        let cheque = NewPaymentMethod { r#type: PaymentMethodType::Check.into(), ..NewPaymentMethod::default() };
        let method = scene.method(cheque).await;
        let record = RecordTransactionRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id,
            r#type: TransactionType::Charge.into(),
            status: TransactionStatus::Approved.into(),
            amount: usd(2995),
            reference: "cheque 1017".into(),
            ..RecordTransactionRequest::default()
        };
        let paid = into_answer(scene.payments().record_transaction(request_by(STAFF, record)).await).unwrap();
        let invoice = scene.invoice(&[2995], "").await;
        let pay = PayInvoiceRequest {
            invoice_id: invoice.id.clone(),
            transaction_id: paid.id,
            amount: usd(2995),
            ..PayInvoiceRequest::default()
        };
        assert_eq!(scene.pay(STAFF, "cheque", pay).await.unwrap().status(), InvoiceStatus::Paid);
        for key in ["first", "again"] {
            let back = give_back(&scene, key, &invoice.id).await.unwrap();
            assert_eq!((back.status(), back.refunded_amount, back.refunds.len()), (InvoiceStatus::Paid, usd(0), 1));
            let [credit] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
            assert_eq!((credit.left, credit.reason(), &credit.invoice_id), (usd(2995), CreditReason::Refund, &back.id));
            assert_eq!(back.refunds[0].credit_id, credit.id);
        }
        // Nobody gives it back a second time by hand.
        let refund = RefundInvoiceRequest {
            identity_id: "alice".into(),
            invoice_id: invoice.id,
            ..RefundInvoiceRequest::default()
        };
        let refused = scene.invoices().refund_invoice(request_by(STAFF, refund)).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REFUND_EXCEEDS_PAYMENT");
    }
}

#[tokio::test]
async fn an_invoice_on_which_nothing_was_paid_is_voided() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let open = scene.invoice(&[2995], &method.id).await;
        for key in ["first", "again"] {
            assert_eq!(give_back(&scene, key, &open.id).await.unwrap().status(), InvoiceStatus::Voided);
        }
        assert_eq!(scene.moved().await, 0);
        let refused = scene.invoices().give_back_invoice(request_by(STAFF, GiveBackInvoiceRequest::default())).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn another_billing_period_takes_the_prices_of_the_catalog() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let ordered = CreateSubscriptionRequest { order_id: "card:2995".into(), ..plan(day(3, 1), &method.id) };
        let id = in_april(&scene, ordered).await;
        let annual = UpdateSubscriptionBillingFrequencyRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            billing_period: BillingPeriod::Annual.into(),
            billing_frequency: 1,
            time: ChangeTime::Now.into(),
            ..UpdateSubscriptionBillingFrequencyRequest::default()
        };
        let shown = PreviewSubscriptionRequest {
            identity_id: "alice".into(),
            subscription_id: id.clone(),
            billing_period: BillingPeriod::Annual.into(),
            time: ChangeTime::Now.into(),
            ..PreviewSubscriptionRequest::default()
        };
        let shown = into_answer(scene.subscriptions().preview_subscription(request_by(ALICE, shown)).await).unwrap();
        // A year from the 11th of April on, less 20 of 30 days of the month.
        assert_eq!((shown.total, shown.next_bill_on), (usd(29_900 - 1997), Some(Date { year: 2027, ..day(4, 11) })));
        let make = async |key: &str, asked: UpdateSubscriptionBillingFrequencyRequest| {
            let asked = request_with_key(STAFF, key, asked);
            into_answer(scene.subscriptions().update_subscription_billing_frequency(asked).await)
        };
        let agreed = UpdateSubscriptionBillingFrequencyRequest { expected_total: shown.total, ..annual.clone() };
        for _ in 0..2 {
            let changed = make("annual", agreed.clone()).await.unwrap();
            assert_eq!((changed.billing_period(), changed.items[0].price), (BillingPeriod::Annual, usd(29_900)));
        }
        assert_eq!(scene.moved().await, 2995 + 29_900 - 1997, "charged once");
        // An order that is gone, and a plan without an order.
        for (key, order) in [("gone", "gone"), ("none", "")] {
            let unknown = CreateSubscriptionRequest { order_id: order.into(), ..plan(day(4, 11), &method.id) };
            let id = begin(&scene, unknown).await.id;
            let refused =
                make(key, UpdateSubscriptionBillingFrequencyRequest { subscription_id: id, ..annual.clone() });
            let refused = refused.await.unwrap_err();
            assert_eq!(refused.violations()[0].field, "items", "{key}");
        }
    }
}
