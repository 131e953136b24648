//! Scheduled communications: sent at their time, unless their worker is paused.

use std::time::Duration;

use pavise_kernel::Result;
use pavise_kernel::time::to_timestamp;
use pavise_messaging::contract::v1::*;

use crate::notifications::receipt;
use crate::scene::{PLATFORM, STAFF, Scene, into_answer, refusal_reason, request_by, scenes, value};

fn request(scene: &Scene, minutes: i64, key: &str) -> CreateScheduledCommunicationRequest {
    CreateScheduledCommunicationRequest {
        template_key: "billing.payment-received".into(),
        identity_id: "alice".into(),
        email: "ada@example.com".into(),
        values: vec![value("name", "Ada"), value("amount", "29.95 USD")],
        deliver_on: Some(to_timestamp(scene.kernel.business_clock().now() + minutes * 60_000_000)),
        unique_key: key.into(),
        ..CreateScheduledCommunicationRequest::default()
    }
}

async fn schedule(scene: &Scene, minutes: i64, key: &str) -> Result<ScheduledCommunication> {
    let request = request(scene, minutes, key);
    into_answer(scene.communications().create_scheduled_communication(request_by(STAFF, request)).await)
}

async fn get(scene: &Scene, id: &str) -> ScheduledCommunication {
    let request = GetScheduledCommunicationRequest { scheduled_communication_id: id.into() };
    into_answer(scene.communications().get_scheduled_communication(request_by(STAFF, request)).await).unwrap()
}

async fn run(scene: &Scene, occasion: &str) {
    assert_eq!(scene.run_workers(occasion).await.left, 0);
}

/// Rule 213: the worker can be paused and activated.
#[tokio::test(flavor = "multi_thread")]
async fn a_paused_worker_lets_all_wait_and_sends_each_once_in_order() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let mut ids = Vec::new();
        for number in 0..12 {
            ids.push(schedule(&scene, 12 - number, "").await.unwrap().id);
        }
        let pause = PauseCommunicationWorkerRequest {};
        let paused = into_answer(scene.communications().pause_communication_worker(request_by(STAFF, pause)).await);
        assert_eq!(paused.unwrap().status(), CommunicationWorkerStatus::Paused);
        scene.clock.move_forward(Duration::from_secs(1_200));
        run(&scene, "paused").await;
        assert!(scene.letterbox.taken().is_empty());
        // One that a caller processes is sent nevertheless.
        let process = ProcessScheduledCommunicationRequest { scheduled_communication_id: ids[0].clone() };
        into_answer(scene.communications().process_scheduled_communication(request_by(STAFF, process)).await).unwrap();
        run(&scene, "one").await;
        assert_eq!(scene.letterbox.taken().len(), 1);
        let activate = ActivateCommunicationWorkerRequest {};
        into_answer(scene.communications().activate_communication_worker(request_by(STAFF, activate)).await).unwrap();
        let seen = GetCommunicationWorkerRequest {};
        let seen = into_answer(scene.communications().get_communication_worker(request_by(STAFF, seen)).await).unwrap();
        assert_eq!((seen.status(), seen.id.as_str()), (CommunicationWorkerStatus::Active, "worker"));
        run(&scene, "active").await;
        assert_eq!(scene.replay().await, 0);
        let mut made = Vec::new();
        for id in &ids {
            let communication = get(&scene, id).await;
            assert_eq!(communication.status(), ScheduledCommunicationStatus::Successful);
            made.push(communication.notification_id);
        }
        let taken: Vec<String> = scene.letterbox.taken().into_iter().map(|message| message.id).collect();
        assert_eq!(taken.len(), 12, "each once");
        let in_order: Vec<String> = made[..1].iter().chain(made[1..].iter().rev()).cloned().collect();
        assert_eq!(taken, in_order, "the earliest first");
    }
}

/// Rule 212: the delivery time is changed, and a communication is cancelled or processed.
#[tokio::test(flavor = "multi_thread")]
async fn a_communication_is_moved_or_taken_back() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let one = schedule(&scene, 10, "invoice-1").await.unwrap();
        assert_eq!(schedule(&scene, 20, "invoice-1").await.unwrap(), one, "there is one of a key");
        let other = schedule(&scene, 10, "invoice-2").await.unwrap();
        let mut client = scene.communications();
        let later = request(&scene, 30, "").deliver_on;
        let change = ChangeDeliverOnRequest { scheduled_communication_id: one.id.clone(), deliver_on: later };
        into_answer(client.change_deliver_on(request_by(STAFF, change)).await).unwrap();
        let cancel = CancelScheduledCommunicationRequest { scheduled_communication_id: other.id.clone() };
        let cancelled = into_answer(client.cancel_scheduled_communication(request_by(STAFF, cancel)).await).unwrap();
        assert_eq!(cancelled.status(), ScheduledCommunicationStatus::Cancelled);
        scene.clock.move_forward(Duration::from_secs(1_200));
        run(&scene, "early").await;
        assert_eq!(get(&scene, &one.id).await.status(), ScheduledCommunicationStatus::Scheduled);
        scene.clock.move_forward(Duration::from_secs(1_200));
        run(&scene, "late").await;
        assert_eq!(get(&scene, &one.id).await.status(), ScheduledCommunicationStatus::Successful);
        assert_eq!(scene.letterbox.taken().len(), 1);
        let list = ListScheduledCommunicationsRequest {
            identity_id: "alice".into(),
            ..ListScheduledCommunicationsRequest::default()
        };
        let page = into_answer(client.list_scheduled_communications(request_by(STAFF, list)).await).unwrap();
        assert_eq!(page.scheduled_communications.len(), 2);
        let past =
            into_answer(client.create_scheduled_communication(request_by(STAFF, request(&scene, -10, ""))).await);
        assert_eq!(refusal_reason(past), "INVALID_FIELD");
        let actions: Vec<String> = scene
            .read_journal("/pavise.messaging.v1.ScheduledCommunicationService/ReadJournal")
            .await
            .into_iter()
            .filter(|entry| entry.entity_id == one.id)
            .map(|entry| entry.action)
            .collect();
        assert_eq!(actions, ["CREATED", "UPDATE_DELIVER_DATE", "STATUS_UPDATE", "STATUS_UPDATE"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_failures_and_a_refusal_are_the_end() {
    for scene in scenes().await {
        scene.publish(receipt()).await;
        let one = schedule(&scene, 1, "").await.unwrap();
        let mut client = scene.communications();
        for number in 1..=5 {
            let id = one.id.clone();
            let process = ProcessScheduledCommunicationRequest { scheduled_communication_id: id.clone() };
            into_answer(client.process_scheduled_communication(request_by(PLATFORM, process)).await).unwrap();
            let record = RecordScheduledCommunicationRequest {
                scheduled_communication_id: id,
                failure: "it does not answer".into(),
                ..RecordScheduledCommunicationRequest::default()
            };
            let recorded =
                into_answer(client.record_scheduled_communication(request_by(PLATFORM, record)).await).unwrap();
            let expected =
                if number < 5 { ScheduledCommunicationStatus::Retrying } else { ScheduledCommunicationStatus::Failed };
            assert_eq!((recorded.status(), recorded.tries), (expected, number));
        }
        // One whose template is gone meanwhile is refused for good.
        let other = schedule(&scene, 1, "").await.unwrap();
        let delete = DeleteNotificationTemplateRequest { template_key: "billing.payment-received".into() };
        into_answer(scene.notifications().delete_notification_template(request_by(STAFF, delete)).await).unwrap();
        scene.clock.move_forward(Duration::from_secs(120));
        run(&scene, "gone").await;
        let other = get(&scene, &other.id).await;
        assert_eq!((other.status(), other.tries), (ScheduledCommunicationStatus::Failed, 1));
        assert!(other.failure.contains("no template"), "{}", other.failure);
        assert_eq!(refusal_reason(schedule(&scene, 1, "").await), "INVALID_FIELD");
    }
}
