//! Lists by days, on both engines.

use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::Date;

use crate::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, into_answer, item, refusal_reason, request_by, scenes};

fn day(day: i32) -> Option<Date> {
    Some(Date { year: 2026, month: 1, day })
}

/// Invoices of a member that are due on these days.
async fn due(scene: &Scene, owner: &str, days: &[i32]) {
    for one in days {
        let request = CreateInvoiceRequest {
            identity_id: owner.into(),
            currency: 1,
            items: vec![item(ItemType::Order, 100)],
            due_on: day(*one),
            ..CreateInvoiceRequest::default()
        };
        into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap();
    }
}

fn days_of(invoices: &[Invoice]) -> Vec<i32> {
    invoices.iter().map(|invoice| invoice.due_on.unwrap().day).collect()
}

/// All pages of a list, two invoices each.
async fn pages(scene: &Scene, asked: &ListInvoicesRequest) -> Vec<i32> {
    let (mut all, mut asked) = (Vec::new(), ListInvoicesRequest { page_size: 2, ..asked.clone() });
    loop {
        let page = into_answer(scene.invoices().list_invoices(request_by(ALICE, asked.clone())).await).unwrap();
        assert!(page.invoices.len() <= 2);
        all.extend(days_of(&page.invoices));
        if page.next_page_token.is_empty() {
            return all;
        }
        asked.page_token = page.next_page_token;
    }
}

#[tokio::test]
async fn a_members_invoices_are_listed_by_their_days_on_both_engines() {
    for scene in scenes().await {
        due(&scene, "alice", &[9, 3, 7, 3, 28, 3, 1]).await;
        due(&scene, "mallory", &[3, 4]).await;
        let asked = |from: Option<Date>, until: Option<Date>, order: InvoiceOrder| ListInvoicesRequest {
            identity_id: "alice".into(),
            due_from: from,
            due_until: until,
            order_by: order.into(),
            show_total: true,
            ..ListInvoicesRequest::default()
        };
        use InvoiceOrder::{DueFirst, DueLast, Unspecified};
        for (from, until, order, expected) in [
            (None, None, Unspecified, vec![1, 3, 28, 3, 7, 3, 9]),
            (None, None, DueFirst, vec![1, 3, 3, 3, 7, 9, 28]),
            (None, None, DueLast, vec![28, 9, 7, 3, 3, 3, 1]),
            (day(3), None, Unspecified, vec![3, 3, 3, 7, 9, 28]),
            (None, day(7), DueLast, vec![7, 3, 3, 3, 1]),
            (day(3), day(9), Unspecified, vec![3, 3, 3, 7, 9]),
            (day(3), day(3), DueLast, vec![3, 3, 3]),
            (day(10), day(9), DueFirst, vec![]),
        ] {
            let asked = asked(from, until, order);
            assert_eq!(pages(&scene, &asked).await, expected, "{asked:?}");
            let whole = into_answer(scene.invoices().list_invoices(request_by(STAFF, asked.clone())).await).unwrap();
            let total = (whole.total_size, whole.total_is_capped);
            assert_eq!(total, (i32::try_from(expected.len()).unwrap(), false), "{asked:?}");
        }
        let refused = scene.invoices().list_invoices(request_by(MALLORY, asked(day(1), None, DueFirst))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "NOT_THE_OWNER");
        let paid = ListInvoicesRequest { status: InvoiceStatus::Paid.into(), ..asked(day(3), None, DueFirst) };
        assert!(pages(&scene, &paid).await.is_empty(), "a status narrows a range");
    }
}

#[tokio::test]
async fn a_page_token_belongs_to_one_range_and_order() {
    for scene in scenes().await {
        due(&scene, "alice", &[1, 2, 3]).await;
        let asked = ListInvoicesRequest {
            identity_id: "alice".into(),
            due_from: day(1),
            page_size: 1,
            ..ListInvoicesRequest::default()
        };
        let first = into_answer(scene.invoices().list_invoices(request_by(ALICE, asked.clone())).await).unwrap();
        let asked = ListInvoicesRequest { page_token: first.next_page_token, ..asked };
        for other in [
            ListInvoicesRequest { due_from: day(2), ..asked.clone() },
            ListInvoicesRequest { due_until: day(3), ..asked.clone() },
            ListInvoicesRequest { order_by: InvoiceOrder::DueLast.into(), ..asked.clone() },
            ListInvoicesRequest { due_from: None, ..asked.clone() },
            ListInvoicesRequest { status: InvoiceStatus::Active.into(), ..asked.clone() },
        ] {
            let refused = scene.invoices().list_invoices(request_by(ALICE, other.clone())).await;
            assert_eq!(refusal_reason(into_answer(refused)), "INVALID_PAGE_TOKEN", "{other:?}");
        }
        let next = into_answer(scene.invoices().list_invoices(request_by(ALICE, asked)).await).unwrap();
        assert_eq!(days_of(&next.invoices), [2]);
    }
}
