//! Notices are written with what they tell of, handed to messaging once it has happened, and then forgotten.

use std::collections::BTreeSet;
use std::time::Duration;

use pavise_identity::contract::NOTICE_TABLE;
use pavise_identity::contract::v1::{AddEmailRequest, DeliverNoticeRequest, Notice, NoticeStatus, SetPasswordRequest};
use pavise_kernel::Common;
use pavise_kernel::common::v1::TellSubjectRequest;
use pavise_kernel::store::{Filter, StoredRow};
use pavise_kernel::worker::decode_entity;

use crate::scene::{Scene, WireFault, refusal_reason, scene, scenes, with};

const HOUR: Duration = Duration::from_secs(3600);

async fn rows(scene: &Scene) -> Vec<StoredRow> {
    scene.store().list(&NOTICE_TABLE, &Filter { limit: 100, ..Filter::default() }).await.unwrap()
}

/// Changes the password of a member, who is told of it.
async fn something_happens(scene: &Scene) {
    let ada = scene.member("ada@example.com").await;
    let set = SetPasswordRequest { user_id: ada.id, password: "staple of another kind".into() };
    scene.identities().set_password(scene.platform(set)).await.unwrap();
}

#[tokio::test]
async fn a_notice_is_delivered_once_and_keeps_nothing_afterwards() {
    for scene in scenes().await {
        something_happens(&scene).await;
        let waiting = rows(&scene).await;
        assert_eq!(waiting.len(), 1);
        assert_eq!(waiting[0].status, "PENDING");
        assert!(!waiting[0].doc.contains("ada@example.com"), "the address is sealed: {}", waiting[0].doc);
        assert!(!format!("{:?}", scene.entries().await).contains("sealed_letter: [1"), "and never leaves the service");

        let delivered = scene.delivered().await;
        assert_eq!(delivered.len(), 1);
        assert_eq!(
            (delivered[0].address.as_str(), delivered[0].id.as_str()),
            ("ada@example.com", waiting[0].id.as_str())
        );
        assert_eq!(delivered[0].template, "security.password-changed");
        assert!(scene.delivered().await.is_empty(), "the worker may meet the entry again");
        let settled = rows(&scene).await;
        assert_eq!(settled[0].status, "SENT");
        assert!(!settled[0].doc.contains("sealedLetter"), "{}", settled[0].doc);
        assert!(scene.actions().await.contains(&"NOTICE_SENT".to_owned()));
    }
}

#[tokio::test]
async fn notice_of_a_failed_commit_is_not_sent() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let set = || SetPasswordRequest { user_id: ada.id.clone(), password: "staple of another kind".into() };
    scene.identities().set_password(with(scene.platform(set()), "pavise-validate-only", "true")).await.unwrap();
    let weak = SetPasswordRequest { user_id: ada.id.clone(), password: "password123".into() };
    assert_eq!(refusal_reason(scene.identities().set_password(scene.platform(weak)).await), "PASSWORD_NOT_ALLOWED");
    assert!(rows(&scene).await.is_empty());
    let once = || with(scene.platform(set()), "idempotency-key", "once");
    scene.identities().set_password(once()).await.unwrap();
    scene.identities().set_password(once()).await.unwrap();
    assert_eq!(scene.delivered().await.len(), 1, "a repeat is told once");
}

#[tokio::test]
async fn messaging_that_does_not_answer_is_asked_again_until_the_time_is_over() {
    let scene = scene().await;
    something_happens(&scene).await;
    *scene.post.failure.lock().unwrap() = Some(Common::Unavailable);
    assert_eq!(scene.handle_all("identity.deliver_notices").await, 1, "the entry is set aside and tried again");
    assert_eq!(rows(&scene).await[0].status, "PENDING");
    scene.clock.move_forward(HOUR * 2);
    *scene.post.failure.lock().unwrap() = None;
    scene.tick_all("later").await.unwrap();
    assert_eq!(scene.delivered().await.len(), 1, "what its worker gave up on is found again");

    let bob = scene.member("bob@example.com").await;
    let set = SetPasswordRequest { user_id: bob.id, password: "staple of another kind".into() };
    scene.identities().set_password(scene.platform(set)).await.unwrap();
    scene.clock.move_forward(HOUR * 25);
    scene.tick_all("much later").await.unwrap();
    assert!(scene.delivered().await.is_empty(), "old news are not told");
    let row = &rows(&scene).await[0];
    assert_eq!(row.status, "FAILED");
    assert!(row.doc.contains("its time was over") && !row.doc.contains("sealedLetter"), "{}", row.doc);
}

/// The last notice, why it was given up, and the action of its last entry.
async fn last_notice(scene: &Scene) -> (NoticeStatus, String, String) {
    let entries = scene.entries().await;
    let last = entries.last().unwrap();
    let notice = decode_entity::<Notice>(last).unwrap().unwrap();
    (notice.status(), notice.posting.unwrap().failure, last.action.clone())
}

#[tokio::test]
async fn notice_to_an_address_that_gets_nothing_is_given_up_at_once() {
    for scene in scenes().await {
        *scene.post.suppressed.lock().unwrap() = "ada@example.com".to_owned();
        something_happens(&scene).await;
        assert_eq!(scene.handle_all("identity.deliver_notices").await, 0);
        let why = "nothing is sent to this address: STOP".to_owned();
        assert_eq!(last_notice(&scene).await, (NoticeStatus::Failed, why, "NOTICE_FAILED".to_owned()));
        let row = &rows(&scene).await[0];
        assert!(!row.doc.contains("sealedLetter"), "{}", row.doc);
    }
}

/// Another refusal of messaging is an error of the platform: the letter waits until it is mended.
#[tokio::test]
async fn a_letter_that_messaging_cannot_write_waits() {
    let scene = scene().await;
    something_happens(&scene).await;
    for reason in [Common::Unavailable, Common::InvalidField, Common::PermissionMissing] {
        *scene.post.failure.lock().unwrap() = Some(reason);
        assert_eq!(scene.handle_all("identity.deliver_notices").await, 1, "{reason:?}");
        assert_eq!(rows(&scene).await[0].status, "PENDING");
    }
    // An earlier hand-over, whose answer was lost.
    *scene.post.failure.lock().unwrap() = Some(Common::AlreadyExists);
    assert_eq!(scene.handle_all("identity.deliver_notices").await, 0);
    assert_eq!(rows(&scene).await[0].status, "SENT");
}

#[tokio::test]
async fn where_nothing_is_sent_news_are_given_up() {
    let scene = scene().await;
    *scene.post.missing.lock().unwrap() = Some("smtp-url");
    something_happens(&scene).await;
    assert!(scene.delivered().await.is_empty());
    let why = "nothing is sent before smtp-url is set".to_owned();
    assert_eq!(last_notice(&scene).await, (NoticeStatus::Failed, why, "NOTICE_FAILED".to_owned()));
}

/// Two processes, one of which is killed after the hand-over: the message is given over with the same id.
#[tokio::test]
async fn a_hand_over_that_is_repeated_makes_one_message() {
    for scene in scenes().await {
        something_happens(&scene).await;
        // The first call is the worker's to its own domain, the second one the hand-over.
        scene.wire.break_after(1, WireFault::After);
        assert_eq!(scene.handle_all("identity.deliver_notices").await, 1);
        assert_eq!(rows(&scene).await[0].status, "PENDING");
        assert_eq!(scene.delivered().await.len(), 1, "the first one was taken, and its repeat is the same");
        assert_eq!(rows(&scene).await[0].status, "SENT");
    }
}

#[tokio::test]
async fn only_the_platform_delivers() {
    let scene = scene().await;
    something_happens(&scene).await;
    let request = || DeliverNoticeRequest { notice_id: "nobody".into(), ..DeliverNoticeRequest::default() };
    let mut client = scene.identities();
    assert_eq!(refusal_reason(client.deliver_notice(tonic::Request::new(request())).await), "TOKEN_MISSING");
    assert_eq!(
        refusal_reason(client.deliver_notice(scene.program(request(), &["identity.identities.*"])).await),
        "PERMISSION_MISSING"
    );
    assert_eq!(refusal_reason(client.deliver_notice(scene.platform(request())).await), "NOT_FOUND");
    let elsewhere = DeliverNoticeRequest { table: "sessions".into(), ..request() };
    assert_eq!(refusal_reason(client.deliver_notice(scene.platform(elsewhere)).await), "INVALID_FIELD");
}

#[tokio::test]
async fn repeated_impersonation_notices_send_one_letter() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let tell = |id: &str| TellSubjectRequest { identity_id: id.to_owned(), service: "orders".into(), clock: 7 };
        let again = || with(scene.platform(tell(&ada.id)), "idempotency-key", "entry 7");
        for _ in 0..2 {
            assert!(scene.identities().tell_subject(again()).await.unwrap().into_inner().told);
        }
        let delivered = scene.delivered().await;
        let addresses: Vec<&str> = delivered.iter().map(|message| message.address.as_str()).collect();
        assert_eq!(addresses, ["ada@example.com"]);
        assert!(delivered[0].template == "security.acted-for", "{delivered:?}");
        assert_eq!(refusal_reason(scene.identities().tell_subject(scene.platform(tell("nobody"))).await), "NOT_FOUND");
        let add = AddEmailRequest { identity_id: ada.id.clone(), email: "new@example.com".into(), primary: true };
        scene.identities().add_email(scene.platform(add)).await.unwrap();
        scene.prove(&ada.id, "new@example.com").await;
        scene.delivered().await;
        scene.identities().tell_subject(with(scene.platform(tell(&ada.id)), "idempotency-key", "8")).await.unwrap();
        let told = scene.delivered().await.into_iter().filter(|message| message.template == "security.acted-for");
        let told: BTreeSet<String> = told.map(|message| message.address).collect();
        let both = ["ada@example.com", "new@example.com"].map(str::to_owned);
        assert_eq!(told, BTreeSet::from(both), "the former address is told, too");
        let weak = scene.program(tell(&ada.id), &["identity.identities.write"]);
        assert_eq!(refusal_reason(scene.identities().tell_subject(weak).await), "PERMISSION_MISSING");
    }
}
