//! Children of an entity, the same on every surface.

use pavise::demo::Story;
use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

/// Staff write notes on an order and pin one. Notes are reached through their order only, and by no member.
pub(super) async fn check(staff: &Client, member: &Client, surface: Surface, story: &Story) {
    let refused = async |client: &Client, name: &str, request: Value| match client
        .call(&format!("order_notes.{name}"), request)
        .await
    {
        Err(Failure::Refused(refusal)) => refusal.reason,
        other => panic!("{name} over {surface:?}: {other:?}"),
    };
    let write = |text: &str| json!({"orderId": story.order_id, "text": text, "kind": "CALL"});
    let first = staff.call("order_notes.CreateOrderNote", write(" The first. ")).await.unwrap().json;
    assert_eq!((&first["text"], &first["status"]), (&json!("The first."), &json!("ACTIVE")), "{surface:?}: {first}");
    let second = staff.call("order_notes.CreateOrderNote", write("The second.")).await.unwrap().json;
    let one = json!({"orderId": story.order_id, "orderNoteId": first["id"]});
    let pinned = staff.call("order_notes.PinOrderNote", one.clone()).await.unwrap().json;
    assert_eq!(pinned["status"], "PINNED", "{surface:?}: {pinned}");
    let list = json!({"orderId": story.order_id, "orderBy": "PINNED_FIRST", "kind": "CALL"});
    let page = staff.call("order_notes.ListOrderNotes", list.clone()).await.unwrap().json;
    let ids: Vec<&Value> = page["orderNotes"].as_array().unwrap().iter().map(|note| &note["id"]).collect();
    assert_eq!(ids, [&first["id"], &second["id"]], "{surface:?}: {page}");
    let elsewhere = json!({"orderId": "another", "orderNoteId": first["id"]});
    assert_eq!(refused(staff, "GetOrderNote", elsewhere).await, "NOT_FOUND", "{surface:?}");
    assert_eq!(refused(staff, "CreateOrderNote", write(" ")).await, "INVALID_FIELD", "{surface:?}");
    assert_eq!(refused(member, "ListOrderNotes", list).await, "REALM_NOT_ALLOWED", "{surface:?}");
    staff.call("order_notes.DeleteOrderNote", one.clone()).await.unwrap();
    assert_eq!(refused(staff, "GetOrderNote", one).await, "NOT_FOUND", "{surface:?}");
}
