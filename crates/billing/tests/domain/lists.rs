//! Lists by days, on both engines.

use std::collections::BTreeSet;

use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::Date;

use crate::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, into_answer, item, refusal_reason, request_by, scenes};
use crate::subscriptions::wanted;

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

#[tokio::test]
async fn staff_list_the_invoices_of_all_members_by_status_and_day() {
    for scene in scenes().await {
        due(&scene, "alice", &[9, 3, 28]).await;
        due(&scene, "mallory", &[4, 3]).await;
        let asked = |status: InvoiceStatus, until: Option<Date>| ListAllInvoicesRequest {
            status: status.into(),
            due_until: until,
            order_by: InvoiceOrder::DueFirst.into(),
            show_total: true,
            page_size: 3,
            ..ListAllInvoicesRequest::default()
        };
        let list = async |who: &str, asked: ListAllInvoicesRequest| {
            into_answer(scene.invoices().list_all_invoices(request_by(who, asked)).await)
        };
        let first = list(STAFF, asked(InvoiceStatus::Active, None)).await.unwrap();
        assert_eq!((days_of(&first.invoices), first.total_size), (vec![3, 3, 4], 5));
        let rest = ListAllInvoicesRequest { page_token: first.next_page_token, ..asked(InvoiceStatus::Active, None) };
        assert_eq!(days_of(&list(STAFF, rest).await.unwrap().invoices), [9, 28]);
        let early = list(STAFF, asked(InvoiceStatus::Active, day(4))).await.unwrap();
        assert_eq!(days_of(&early.invoices), [3, 3, 4]);
        assert!(list(STAFF, asked(InvoiceStatus::Failed, None)).await.unwrap().invoices.is_empty());
        assert!(list(ALICE, asked(InvoiceStatus::Active, None)).await.is_err(), "it is for staff");
    }
}

#[tokio::test]
async fn staff_list_the_subscriptions_of_all_members_by_billing_day() {
    for scene in scenes().await {
        for (owner, first) in [("alice", 22), ("mallory", 18), ("alice", 18), ("mallory", 29)] {
            let request =
                CreateSubscriptionRequest { identity_id: owner.into(), next_bill_on: day(first), ..wanted("") };
            into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, request)).await).unwrap();
        }
        let asked = |status: SubscriptionStatus| ListAllSubscriptionsRequest {
            status: status.into(),
            next_bill_until: day(22),
            show_total: true,
            page_size: 2,
            ..ListAllSubscriptionsRequest::default()
        };
        let list = async |who: &str, asked: ListAllSubscriptionsRequest| {
            into_answer(scene.subscriptions().list_all_subscriptions(request_by(who, asked)).await)
        };
        let days = |page: &ListSubscriptionsResponse| -> Vec<i32> {
            page.subscriptions.iter().map(|subscription| subscription.next_bill_on.unwrap().day).collect()
        };
        for status in [SubscriptionStatus::Unspecified, SubscriptionStatus::Active] {
            let first = list(STAFF, asked(status)).await.unwrap();
            assert_eq!((days(&first), first.total_size), (vec![18, 18], 3));
            let owners: BTreeSet<&str> = first.subscriptions.iter().map(|one| one.owner_id.as_str()).collect();
            assert_eq!(owners.len(), 2, "of both members");
            let rest = ListAllSubscriptionsRequest { page_token: first.next_page_token, ..asked(status) };
            assert_eq!(days(&list(STAFF, rest).await.unwrap()), [22]);
        }
        assert!(list(STAFF, asked(SubscriptionStatus::Suspended)).await.unwrap().subscriptions.is_empty());
        assert!(list(ALICE, asked(SubscriptionStatus::Active)).await.is_err(), "it is for staff");
    }
}
