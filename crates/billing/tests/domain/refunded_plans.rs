//! Tests of refunds and credits of a plan that was changed: nothing comes back twice, and no credit lasts longer by a change.

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::Money;

use crate::changes::{change, in_april, make};
use crate::credits::{credits, give};
use crate::renewals::{come_to, day, invoices, plan};
use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, card, into_answer, item, refusal_reason, request_by, request_with_key,
    scenes, usd,
};

/// Staff refund an invoice, or a part of it.
async fn refund(scene: &Scene, key: &str, id: &str, amount: Option<Money>) -> Result<Invoice> {
    let request = RefundInvoiceRequest {
        identity_id: "alice".into(),
        invoice_id: id.to_owned(),
        amount,
        ..RefundInvoiceRequest::default()
    };
    into_answer(scene.invoices().refund_invoice(request_with_key(STAFF, key, request)).await)
}

/// A plan over 29.95 whose April is paid, and that costs 9.95 from the 11th on: 13.34 became a credit.
async fn made_cheaper(scene: &Scene) -> String {
    let method = scene.method(card(APPROVES)).await;
    let id = in_april(scene, plan(day(3, 1), &method.id)).await;
    make(scene, "down", change(&id, 995, ChangeTime::Now)).await.unwrap();
    id
}

async fn lefts(scene: &Scene) -> Vec<i64> {
    credits(scene, ALICE).await.unwrap().iter().map(|credit| credit.left.unwrap().amount).collect()
}

#[tokio::test]
async fn a_full_refund_takes_the_credit_for_the_same_days_with_it() {
    for scene in scenes().await {
        let id = made_cheaper(&scene).await;
        assert_eq!(lefts(&scene).await, [1334]);
        let april = invoices(&scene, &id).await.remove(0);
        for _ in 0..2 {
            let refunded = refund(&scene, "all", &april.id, None).await.unwrap();
            assert_eq!((refunded.status(), refunded.refunded_amount), (InvoiceStatus::Refunded, usd(2995)));
            assert_eq!((scene.moved().await, lefts(&scene).await), (0, vec![0]));
        }
        come_to(&scene, day(5, 1)).await;
        assert_eq!(invoices(&scene, &id).await.pop().unwrap().total, usd(995), "no credit is left for May");
    }
}

#[tokio::test]
async fn a_part_that_was_paid_beside_the_credit_leaves_it_alone() {
    for scene in scenes().await {
        let id = made_cheaper(&scene).await;
        let april = invoices(&scene, &id).await.remove(0);
        refund(&scene, "part", &april.id, usd(2995 - 1334)).await.unwrap();
        assert_eq!(lefts(&scene).await, [1334]);
        refund(&scene, "a cent more", &april.id, usd(1)).await.unwrap();
        assert_eq!(lefts(&scene).await, [1333]);
    }
}

#[tokio::test]
async fn what_was_spent_of_the_credit_is_not_refunded() {
    for scene in scenes().await {
        let id = made_cheaper(&scene).await;
        come_to(&scene, day(5, 1)).await;
        let [april, _, may] = invoices(&scene, &id).await.try_into().unwrap();
        assert_eq!((may.total, lefts(&scene).await), (usd(0), vec![1334 - 995]));
        let more = refund(&scene, "more", &april.id, usd(2995 - 995 + 1)).await;
        assert_eq!(refusal_reason(more), "REFUND_EXCEEDS_PAYMENT");
        let refunded = refund(&scene, "all", &april.id, None).await.unwrap();
        assert_eq!(refunded.refunded_amount, usd(2995 - 995));
        assert_eq!((scene.moved().await, lefts(&scene).await), (995, vec![0]));
    }
}

#[tokio::test]
async fn a_refused_refund_takes_no_credit() {
    for scene in scenes().await {
        let method = scene.method(card("test_4000000000000008")).await;
        let id = in_april(&scene, plan(day(3, 1), &method.id)).await;
        make(&scene, "down", change(&id, 995, ChangeTime::Now)).await.unwrap();
        let april = invoices(&scene, &id).await.remove(0);
        assert!(refund(&scene, "all", &april.id, None).await.is_err());
        assert_eq!((scene.moved().await, lefts(&scene).await), (2995, vec![1334]));
    }
}

#[tokio::test]
async fn a_goodwill_credit_keeps_its_last_day_through_a_change() {
    for scene in scenes().await {
        let goodwill = give(&scene, usd(2000), Some(day(4, 30))).await.id;
        let id = made_cheaper(&scene).await;
        let mut given: Vec<_> = credits(&scene, ALICE)
            .await
            .unwrap()
            .iter()
            .filter(|credit| credit.id != goodwill)
            .map(|credit| (credit.left.unwrap().amount, credit.last_day))
            .collect();
        given.sort_by_key(|(amount, _)| *amount);
        // Of 29.95, 20.00 were the credit: so are 8.91 of 13.34.
        assert_eq!(given, [(443, None), (891, Some(day(4, 30)))]);
        come_to(&scene, day(5, 1)).await;
        assert_eq!(invoices(&scene, &id).await.pop().unwrap().total, usd(995 - 443));
    }
}

#[tokio::test]
async fn a_credit_comes_from_an_invoice_of_its_member() {
    for scene in scenes().await {
        let own = scene.invoice(&[2995], "").await.id;
        let request = CreateInvoiceRequest {
            identity_id: "mallory".into(),
            currency: 1,
            items: vec![item(ItemType::Order, 2995)],
            ..CreateInvoiceRequest::default()
        };
        let others = into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap().id;
        let create = async |invoice: &str| {
            let request = CreateCreditRequest {
                identity_id: "alice".into(),
                amount: usd(500),
                reason: CreditReason::Goodwill.into(),
                invoice_id: invoice.to_owned(),
                ..CreateCreditRequest::default()
            };
            into_answer(scene.credits().create_credit(request_by(STAFF, request)).await)
        };
        assert_eq!(create(&own).await.unwrap().invoice_id, own);
        for wrong in [others.as_str(), "unknown"] {
            let refused = create(wrong).await.unwrap_err();
            assert_eq!(refused.violations()[0].field, "invoice_id", "{wrong}");
        }
    }
}
