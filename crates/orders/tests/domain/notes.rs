//! Notes of staff on orders, and the reach of children through their parent.

mod model;

use std::slice::from_ref;
use std::time::Duration;

use futures::future::join_all;
use pavise_kernel::owned_entities::OwnerMove;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, refusal_reason, request_by, scene, scenes};

/// Staff who write notes and moderate none.
const SUE: &str =
    "Internal/sue/+orders.orders.read/+orders.order_notes.read/+orders.order_notes.write/+orders.order_notes.delete";
const TOM: &str =
    "Internal/tom/+orders.orders.read/+orders.order_notes.read/+orders.order_notes.write/+orders.order_notes.delete";
/// Staff who may do everything with notes, and may not read orders.
const EVE: &str = "Internal/eve/+orders.order_notes.*";

/// The gRPC path of the journal of orders, which has the notes, too.
const JOURNAL: &str = "/pavise.orders.v1.OrderService/ReadJournal";

async fn write(scene: &Scene, who: &str, order: &str, text: &str) -> Result<OrderNote> {
    let kind = OrderNoteKind::Unspecified.into();
    let request = CreateOrderNoteRequest { order_id: order.into(), text: text.into(), kind };
    Ok(scene.notes().create_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn read(scene: &Scene, who: &str, order: &str, note: &str) -> Result<OrderNote> {
    let request = GetOrderNoteRequest { order_id: order.into(), order_note_id: note.into() };
    Ok(scene.notes().get_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn list(scene: &Scene, who: &str, request: ListOrderNotesRequest) -> Result<Vec<String>> {
    let page = scene.notes().list_order_notes(request_by(who, request)).await.map_err(Error::from)?.into_inner();
    Ok(page.order_notes.into_iter().map(|note| note.text).collect())
}

async fn edit(scene: &Scene, who: &str, note: &OrderNote, text: &str) -> Result<OrderNote> {
    let (order_id, order_note_id) = (note.order_id.clone(), note.id.clone());
    let request = UpdateOrderNoteRequest { order_id, order_note_id, text: text.into() };
    Ok(scene.notes().update_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn pin(scene: &Scene, who: &str, note: &OrderNote) -> Result<OrderNote> {
    scene.clock.move_forward(Duration::from_secs(60));
    let request = PinOrderNoteRequest { order_id: note.order_id.clone(), order_note_id: note.id.clone() };
    Ok(scene.notes().pin_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn unpin(scene: &Scene, who: &str, note: &OrderNote) -> Result<OrderNote> {
    let request = UnpinOrderNoteRequest { order_id: note.order_id.clone(), order_note_id: note.id.clone() };
    Ok(scene.notes().unpin_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn remove(scene: &Scene, who: &str, note: &OrderNote) -> Result<OrderNote> {
    let request = DeleteOrderNoteRequest { order_id: note.order_id.clone(), order_note_id: note.id.clone() };
    Ok(scene.notes().delete_order_note(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

fn of(order: &str) -> ListOrderNotesRequest {
    ListOrderNotesRequest { order_id: order.into(), ..ListOrderNotesRequest::default() }
}

#[tokio::test]
async fn staff_write_pin_edit_and_remove_notes() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await.id;
        let first = write(&scene, SUE, &order, "  Called back. ").await.unwrap();
        assert_eq!(
            (first.text.as_str(), first.author_id.as_str(), first.owner_id.as_str()),
            ("Called back.", "sue", "")
        );
        assert_eq!((first.kind(), first.status()), (OrderNoteKind::General, OrderNoteStatus::Active));
        let second = write(&scene, TOM, &order, "Waits for the bank.").await.unwrap();
        write(&scene, SUE, &order, "The bank agrees.").await.unwrap();
        let newest = ["The bank agrees.", "Waits for the bank.", "Called back."];
        assert_eq!(list(&scene, STAFF, of(&order)).await.unwrap(), newest);
        let pinned = pin(&scene, TOM, &second).await.unwrap();
        assert!(pinned.pinned_at.is_some() && pinned.status() == OrderNoteStatus::Pinned);
        let pinned_first = ListOrderNotesRequest { order_by: OrderNoteOrder::PinnedFirst.into(), ..of(&order) };
        let expected = ["Waits for the bank.", "The bank agrees.", "Called back."];
        assert_eq!(list(&scene, STAFF, pinned_first.clone()).await.unwrap(), expected);
        pin(&scene, SUE, &first).await.unwrap();
        let expected = ["Called back.", "Waits for the bank.", "The bank agrees."];
        assert_eq!(list(&scene, STAFF, pinned_first.clone()).await.unwrap(), expected, "the last pinned comes first");
        assert_eq!(list(&scene, STAFF, of(&order)).await.unwrap(), newest);
        let only = ListOrderNotesRequest { status: OrderNoteStatus::Active.into(), ..of(&order) };
        assert_eq!(list(&scene, STAFF, only).await.unwrap(), ["The bank agrees."]);
        let billing = ListOrderNotesRequest { kind: OrderNoteKind::Billing.into(), ..of(&order) };
        assert_eq!(list(&scene, STAFF, billing).await.unwrap(), [""; 0]);
        let edited = edit(&scene, SUE, &first, "Called back twice.").await.unwrap();
        assert!(edited.edited_at.is_some() && edited.pinned_at.is_some());
        assert_eq!(unpin(&scene, SUE, &first).await.unwrap().pinned_at, None);
        remove(&scene, TOM, &second).await.unwrap();
        assert_eq!(refusal_reason(read(&scene, STAFF, &order, &second.id).await), "NOT_FOUND");
        assert_eq!(list(&scene, STAFF, pinned_first).await.unwrap(), ["The bank agrees.", "Called back twice."]);
        for text in ["", " \n"] {
            assert_eq!(refusal_reason(write(&scene, SUE, &order, text).await), "INVALID_FIELD");
        }
        assert_eq!(refusal_reason(edit(&scene, SUE, &first, &"x".repeat(4_001)).await), "INVALID_FIELD");
    }
}

#[tokio::test]
async fn a_list_of_notes_has_pages_in_each_order() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await.id;
        let other = scene.order(&["legal"]).await.id;
        write(&scene, SUE, &other, "another order").await.unwrap();
        let mut written = Vec::new();
        for number in 0..7 {
            written.push(write(&scene, SUE, &order, &number.to_string()).await.unwrap());
        }
        for number in [4, 1] {
            pin(&scene, SUE, &written[number]).await.unwrap();
        }
        let orders = [(OrderNoteOrder::Unspecified, "6 5 4 3 2 1 0"), (OrderNoteOrder::PinnedFirst, "1 4 6 5 3 2 0")];
        for (order_by, expected) in orders {
            let mut request = ListOrderNotesRequest { order_by: order_by.into(), page_size: 2, ..of(&order) };
            let mut found = Vec::new();
            loop {
                let page =
                    scene.notes().list_order_notes(request_by(STAFF, request.clone())).await.unwrap().into_inner();
                found.extend(page.order_notes.into_iter().map(|note| note.text));
                request.page_token = page.next_page_token;
                if request.page_token.is_empty() {
                    break;
                }
                let elsewhere = ListOrderNotesRequest { order_id: other.clone(), ..request.clone() };
                assert_eq!(refusal_reason(list(&scene, STAFF, elsewhere).await), "INVALID_PAGE_TOKEN");
            }
            assert_eq!(found.join(" "), expected);
        }
    }
}

#[tokio::test]
async fn only_the_author_or_a_moderator_changes_a_note() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await.id;
    let note = write(&scene, SUE, &order, "Called back.").await.unwrap();
    assert_eq!(refusal_reason(edit(&scene, TOM, &note, "Did not.").await), "NOT_THE_AUTHOR");
    assert_eq!(refusal_reason(pin(&scene, TOM, &note).await), "NOT_THE_AUTHOR");
    assert_eq!(refusal_reason(remove(&scene, TOM, &note).await), "NOT_THE_AUTHOR");
    assert_eq!(read(&scene, TOM, &order, &note.id).await.unwrap(), note);
    let moderator = format!("{TOM}/+orders.order_notes.moderate");
    assert_eq!(edit(&scene, &moderator, &note, "Called.").await.unwrap().author_id, "sue", "the author stays");
    remove(&scene, &moderator, &note).await.unwrap();
}

#[tokio::test]
async fn members_reach_no_note_and_see_none_in_a_watch() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await;
        let note = write(&scene, STAFF, &order.id, "Called back.").await.unwrap();
        for who in [ALICE, "GroupAdmin/ann/acme"] {
            assert_eq!(refusal_reason(write(&scene, who, &order.id, "mine").await), "REALM_NOT_ALLOWED");
            assert_eq!(refusal_reason(read(&scene, who, &order.id, &note.id).await), "REALM_NOT_ALLOWED");
            assert_eq!(refusal_reason(list(&scene, who, of(&order.id)).await), "REALM_NOT_ALLOWED");
        }
        assert_eq!(refusal_reason(read(&scene, "", &order.id, &note.id).await), "TOKEN_MISSING");
        let request = WatchOrdersRequest { identity_id: "alice".into(), clock: 1, epoch: String::new() };
        let mut watch = scene.orders().watch_orders(request_by(ALICE, request)).await.unwrap().into_inner();
        let last = scene.order(&["legal"]).await;
        let mut seen = Vec::new();
        while seen.last() != Some(&last.id) {
            seen.push(watch.message().await.unwrap().unwrap().entity_id);
        }
        assert!(!seen.contains(&note.id), "{seen:?}");
        let entries = scene.read_journal(JOURNAL).await;
        let entry = entries.iter().find(|entry| entry.entity_id == note.id).unwrap();
        assert_eq!((entry.action.as_str(), entry.owner_id.as_str()), ("CREATED", ""), "staff read it in the journal");
    }
}

#[tokio::test]
async fn a_note_is_reached_through_its_order_only() {
    for scene in scenes().await {
        let (order, other) = (scene.order(&["legal"]).await.id, scene.order(&["legal"]).await.id);
        let note = write(&scene, SUE, &order, "Called back.").await.unwrap();
        let elsewhere = OrderNote { order_id: other.clone(), ..note.clone() };
        assert_eq!(refusal_reason(read(&scene, STAFF, &other, &note.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(edit(&scene, STAFF, &elsewhere, "Moved.").await), "NOT_FOUND");
        assert_eq!(refusal_reason(remove(&scene, STAFF, &elsewhere).await), "NOT_FOUND");
        assert_eq!(list(&scene, STAFF, of(&other)).await.unwrap(), [""; 0]);
        // Staff who may not read the order learn nothing of its notes.
        for refused in [
            read(&scene, EVE, &order, &note.id).await.map(drop),
            write(&scene, EVE, &order, "Called back.").await.map(drop),
            list(&scene, EVE, of(&order)).await.map(drop),
            write(&scene, STAFF, "no order", "Called back.").await.map(drop),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!(refused.reason(), "NOT_FOUND");
            assert!(refused.message().contains("order") && !refused.message().contains("note"), "{refused:?}");
        }
        scene
            .orders()
            .delete_order(request_by(PLATFORM, DeleteOrderRequest { order_id: order.clone() }))
            .await
            .unwrap();
        assert_eq!(refusal_reason(read(&scene, STAFF, &order, &note.id).await), "NOT_FOUND");
        assert_eq!(refusal_reason(list(&scene, STAFF, of(&order)).await), "NOT_FOUND");
        assert_eq!(refusal_reason(write(&scene, STAFF, &order, "Too late.").await), "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_merge_moves_an_order_with_its_notes() {
    for scene in scenes().await {
        let order = scene.order(&["legal"]).await.id;
        let note = write(&scene, SUE, &order, "Called back.").await.unwrap();
        let work = Work::new(&scene.kernel, "identity.merge", "first".to_owned(), "");
        let thing = OwnerMove { merge: "first", undone: false, id: &order, from: "alice", to: "bob" };
        scene.move_to_owner("orders").move_to_owner(&work, &thing).await.unwrap();
        assert_eq!(read(&scene, STAFF, &order, &note.id).await.unwrap(), note, "the note itself is not written");
        let wide = model::Wide::new(&scene);
        assert_eq!(wide.list("User/bob", &order).await.unwrap(), from_ref(&note.id), "the order's new owner");
        assert_eq!(refusal_reason(wide.list(ALICE, &order).await), "NOT_FOUND", "the owner before");
        edit(&scene, SUE, &note, "Called back twice.").await.unwrap();
    }
}

/// Notes that are written while their order is removed: either the note is there before, or it is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_removed_order_leaves_no_orphan() {
    for scene in &scenes().await {
        let mut orders = Vec::new();
        for _ in 0..12 {
            orders.push(scene.order(&["legal"]).await.id);
        }
        let rounds = orders.iter().map(|order| async move {
            let writes = (0..4).map(|number| async move {
                let text = number.to_string();
                write(scene, STAFF, order, &text).await
            });
            let delete = async {
                scene
                    .orders()
                    .delete_order(request_by(PLATFORM, DeleteOrderRequest { order_id: order.clone() }))
                    .await
                    .unwrap();
            };
            let (written, ()) = tokio::join!(join_all(writes), delete);
            for refused in written.into_iter().filter_map(Result::err) {
                assert_eq!(refused.reason(), "NOT_FOUND", "{refused:?}");
            }
        });
        join_all(rounds).await;
        let entries = scene.read_journal(JOURNAL).await;
        for order in &orders {
            let removed = entries.iter().find(|entry| entry.entity_id == *order && entry.removed).unwrap();
            let notes = entries.iter().filter_map(|entry| {
                Some((entry.clock, pavise_kernel::worker::decode_entity::<OrderNote>(entry).unwrap()?))
            });
            let late: Vec<_> =
                notes.filter(|(clock, note)| note.order_id == *order && *clock > removed.clock).collect();
            assert!(late.is_empty(), "{late:?} came after the removal at {}", removed.clock);
        }
    }
}
