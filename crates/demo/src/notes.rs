//! Notes of the demonstration's staff on the orders of some members. They are written as documents, because a note's
//! author is its caller, and the demonstration calls as the platform.

use anyhow::Context as _;
use pavise_identity::demo::by_name;
use pavise_kernel::store::{StoredRow, Write};
use pavise_kernel::time::{Ids, to_micros, to_timestamp};
use pavise_kernel::worker::Work;
use pavise_orders_client::v1::order_service_client::OrderServiceClient;
use pavise_orders_client::v1::{ListOrdersRequest, Order, OrderNoteKind, OrderNoteStatus};
use serde_json::json;

use super::bulk;
use super::story::email;

/// The table of the notes.
const NOTE_TABLE: &str = "order_notes";
/// The author.
const STAFF: &str = "staff@demo.pavise.example";
/// The time between an order and its first note, and between two notes. The orders were made some seconds ago, and no
/// note is from the future.
const LATER: i64 = 100_000;
/// The number of a member, and a note on their order.
const NOTES: [(u32, OrderNoteKind, OrderNoteStatus, &str); 5] = [
    (0, OrderNoteKind::Call, OrderNoteStatus::Active, "Called about the invitation of the spouse. Sent it again."),
    (0, OrderNoteKind::Eligibility, OrderNoteStatus::Pinned, "The child turns 18 next spring: ask before the renewal."),
    (2, OrderNoteKind::Billing, OrderNoteStatus::Active, "The card was declined. The member asks the bank first."),
    (3, OrderNoteKind::Billing, OrderNoteStatus::Active, "Suspended until the payment arrives."),
    (8, OrderNoteKind::General, OrderNoteStatus::Active, "Bought again after the cancellation. Check the old plan."),
];

/// Writes the notes of the members below `members`.
pub(crate) async fn load(work: &Work, members: u32) -> anyhow::Result<()> {
    let Some(staff) = by_name(work, STAFF).await? else { return Ok(()) };
    let tables = work.kernel().tables();
    let table = tables.iter().find(|entry| entry.table.name == NOTE_TABLE).context("there is no table of notes")?.table;
    for (place, (number, kind, status, text)) in (1_i64..).zip(NOTES) {
        if number >= members {
            continue;
        }
        let Some(order) = find_order(work, number).await? else { continue };
        let ids = Ids::from_seed(place.unsigned_abs());
        let ordered = to_micros(&order.created_at.context("an order without its time")?);
        let at = ordered + place * LATER;
        let moment = to_timestamp(at).to_string();
        let id = ids.next(at);
        let mut doc = json!({
            "id": id, "status": status.spelling(), "version": "1", "createdAt": moment, "updatedAt": moment,
            "orderId": order.id, "authorId": staff.id, "text": text, "kind": kind.spelling(),
        });
        if let Some(doc) = doc.as_object_mut().filter(|_| status == OrderNoteStatus::Pinned) {
            doc.insert("pinnedAt".to_owned(), json!(moment));
        }
        let (status, doc) = (status.spelling().to_owned(), doc.to_string());
        let row = StoredRow { id, status, version: 1, created_at: at, updated_at: at, doc, ..StoredRow::default() };
        let action = pavise_orders_client::actions::order_note::CREATED.to_owned();
        let write = Write { table, row, expected: None, removed: false, action, lookups: Vec::new() };
        bulk::commit(work.kernel(), table.journal, vec![write]).await?;
    }
    Ok(())
}

/// The newest order of a story's member.
async fn find_order(work: &Work, number: u32) -> anyhow::Result<Option<Order>> {
    let Some(member) = by_name(work, &email(number)).await? else { return Ok(None) };
    let request = ListOrdersRequest { identity_id: member.id, page_size: 1, ..ListOrdersRequest::default() };
    let found = OrderServiceClient::new(work.peer_channel("orders")).list_orders(request).await?;
    Ok(found.into_inner().orders.into_iter().next())
}
