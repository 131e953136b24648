//! Events of providers, and texts from people: signed, stored once, applied in any order.

use std::env;

use pavise_kernel::Result;
use pavise_messaging::contract::v1::*;
use pavise_testkit::scene::Engine;

use crate::notifications::{draft, receipt};
use crate::scene::{STAFF, Scene, into_answer, refusal_reason, request_by, scene_on, scenes, sign_form};

const NUMBER: &str = "+15125550100";
const EVENTS: &str = "https://pavise.example/v1/twilio/events";

fn text_draft() -> NotificationDraft {
    NotificationDraft { types: vec![NotificationType::Sms.into()], phone_number: NUMBER.into(), ..draft("") }
}

async fn suppressions(scene: &Scene) -> Vec<Suppression> {
    let request = ListSuppressionsRequest::default();
    into_answer(scene.notifications().list_suppressions(request_by(STAFF, request)).await).unwrap().suppressions
}

/// An event of the mail service, as it writes it.
fn mail_event(number: usize, notification: &str, kind: &str, at: i64) -> String {
    format!(
        r#"{{"email":"ada@example.com","timestamp":{at},"event":"{kind}","sg_event_id":"event-{number}-{kind}","sg_message_id":"message.filter-1","notification_id":"{notification}"}}"#
    )
}

async fn take(scene: &Scene, request: ReceiveSendgridEventsRequest) -> Result<()> {
    let answer = into_answer(scene.notifications().receive_sendgrid_events(request_by("", request)).await)?;
    assert!(answer.body.is_empty());
    Ok(())
}

/// The story of STOP: no waiting text is sent after the answer.
#[tokio::test(flavor = "multi_thread")]
async fn stop_takes_back_what_waits_and_start_lets_texts_go_again() {
    let count = if env::var_os("PAVISE_LONG").is_some() { 500 } else { 40 };
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let mut waiting = Vec::new();
        for _ in 0..count {
            waiting.push(scene.send(text_draft()).await.unwrap().id);
        }
        let other = NotificationDraft { phone_number: "+15125550199".into(), ..text_draft() };
        let other = scene.send(other).await.unwrap();
        let answer = scene.receive("SM1", "+1 (512) 555-0100", " stop ").await.unwrap();
        assert!(answer.contains("no more text messages"), "{answer}");
        assert_eq!(scene.run_workers("after").await.left, 0);
        assert!(scene.letterbox.taken().iter().all(|message| message.id == other.id), "none after the answer");
        for id in [waiting.first(), waiting.last()].into_iter().flatten() {
            assert_eq!(scene.notification(id).await.status(), NotificationStatus::Cancelled);
        }
        let next = scene.send(text_draft()).await.unwrap();
        assert_eq!(next.status(), NotificationStatus::Dropped);
        // A second STOP gets no second confirmation; the same text again gets the same answer.
        assert!(scene.receive("SM2", NUMBER, "ARRET").await.unwrap().contains("<Response></Response>"));
        assert_eq!(suppressions(&scene).await.len(), 1);
        let stop = suppressions(&scene).await.remove(0);
        assert_eq!((stop.reason(), stop.status()), (SuppressionReason::Stop, SuppressionStatus::Active));
        let lift = LiftSuppressionRequest { suppression_id: stop.id.clone() };
        assert_eq!(
            refusal_reason(into_answer(scene.notifications().lift_suppression(request_by(STAFF, lift)).await)),
            "SUPPRESSION_OF_RECIPIENT"
        );
        assert!(scene.receive("SM3", NUMBER, "help").await.unwrap().contains("Reply STOP"));
        assert!(scene.receive("SM4", NUMBER, "Start").await.unwrap().contains("again"));
        assert_eq!(scene.send(text_draft()).await.unwrap().status(), NotificationStatus::Pending);
        let sid = GetTwilioMessageRequest { message_sid: "SM4".into() };
        let stored = into_answer(scene.notifications().get_twilio_message(request_by(STAFF, sid)).await).unwrap();
        assert_eq!((stored.status(), stored.keyword()), (NotificationStatus::OptIn, OptOutKeyword::Start));
        assert_eq!(scene.receive("SM5", NUMBER, "hello").await.unwrap().matches("Message").count(), 0);
    }
}

/// A text that was being handed over when STOP came goes out before the answer, and no other follows.
#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_stop_waits_for_a_text_that_is_under_way() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let first = scene.send(text_draft()).await.unwrap();
        let held = scene.letterbox.hold().await;
        let at_the_answer = async {
            while scene.notification(&first.id).await.attempts.is_empty() {
                tokio::task::yield_now().await;
            }
            let later = Some(pavise_kernel::time::to_timestamp(scene.kernel.business_clock().now() + 3_600_000_000));
            let second = scene.send(NotificationDraft { deliver_on: later, ..text_draft() }).await.unwrap();
            let mut stop = Box::pin(scene.receive("SM1", NUMBER, "STOP"));
            loop {
                tokio::select! {
                    answer = &mut stop => panic!("a text is under way: {answer:?}"),
                    found = suppressions(&scene) => if !found.is_empty() { break },
                }
            }
            drop(held);
            assert!(stop.await.unwrap().contains("no more text messages"));
            (second, scene.letterbox.taken().len())
        };
        let (_, (second, at_the_answer)) = tokio::join!(scene.run_workers("sends"), at_the_answer);
        assert_eq!(scene.run_workers("after").await.left, 0);
        assert_eq!((at_the_answer, scene.letterbox.taken().len()), (1, 1));
        assert_eq!(scene.notification(&first.id).await.status(), NotificationStatus::Sent);
        assert_eq!(scene.notification(&second.id).await.status(), NotificationStatus::Cancelled);
    }
}

/// Rule 314: delivery events arrive late, twice and in any order.
#[tokio::test(flavor = "multi_thread")]
async fn shuffled_and_doubled_events_lead_to_the_statuses_as_in_order() {
    let long = env::var_os("PAVISE_LONG").is_some();
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let now = scene.now().seconds;
        let histories: [(&[&str], NotificationStatus); 5] = [
            (&["processed", "delivered", "open", "click"], NotificationStatus::Click),
            (&["processed", "deferred", "bounce"], NotificationStatus::Bounce),
            (&["processed", "deferred", "delivered", "open"], NotificationStatus::Open),
            (&["dropped"], NotificationStatus::Dropped),
            (&["processed", "delivered", "open", "spamreport"], NotificationStatus::Spamreport),
        ];
        let rounds = if long { 625 } else { 4 };
        let (mut events, mut expected) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            for (place, (kinds, last)) in histories.iter().enumerate() {
                let id = scene.send(draft(&format!("a{round}-{place}@example.com"))).await.unwrap().id;
                for (at, kind) in kinds.iter().enumerate() {
                    let number = round * 10 + place;
                    events.push(mail_event(number, &id, kind, now + i64::try_from(at).unwrap()));
                }
                expected.push((id, *last));
            }
        }
        assert_eq!(scene.run_workers("sent").await.left, 0);
        let mut doubled = [events.clone(), events.clone()].concat();
        shuffle(&mut doubled, 17);
        for batch in doubled.chunks(100) {
            let body = format!("[{}]", batch.join(","));
            take(&scene, scene.sign_events(body.as_bytes(), 0)).await.unwrap();
        }
        assert_eq!(scene.run_workers("applied").await.left, 0);
        for (id, last) in &expected {
            assert_eq!(scene.notification(id).await.status(), *last);
        }
        let first = ListDeliveryEventsRequest {
            notification_id: expected[0].0.clone(),
            ..ListDeliveryEventsRequest::default()
        };
        let stored = into_answer(scene.notifications().list_delivery_events(request_by(STAFF, first)).await).unwrap();
        assert_eq!(stored.events.len(), 4, "each is stored once");
        assert!(stored.events.iter().all(|event| event.status() == DeliveryEventStatus::Applied));
        // A hard bounce and a report of spam suppress the address.
        let reasons: Vec<SuppressionReason> = suppressions(&scene).await.iter().map(Suppression::reason).collect();
        let of = |reason| reasons.iter().filter(|one| **one == reason).count();
        let most = rounds.min(50);
        assert!(of(SuppressionReason::Bounce) + of(SuppressionReason::Spamreport) >= most);
    }
}

/// A shuffle that is the same for the same seed.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for place in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(place, usize::try_from(state >> 33).unwrap() % (place + 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_or_old_signature_is_refused() {
    let scene = scene_on(Engine::Sqlite).await;
    scene.publish(receipt()).await;
    let id = scene.send(draft("ada@example.com")).await.unwrap().id;
    let body = format!("[{}]", mail_event(1, &id, "delivered", 1)).into_bytes();
    let mut changed = scene.sign_events(&body, 0);
    changed.body[5] ^= 1;
    let unsigned = ReceiveSendgridEventsRequest { signature: String::new(), ..scene.sign_events(&body, 0) };
    let moved = ReceiveSendgridEventsRequest { timestamp: "17".into(), ..scene.sign_events(&body, 0) };
    for wrong in [changed, unsigned, moved, scene.sign_events(&body, 301), scene.sign_events(&body, -301)] {
        assert_eq!(refusal_reason(take(&scene, wrong).await), "WEBHOOK_SIGNATURE_WRONG");
    }
    take(&scene, scene.sign_events(&body, 299)).await.unwrap();
    assert_eq!(refusal_reason(take(&scene, scene.sign_events(b"{}", 0)).await), "INVALID_FIELD");
    let unknown = format!("[{}]", mail_event(2, "nothing", "delivered", 1));
    take(&scene, scene.sign_events(unknown.as_bytes(), 0)).await.unwrap();
    assert_eq!(scene.run_workers("applied").await.left, 0);
    assert_eq!(scene.notification(&id).await.status(), NotificationStatus::Delivered);
    let (body, signature) = sign_form(crate::scene::URL, &[("MessageSid", "SM1"), ("From", NUMBER), ("Body", "STOP")]);
    let elsewhere = ReceiveTwilioSmsRequest { body, url: "https://other.example/".into(), signature };
    assert_eq!(
        refusal_reason(into_answer(scene.notifications().receive_twilio_sms(request_by("", elsewhere)).await)),
        "WEBHOOK_SIGNATURE_WRONG"
    );
    assert!(suppressions(&scene).await.iter().all(|one| one.reason() != SuppressionReason::Stop));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_a_text_is_found_by_its_sid() {
    for scene in scenes().await {
        let unknown = [("MessageSid", "SM9"), ("MessageStatus", "delivered")];
        for _ in 0..2 {
            let (body, signature) = sign_form(EVENTS, &unknown);
            let request = ReceiveTwilioEventsRequest { body, url: EVENTS.into(), signature };
            into_answer(scene.notifications().receive_twilio_events(request_by("", request)).await).unwrap();
        }
        assert_eq!(scene.run_workers("applied").await.left, 0);
        let journal = scene.read_journal("/pavise.messaging.v1.NotificationService/ReadJournal").await;
        let actions: Vec<&str> = journal.iter().map(|entry| entry.action.as_str()).collect();
        let of_events: Vec<&str> = actions.into_iter().filter(|action| *action != "TEMPLATE_CREATED").collect();
        assert_eq!(of_events, ["EVENT_STORED", "EVENT_APPLIED"], "stored once, and about nothing of ours");
    }
}

/// Rule 315: failures of texts are recorded and removed.
#[tokio::test(flavor = "multi_thread")]
async fn a_suppressed_address_gets_nothing_until_it_is_lifted() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let mut client = scene.notifications();
        let failure = AddSmsFailureRequest { phone_number: "(512) 555-0100".into(), note: "no such number".into() };
        let made = into_answer(client.add_sms_failure(request_by(STAFF, failure.clone())).await).unwrap();
        assert_eq!(made.reason(), SuppressionReason::SmsFailure);
        assert!(made.address.ends_with("0100") && !made.address.contains("512"), "{}", made.address);
        let again = into_answer(client.add_sms_failure(request_by(STAFF, failure)).await);
        assert_eq!(refusal_reason(again), "ALREADY_EXISTS");
        assert_eq!(scene.send(text_draft()).await.unwrap().status(), NotificationStatus::Dropped);
        let remove = DeleteSmsFailureRequest { sms_failure_id: made.id };
        let lifted = into_answer(client.delete_sms_failure(request_by(STAFF, remove)).await).unwrap();
        assert_eq!(lifted.status(), SuppressionStatus::Lifted);
        assert_eq!(scene.send(text_draft()).await.unwrap().status(), NotificationStatus::Pending);
        let staff = CreateSuppressionRequest { email: "Ada@Example.com".into(), note: String::new() };
        let made = into_answer(client.create_suppression(request_by(STAFF, staff)).await).unwrap();
        let dropped = scene.send(draft("ada@example.com")).await.unwrap();
        assert_eq!((dropped.status(), dropped.failure.contains("STAFF")), (NotificationStatus::Dropped, true));
        let lift = LiftSuppressionRequest { suppression_id: made.id };
        into_answer(client.lift_suppression(request_by(STAFF, lift)).await).unwrap();
        assert_eq!(scene.send(draft("ada@example.com")).await.unwrap().status(), NotificationStatus::Pending);
        let both = CreateSuppressionRequest::default();
        assert_eq!(
            refusal_reason(into_answer(client.create_suppression(request_by(STAFF, both)).await)),
            "INVALID_FIELD"
        );
    }
}
