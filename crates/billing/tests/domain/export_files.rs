//! Exports of invoices as files: written by a worker, downloaded in parts, deleted with their day.

use futures::TryStreamExt as _;
use pavise_billing::contract::v1::*;
use pavise_kernel::common::v1::{ByteAnswer, ByteHead, Date};
use tonic::metadata::MetadataValue;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, into_answer, item, refusal_reason, request_by, scene, scenes};

const WRITER: &str = "billing.write_invoice_exports";
const SWEEPER: &str = "billing.sweep_invoice_exports";

fn day(number: i64) -> Date {
    pavise_kernel::time::from_days(20_000 + number)
}

async fn raise(scene: &Scene, owner: &str, due: i64) -> Invoice {
    let request = CreateInvoiceRequest {
        identity_id: owner.into(),
        currency: 1,
        items: vec![item(ItemType::Order, 100)],
        due_on: Some(day(due)),
        ..CreateInvoiceRequest::default()
    };
    into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
}

fn asked(from: i64, until: i64) -> CreateInvoiceExportRequest {
    CreateInvoiceExportRequest { due_from: Some(day(from)), due_until: Some(day(until)), invoice_status: 0 }
}

async fn begin(scene: &Scene) -> InvoiceExport {
    into_answer(scene.exports().create_invoice_export(request_by(STAFF, asked(0, 9))).await).unwrap()
}

async fn find(scene: &Scene, id: &str) -> pavise_kernel::Result<InvoiceExport> {
    let request = GetInvoiceExportRequest { invoice_export_id: id.to_owned() };
    into_answer(scene.exports().get_invoice_export(request_by(PLATFORM, request)).await)
}

async fn download(scene: &Scene, id: &str, range: &str) -> pavise_kernel::Result<(ByteHead, Vec<u8>)> {
    let mut request = request_by(STAFF, DownloadInvoiceExportRequest { invoice_export_id: id.to_owned() });
    if !range.is_empty() {
        request.metadata_mut().insert("range", MetadataValue::try_from(range).unwrap());
    }
    let messages = into_answer(scene.exports().download_invoice_export(request).await)?;
    let mut messages: Vec<ByteAnswer> = messages.try_collect().await.unwrap();
    let head = messages.remove(0).head.unwrap();
    Ok((head, messages.into_iter().flat_map(|message| message.chunk).collect()))
}

#[tokio::test]
async fn an_export_becomes_a_file_that_is_downloaded_whole_or_in_part() {
    for scene in scenes().await {
        let mut numbers = Vec::new();
        for due in [3, 1, 2, 10] {
            numbers.push((due, raise(&scene, "alice", due).await.number));
        }
        let export = begin(&scene).await;
        assert_eq!(export.status(), InvoiceExportStatus::Requested);
        let early = download(&scene, &export.id, "").await;
        assert_eq!(refusal_reason(early), "NOT_FOUND", "its file is not there yet");
        assert_eq!(scene.handle_all(WRITER).await, 0);
        let export = find(&scene, &export.id).await.unwrap();
        assert_eq!((export.status(), export.row_count), (InvoiceExportStatus::Ready, 3));
        let (head, whole) = download(&scene, &export.id, "").await.unwrap();
        let text = String::from_utf8(whole.clone()).unwrap();
        let first = |line: &str| line.split(',').next().unwrap().to_owned();
        let listed: Vec<String> = text.lines().skip(1).map(first).collect();
        numbers.sort();
        let expected: Vec<String> =
            numbers.into_iter().filter(|(due, _)| *due < 10).map(|(_, number)| number).collect();
        assert_eq!(listed, expected, "{text}");
        assert_eq!(head.file_name, format!("invoices-{}.csv", "2024-10-04-2024-10-13"));
        assert_eq!((head.size, &head.etag), (Some(export.size), &export.sha256));
        assert_eq!(head.content_type, "text/csv; charset=utf-8");
        let (head, part) = download(&scene, &export.id, "bytes=7-19").await.unwrap();
        assert_eq!((head.offset, part.as_slice()), (7, whole.get(7..=19).unwrap()));
        assert_eq!(refusal_reason(download(&scene, &export.id, "bytes=99999-").await), "RANGE_NOT_SATISFIABLE");
    }
}

#[tokio::test]
async fn a_worker_that_starts_again_leaves_one_file() {
    for scene in scenes().await {
        raise(&scene, "alice", 1).await;
        let export = begin(&scene).await;
        let entries = scene.read_journal("/pavise.billing.v1.InvoiceExportService/ReadJournal").await;
        for _ in 0..3 {
            scene.handle_entry(WRITER, &entries[0]).await.unwrap();
        }
        assert_eq!(scene.stored_exports().len(), 1, "an export that is ready is not written again");
        let first = find(&scene, &export.id).await.unwrap();
        assert!(first.file_key.starts_with(&format!("invoice_exports/{}_", export.id)), "{}", first.file_key);
        let staff = GetInvoiceExportRequest { invoice_export_id: export.id.clone() };
        let seen = into_answer(scene.exports().get_invoice_export(request_by(STAFF, staff)).await).unwrap();
        assert_eq!(seen.file_key, "", "people need no name of the store");
    }
}

#[tokio::test]
async fn an_export_ends_on_its_day_with_its_file() {
    let scene = scene().await;
    let export = begin(&scene).await;
    assert_eq!(scene.handle_all(WRITER).await, 0);
    scene.run_timer(SWEEPER, "today").await.unwrap();
    assert_eq!((scene.stored_exports().len(), find(&scene, &export.id).await.unwrap().id), (1, export.id.clone()));
    scene.age_stored_exports();
    scene.run_timer(SWEEPER, "tomorrow").await.unwrap();
    assert_eq!(scene.stored_exports().len(), 1, "a file that a record names stays");
    scene.clock.move_forward(std::time::Duration::from_secs(8 * 86_400));
    scene.run_timer(SWEEPER, "a week later").await.unwrap();
    assert_eq!(refusal_reason(find(&scene, &export.id).await), "NOT_FOUND");
    assert!(scene.stored_exports().is_empty(), "no record names the file");
}

#[tokio::test]
async fn an_export_is_for_staff_who_may() {
    let scene = scene().await;
    let refused = async |who: &str, request: CreateInvoiceExportRequest| {
        refusal_reason(into_answer(scene.exports().create_invoice_export(request_by(who, request)).await))
    };
    assert_eq!(refused(ALICE, asked(0, 1)).await, "REALM_NOT_ALLOWED");
    assert_eq!(refused("Internal/staff@boss", asked(0, 1)).await, "IMPERSONATION_DENIED");
    assert_eq!(refused(STAFF, asked(0, 366)).await, "INVALID_FIELD");
    let finish = FinishInvoiceExportRequest {
        invoice_export_id: begin(&scene).await.id,
        file_key: "invoice_exports/x_y".into(),
        sha256: "0".repeat(64),
        ..FinishInvoiceExportRequest::default()
    };
    let finish = scene.exports().finish_invoice_export(request_by(STAFF, finish)).await;
    assert_eq!(refusal_reason(into_answer(finish)), "REALM_NOT_ALLOWED");
}
