//! Messages and alerts, the same on every surface.

use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

/// The reason of a refusal, and its first field.
async fn refusal(client: &Client, name: &str, request: Value, surface: Surface) -> (String, String) {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => (refusal.reason, refusal.fields.into_iter().next().unwrap_or_default()),
        other => panic!("{name} over {surface:?}: {other:?}"),
    }
}

/// An alert is made of a template that its key names, read by its owner, and led through its statuses.
pub(super) async fn alerts(staff: &Client, member: &Client, owner: &str, surface: Surface) {
    let key = format!("wire.{}", format!("{surface:?}").to_lowercase());
    let title =
        json!([{"locale": "en-US", "text": "Hello {{ name }}"}, {"locale": "fr-CA", "text": "Bonjour {{ name }}"}]);
    let template = json!({"key": key, "titles": title, "priority": "Low", "scope": "idshield"});
    let made = staff.call("alerts.CreateAlertTemplate", template.clone()).await.unwrap().json;
    assert_eq!((&made["id"], &made["priority"]), (&json!(key), &json!("Low")), "{surface:?}: {made}");
    let found = staff.call("alerts.GetAlertTemplate", json!({"templateKey": key})).await.unwrap().json;
    assert_eq!(found["titles"], title, "{surface:?}");
    assert_eq!(refusal(staff, "alerts.CreateAlertTemplate", template, surface).await.0, "ALREADY_EXISTS");
    let ask = json!({"identityId": owner, "templateKey": key});
    let refused = refusal(staff, "alerts.CreateIdentityAlert", ask, surface).await;
    assert_eq!(refused, ("TEMPLATE_VALUE_MISSING".to_owned(), "values".to_owned()), "{surface:?}");
    let ask = json!({"identityId": owner, "templateKey": key, "values": [{"name": "name", "text": "Ada"}]});
    let alert = staff.call("alerts.CreateIdentityAlert", ask).await.unwrap().json;
    assert_eq!((&alert["status"], &alert["titles"][1]["text"]), (&json!("Unread"), &json!("Bonjour Ada")), "{alert}");
    let one = json!({"identityId": owner, "alertId": alert["id"]});
    let list = json!({"identityId": owner, "status": "Unread", "priority": "Low"});
    let page = member.call("alerts.ListIdentityAlerts", list).await.unwrap().json;
    assert_eq!(page["alerts"][0]["id"], alert["id"], "{surface:?}: {page}");
    let escalated = staff.call("alerts.EscalateAlert", json!({"alertId": alert["id"]})).await.unwrap().json;
    assert_eq!(escalated["priority"], "Medium", "{surface:?}: {escalated}");
    let seen = member.call("alerts.AcknowledgeAlert", one.clone()).await.unwrap().json;
    assert_eq!(seen["status"], "Acknowledged", "{surface:?}: {seen}");
    let mut moved = one.clone();
    moved["newOwnerId"] = json!(format!("{owner}-other"));
    let moved = staff.call("alerts.ChangeAlertOwner", moved).await.unwrap().json;
    assert_eq!(moved["ownerId"], format!("{owner}-other"), "{surface:?}: {moved}");
    assert_eq!(refusal(member, "alerts.GetAlert", one.clone(), surface).await.0, "NOT_FOUND", "{surface:?}");
    let alert = json!({"alertId": alert["id"]});
    assert_eq!(staff.call("alerts.ResolveAlert", alert.clone()).await.unwrap().json["status"], "Resolved");
    assert_eq!(staff.call("alerts.DeleteAlert", alert).await.unwrap().json["status"], "Deleted");
    staff.call("alerts.DeleteAlertTemplate", json!({"templateKey": key})).await.unwrap();
}
