//! Messages and alerts, the same on every surface.

use pavise::wire::{Client, Failure, Surface};
use pavise_kernel::time::{add_days, to_date};
use serde_json::{Value, json};

/// The reason of a refusal, and its first field.
async fn refusal(client: &Client, name: &str, request: Value, surface: Surface) -> (String, String) {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => (refusal.reason, refusal.fields.into_iter().next().unwrap_or_default()),
        other => panic!("{name} over {surface:?}: {other:?}"),
    }
}

/// Nine o'clock, so many days from now.
fn days_ahead(now: i64, days: i64) -> String {
    let day = add_days(to_date(now), days);
    format!("{:04}-{:02}-{:02}T09:00:00Z", day.year, day.month, day.day)
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
    assert_eq!(
        refusal(member, "alerts.GetAlert", json!({"alertId": alert["id"]}), surface).await.0,
        "NOT_FOUND",
        "{surface:?}"
    );
    let alert = json!({"alertId": alert["id"]});
    assert_eq!(staff.call("alerts.ResolveAlert", alert.clone()).await.unwrap().json["status"], "Resolved");
    assert_eq!(staff.call("alerts.DeleteAlert", alert).await.unwrap().json["status"], "Deleted");
    staff.call("alerts.DeleteAlertTemplate", json!({"templateKey": key})).await.unwrap();
}

/// A template is edited, published and sent; what is scheduled is taken back; a suppressed address gets nothing.
pub(super) async fn notifications(staff: &Client, member: &Client, (owner, now): (&str, i64), surface: Surface) {
    let key = format!("wire.{}", format!("{surface:?}").to_lowercase());
    let contents = json!([{"type": "PULSE", "locale": "en-US", "subject": "Hello", "text": "Hello {{ name }}"}]);
    let template = json!({"key": key, "category": "ACCOUNT", "types": ["EMAIL", "PULSE"], "contents": contents,
        "variables": [{"name": "name", "kind": "TEXT", "sample": "Ada"}]});
    let made = staff.call("notifications.CreateNotificationTemplate", template).await.unwrap().json;
    assert_eq!(made["status"], "DRAFT", "{surface:?}: {made}");
    let named = json!({"templateKey": key});
    let refused = refusal(staff, "notifications.PublishNotificationTemplate", named.clone(), surface).await;
    assert_eq!(refused, ("TEMPLATE_INCOMPLETE".to_owned(), "contents".to_owned()), "{surface:?}");
    let put = json!({"templateKey": key, "type": "EMAIL", "locale": "en-US", "subject": "Hi", "text": "Hi {{ name }}"});
    let put = staff.call("notifications.PutTemplateContent", put).await.unwrap().json;
    assert_eq!(put["contents"].as_array().unwrap().len(), 2, "{surface:?}: {put}");
    let published = staff.call("notifications.PublishNotificationTemplate", named.clone()).await.unwrap().json;
    assert_eq!(published["published"]["number"], 1, "{surface:?}: {published}");
    let ask = |more: Value| {
        let mut draft = json!({"templateKey": key, "values": [{"name": "name", "text": "Ada"}]});
        draft.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"identityId": owner, "notification": draft})
    };
    let pulse = ask(json!({"types": ["PULSE"]}));
    let sent = staff.call("notifications.CreateNotification", pulse).await.unwrap().json;
    assert_eq!(sent["content"]["text"], "Hello Ada", "{surface:?}: {sent}");
    let list = json!({"identityId": owner, "templateKey": key});
    let page = member.call("notifications.ListNotifications", list).await.unwrap().json;
    assert_eq!(page["notifications"][0]["id"], sent["id"], "{surface:?}: {page}");
    let later = ask(json!({"email": "ada@example.com", "deliverOn": days_ahead(now, 100)}));
    let later = staff.call("notifications.CreateNotification", later).await.unwrap().json;
    assert_eq!((&later["status"], &later["type"]), (&json!("SCHEDULED"), &json!("EMAIL")), "{surface:?}: {later}");
    let one = json!({"notificationId": later["id"]});
    let back = staff.call("notifications.CancelScheduledNotification", one).await.unwrap().json;
    assert_eq!(back["status"], "CANCELLED", "{surface:?}: {back}");
    let address = format!("gone-{owner}@example.com").to_lowercase();
    let gone = json!({"email": address, "note": "asked"});
    let suppressed = staff.call("notifications.CreateSuppression", gone.clone()).await.unwrap().json;
    assert_eq!(refusal(staff, "notifications.CreateSuppression", gone, surface).await.0, "ALREADY_EXISTS");
    let dropped = staff.call("notifications.CreateNotification", ask(json!({"email": address}))).await.unwrap().json;
    assert_eq!(dropped["status"], "DROPPED", "{surface:?}: {dropped}");
    let lift = json!({"suppressionId": suppressed["id"]});
    assert_eq!(staff.call("notifications.LiftSuppression", lift).await.unwrap().json["status"], "LIFTED");
    let far = ask(json!({"email": address, "deliverOn": "2099-01-01T00:00:00Z"}));
    assert_eq!(
        refusal(staff, "notifications.CreateNotification", far, surface).await.1,
        "notification.deliverOn",
        "{surface:?}"
    );
    communications(staff, (&key, now), surface).await;
    staff.call("notifications.DeleteNotificationTemplate", named).await.unwrap();
    built_in(staff, (owner, &address), surface).await;
}

/// A template of the platform's own letters is sent with an id of the sender's, and is not deleted.
async fn built_in(staff: &Client, (owner, address): (&str, &str), surface: Surface) {
    let named = json!({"templateKey": "security.password-reset"});
    let found = staff.call("notifications.GetNotificationTemplate", named.clone()).await.unwrap().json;
    assert_eq!((&found["builtIn"], &found["category"]), (&json!(true), &json!("SECURITY")), "{surface:?}: {found}");
    let refused = refusal(staff, "notifications.DeleteNotificationTemplate", named, surface).await;
    assert_eq!(refused.0, "TEMPLATE_BUILT_IN", "{surface:?}");
    let place = Surface::ALL.iter().position(|one| *one == surface).unwrap();
    let id = format!("70000000-0000-4000-8000-{place:012}");
    let values = json!([{"name": "user", "text": owner}, {"name": "code", "text": "WIRED-12345"}]);
    let draft = json!({"templateKey": "security.password-reset", "email": address, "values": values});
    let ask = json!({"notification": draft, "id": id, "fallbackLocale": "es-US"});
    let sent = staff.call("notifications.SendNotification", ask.clone()).await.unwrap().json;
    assert_eq!((&sent["id"], &sent["locale"]), (&json!(id), &json!("es-US")), "{surface:?}: {sent}");
    assert!(!sent.to_string().contains("WIRED"), "{surface:?}: a code is in no answer: {sent}");
    assert_eq!(refusal(staff, "notifications.SendNotification", ask, surface).await.0, "ALREADY_EXISTS");
}

/// A communication is scheduled once under its key, moved and taken back; the worker is paused and activated.
async fn communications(staff: &Client, (template, now): (&str, i64), surface: Surface) {
    let ask = json!({"templateKey": template, "email": "ada@example.com", "deliverOn": days_ahead(now, 100),
        "uniqueKey": format!("wire/{surface:?}"), "values": [{"name": "name", "text": "Ada"}]});
    let made = staff.call("scheduled_communications.CreateScheduledCommunication", ask.clone()).await.unwrap().json;
    let again = staff.call("scheduled_communications.CreateScheduledCommunication", ask).await.unwrap().json;
    assert_eq!((&made["status"], &made["id"]), (&json!("SCHEDULED"), &again["id"]), "{surface:?}: {made}");
    let one = json!({"scheduledCommunicationId": made["id"], "deliverOn": days_ahead(now, 101)});
    let moved = staff.call("scheduled_communications.ChangeDeliverOn", one).await.unwrap().json;
    assert_eq!(moved["deliverOn"], days_ahead(now, 101), "{surface:?}: {moved}");
    let one = json!({"scheduledCommunicationId": made["id"]});
    let back = staff.call("scheduled_communications.CancelScheduledCommunication", one.clone()).await.unwrap().json;
    assert_eq!(back["status"], "CANCELLED", "{surface:?}: {back}");
    let refused = refusal(staff, "scheduled_communications.ProcessScheduledCommunication", one, surface).await;
    assert_eq!(refused.0, "STATUS_NOT_ALLOWED", "{surface:?}");
    for (call, status) in [("PauseCommunicationWorker", "PAUSED"), ("ActivateCommunicationWorker", "ACTIVE")] {
        let worker = staff.call(&format!("scheduled_communications.{call}"), json!({})).await.unwrap().json;
        assert_eq!((&worker["id"], &worker["status"]), (&json!("worker"), &json!(status)), "{surface:?}: {worker}");
    }
}
