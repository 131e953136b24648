//! The vendor's movements against ours.

use std::time::Duration;

use pavise_billing::contract::v1::*;
use pavise_testkit::runs::run_size;
use pavise_testkit::stripe::Trouble;

use crate::scene::{ALICE, STAFF, Scene, into_answer, refusal_reason, request_by};
use crate::stripe_scene::{impatient_scene, stripe_scenes};

const A_DAY: Duration = Duration::from_secs(86_400);

async fn rows(scene: &Scene) -> Vec<ReconciliationRow> {
    let request = ListReconciliationRowsRequest { page_size: 500, ..ListReconciliationRowsRequest::default() };
    let listed = scene.reconciliations().list_reconciliation_rows(request_by(STAFF, request)).await;
    into_answer(listed).unwrap().reconciliation_rows
}

async fn days(scene: &Scene) -> Vec<Reconciliation> {
    let request = ListReconciliationsRequest::default();
    into_answer(scene.reconciliations().list_reconciliations(request_by(STAFF, request)).await).unwrap().reconciliations
}

#[tokio::test]
async fn each_damaged_movement_is_one_row_and_no_other() {
    for (scene, server) in stripe_scenes().await {
        let count = run_size(120, 10_000);
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        let mut sold = Vec::new();
        for number in 0..count {
            sold.push(scene.sell(&method, &format!("n{number}")).await.unwrap());
        }
        let back = scene.refund_part(&sold[3], 100, "part").await.unwrap();
        server.damage_movement(&sold[0].vendor_reference, None);
        server.damage_movement(&sold[1].vendor_reference, Some(2994));
        let stranger = server.add_movement(700);
        scene.clock.move_forward(A_DAY);
        scene.run_timer("billing.reconcile", "first").await.unwrap();
        let found = rows(&scene).await;
        let of = |reference: &str| found.iter().find(|row| row.vendor_reference == reference).unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        let missing = of(&sold[0].vendor_reference);
        assert_eq!(missing.outcome(), ReconciliationOutcome::MissingThere);
        assert_eq!((missing.transaction_id.as_str(), missing.vendor_amount), (sold[0].id.as_str(), None));
        let differs = of(&sold[1].vendor_reference);
        assert_eq!(differs.outcome(), ReconciliationOutcome::AmountDiffers);
        assert_eq!((differs.vendor_amount.unwrap().amount, differs.amount.unwrap().amount), (2994, 2995));
        assert_eq!(of(&stranger).outcome(), ReconciliationOutcome::MissingHere);
        assert!(found.iter().all(|row| row.vendor_reference != back.vendor_reference), "a refund matches");
        let compared = days(&scene).await;
        let yesterday = compared.iter().find(|day| day.movements > 0).unwrap();
        let all = i32::try_from(count).unwrap() + 1;
        assert_eq!((yesterday.movements, yesterday.matched, yesterday.different), (all, all - 2, 3));

        // Staff settle one; a later run leaves that and finds that another one is none any more.
        let settle = |note: &str| SettleReconciliationRowRequest {
            reconciliation_row_id: missing.id.clone(),
            note: note.into(),
        };
        let refused = scene.reconciliations().settle_reconciliation_row(request_by(STAFF, settle(""))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "INVALID_FIELD");
        let refused = scene.reconciliations().settle_reconciliation_row(request_by(ALICE, settle("x"))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "REALM_NOT_ALLOWED");
        let settled = scene.reconciliations().settle_reconciliation_row(request_by(STAFF, settle("booked late"))).await;
        assert_eq!(into_answer(settled).unwrap().status(), ReconciliationRowStatus::Settled);
        server.damage_movement(&sold[1].vendor_reference, Some(2995));
        let requests = server.requests();
        scene.run_timer("billing.reconcile", "again").await.unwrap();
        assert_eq!(server.requests(), requests, "a day is compared once a day");
        scene.clock.move_forward(A_DAY);
        scene.run_timer("billing.reconcile", "tomorrow").await.unwrap();
        let later = rows(&scene).await;
        let status = |id: &str| later.iter().find(|row| row.id == id).map(|row| (row.status(), row.outcome())).unwrap();
        assert_eq!(later.len(), 3);
        assert_eq!(status(&missing.id).0, ReconciliationRowStatus::Settled);
        assert_eq!(status(&differs.id), (ReconciliationRowStatus::Resolved, ReconciliationOutcome::Matched));
        let open = ListReconciliationRowsRequest {
            status: ReconciliationRowStatus::Open.into(),
            day_from: missing.day,
            day_until: missing.day,
            ..ListReconciliationRowsRequest::default()
        };
        let open = scene.reconciliations().list_reconciliation_rows(request_by(STAFF, open)).await;
        let open = into_answer(open).unwrap().reconciliation_rows;
        assert_eq!(open.iter().map(|row| &row.vendor_reference).collect::<Vec<_>>(), [&stranger]);
    }
}

#[tokio::test]
async fn the_undecided_are_resolved_on_the_way() {
    let (scene, server) = impatient_scene().await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    server.meet("/confirm", Trouble::SilentAfter);
    let sold = scene.sell(&method, "silent").await.unwrap();
    assert_eq!(sold.status(), TransactionStatus::Timedout);
    scene.clock.move_forward(A_DAY);
    scene.run_timer("billing.reconcile", "resolves").await.unwrap();
    assert_eq!(scene.transaction(&sold.id).await.status(), TransactionStatus::Approved);
    assert!(rows(&scene).await.is_empty());
}
