//! Tests of the figures of a billing day, on both engines.

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::Date;

use crate::renewals::{begin, come_to, day, plan};
use crate::scene::{ALICE, APPROVES, STAFF, Scene, card, into_answer, request_by, scenes, usd};

async fn figures(scene: &Scene, who: &str, day: Date) -> Result<BillingDay> {
    let request = GetBillingDayRequest { day: Some(day) };
    into_answer(scene.invoices().get_billing_day(request_by(who, request)).await)
}

#[tokio::test]
async fn a_day_waits_and_then_is_billed_paid_and_declined() {
    for scene in scenes().await {
        let good = scene.method(card(APPROVES)).await;
        let poor = scene.method(card("test_4000000000000002")).await;
        begin(&scene, plan(day(2, 1), &good.id)).await;
        begin(&scene, plan(day(2, 1), &poor.id)).await;
        let before = figures(&scene, STAFF, day(3, 1)).await.unwrap();
        assert_eq!((before.waiting, before.counts.len(), before.amounts.len()), (2, 0, 0));
        come_to(&scene, day(3, 1)).await;
        let after = figures(&scene, STAFF, day(3, 1)).await.unwrap();
        let counts: Vec<_> = after.counts.iter().map(|count| (count.status(), count.invoices)).collect();
        assert_eq!((after.waiting, counts), (0, vec![(InvoiceStatus::Paid, 1), (InvoiceStatus::Failed, 1)]));
        let expected = BillingDayAmount { billed: usd(5990), paid: usd(2995), declined: usd(2995), open: usd(0) };
        assert_eq!((after.amounts, after.amounts_are_partial), (vec![expected], false));
        assert_eq!(figures(&scene, STAFF, day(4, 1)).await.unwrap().waiting, 2, "the next bills wait");
    }
}

#[tokio::test]
async fn only_staff_see_a_billing_day_and_only_one_of_the_calendar() {
    for scene in scenes().await {
        assert!(figures(&scene, ALICE, day(3, 1)).await.is_err());
        assert!(figures(&scene, STAFF, Date { year: 2026, month: 2, day: 30 }).await.is_err());
    }
}
