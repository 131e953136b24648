//! Streams over each surface: watches of one order and of a group's orders, and an export.

use std::time::Duration;

use pavise::wire::{Client, Failure, Messages, Surface};
use serde_json::{Value, json};

use super::ME;

/// The longest wait for a message.
const SOON: Duration = Duration::from_secs(60);

async fn next(messages: &mut Messages) -> Option<Value> {
    tokio::time::timeout(SOON, messages.next()).await.unwrap().unwrap()
}

async fn refused(client: &Client, name: &str, request: Value) -> String {
    let failure = match client.open(name, request).await {
        Ok(mut messages) => tokio::time::timeout(SOON, messages.next()).await.unwrap().unwrap_err(),
        Err(failure) => failure,
    };
    match failure {
        Failure::Refused(refusal) => refusal.reason,
        Failure::Broken(error) => panic!("{name}: {error:#}"),
    }
}

/// A member's order from its first entry on, and again from the clock of the last one.
pub(super) async fn watches(member: &Client, stranger: &Client, surface: Surface, order: &str, owner: &str) {
    let from = |clock: &Value| json!({"orderId": order, "identityId": owner, "clock": clock});
    let mut messages = member.open("orders.WatchOrder", from(&json!("1"))).await.unwrap();
    let first = next(&mut messages).await.unwrap();
    let second = next(&mut messages).await.unwrap();
    assert_eq!((&first["version"], &second["version"]), (&json!("1"), &json!("2")), "{surface:?}: {first} {second}");
    assert_eq!((&first["entityId"], &first["actor"]), (&json!(order), &json!("")), "{surface:?}");
    assert_eq!(second["entity"]["ownerId"], owner, "{surface:?}: {second}");
    drop(messages);
    let mut resumed = member.open("orders.WatchOrder", from(&first["clock"])).await.unwrap();
    assert_eq!(next(&mut resumed).await.unwrap(), second, "{surface:?}");
    assert_eq!(refused(stranger, "orders.WatchOrder", from(&json!("1"))).await, "NOT_THE_OWNER", "{surface:?}");
}

/// The orders of a group from now on: those of the group alone, for its people alone.
pub(super) async fn groups(admin: &Client, others: &Client, surface: Surface, write: impl AsyncFn(&str, &str)) {
    let (group, other) = (format!("group-{surface:?}"), format!("other-{surface:?}"));
    let watch = |group: &str| json!({"groupId": group});
    let mut messages = admin.open("orders.WatchGroupOrders", watch(&group)).await.unwrap();
    write(&format!("theirs-{surface:?}"), &other).await;
    write(&format!("private-{surface:?}"), "").await;
    write(&format!("ours-{surface:?}"), &group).await;
    let entry = next(&mut messages).await.unwrap();
    assert_eq!(entry["entityId"], format!("ours-{surface:?}"), "{surface:?}: {entry}");
    assert_eq!((&entry["entity"]["groupId"], &entry["actor"]), (&json!(group), &json!("")), "{surface:?}: {entry}");
    drop(messages);
    write(&format!("later-{surface:?}"), &group).await;
    let resume = json!({"groupId": group, "clock": entry["clock"]});
    let mut resumed = admin.open("orders.WatchGroupOrders", resume).await.unwrap();
    assert_eq!(next(&mut resumed).await.unwrap()["entityId"], format!("later-{surface:?}"), "{surface:?}");
    assert_eq!(refused(admin, "orders.WatchGroupOrders", watch(&other)).await, "NOT_THE_OWNER", "{surface:?}");
    assert_eq!(refused(others, "orders.WatchGroupOrders", watch(&group)).await, "ROLE_MISSING", "{surface:?}");
}

/// Accounting exports the invoices of a range of days, and finds some by their numbers.
pub(super) async fn exports(staff: &Client, member: &Client, surface: Surface) {
    let owner = format!("{ME}-export-{surface:?}");
    let year = 2040 + Surface::ALL.iter().position(|one| *one == surface).unwrap();
    let mut raised = Vec::new();
    for (day, amount) in [("03-01", 300), ("01-31", 100), ("02-28", 200), ("12-31", 400)] {
        let item = |kind: &str, amount: i64| json!({"type": kind, "amount": {"currency": "USD", "amount": amount.to_string()}, "description": day});
        let items = [item("ORDER", amount), item("DISCOUNT", -50)];
        let invoice = json!({"identityId": owner, "currency": "USD", "items": items, "dueOn": format!("{year}-{day}")});
        raised.push(staff.call("invoices.CreateInvoice", invoice).await.unwrap().json);
    }
    let range = json!({"dueFrom": format!("{year}-01-31"), "dueUntil": format!("{year}-03-01")});
    let mut messages = staff.open("invoices.ExportInvoices", range.clone()).await.unwrap();
    let mut rows = Vec::new();
    while let Some(row) = next(&mut messages).await {
        rows.push(row);
    }
    let numbers: Vec<&Value> = rows.iter().map(|row| &row["number"]).collect();
    assert_eq!(numbers, [&raised[1]["number"], &raised[2]["number"], &raised[0]["number"]], "{surface:?}");
    let first = &rows[0];
    assert_eq!((&first["ownerId"], &first["status"]), (&json!(owner), &json!("ACTIVE")), "{surface:?}: {first}");
    assert_eq!(
        (&first["total"]["amount"], &first["creditedAmount"]["amount"]),
        (&json!("50"), &json!("50")),
        "{first}"
    );
    assert_eq!(first["openAmount"], first["total"], "{surface:?}: {first}");
    let mut paid = range.clone();
    paid["status"] = json!("PAID");
    let mut none = staff.open("invoices.ExportInvoices", paid).await.unwrap();
    assert_eq!(next(&mut none).await, None, "{surface:?}");
    let long = json!({"dueFrom": "2039-01-01", "dueUntil": "2040-01-02"});
    assert_eq!(refused(staff, "invoices.ExportInvoices", long).await, "INVALID_FIELD", "{surface:?}");
    assert_eq!(refused(member, "invoices.ExportInvoices", range).await, "REALM_NOT_ALLOWED", "{surface:?}");

    let asked = json!({"numbers": [raised[2]["number"], "INV-00-1", raised[0]["number"], raised[2]["number"]]});
    let found = staff.call("invoices.GetInvoicesByNumbers", asked.clone()).await.unwrap().json;
    assert_eq!(found["invoices"], json!([raised[2], raised[0]]), "{surface:?}");
    assert_eq!(found["notFound"], json!(["INV-00-1"]), "{surface:?}");
    match member.call("invoices.GetInvoicesByNumbers", asked).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "REALM_NOT_ALLOWED", "{surface:?}"),
        other => panic!("{surface:?}: {other:?}"),
    }
    let many: Vec<String> = (0..501).map(|number| format!("INV-00-{number}")).collect();
    match staff.call("invoices.GetInvoicesByNumbers", json!({"numbers": many})).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "INVALID_FIELD", "{surface:?}"),
        other => panic!("{surface:?}: {other:?}"),
    }
}
