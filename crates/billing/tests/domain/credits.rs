//! Tests of what lowers the next bills: credits of the member, and discounts of the subscription.

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{Date, Money, RegionCode};

use crate::renewals::{begin, come_to, day, get, invoices, plan};
use crate::scene::{
    ADMIN, ALICE, APPROVES, MALLORY, STAFF, Scene, card, into_answer, refusal_reason, request_by, scenes, usd,
};

pub(crate) async fn give(scene: &Scene, amount: Option<Money>, last_day: Option<Date>) -> Credit {
    let request = CreateCreditRequest {
        identity_id: "alice".into(),
        amount,
        last_day,
        reason: CreditReason::Goodwill.into(),
        note: "the letter was late".into(),
        ..CreateCreditRequest::default()
    };
    into_answer(scene.credits().create_credit(request_by(STAFF, request)).await).unwrap()
}

/// The credits of alice as a caller reads them, the oldest first.
pub(crate) async fn credits(scene: &Scene, who: &str) -> Result<Vec<Credit>> {
    let request = ListCreditsRequest { identity_id: "alice".into(), ..ListCreditsRequest::default() };
    let mut listed = into_answer(scene.credits().list_credits(request_by(who, request)).await)?.credits;
    listed.reverse();
    Ok(listed)
}

fn lefts(credits: &[Credit]) -> Vec<(CreditStatus, Option<Money>)> {
    credits.iter().map(|one| (one.status(), one.left)).collect()
}

fn kinds(invoice: &Invoice) -> Vec<(ItemType, Option<Money>)> {
    invoice.items.iter().map(|item| (item.r#type(), item.amount)).collect()
}

#[tokio::test]
async fn the_next_bill_takes_credits_oldest_first_and_gives_them_back_when_voided() {
    use CreditStatus::{Expired, Open, Used};
    for scene in scenes().await {
        let id = begin(&scene, plan(day(1, 15), "")).await.id;
        give(&scene, usd(1000), None).await;
        give(&scene, usd(700), Some(day(1, 20))).await;
        give(&scene, usd(5000), None).await;
        give(&scene, Some(Money { currency: 2, amount: 900 }), None).await;
        come_to(&scene, day(2, 15)).await;
        let bill = invoices(&scene, &id).await.remove(0);
        assert_eq!((bill.status(), bill.total, bill.payments.len()), (InvoiceStatus::Paid, usd(0), 0));
        let expected =
            [(ItemType::Subscription, usd(2995)), (ItemType::Discount, usd(-1000)), (ItemType::Discount, usd(-1995))];
        assert_eq!(kinds(&bill), expected);
        assert_eq!(get(&scene, &id).await.paid_to_date, Some(day(3, 14)));
        let after = credits(&scene, ALICE).await.unwrap();
        let canadian = (Open, Some(Money { currency: 2, amount: 900 }));
        assert_eq!(lefts(&after), [(Used, usd(0)), (Expired, usd(700)), (Open, usd(3005)), canadian]);
        assert!(after.iter().all(|one| one.note.is_empty()), "the note is for staff");
        assert_eq!(after[0].uses[0].invoice_id, bill.id);
        // The next one is not covered wholly, and stays open without a payment method.
        come_to(&scene, day(3, 15)).await;
        let half = invoices(&scene, &id).await.remove(1);
        assert_eq!((half.status(), half.total), (InvoiceStatus::Paid, usd(0)));
        come_to(&scene, day(4, 15)).await;
        let open = invoices(&scene, &id).await.remove(2);
        assert_eq!(open.total, usd(2985));
        let remove = RemoveInvoiceItemRequest {
            identity_id: "alice".into(),
            invoice_id: open.id.clone(),
            item_id: open.items[1].id.clone(),
        };
        let removed = scene.invoices().remove_invoice_item(request_by(STAFF, remove)).await;
        assert_eq!(refusal_reason(into_answer(removed)), "INVALID_FIELD");
        let void = VoidInvoiceRequest { identity_id: "alice".into(), invoice_id: open.id.clone() };
        into_answer(scene.invoices().void_invoice(request_by(STAFF, void)).await).unwrap();
        let back = credits(&scene, STAFF).await.unwrap();
        assert_eq!(lefts(&back)[2], (Open, usd(10)));
        assert_eq!(back[2].uses.len(), 2, "those of the two bills that stand");
    }
}

#[tokio::test]
async fn staff_pay_the_rest_of_a_credit_out_and_nobody_else_does() {
    for scene in scenes().await {
        let id = give(&scene, usd(333), None).await.id;
        let pay = |amount: Option<Money>| PayOutCreditRequest {
            identity_id: "alice".into(),
            credit_id: id.clone(),
            amount,
            reference: "cheque 7".into(),
        };
        for who in [ALICE, MALLORY, ADMIN] {
            let refused = scene.credits().pay_out_credit(request_by(who, pay(None))).await;
            assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED", "{who}");
        }
        let more = scene.credits().pay_out_credit(request_by(STAFF, pay(usd(334)))).await;
        assert_eq!(refusal_reason(into_answer(more)), "CREDIT_EXCEEDED");
        let paid = into_answer(scene.credits().pay_out_credit(request_by(STAFF, pay(None))).await).unwrap();
        assert_eq!((paid.status(), paid.left), (CreditStatus::PaidOut, usd(0)));
        let again = into_answer(scene.credits().pay_out_credit(request_by(STAFF, pay(None))).await).unwrap();
        assert_eq!((again.version, again.uses.len()), (paid.version, 1), "it is paid out already");
        assert!(credits(&scene, MALLORY).await.is_err());
        assert!(scene.ledger().await.is_empty(), "no vendor was asked");
    }
}

pub(crate) fn discount(rate_ppm: i32, amount: Option<Money>, periods_left: i32) -> SubscriptionDiscount {
    SubscriptionDiscount { name: "Welcome".into(), amount, rate_ppm, periods_left }
}

pub(crate) async fn set_discounts(
    scene: &Scene,
    id: &str,
    discounts: Vec<SubscriptionDiscount>,
) -> Result<Subscription> {
    let request =
        UpdateSubscriptionDiscountsRequest { identity_id: "alice".into(), subscription_id: id.into(), discounts };
    into_answer(scene.subscriptions().update_subscription_discounts(request_by(STAFF, request)).await)
}

#[tokio::test]
async fn a_free_month_and_then_five_dollars_less_with_the_taxes_of_the_rest() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let texan =
            CreateSubscriptionRequest { administrative_area: RegionCode::Tx.into(), ..plan(day(1, 15), &method.id) };
        let id = begin(&scene, texan).await.id;
        let both = vec![discount(1_000_000, None, 1), discount(0, usd(500), 2)];
        assert_eq!(set_discounts(&scene, &id, both).await.unwrap().discounts.len(), 2);
        let other = vec![discount(0, Some(Money { currency: 2, amount: 1 }), 1)];
        assert_eq!(refusal_reason(set_discounts(&scene, &id, other).await), "CURRENCY_MISMATCH");
        for to in [day(2, 15), day(3, 15), day(4, 15)] {
            come_to(&scene, to).await;
        }
        let [free, less, whole] = invoices(&scene, &id).await.try_into().unwrap();
        assert_eq!(kinds(&free), [(ItemType::Subscription, usd(2995)), (ItemType::Discount, usd(-2995))]);
        assert_eq!((free.status(), free.total), (InvoiceStatus::Paid, usd(0)));
        let expected =
            [(ItemType::Subscription, usd(2995)), (ItemType::Tax, usd(250)), (ItemType::Discount, usd(-500))];
        assert_eq!((kinds(&less), less.total), (expected.to_vec(), usd(2745)));
        assert_eq!(whole.total, usd(2995 + 300));
        assert!(get(&scene, &id).await.discounts.is_empty());
        assert_eq!(scene.moved().await, 2745 + 3295);
    }
}
