//! Notifications: rendered from templates, handed over, tried again, read, redacted.

use std::time::Duration;

use pavise_kernel::Result;
use pavise_kernel::common::v1::Locale;
use pavise_kernel::time::to_timestamp;
use pavise_messaging::HandOverError;
use pavise_messaging::contract::NOTIFICATION_TABLE;
use pavise_messaging::contract::v1::*;
use pavise_testkit::scene::Engine;

use crate::scene::{
    ALICE, MALLORY, STAFF, Scene, UNSUBSCRIBED, content, into_answer, refusal_reason, request_by, scene_on, scenes,
    value,
};

const ADA: &str = "ada@example.com";

fn variable(name: &str, kind: TemplateValueKind, sample: &str) -> TemplateVariable {
    TemplateVariable { name: name.into(), kind: kind.into(), sample: sample.into() }
}

/// A receipt by mail in three locales, by text, and in the application.
pub(crate) fn receipt() -> CreateNotificationTemplateRequest {
    let (email, sms, pulse) = (NotificationType::Email, NotificationType::Sms, NotificationType::Pulse);
    let mut html = content(email, Locale::EnUs, "Receipt of {{ amount }}", "Hello {{ name }}, we got {{ amount }}.");
    html.html = "<p>Hello {{ name }}</p>".into();
    CreateNotificationTemplateRequest {
        key: "billing.payment-received".into(),
        category: NotificationCategory::Billing.into(),
        types: vec![email.into(), sms.into(), pulse.into()],
        variables: vec![
            variable("name", TemplateValueKind::Text, "Ada"),
            variable("amount", TemplateValueKind::Money, "29.95 USD"),
        ],
        contents: vec![
            html,
            content(email, Locale::FrCa, "Reçu de {{ amount }}", "Bonjour {{ name }}, nous avons reçu {{ amount }}."),
            content(email, Locale::EnCa, "Receipt: {{ amount }}", "Hi {{ name }}, we got {{ amount }}."),
            content(sms, Locale::EnUs, "", "We got {{ amount }}."),
            content(pulse, Locale::EnUs, "Receipt", "We got {{ amount }} from {{ name }}."),
            content(NotificationType::Push, Locale::EnUs, "Receipt", "We got {{ amount }}."),
        ],
    }
}

/// A code by mail or text.
fn code() -> CreateNotificationTemplateRequest {
    let (email, sms) = (NotificationType::Email, NotificationType::Sms);
    CreateNotificationTemplateRequest {
        key: "security.code".into(),
        category: NotificationCategory::Security.into(),
        types: vec![email.into(), sms.into()],
        variables: vec![variable("code", TemplateValueKind::Code, "ABCD-1234")],
        contents: vec![
            content(email, Locale::EnUs, "Your code", "It is {{ code }}."),
            content(sms, Locale::EnUs, "", "Your code is {{ code }}."),
        ],
    }
}

pub(crate) fn draft(email: &str) -> NotificationDraft {
    NotificationDraft {
        template_key: "billing.payment-received".into(),
        email: email.into(),
        values: vec![value("name", "Ada <b>"), value("amount", "1029.95 USD")],
        ..NotificationDraft::default()
    }
}

fn code_draft(email: &str) -> NotificationDraft {
    NotificationDraft {
        template_key: "security.code".into(),
        email: email.into(),
        values: vec![value("code", "QWER-5678")],
        ..NotificationDraft::default()
    }
}

async fn to_alice(scene: &Scene, draft: NotificationDraft) -> Result<Notification> {
    let request = CreateNotificationRequest { identity_id: "alice".into(), notification: Some(draft) };
    into_answer(scene.notifications().create_notification(request_by(STAFF, request)).await)
}

async fn run(scene: &Scene, occasion: &str) {
    assert_eq!(scene.run_workers(occasion).await.left, 0);
}

/// Rules 13, 191 and 193: notifications of templates that are keyed and localized go out over their channels.
#[tokio::test(flavor = "multi_thread")]
async fn a_notification_is_rendered_in_the_readers_locale_and_handed_over_once() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let one = scene.send(draft(ADA)).await.unwrap();
        assert_eq!((one.status(), one.r#type()), (NotificationStatus::Pending, NotificationType::Email));
        assert_eq!((one.category(), one.template_version), (NotificationCategory::Billing, 1));
        for locale in [Locale::FrCa, Locale::EnCa, Locale::EsUs] {
            scene.send(NotificationDraft { locale: locale.into(), ..draft(ADA) }).await.unwrap();
        }
        run(&scene, "one").await;
        assert_eq!(scene.replay().await, 0);
        let taken = scene.letterbox.taken();
        let subjects: Vec<&str> = taken.iter().map(|message| message.subject.as_str()).collect();
        let french = "Reçu de 1\u{a0}029,95\u{a0}$\u{a0}US";
        assert_eq!(subjects, ["Receipt of $1,029.95", french, "Receipt: US$1,029.95", "Receipt of $1,029.95"]);
        assert_eq!(taken[0].id, one.id);
        assert_eq!(taken[0].html, "<p>Hello Ada &lt;b&gt;</p>", "a value is no markup");
        assert_eq!(taken[0].text, "Hello Ada <b>, we got $1,029.95.");
        let sent = scene.notification(&one.id).await;
        assert_eq!((sent.status(), sent.provider()), (NotificationStatus::Processed, NotificationProvider::Outbox));
        assert_eq!((sent.attempts.len(), sent.next_try_at), (1, None));
        assert!(sent.attempts[0].settled_at.is_some());
        // Staff see a part of the address.
        assert_eq!(sent.recipient, "a•••@example.com");
        let reveal = RevealNotificationRequest { notification_id: one.id.clone(), reason: "they ask".into() };
        let revealed = into_answer(scene.notifications().reveal_notification(request_by(STAFF, reveal)).await).unwrap();
        assert_eq!(revealed.recipient, ADA);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_contents_lie_sealed_in_rows_and_journals() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        scene.publish(code()).await;
        let receipt = to_alice(&scene, draft(ADA)).await.unwrap();
        let code = to_alice(&scene, code_draft(ADA)).await.unwrap();
        run(&scene, "one").await;
        for notification in [&receipt, &code] {
            let row = scene.store().get(&NOTIFICATION_TABLE, &notification.id).await.unwrap().unwrap();
            let (entries, _) = scene.store().journal("notifications", &notification.id, 0, 100).await.unwrap();
            assert!(entries.len() >= 3);
            for doc in entries.into_iter().map(|entry| entry.doc).chain([row.doc]) {
                for clear in ["ada@", "1,029", "QWER", "Ada <b>"] {
                    assert!(!doc.contains(clear), "{clear}: {doc}");
                }
            }
        }
        assert_eq!(scene.letterbox.taken()[1].text, "It is QWER-5678.");
        let code = scene.notification(&code.id).await;
        assert_eq!((code.content, code.secret_content), (None, None), "a code is gone once it was handed over");
        let journal = scene.read_journal("/pavise.messaging.v1.NotificationService/ReadJournal").await;
        assert!(journal.iter().all(|entry| !format!("{entry:?}").contains("QWER")));
    }
}

/// Rule 311: the personal data of notifications are removed.
#[tokio::test(flavor = "multi_thread")]
async fn redaction_leaves_statuses_and_times() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let sent = to_alice(&scene, draft(ADA)).await.unwrap();
        run(&scene, "one").await;
        let later = to_timestamp(scene.kernel.business_clock().now() + 3_600_000_000);
        let waits = to_alice(&scene, NotificationDraft { deliver_on: Some(later), ..draft(ADA) }).await.unwrap();
        let redact = || {
            let request = RedactNotificationsRequest { identity_id: "alice".into() };
            let mut client = scene.notifications();
            async move { into_answer(client.redact_notifications(request_by(STAFF, request)).await).unwrap() }
        };
        assert_eq!(redact().await.redacted_count, 2);
        assert_eq!(redact().await.redacted_count, 0);
        let sent = scene.notification(&sent.id).await;
        assert_eq!((sent.status(), sent.content, sent.recipient.as_str()), (NotificationStatus::Processed, None, ""));
        assert!(sent.redacted_at.is_some() && sent.created_at.is_some());
        assert_eq!(scene.notification(&waits.id).await.status(), NotificationStatus::Cancelled);
        let again = ResendNotificationRequest { notification_id: sent.id };
        assert_eq!(
            refusal_reason(into_answer(scene.notifications().resend_notification(request_by(STAFF, again)).await)),
            "NOT_RESENDABLE"
        );
    }
}

/// Rule 229: scheduled notifications are cancelled, have their delivery date updated, or are processed.
#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_notification_waits_for_its_time() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let at = |hours: i64| Some(to_timestamp(scene.kernel.business_clock().now() + hours * 3_600_000_000));
        let in_an_hour = NotificationDraft { deliver_on: at(1), ..draft(ADA) };
        let mut all = Vec::new();
        for _ in 0..4 {
            let one = scene.send(in_an_hour.clone()).await.unwrap();
            assert_eq!(one.status(), NotificationStatus::Scheduled);
            all.push(one.id);
        }
        let mut client = scene.notifications();
        let cancel = CancelScheduledNotificationRequest { notification_id: all[0].clone() };
        let cancelled = into_answer(client.cancel_scheduled_notification(request_by(STAFF, cancel)).await).unwrap();
        assert_eq!(cancelled.status(), NotificationStatus::Cancelled);
        let process = ProcessScheduledNotificationRequest { notification_id: all[1].clone() };
        let processed = into_answer(client.process_scheduled_notification(request_by(STAFF, process)).await).unwrap();
        assert_eq!(processed.status(), NotificationStatus::Pending);
        let update = |at| UpdateDeliverOnRequest { notification_id: all[2].clone(), deliver_on: at };
        into_answer(client.update_deliver_on(request_by(STAFF, update(at(3)))).await).unwrap();
        let past = into_answer(client.update_deliver_on(request_by(STAFF, update(at(-1)))).await);
        assert_eq!(refusal_reason(past), "INVALID_FIELD");
        let statuses = async || {
            let mut found = Vec::new();
            for id in &all {
                found.push(scene.notification(id).await.status());
            }
            found
        };
        use NotificationStatus as Status;
        run(&scene, "now").await;
        assert_eq!(statuses().await, [Status::Cancelled, Status::Processed, Status::Scheduled, Status::Scheduled]);
        scene.clock.move_forward(Duration::from_secs(3_600));
        run(&scene, "in an hour").await;
        assert_eq!(statuses().await, [Status::Cancelled, Status::Processed, Status::Scheduled, Status::Processed]);
        scene.clock.move_forward(Duration::from_secs(7_200));
        run(&scene, "in three hours").await;
        assert_eq!(statuses().await, [Status::Cancelled, Status::Processed, Status::Processed, Status::Processed]);
        assert_eq!(scene.letterbox.taken().len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_does_not_answer_is_asked_five_times() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let one = scene.send(draft(ADA)).await.unwrap();
        scene.letterbox.set_fault(Some(HandOverError::Unavailable("the mail server does not answer")));
        let mut tries = Vec::new();
        for minute in 0..20 {
            run(&scene, &minute.to_string()).await;
            let now = scene.notification(&one.id).await;
            if tries.last().is_none_or(|(_, count)| *count != now.attempts.len()) {
                tries.push((minute, now.attempts.len()));
            }
            scene.clock.move_forward(Duration::from_secs(60));
        }
        let counts: Vec<usize> = tries.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [1, 2, 3, 4, 5], "{tries:?}");
        let failed = scene.notification(&one.id).await;
        assert_eq!(
            (failed.status(), failed.failure.as_str()),
            (NotificationStatus::Failed, "the mail server does not answer")
        );
        // Rule 230: any notification can be resent.
        scene.letterbox.set_fault(None);
        let again = ResendNotificationRequest { notification_id: one.id.clone() };
        let again = into_answer(scene.notifications().resend_notification(request_by(STAFF, again)).await).unwrap();
        assert_eq!((again.status(), again.resent_from_id.as_str()), (NotificationStatus::Pending, one.id.as_str()));
        run(&scene, "again").await;
        assert_eq!(scene.notification(&one.id).await.status(), NotificationStatus::Resent);
        assert_eq!(scene.notification(&again.id).await.status(), NotificationStatus::Processed);
        scene.letterbox.set_fault(Some(HandOverError::Refused("the mail server refused it")));
        let refused = scene.send(draft(ADA)).await.unwrap();
        run(&scene, "refused").await;
        assert_eq!(scene.notification(&refused.id).await.status(), NotificationStatus::Failed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn members_read_their_messages_and_no_mail_of_others() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let pulse = NotificationDraft { types: vec![NotificationType::Pulse.into()], ..draft("") };
        let pulse = to_alice(&scene, pulse).await.unwrap();
        let mail = to_alice(&scene, draft(ADA)).await.unwrap();
        run(&scene, "one").await;
        let list = ListNotificationsRequest { identity_id: "alice".into(), ..ListNotificationsRequest::default() };
        let page =
            into_answer(scene.notifications().list_notifications(request_by(ALICE, list.clone())).await).unwrap();
        let seen: Vec<(&str, bool)> =
            page.notifications.iter().map(|one| (one.id.as_str(), one.content.is_some())).collect();
        assert_eq!(seen, [(mail.id.as_str(), false), (pulse.id.as_str(), true)]);
        assert_eq!(page.notifications[0].recipient, ADA, "their own address");
        assert_eq!(page.notifications[1].status(), NotificationStatus::Delivered);
        assert_eq!(
            refusal_reason(into_answer(scene.notifications().list_notifications(request_by(MALLORY, list)).await)),
            "NOT_THE_OWNER"
        );
        let read = |who: &'static str, id: &str| {
            let request = ReadNotificationRequest { identity_id: "alice".into(), notification_id: id.into() };
            let mut client = scene.notifications();
            async move { into_answer(client.read_notification(request_by(who, request)).await) }
        };
        assert!(read(ALICE, &pulse.id).await.unwrap().read_at.is_some());
        assert_eq!(refusal_reason(read(ALICE, &mail.id).await), "STATUS_NOT_ALLOWED");
        assert_eq!(refusal_reason(read(MALLORY, &pulse.id).await), "NOT_THE_OWNER");
        // Rule 316: changeIdentity takes a query.
        let change = ChangeNotificationIdentityRequest {
            identity_id: "alice".into(),
            notification_id: pulse.id.clone(),
            new_owner_id: "bob".into(),
        };
        into_answer(scene.notifications().change_notification_identity(request_by(STAFF, change)).await).unwrap();
        assert_eq!(refusal_reason(read(ALICE, &pulse.id).await), "NOT_FOUND");
        let delete = DeleteNotificationRequest { identity_id: "bob".into(), notification_id: pulse.id };
        into_answer(scene.notifications().delete_notification(request_by(STAFF, delete)).await).unwrap();
    }
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_with_its_field() {
    let scene = scene_on(Engine::Sqlite).await;
    into_answer(scene.notifications().create_notification_template(request_by(STAFF, receipt())).await).unwrap();
    assert_eq!(refusal_reason(scene.send(draft(ADA)).await), "TEMPLATE_NOT_PUBLISHED");
    let publish = PublishNotificationTemplateRequest { template_key: "billing.payment-received".into() };
    into_answer(scene.notifications().publish_notification_template(request_by(STAFF, publish)).await).unwrap();
    let at = |hours: i64| Some(to_timestamp(scene.kernel.business_clock().now() + hours * 3_600_000_000));
    for (wrong, reason, field) in [
        (
            NotificationDraft { values: vec![value("name", "Ada")], ..draft(ADA) },
            "TEMPLATE_VALUE_MISSING",
            "notification.values",
        ),
        (
            NotificationDraft { values: vec![value("amount", "much")], ..draft(ADA) },
            "INVALID_FIELD",
            "notification.values[0].text",
        ),
        (
            NotificationDraft { values: vec![value("other", "x")], ..draft(ADA) },
            "INVALID_FIELD",
            "notification.values[0].name",
        ),
        (draft(""), "INVALID_FIELD", "notification.types"),
        (draft("no address"), "INVALID_FIELD", "notification.email"),
        (
            NotificationDraft { template_key: "other".into(), ..draft(ADA) },
            "INVALID_FIELD",
            "notification.template_key",
        ),
        (NotificationDraft { deliver_on: at(-1), ..draft(ADA) }, "INVALID_FIELD", "notification.deliver_on"),
        (NotificationDraft { deliver_on: at(24 * 800), ..draft(ADA) }, "INVALID_FIELD", "notification.deliver_on"),
        (NotificationDraft { expires_at: at(-1), ..draft(ADA) }, "INVALID_FIELD", "notification.expires_at"),
    ] {
        let refused = scene.send(wrong).await.unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), (reason, field));
    }
    let push =
        NotificationDraft { types: vec![NotificationType::Push.into()], device_token: "a device".into(), ..draft("") };
    assert_eq!(refusal_reason(scene.send(push).await), "NOT_CONFIGURED", "nobody hands it over");
    let mail = |count: usize| SendEmailRequest {
        recipients: (0..count).map(|number| format!("a{number}@example.com")).collect(),
        subject: "Hello".into(),
        text: "Hello.".into(),
        ..SendEmailRequest::default()
    };
    let many = into_answer(scene.notifications().send_email(request_by(STAFF, mail(51))).await);
    assert_eq!(refusal_reason(many), "INVALID_FIELD");
    // Rule 347: sendEmail has a body.
    let sent = into_answer(scene.notifications().send_email(request_by(STAFF, mail(3))).await).unwrap();
    assert_eq!(sent.notifications.len(), 3);
    run(&scene, "mails").await;
    assert_eq!(scene.letterbox.taken().len(), 3);
    let control = SendEmailRequest { subject: "a\r\nBcc: b@example.com".into(), ..mail(1) };
    let refused = into_answer(scene.notifications().send_email(request_by(STAFF, control)).await);
    assert_eq!(refusal_reason(refused), "INVALID_FIELD");
    let member = into_answer(scene.notifications().send_email(request_by(ALICE, mail(1))).await);
    assert_eq!(refusal_reason(member), "REALM_NOT_ALLOWED");
}

/// Rule 313: the localization of a template is by two path parts.
#[tokio::test]
async fn a_draft_is_edited_previewed_and_published() {
    for scene in scenes().await {
        let published = scene.publish(receipt()).await;
        assert_eq!(published.status(), NotificationTemplateStatus::Published);
        let mut client = scene.notifications();
        let put = PutTemplateContentRequest {
            template_key: "billing.payment-received".into(),
            r#type: NotificationType::Email.into(),
            locale: Locale::EsUs.into(),
            subject: "Recibo de {{ amount }}".into(),
            text: "Hola {{ name }}".into(),
            html: String::new(),
        };
        let edited = into_answer(client.put_template_content(request_by(STAFF, put.clone())).await).unwrap();
        assert_eq!(edited.contents.len(), published.contents.len() + 1);
        let again = into_answer(client.put_template_content(request_by(STAFF, put)).await).unwrap();
        assert_eq!(again.version, edited.version, "nothing was changed");
        let preview = PreviewNotificationTemplateRequest {
            template_key: "billing.payment-received".into(),
            r#type: NotificationType::Email.into(),
            locale: Locale::EsUs.into(),
            values: vec![value("name", "Ana")],
        };
        let shown = into_answer(client.preview_notification_template(request_by(STAFF, preview)).await).unwrap();
        assert_eq!(shown.content.unwrap().subject, "Recibo de $29.95");
        assert_eq!(shown.locale, i32::from(Locale::EsUs));
        let spanish = NotificationDraft { locale: Locale::EsUs.into(), ..draft(ADA) };
        let before = scene.send(spanish.clone()).await.unwrap();
        assert_eq!(before.content.unwrap().subject, "Receipt of $1,029.95", "the draft is not published yet");
        let publish = PublishNotificationTemplateRequest { template_key: "billing.payment-received".into() };
        let second = into_answer(client.publish_notification_template(request_by(STAFF, publish)).await).unwrap();
        assert_eq!(second.published.unwrap().number, 2);
        let after = scene.send(spanish).await.unwrap();
        assert_eq!((after.content.unwrap().subject.as_str(), after.template_version), ("Recibo de $1,029.95", 2));
        let remove = DeleteTemplateContentRequest {
            template_key: "billing.payment-received".into(),
            r#type: NotificationType::Email.into(),
            locale: Locale::EsUs.into(),
        };
        into_answer(client.delete_template_content(request_by(STAFF, remove.clone())).await).unwrap();
        assert_eq!(
            refusal_reason(into_answer(client.delete_template_content(request_by(STAFF, remove)).await)),
            "NOT_FOUND"
        );
        let delete = DeleteNotificationTemplateRequest { template_key: "billing.payment-received".into() };
        into_answer(client.delete_notification_template(request_by(STAFF, delete)).await).unwrap();
        assert_eq!(refusal_reason(scene.send(draft(ADA)).await), "INVALID_FIELD");
    }
}

/// RFC 8058: each mail has a link by which its reader unsubscribes from its kind. Nobody unsubscribes from codes.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_unsubscribes_from_a_kind_of_mail() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        scene.publish(code()).await;
        scene.send(draft(ADA)).await.unwrap();
        scene.send(code_draft(ADA)).await.unwrap();
        let unwanted = scene.send(draft(UNSUBSCRIBED)).await.unwrap();
        scene.send(code_draft(UNSUBSCRIBED)).await.unwrap();
        let plain = SendEmailRequest {
            recipients: vec![ADA.into()],
            subject: "Hello".into(),
            text: "Hello.".into(),
            ..SendEmailRequest::default()
        };
        into_answer(scene.notifications().send_email(request_by(STAFF, plain)).await).unwrap();
        run(&scene, "one").await;
        let links: Vec<String> = scene.letterbox.taken().into_iter().map(|message| message.unsubscribe_url).collect();
        let link = |key: &str| {
            format!("https://pavise.example/v1/profile/{ADA}/communicationPreferences/{key}?token=to+{key}")
        };
        assert_eq!(links, [link("billing.payment-received"), String::new(), String::new(), link("account")]);
        let dropped = scene.notification(&unwanted.id).await;
        assert_eq!((dropped.status(), dropped.failure.contains("unsubscribed")), (NotificationStatus::Dropped, true));
        // Without an answer nothing is sent, but it is tried again.
        scene.wire.set_down("members", true);
        let waits = scene.send(draft(ADA)).await.unwrap();
        run(&scene, "two").await;
        assert_eq!(scene.notification(&waits.id).await.status(), NotificationStatus::Pending);
        scene.wire.set_down("members", false);
        scene.clock.move_forward(Duration::from_secs(90));
        run(&scene, "three").await;
        assert_eq!(scene.notification(&waits.id).await.status(), NotificationStatus::Processed);
    }
}

/// Rule 312: a one-time password is sent by sendOtp.
#[tokio::test]
async fn a_one_time_password_is_the_code_of_a_factor() {
    let scene = scene_on(Engine::Sqlite).await;
    let send = |identity: &str, way: NotificationType| {
        let request = SendOtpRequest { identity_id: identity.into(), r#type: way.into() };
        let mut client = scene.notifications();
        async move { into_answer(client.send_otp(request_by(STAFF, request)).await) }
    };
    assert_eq!(send("alice", NotificationType::Unspecified).await.unwrap().factor_id, "mail", "the primary one");
    assert_eq!(send("alice", NotificationType::Sms).await.unwrap().factor_id, "text");
    assert_eq!(refusal_reason(send("alice", NotificationType::Push).await), "INVALID_FIELD");
    assert_eq!(refusal_reason(send("bob", NotificationType::Unspecified).await), "NO_FACTOR_FOR_CODES");
}
