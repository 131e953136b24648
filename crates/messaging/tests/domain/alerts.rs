//! Alerts: made of templates or not, read, escalated by staff and by time, resolved.

use std::slice::from_ref;
use std::time::Duration;

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Locale, StaffRole};
use pavise_messaging::contract::v1::*;

use crate::scene::{
    ALICE, MALLORY, PLATFORM, STAFF, Scene, into_answer, refusal_reason, request_by, scene_on, scenes, text, value,
};
use pavise_testkit::scene::Engine;

/// The gRPC path of the journal of alerts.
const JOURNAL: &str = "/pavise.messaging.v1.AlertService/ReadJournal";
/// Somebody of the branch b1.
const LAWYER: &str = "Partner/lara/BRANCH=b1:LAWYER/+messaging.alerts.read/+messaging.alerts.write";

fn template(key: &str, minutes: i32) -> CreateAlertTemplateRequest {
    CreateAlertTemplateRequest {
        key: key.into(),
        titles: vec![text(Locale::EnUs, "{{ firm }} does not answer"), text(Locale::FrCa, "{{ firm }} ne répond pas")],
        texts: vec![text(Locale::EnUs, "Call {{ firm }}.")],
        priority: AlertPriority::Low.into(),
        scope: ApplicationScope::People.into(),
        notification_types: vec![AlertNotificationType::Email.into()],
        escalation_minutes: minutes,
    }
}

async fn add_template(scene: &Scene, key: &str, minutes: i32) -> AlertTemplate {
    into_answer(scene.alerts().create_alert_template(request_by(STAFF, template(key, minutes))).await).unwrap()
}

fn of_template(key: &str) -> CreateIdentityAlertRequest {
    CreateIdentityAlertRequest {
        identity_id: "alice".into(),
        template_key: key.into(),
        values: vec![value("firm", "Lee & Lee")],
        ..CreateIdentityAlertRequest::default()
    }
}

fn for_team() -> CreateAlertRequest {
    CreateAlertRequest {
        titles: vec![text(Locale::EnUs, "A payment is unclear")],
        audience_permission: "billing.transactions.resolve".into(),
        ..CreateAlertRequest::default()
    }
}

async fn create(scene: &Scene, who: &str, request: CreateIdentityAlertRequest) -> Result<Alert> {
    into_answer(scene.alerts().create_identity_alert(request_by(who, request)).await)
}

async fn create_for_team(scene: &Scene, who: &str, request: CreateAlertRequest) -> Result<Alert> {
    into_answer(scene.alerts().create_alert(request_by(who, request)).await)
}

async fn get(scene: &Scene, who: &str, alert: &Alert) -> Result<Alert> {
    let request = GetAlertRequest { alert_id: alert.id.clone() };
    into_answer(scene.alerts().get_alert(request_by(who, request)).await)
}

async fn acknowledge(scene: &Scene, who: &str, alert: &Alert) -> Result<Alert> {
    let request = AcknowledgeAlertRequest { identity_id: alert.owner_id.clone(), alert_id: alert.id.clone() };
    into_answer(scene.alerts().acknowledge_alert(request_by(who, request)).await)
}

async fn dismiss(scene: &Scene, who: &str, alert: &Alert) -> Result<Alert> {
    let request = DismissAlertRequest { identity_id: alert.owner_id.clone(), alert_id: alert.id.clone() };
    into_answer(scene.alerts().dismiss_alert(request_by(who, request)).await)
}

async fn escalate(scene: &Scene, alert: &Alert) -> Result<Alert> {
    let request = EscalateAlertRequest { alert_id: alert.id.clone() };
    into_answer(scene.alerts().escalate_alert(request_by(STAFF, request)).await)
}

async fn resolve(scene: &Scene, who: &str, alert: &Alert) -> Result<Alert> {
    into_answer(scene.alerts().resolve_alert(request_by(who, ResolveAlertRequest { alert_id: alert.id.clone() })).await)
}

async fn delete(scene: &Scene, alert: &Alert) -> Result<Alert> {
    into_answer(scene.alerts().delete_alert(request_by(STAFF, DeleteAlertRequest { alert_id: alert.id.clone() })).await)
}

async fn list(scene: &Scene, who: &str, request: ListAlertsRequest) -> Result<Vec<String>> {
    let page = into_answer(scene.alerts().list_alerts(request_by(who, request)).await)?;
    Ok(page.alerts.into_iter().map(|alert| alert.id).collect())
}

/// Rule 174: alerts have templates addressed by a key.
#[tokio::test]
async fn an_alert_gets_texts_and_urgency_from_its_template() {
    for scene in scenes().await {
        let made = add_template(&scene, "case.no-answer", 60).await;
        assert_eq!((made.id.as_str(), made.key.as_str()), ("case.no-answer", "case.no-answer"));
        let alert = create(&scene, STAFF, of_template("case.no-answer")).await.unwrap();
        let titles: Vec<&str> = alert.titles.iter().map(|title| title.text.as_str()).collect();
        assert_eq!(titles, ["Lee & Lee does not answer", "Lee & Lee ne répond pas"]);
        assert_eq!(alert.texts[0].text, "Call Lee & Lee.");
        assert_eq!((alert.priority(), alert.scope()), (AlertPriority::Low, ApplicationScope::People));
        assert_eq!((alert.status(), alert.owner_id.as_str()), (AlertStatus::Unread, "alice"));
        assert!(alert.escalates_at.is_some() && alert.notification_types.len() == 1);
        // A replaced template changes no alert, and the next one has the new texts.
        let replaced = ReplaceAlertTemplateRequest {
            key: "case.no-answer".into(),
            titles: vec![text(Locale::EnUs, "Nobody answers")],
            priority: AlertPriority::High.into(),
            ..ReplaceAlertTemplateRequest::default()
        };
        into_answer(scene.alerts().replace_alert_template(request_by(STAFF, replaced)).await).unwrap();
        let next = create(&scene, STAFF, of_template("case.no-answer")).await.unwrap();
        assert_eq!((next.titles.len(), next.titles[0].text.as_str()), (1, "Nobody answers"));
        assert_eq!((next.priority(), next.escalates_at), (AlertPriority::High, None));
        assert_eq!(get(&scene, ALICE, &alert).await.unwrap().titles.len(), 2);
        let removal = DeleteAlertTemplateRequest { template_key: "case.no-answer".into() };
        into_answer(scene.alerts().delete_alert_template(request_by(STAFF, removal)).await).unwrap();
        assert_eq!(refusal_reason(create(&scene, STAFF, of_template("case.no-answer")).await), "INVALID_FIELD");
        assert_eq!(get(&scene, ALICE, &alert).await.unwrap().template_key, "case.no-answer");
    }
}

#[tokio::test]
async fn a_template_with_a_fault_and_an_alert_without_its_values_are_refused() {
    let scene = scene_on(Engine::Sqlite).await;
    add_template(&scene, "case.no-answer", 0).await;
    let bare = CreateIdentityAlertRequest { values: Vec::new(), ..of_template("case.no-answer") };
    assert_eq!(refusal_reason(create(&scene, STAFF, bare).await), "TEMPLATE_VALUE_MISSING");
    let twice = vec![value("firm", "a"), value("firm", "b")];
    let twice = CreateIdentityAlertRequest { values: twice, ..of_template("case.no-answer") };
    assert_eq!(refusal_reason(create(&scene, STAFF, twice).await), "INVALID_FIELD");
    let both = vec![text(Locale::EnUs, "My own")];
    let both = CreateIdentityAlertRequest { titles: both, ..of_template("case.no-answer") };
    let both = create(&scene, STAFF, both).await.unwrap();
    assert_eq!((both.titles[0].text.as_str(), both.texts[0].text.as_str()), ("My own", "Call Lee & Lee."));
    for (titles, field) in [
        (vec![text(Locale::FrCa, "Seulement")], "titles"),
        (vec![text(Locale::EnUs, "{{ firm")], "titles[0].text"),
        (vec![text(Locale::EnUs, "{{ Firm }}")], "titles[0].text"),
        (vec![text(Locale::EnUs, &"x".repeat(201))], "titles[0].text"),
    ] {
        let wrong = CreateAlertTemplateRequest { titles, ..template("case.wrong", 0) };
        let refused = into_answer(scene.alerts().create_alert_template(request_by(STAFF, wrong)).await).unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", field));
    }
    let again = scene.alerts().create_alert_template(request_by(STAFF, template("case.no-answer", 0))).await;
    assert_eq!(refusal_reason(into_answer(again)), "ALREADY_EXISTS");
    let named = CreateAlertTemplateRequest { key: "No!".into(), ..template("x", 0) };
    assert_eq!(
        refusal_reason(into_answer(scene.alerts().create_alert_template(request_by(STAFF, named)).await)),
        "INVALID_FIELD"
    );
}

#[tokio::test]
async fn an_alert_goes_through_its_life() {
    for scene in scenes().await {
        let alert = create_for_team(&scene, STAFF, for_team()).await.unwrap();
        assert_eq!((alert.status(), alert.priority()), (AlertStatus::Unread, AlertPriority::Medium));
        let resolved = resolve(&scene, STAFF, &alert).await.unwrap();
        assert_eq!(resolved.status(), AlertStatus::Resolved, "from Unread, too");
        assert_eq!(refusal_reason(escalate(&scene, &alert).await), "STATUS_NOT_ALLOWED");
        assert_eq!(delete(&scene, &alert).await.unwrap().status(), AlertStatus::Deleted);
        assert_eq!(refusal_reason(resolve(&scene, STAFF, &alert).await), "STATUS_NOT_ALLOWED");
        let mine = CreateIdentityAlertRequest {
            template_key: String::new(),
            values: Vec::new(),
            titles: vec![text(Locale::EnUs, "Your data was found")],
            ..of_template("")
        };
        let mine = create(&scene, STAFF, mine).await.unwrap();
        let seen = acknowledge(&scene, ALICE, &mine).await.unwrap();
        assert_eq!((seen.status(), seen.acknowledged_at.is_some()), (AlertStatus::Acknowledged, true));
        assert_eq!(dismiss(&scene, ALICE, &mine).await.unwrap().status(), AlertStatus::Dismissed);
        assert_eq!(refusal_reason(acknowledge(&scene, ALICE, &mine).await), "STATUS_NOT_ALLOWED");
        let change = ChangeAlertOwnerRequest {
            identity_id: "alice".into(),
            alert_id: mine.id.clone(),
            new_owner_id: "bob".into(),
        };
        assert_eq!(
            refusal_reason(into_answer(scene.alerts().change_alert_owner(request_by(ALICE, change.clone())).await)),
            "REALM_NOT_ALLOWED"
        );
        let moved = into_answer(scene.alerts().change_alert_owner(request_by(STAFF, change)).await).unwrap();
        assert_eq!(moved.owner_id, "bob");
        assert_eq!(refusal_reason(get(&scene, ALICE, &mine).await), "NOT_FOUND");
        let actions: Vec<String> = scene.read_journal(JOURNAL).await.into_iter().map(|entry| entry.action).collect();
        let expected = "CREATED STATUS_UPDATED DELETED CREATED STATUS_UPDATED STATUS_UPDATED OWNER_CHANGED".split(' ');
        assert_eq!(actions, expected.collect::<Vec<_>>());
    }
}

/// Rule 398: the priorities of alerts are Low, Medium, High and Critical.
#[tokio::test]
async fn an_alert_that_nobody_reads_goes_from_low_to_critical() {
    for scene in scenes().await {
        add_template(&scene, "case.no-answer", 15).await;
        let unread = create(&scene, STAFF, of_template("case.no-answer")).await.unwrap();
        let read = create(&scene, STAFF, of_template("case.no-answer")).await.unwrap();
        acknowledge(&scene, ALICE, &read).await.unwrap();
        let mut seen = Vec::new();
        for minute in 0..75 {
            scene.clock.move_forward(Duration::from_secs(60));
            scene.run_timer("messaging.escalate_alerts", &minute.to_string()).await.unwrap();
            scene.run_timer("messaging.escalate_alerts", &format!("{minute} again")).await.unwrap();
            let now = get(&scene, ALICE, &unread).await.unwrap();
            if seen.last().is_none_or(|(_, priority)| *priority != now.priority()) {
                seen.push((minute, now.priority()));
            }
        }
        let expected = [
            (0, AlertPriority::Low),
            (14, AlertPriority::Medium),
            (29, AlertPriority::High),
            (44, AlertPriority::Critical),
        ];
        assert_eq!(seen, expected);
        assert_eq!(get(&scene, ALICE, &read).await.unwrap().priority(), AlertPriority::Low, "somebody reads it");
        let critical = get(&scene, ALICE, &unread).await.unwrap();
        assert_eq!((critical.version, critical.escalates_at), (4, None));
        assert_eq!(escalate(&scene, &critical).await.unwrap().version, 4, "Critical stays");
        assert_eq!(escalate(&scene, &read).await.unwrap().priority(), AlertPriority::Medium);
    }
}

/// Rule 275: updateNotificationStatus takes a body.
#[tokio::test]
async fn programs_report_how_they_told_of_an_alert() {
    let scene = scene_on(Engine::Sqlite).await;
    let alert = create_for_team(&scene, STAFF, for_team()).await.unwrap();
    let report = |who: &'static str, way: AlertNotificationType, status: AlertNotificationStatus| {
        let one = AlertNotification { r#type: way.into(), status: status.into(), reported_at: None };
        let request = UpdateNotificationStatusRequest { alert_id: alert.id.clone(), notifications: vec![one] };
        let mut client = scene.alerts();
        async move { into_answer(client.update_notification_status(request_by(who, request)).await) }
    };
    let (email, sms) = (AlertNotificationType::Email, AlertNotificationType::Sms);
    let (good, bad) = (AlertNotificationStatus::Success, AlertNotificationStatus::Failed);
    assert_eq!(report(PLATFORM, email, bad).await.unwrap().notification_status(), bad);
    let mixed = report(PLATFORM, sms, good).await.unwrap();
    assert_eq!((mixed.notification_status(), mixed.notifications.len()), (AlertNotificationStatus::Mixed, 2));
    let better = report(PLATFORM, email, good).await.unwrap();
    assert_eq!((better.notification_status(), better.notifications.len()), (good, 2));
    assert_eq!(refusal_reason(report(STAFF, email, bad).await), "REALM_NOT_ALLOWED");
    assert_eq!(
        refusal_reason(report(PLATFORM, email, AlertNotificationStatus::Mixed).await),
        "INVALID_FIELD",
        "one way cannot be mixed"
    );
}

#[tokio::test]
async fn each_reader_sees_their_own_alerts() {
    for scene in scenes().await {
        let team = create_for_team(&scene, STAFF, for_team()).await.unwrap();
        let branch = |id: &str| CreateAlertRequest {
            audience_permission: String::new(),
            branch_id: id.into(),
            branch_role: StaffRole::Lawyer.into(),
            priority: AlertPriority::High.into(),
            ..for_team()
        };
        let first = create_for_team(&scene, STAFF, branch("b1")).await.unwrap();
        let second = create_for_team(&scene, STAFF, branch("b2")).await.unwrap();
        add_template(&scene, "case.no-answer", 0).await;
        let mine = create(&scene, STAFF, of_template("case.no-answer")).await.unwrap();
        let all = ListAlertsRequest::default();
        assert_eq!(list(&scene, STAFF, all.clone()).await.unwrap().len(), 4);
        assert_eq!(list(&scene, LAWYER, all.clone()).await.unwrap(), from_ref(&first.id));
        assert_eq!(refusal_reason(list(&scene, ALICE, all.clone()).await), "REALM_NOT_ALLOWED");
        let high = ListAlertsRequest {
            priority: AlertPriority::High.into(),
            status: AlertStatus::Unread.into(),
            ..all.clone()
        };
        assert_eq!(list(&scene, STAFF, high).await.unwrap(), [second.id.clone(), first.id.clone()]);
        let of_team = ListAlertsRequest { audience_permission: "billing.transactions.resolve".into(), ..all };
        assert_eq!(list(&scene, STAFF, of_team).await.unwrap(), from_ref(&team.id));
        assert_eq!(get(&scene, LAWYER, &first).await.unwrap().id, first.id);
        for (who, alert) in [(LAWYER, &second), (LAWYER, &mine), (ALICE, &team), (MALLORY, &mine)] {
            assert_eq!(refusal_reason(get(&scene, who, alert).await), "NOT_FOUND", "{who}");
        }
        assert_eq!(refusal_reason(acknowledge(&scene, MALLORY, &mine).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(resolve(&scene, LAWYER, &second).await), "NOT_FOUND");
        assert_eq!(resolve(&scene, LAWYER, &first).await.unwrap().status(), AlertStatus::Resolved);
        let own = ListIdentityAlertsRequest {
            identity_id: "alice".into(),
            show_total: true,
            ..ListIdentityAlertsRequest::default()
        };
        let page = into_answer(scene.alerts().list_identity_alerts(request_by(ALICE, own.clone())).await).unwrap();
        assert_eq!((page.alerts.len(), page.total_size), (1, 1));
        let boss = "GroupAdmin/alice/acme";
        let page = into_answer(scene.alerts().list_identity_alerts(request_by(boss, own)).await).unwrap();
        assert_eq!(page.alerts.len(), 1, "an owner of any realm needs no permission");
    }
}

#[tokio::test]
async fn an_alert_has_readers_and_only_one_kind_of_them() {
    let scene = scene_on(Engine::Sqlite).await;
    let nobody = CreateAlertRequest { audience_permission: String::new(), ..for_team() };
    assert_eq!(refusal_reason(create_for_team(&scene, STAFF, nobody).await), "INVALID_FIELD");
    let role = CreateAlertRequest { branch_role: StaffRole::Lawyer.into(), ..for_team() };
    assert_eq!(refusal_reason(create_for_team(&scene, STAFF, role).await), "INVALID_FIELD");
    let nameless = CreateAlertRequest { titles: Vec::new(), ..for_team() };
    assert_eq!(refusal_reason(create_for_team(&scene, STAFF, nameless).await), "INVALID_FIELD");
    let odd = CreateAlertRequest { audience_permission: "all".into(), ..for_team() };
    assert_eq!(refusal_reason(create_for_team(&scene, STAFF, odd).await), "INVALID_FIELD");
    assert_eq!(refusal_reason(create_for_team(&scene, ALICE, for_team()).await), "REALM_NOT_ALLOWED");
}
