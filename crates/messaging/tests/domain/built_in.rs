//! The platform's own letters: templates that are there from the first start on, and codes that are kept by nobody.

use std::collections::BTreeSet;

use pavise_kernel::Result;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::time::to_timestamp;
use pavise_messaging::contract::NOTIFICATION_TABLE;
use pavise_messaging::contract::v1::*;
use pavise_testkit::scene::Engine;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, into_answer, refusal_reason, request_by, scene_on, scenes, value};

const ADA: &str = "ada@example.com";
const NUMBER: &str = "+15125550100";
const RESET: &str = "security.password-reset";
/// The identity whose profile says fr-CA.
const ZOE: &str = "zoe";
const ID: &str = "70000000-0000-4000-8000-00000000000a";

fn reset(email: &str) -> NotificationDraft {
    NotificationDraft {
        template_key: RESET.into(),
        types: vec![NotificationType::Email.into()],
        email: email.into(),
        values: vec![value("user", "ada"), value("code", "QWERT-12345")],
        ..NotificationDraft::default()
    }
}

fn factor_code(number: &str) -> NotificationDraft {
    NotificationDraft {
        template_key: "security.factor-code".into(),
        types: vec![NotificationType::Sms.into()],
        phone_number: number.into(),
        values: vec![value("code", "123456")],
        ..NotificationDraft::default()
    }
}

async fn send(scene: &Scene, request: SendNotificationRequest) -> Result<Notification> {
    into_answer(scene.notifications().send_notification(request_by(PLATFORM, request)).await)
}

async fn check(scene: &Scene, channel: NotificationType, address: &str) -> Result<CheckChannelResponse> {
    let request =
        CheckChannelRequest { r#type: channel.into(), address: address.into(), ..CheckChannelRequest::default() };
    into_answer(scene.notifications().check_channel(request_by(PLATFORM, request)).await)
}

async fn templates(scene: &Scene) -> Vec<NotificationTemplate> {
    let request = ListNotificationTemplatesRequest::default();
    into_answer(scene.notifications().list_notification_templates(request_by(STAFF, request)).await).unwrap().templates
}

/// Rule 193: notification templates are keyed and localized.
#[tokio::test(flavor = "multi_thread")]
async fn the_platforms_letters_are_there_in_four_locales_and_nobody_deletes_them() {
    for scene in scenes().await {
        let all = templates(&scene).await;
        let security = all.iter().filter(|one| one.category() == NotificationCategory::Security).count();
        assert_eq!((all.len(), security), (25, 10));
        assert!(all.iter().all(|one| one.built_in && one.status() == NotificationTemplateStatus::Published));
        for one in &all {
            let locales: BTreeSet<i32> = one.contents.iter().map(|content| content.locale).collect();
            assert_eq!((locales.len(), one.contents.len()), (4, 8), "{}", one.key);
        }
        let mut client = scene.notifications();
        let delete = DeleteNotificationTemplateRequest { template_key: RESET.into() };
        let refused = into_answer(client.delete_notification_template(request_by(STAFF, delete)).await);
        assert_eq!(refusal_reason(refused), "TEMPLATE_BUILT_IN");
        let before = all.iter().find(|one| one.key == RESET).unwrap();
        let head = UpdateNotificationTemplateRequest {
            template_key: RESET.into(),
            category: before.category,
            types: before.types.clone(),
            variables: before.variables.clone(),
        };
        let marketing =
            UpdateNotificationTemplateRequest { category: NotificationCategory::Marketing.into(), ..head.clone() };
        let texts_only =
            UpdateNotificationTemplateRequest { types: vec![NotificationType::Sms.into()], ..head.clone() };
        let bare = UpdateNotificationTemplateRequest { variables: Vec::new(), ..head.clone() };
        for changed in [marketing, texts_only, bare] {
            let refused = into_answer(client.update_notification_template(request_by(STAFF, changed)).await);
            assert_eq!(refusal_reason(refused), "TEMPLATE_BUILT_IN");
        }
        into_answer(client.update_notification_template(request_by(STAFF, head)).await).unwrap();
        // A start finds them all.
        let seed = |key: &str| request_by(PLATFORM, SeedNotificationTemplateRequest { template_key: key.into() });
        let known = into_answer(client.seed_notification_template(seed(RESET)).await).unwrap();
        assert_eq!((known.version, templates(&scene).await.len()), (before.version, 25));
        let unknown = into_answer(client.seed_notification_template(seed("security.other")).await);
        assert_eq!(refusal_reason(unknown), "INVALID_FIELD");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_change_the_words_of_a_built_in_template() {
    let scene = scene_on(Engine::Sqlite).await;
    let mut client = scene.notifications();
    let put = PutTemplateContentRequest {
        template_key: RESET.into(),
        r#type: NotificationType::Email.into(),
        locale: Locale::EnUs.into(),
        subject: "A new password".into(),
        text: "{{ code }} at {{ site }}/app/reset-password?user={{ user }}".into(),
        html: String::new(),
    };
    into_answer(client.put_template_content(request_by(STAFF, put.clone())).await).unwrap();
    let publish = || PublishNotificationTemplateRequest { template_key: RESET.into() };
    let published =
        into_answer(client.publish_notification_template(request_by(STAFF, publish())).await).unwrap().published;
    assert_eq!(published.unwrap().number, 2);
    send(&scene, SendNotificationRequest { notification: Some(reset(ADA)), ..SendNotificationRequest::default() })
        .await
        .unwrap();
    assert_eq!(scene.run_workers("sent").await.left, 0);
    let taken = scene.letterbox.taken();
    assert_eq!(taken[0].text, "QWERT-12345 at https://pavise.example/app/reset-password?user=ada");
    // The platform fills the address of its pages: nobody declares it, and nobody sends it.
    let site = NotificationDraft { values: vec![value("site", "https://evil.example")], ..reset(ADA) };
    assert_eq!(refusal_reason(scene.send(site).await), "INVALID_FIELD");
    let declared = CreateNotificationTemplateRequest {
        key: "other".into(),
        category: NotificationCategory::Account.into(),
        types: vec![NotificationType::Email.into()],
        variables: vec![TemplateVariable {
            name: "site".into(),
            kind: TemplateValueKind::Text.into(),
            sample: "x".into(),
        }],
        contents: Vec::new(),
    };
    let refused = into_answer(client.create_notification_template(request_by(STAFF, declared)).await).unwrap_err();
    assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "variables[0].name"));
    let gap = PutTemplateContentRequest { text: "{{ code }} {{ name }}".into(), ..put };
    into_answer(client.put_template_content(request_by(STAFF, gap)).await).unwrap();
    let refused = into_answer(client.publish_notification_template(request_by(STAFF, publish())).await);
    assert_eq!(refusal_reason(refused), "TEMPLATE_INCOMPLETE");
}

/// The domain documents gives each letter of a questionnaire a title and a name, which is empty for a reader without one.
#[tokio::test(flavor = "multi_thread")]
async fn letters_of_questionnaires_need_a_name_and_a_title() {
    for scene in scenes().await {
        for key in ["documents.reminder", "documents.submitted", "documents.ready"] {
            let draft = |values: Vec<TextValue>| NotificationDraft {
                template_key: key.into(),
                types: vec![NotificationType::Email.into()],
                email: ADA.into(),
                locale: Locale::FrCa.into(),
                values,
                ..NotificationDraft::default()
            };
            for (name, greeting) in [("Ada", "Bonjour Ada,"), ("", "Bonjour,")] {
                let sent = scene.send(draft(vec![value("name", name), value("title", "Testament")])).await.unwrap();
                let text = sent.content.unwrap_or_default().text;
                assert!(text.starts_with(greeting) && text.contains("« Testament »"), "{key}: {text}");
            }
            let refused = scene.send(draft(vec![value("name", "Ada")])).await;
            assert_eq!(refusal_reason(refused), "TEMPLATE_VALUE_MISSING", "{key}");
        }
    }
}

/// A letter is in the locale of its reader's profile. Where that says none, it is in the one that the sender knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_written_in_the_locale_of_the_profile_and_kept_by_nobody() {
    for scene in scenes().await {
        let french = SendNotificationRequest {
            notification: Some(reset(ADA)),
            identity_id: ZOE.into(),
            id: ID.into(),
            fallback_locale: Locale::EsUs.into(),
        };
        let sent = send(&scene, french.clone()).await.unwrap();
        assert_eq!((sent.id.as_str(), sent.locale(), sent.content.clone()), (ID, Locale::FrCa, None));
        let said = NotificationDraft { locale: Locale::EnCa.into(), ..reset(ADA) };
        let said = SendNotificationRequest { notification: Some(said), id: String::new(), ..french.clone() };
        assert_eq!(send(&scene, said).await.unwrap().locale(), Locale::EnCa, "the sender says it");
        let nobody = SendNotificationRequest { identity_id: "nobody".into(), id: String::new(), ..french.clone() };
        assert_eq!(send(&scene, nobody).await.unwrap().locale(), Locale::EsUs, "there is no profile");
        // The sender's record has an id: the same message is not made twice, with or without an idempotency key.
        assert_eq!(refusal_reason(send(&scene, french.clone()).await), "ALREADY_EXISTS");
        let wrong = SendNotificationRequest { id: "one".into(), ..french };
        assert_eq!(refusal_reason(send(&scene, wrong).await), "INVALID_FIELD");
        assert_eq!(scene.run_workers("sent").await.left, 0);
        let taken = scene.letterbox.taken();
        let mail = taken.iter().find(|message| message.id == ID).unwrap();
        assert_eq!(mail.subject, "Choisissez un nouveau mot de passe");
        assert!(mail.text.contains("https://pavise.example/app/reset-password?user=ada dans les 30 minutes"));
        assert_eq!(taken.iter().filter(|message| message.id == ID).count(), 1);
        let row = scene.store().get(&NOTIFICATION_TABLE, ID).await.unwrap().unwrap();
        assert!(!row.doc.contains("secretContent"), "{}", row.doc);
        let (entries, _) = scene.store().journal("notifications", ID, 0, 100).await.unwrap();
        for doc in entries.into_iter().map(|entry| entry.doc).chain([row.doc]) {
            assert!(!doc.contains("QWERT") && !doc.contains(ADA), "{doc}");
        }
    }
}

/// An unsubscription holds no code back. STOP does: a code is then refused before it is made.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_to_an_address_that_gets_nothing_is_refused() {
    for scene in scenes().await {
        let provider = check(&scene, NotificationType::Sms, NUMBER).await.unwrap().provider();
        assert_eq!(provider, NotificationProvider::Outbox);
        scene.send(factor_code(NUMBER)).await.unwrap();
        scene.receive("SM1", NUMBER, "STOP").await.unwrap();
        for refused in [
            check(&scene, NotificationType::Sms, NUMBER).await.map(drop),
            scene.send(factor_code(NUMBER)).await.map(drop),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!(refused.reason(), "RECIPIENT_SUPPRESSED");
            assert!(!refused.message().contains("512"), "{}", refused.message());
        }
        check(&scene, NotificationType::Sms, "").await.unwrap();
        check(&scene, NotificationType::Sms, "+15125550199").await.unwrap();
        scene.receive("SM2", NUMBER, " start ").await.unwrap();
        check(&scene, NotificationType::Sms, NUMBER).await.unwrap();

        let mail = reset(ADA);
        let sent = scene.send(mail.clone()).await.unwrap();
        assert_eq!(scene.run_workers("sent").await.left, 0);
        for (number, (kind, reason)) in [("unsubscribe", ""), ("bounce", "RECIPIENT_SUPPRESSED")].iter().enumerate() {
            let event = format!(
                r#"[{{"email":"{ADA}","timestamp":{},"event":"{kind}","sg_event_id":"event-{number}","sg_message_id":"m","notification_id":"{}"}}]"#,
                scene.now().seconds,
                sent.id
            );
            let request = request_by("", scene.sign_events(event.as_bytes(), 0));
            into_answer(scene.notifications().receive_sendgrid_events(request).await).unwrap();
            assert_eq!(scene.run_workers(kind).await.left, 0);
            let checked = check(&scene, NotificationType::Email, ADA).await;
            assert_eq!(checked.map_or_else(|error| error.reason().to_owned(), |_| String::new()), *reason, "{kind}");
            let again = scene.send(mail.clone()).await.map(drop);
            assert_eq!(again.map_or_else(|error| error.reason().to_owned(), |()| String::new()), *reason, "{kind}");
        }
        let invitation = CheckChannelRequest {
            r#type: NotificationType::Email.into(),
            address: ADA.into(),
            category: NotificationCategory::Account.into(),
        };
        let refused = into_answer(scene.notifications().check_channel(request_by(PLATFORM, invitation)).await);
        assert_eq!(refusal_reason(refused), "RECIPIENT_SUPPRESSED");
    }
}

#[tokio::test]
async fn only_the_platform_asks_whether_a_channel_works() {
    let scene = scene_on(Engine::Sqlite).await;
    assert_eq!(refusal_reason(check(&scene, NotificationType::Push, "").await), "NOT_CONFIGURED");
    assert_eq!(refusal_reason(check(&scene, NotificationType::Unspecified, "").await), "INVALID_FIELD");
    assert_eq!(refusal_reason(check(&scene, NotificationType::Email, "a\0b").await), "INVALID_FIELD");
    for (who, reason) in [("", "TOKEN_MISSING"), (ALICE, "REALM_NOT_ALLOWED"), (STAFF, "REALM_NOT_ALLOWED")] {
        let request = CheckChannelRequest { r#type: NotificationType::Sms.into(), ..CheckChannelRequest::default() };
        let refused = into_answer(scene.notifications().check_channel(request_by(who, request)).await);
        assert_eq!(refusal_reason(refused), reason, "{who}");
        let seed = SeedNotificationTemplateRequest { template_key: RESET.into() };
        let refused = into_answer(scene.notifications().seed_notification_template(request_by(who, seed)).await);
        assert_eq!(refusal_reason(refused), reason, "{who}");
    }
}

/// A code whose time is over is not sent, and nothing of it is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_code_whose_time_is_over_is_not_sent() {
    let scene = scene_on(Engine::Sqlite).await;
    let soon = Some(to_timestamp(scene.kernel.business_clock().now() + 60_000_000));
    let sent = scene.send(NotificationDraft { expires_at: soon, ..reset(ADA) }).await.unwrap();
    scene.clock.move_forward(std::time::Duration::from_secs(61));
    assert_eq!(scene.run_workers("late").await.left, 0);
    let late = scene.notification(&sent.id).await;
    assert_eq!((late.status(), late.failure.as_str()), (NotificationStatus::Failed, "its time was over"));
    assert!(scene.letterbox.taken().is_empty());
    let row = scene.store().get(&NOTIFICATION_TABLE, &sent.id).await.unwrap().unwrap();
    assert!(!row.doc.contains("secretContent"));
}
