//! Tests of money of an employer that comes back: it lowers bills that the employer pays, and no others.

use pavise_billing::contract::v1::*;

use crate::admission::{employers_card, employers_card_with};
use crate::changes::{end, give_back, in_april};
use crate::credits::credits;
use crate::renewals::{begin, come_to, day, invoices, plan};
use crate::scene::{ALICE, APPROVES, STAFF, Scene, card, into_answer, request_by, scenes, usd};

/// A card that is charged and takes no refund.
const TAKES_NO_REFUND: &str = "test_4000000000000008";

/// A plan that acme pays with that card.
fn through_acme(employers: &PaymentMethod, first: i32) -> CreateSubscriptionRequest {
    CreateSubscriptionRequest { group_id: "acme".into(), ..plan(day(3, first), &employers.id) }
}

/// The credit in the balance that alice reads.
pub(crate) async fn shown_credit(scene: &Scene) -> i64 {
    let request = GetBalanceRequest { identity_id: "alice".into() };
    let answer = into_answer(scene.invoices().get_balance(request_by(ALICE, request)).await).unwrap();
    answer.balances.iter().map(|balance| balance.credit.unwrap().amount).sum()
}

#[tokio::test]
async fn a_refused_refund_of_what_an_employer_paid_lowers_no_bill_of_the_member() {
    for scene in scenes().await {
        let employers = employers_card_with(&scene, TAKES_NO_REFUND).await;
        let employers = in_april(&scene, through_acme(&employers, 1)).await;
        let own = scene.method(card(APPROVES)).await;
        let own = begin(&scene, plan(day(4, 5), &own.id)).await.id;
        end(&scene, STAFF, &employers, UnusedDays::Refund).await.unwrap();
        assert_eq!(scene.run_workers("the refund").await, 0);
        let [given] = credits(&scene, ALICE).await.unwrap().try_into().unwrap();
        assert_eq!((given.left, given.reason()), (usd(1997), CreditReason::Refund), "the vendor refused it");
        assert_eq!((given.group_id.as_str(), shown_credit(&scene).await), ("acme", 0));
        come_to(&scene, day(5, 5)).await;
        let bill = invoices(&scene, &own).await.pop().unwrap();
        assert_eq!((bill.status(), bill.total), (InvoiceStatus::Paid, usd(2995)));
        assert_eq!(credits(&scene, ALICE).await.unwrap()[0].left, usd(1997));
    }
}

#[tokio::test]
async fn what_an_employer_paid_with_card_and_credit_is_given_back_to_the_employer() {
    for scene in scenes().await {
        let employers = employers_card_with(&scene, TAKES_NO_REFUND).await;
        let first = in_april(&scene, through_acme(&employers, 1)).await;
        let second = begin(&scene, through_acme(&employers, 15)).await.id;
        end(&scene, STAFF, &first, UnusedDays::Refund).await.unwrap();
        assert_eq!(scene.run_workers("the refund").await, 0);
        come_to(&scene, day(4, 15)).await;
        let bill = invoices(&scene, &second).await.pop().unwrap();
        assert_eq!((bill.status(), bill.total), (InvoiceStatus::Paid, usd(2995 - 1997)), "its own credit lowers it");
        for key in ["first", "again"] {
            let back = give_back(&scene, key, &bill.id).await.unwrap();
            assert_eq!(back.returned_credit, usd(1997));
            let given: Vec<_> = credits(&scene, ALICE)
                .await
                .unwrap()
                .into_iter()
                .filter(|credit| credit.status() == CreditStatus::Open)
                .map(|credit| (credit.left, credit.group_id))
                .collect();
            let employers = |amount| (usd(amount), "acme".to_owned());
            assert_eq!(given, [employers(1997), employers(998)], "{key}");
            assert_eq!(shown_credit(&scene).await, 0);
        }
    }
}

#[tokio::test]
async fn a_credit_that_staff_give_for_money_of_an_employer_is_the_employers() {
    for scene in scenes().await {
        let employers = employers_card(&scene).await;
        let id = in_april(&scene, through_acme(&employers, 1)).await;
        let april = invoices(&scene, &id).await.remove(0).id;
        for (reason, group) in [(CreditReason::Refund, "acme"), (CreditReason::Goodwill, "")] {
            let request = CreateCreditRequest {
                identity_id: "alice".into(),
                amount: usd(500),
                reason: reason.into(),
                invoice_id: april.clone(),
                ..CreateCreditRequest::default()
            };
            let given = into_answer(scene.credits().create_credit(request_by(STAFF, request)).await).unwrap();
            assert_eq!(given.group_id, group, "{reason:?}");
        }
        assert_eq!(shown_credit(&scene).await, 500);
    }
}
