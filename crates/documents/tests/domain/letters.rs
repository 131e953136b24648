//! Letters about answers: who is told of a submission, and of a document.

use std::time::Duration;

use pavise_documents::contract::v1::*;
use pavise_kernel::Result;

use crate::scene::{ADA, PLATFORM, Scene, fields, into_answer, request_by, scene, scenes, small, text};

const TELLER: &str = "documents.tell_of_answers";

async fn add(
    scene: &Scene,
    answer: &Answer,
    kind: AnswerNotificationKind,
    (channel, identity): (ReminderChannel, &str),
) -> Result<Answer> {
    let notification = AnswerNotification {
        kind: kind.into(),
        channel: channel.into(),
        identity_id: identity.into(),
        ..AnswerNotification::default()
    };
    let request = AddNotificationRequest {
        user_id: "ada".into(),
        answer_id: answer.id.clone(),
        notification: Some(notification),
    };
    into_answer(scene.answers().add_notification(request_by(ADA, request)).await)
}

/// A finished answer that nobody submitted yet.
async fn finished(scene: &Scene, question: &Question) -> Answer {
    scene.answer(question, vec![text("a", "x"), text("b", "y")]).await.unwrap()
}

fn mail(template: &str, address: &str) -> (String, String) {
    (template.to_owned(), address.to_owned())
}

#[tokio::test]
async fn those_who_are_named_are_told_once_of_a_submission_and_of_each_document() {
    for scene in scenes().await {
        let answer = finished(&scene, &scene.question(small("survey")).await).await;
        for (kind, identity) in [
            (AnswerNotificationKind::Submitted, ""),
            (AnswerNotificationKind::Submitted, "ben"),
            (AnswerNotificationKind::DocumentReady, "ben"),
            (AnswerNotificationKind::Reminder, "ben"),
        ] {
            add(&scene, &answer, kind, (ReminderChannel::Email, identity)).await.unwrap();
        }
        assert_eq!(scene.handle_all(TELLER).await, 0);
        assert!(scene.peers.sent().is_empty(), "nothing happened yet");
        scene.submit(&answer).await.unwrap();
        let mut expected =
            vec![mail("documents.submitted", "ada@example.com"), mail("documents.submitted", "ben@example.com")];
        // The second time, the worker reads the same entries again.
        for _ in 0..2 {
            assert_eq!(scene.handle_all(TELLER).await, 0);
            assert_eq!(scene.peers.sent(), expected);
        }
        let record = RecordAnswerFormRequest { answer_id: answer.id.clone(), form_id: "form".into() };
        into_answer(scene.answers().record_answer_form(request_by(PLATFORM, record)).await).unwrap();
        let review = GenerateDocumentReviewRequest { user_id: "ada".into(), answer_id: answer.id.clone() };
        into_answer(scene.answers().generate_document_review(request_by(ADA, review)).await).unwrap();
        expected.extend([mail("documents.ready", "ben@example.com"), mail("documents.ready", "ben@example.com")]);
        for _ in 0..2 {
            assert_eq!(scene.handle_all(TELLER).await, 0);
            assert_eq!(scene.peers.sent(), expected);
        }
    }
}

#[tokio::test]
async fn nobody_is_told_of_what_is_long_over_or_without_an_address() {
    let scene = scene().await;
    let question = scene.question(small("survey")).await;
    let late = finished(&scene, &question).await;
    add(&scene, &late, AnswerNotificationKind::Submitted, (ReminderChannel::Email, "")).await.unwrap();
    scene.submit(&late).await.unwrap();
    scene.clock.move_forward(Duration::from_secs(8 * 86_400));
    let unreached = finished(&scene, &question).await;
    add(&scene, &unreached, AnswerNotificationKind::Submitted, (ReminderChannel::Sms, "")).await.unwrap();
    scene.submit(&unreached).await.unwrap();
    assert_eq!(scene.handle_all(TELLER).await, 0);
    assert!(scene.peers.sent().is_empty());
}

#[tokio::test]
async fn a_channel_that_reaches_nobody_is_refused() {
    let scene = scene().await;
    let answer = finished(&scene, &scene.question(small("survey")).await).await;
    let refused = add(&scene, &answer, AnswerNotificationKind::Submitted, (ReminderChannel::Push, "ben")).await;
    assert_eq!(fields(refused), ["notification.channel"]);
}
