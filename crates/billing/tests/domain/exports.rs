//! Exports of invoices, and invoices by their numbers, on both engines.

use futures::StreamExt as _;
use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::Date;
use pavise_testkit::chance::SeededRandom;
use pavise_testkit::runs;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, into_answer, item, refusal_reason, request_by, scene, scenes};

fn day(number: i64) -> Date {
    pavise_kernel::time::from_days(20_000 + number)
}

/// Raises an invoice that is due on a day.
async fn raise(scene: &Scene, owner: &str, due: i64, items: Vec<InvoiceItem>) -> Invoice {
    let request = CreateInvoiceRequest {
        identity_id: owner.into(),
        currency: 1,
        items,
        due_on: Some(day(due)),
        ..CreateInvoiceRequest::default()
    };
    into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
}

fn asked(from: i64, until: i64) -> ExportInvoicesRequest {
    ExportInvoicesRequest { due_from: Some(day(from)), due_until: Some(day(until)), status: 0 }
}

async fn export(scene: &Scene, request: ExportInvoicesRequest) -> Vec<ExportedInvoice> {
    let rows = scene.invoices().export_invoices(request_by(STAFF, request)).await.unwrap().into_inner();
    rows.map(|row| row.unwrap()).collect().await
}

/// An export of random invoices equals a plain model: each of the range, once, in the order of the days. It is longer
/// than the pages that it is read in.
#[tokio::test]
async fn an_export_has_each_invoice_of_the_range_in_the_order_of_the_days() {
    for scene in scenes().await {
        let (mut chance, mut model) = (SeededRandom::new(3), Vec::new());
        for number in 0..runs::run_size(260, 2_000) {
            let due = i64::try_from(chance.next_below(30)).unwrap();
            let owner = if number % 3 == 0 { "alice" } else { "bob" };
            let invoice = raise(&scene, owner, due, vec![item(ItemType::Order, 100)]).await;
            let voided = number % 9 == 0;
            if voided {
                let request = VoidInvoiceRequest { identity_id: owner.into(), invoice_id: invoice.id.clone() };
                into_answer(scene.invoices().void_invoice(request_by(STAFF, request)).await).unwrap();
            }
            model.push((due, invoice.id, voided));
        }
        model.sort();
        for (from, until) in [(0, 29), (3, 17), (5, 5), (30, 60)] {
            let within = |due: i64| due >= from && due <= until;
            let ids = |rows: Vec<ExportedInvoice>| rows.into_iter().map(|row| row.invoice_id).collect::<Vec<_>>();
            let expected: Vec<String> =
                model.iter().filter(|(due, ..)| within(*due)).map(|(_, id, _)| id.clone()).collect();
            assert_eq!(ids(export(&scene, asked(from, until)).await), expected, "{from} to {until}");
            let voided = model.iter().filter(|(due, _, voided)| within(*due) && *voided);
            let voided: Vec<String> = voided.map(|(_, id, _)| id.clone()).collect();
            let request = ExportInvoicesRequest { status: InvoiceStatus::Voided.into(), ..asked(from, until) };
            assert_eq!(ids(export(&scene, request).await), voided, "{from} to {until}");
        }
    }
}

/// A reader that stops reads nothing further, and others go on meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_holds_nothing_up() {
    for scene in scenes().await {
        for _ in 0..260 {
            raise(&scene, "alice", 1, vec![item(ItemType::Order, 100)]).await;
        }
        let mut slow = Vec::new();
        for _ in 0..40 {
            let mut rows =
                scene.invoices().export_invoices(request_by(PLATFORM, asked(0, 9))).await.unwrap().into_inner();
            rows.next().await.unwrap().unwrap();
            slow.push(rows);
        }
        // More readers than the database has connections wait in the middle of their rows.
        raise(&scene, "bob", 1, vec![item(ItemType::Order, 100)]).await;
        assert_eq!(export(&scene, asked(0, 9)).await.len(), 261);
        let rest: Vec<_> = slow.pop().unwrap().collect().await;
        assert!(rest.len() >= 259 && rest.iter().all(Result::is_ok), "{}", rest.len());
    }
}

#[tokio::test]
async fn a_row_has_the_amounts_of_its_invoice() {
    let scene = scene().await;
    let items = vec![item(ItemType::Order, 1_000), item(ItemType::Discount, -300)];
    let invoice = raise(&scene, "alice", 1, items).await;
    let of = |invoice: &Invoice| (invoice.owner_id.clone(), invoice.id.clone());
    let (identity_id, invoice_id) = of(&invoice);
    let fail = FailInvoiceRequest { identity_id: identity_id.clone(), invoice_id: invoice_id.clone() };
    into_answer(scene.invoices().fail_invoice(request_by(STAFF, fail)).await).unwrap();
    let forgive = ForgiveInvoiceRequest { identity_id, invoice_id, reason: "hardship".into() };
    into_answer(scene.invoices().forgive_invoice(request_by(STAFF, forgive)).await).unwrap();
    let open = raise(&scene, "bob", 2, vec![item(ItemType::Order, 500)]).await;
    let rows = export(&scene, asked(1, 2)).await;
    let amount = |money: &Option<pavise_kernel::common::v1::Money>| money.as_ref().unwrap().amount;
    let amounts = |row: &ExportedInvoice| {
        let all = [&row.total, &row.credited_amount, &row.paid_amount, &row.forgiven_amount, &row.open_amount];
        all.map(amount)
    };
    assert_eq!(rows.iter().map(amounts).collect::<Vec<_>>(), [[700, 300, 0, 700, 0], [500, 0, 0, 0, 500]]);
    assert_eq!((&rows[0].number, rows[0].status()), (&invoice.number, InvoiceStatus::Forgiven));
    assert_eq!((&rows[1].number, rows[1].due_on, &rows[1].owner_id), (&open.number, Some(day(2)), &open.owner_id));
    let today = pavise_kernel::time::to_date(pavise_kernel::time::to_micros(&open.created_at.unwrap()));
    assert_eq!(rows[1].issued_on, Some(today));
}

#[tokio::test]
async fn a_range_is_a_year_at_most_and_not_for_members() {
    let scene = scene().await;
    let refused = async |who: &str, request: ExportInvoicesRequest| {
        refusal_reason(into_answer(scene.invoices().export_invoices(request_by(who, request)).await))
    };
    assert_eq!(export(&scene, asked(0, 365)).await, []);
    assert_eq!(refused(STAFF, asked(0, 366)).await, "INVALID_FIELD");
    assert_eq!(refused(STAFF, asked(1, 0)).await, "INVALID_FIELD");
    assert_eq!(refused(STAFF, ExportInvoicesRequest { due_until: None, ..asked(0, 1) }).await, "INVALID_FIELD");
    let never = Some(Date { year: 2026, month: 2, day: 30 });
    assert_eq!(refused(STAFF, ExportInvoicesRequest { due_until: never, ..asked(0, 1) }).await, "INVALID_FIELD");
    assert_eq!(refused(ALICE, asked(0, 1)).await, "REALM_NOT_ALLOWED");
    assert_eq!(refused("Internal/staff@boss", asked(0, 1)).await, "IMPERSONATION_DENIED");
}

#[tokio::test]
async fn invoices_are_found_by_their_numbers_in_the_order_asked() {
    for scene in scenes().await {
        let mut raised = Vec::new();
        for owner in ["alice", "bob", "alice"] {
            raised.push(raise(&scene, owner, 1, vec![item(ItemType::Order, 100)]).await);
        }
        let find = async |who: &str, numbers: &[&str]| {
            let numbers = numbers.iter().map(|number| (*number).to_owned()).collect();
            into_answer(
                scene
                    .invoices()
                    .get_invoices_by_numbers(request_by(who, GetInvoicesByNumbersRequest { numbers }))
                    .await,
            )
        };
        let [first, second, third] = [0, 1, 2].map(|at: usize| raised[at].number.as_str());
        let found = find(STAFF, &[third, "INV-00-000001", first, third, second, "x"]).await.unwrap();
        assert_eq!(found.invoices, [raised[2].clone(), raised[0].clone(), raised[1].clone()]);
        assert_eq!(found.not_found, ["INV-00-000001", "x"]);
        assert_eq!(refusal_reason(find(STAFF, &[]).await), "INVALID_FIELD");
        assert_eq!(refusal_reason(find(STAFF, &["x"; 501]).await), "INVALID_FIELD");
        assert_eq!(refusal_reason(find(ALICE, &[first]).await), "REALM_NOT_ALLOWED");
    }
}
