//! The workers of all domains: staff see and steer them, and what they ask is on record.

use serde_json::json;

use crate::identity::stage::Stage;

const TIMER: &str = "identity.forget_challenges";

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (_, member) = stage.member().await;
    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let of = json!({"workerName": TIMER});
    let nowhere = json!({"workerName": "nowhere.at_all"});
    stage.good(&staff, "platform_workers.ListWorkers", json!({})).await;
    stage.bad(&member, "platform_workers.ListWorkers", json!({}), "REALM_NOT_ALLOWED").await;
    stage.good(&staff, "platform_workers.GetWorker", of.clone()).await;
    stage.bad(&staff, "platform_workers.GetWorker", nowhere.clone(), "NOT_FOUND").await;
    stage.good(&staff, "platform_workers.ListFailedEntries", of.clone()).await;
    let endless = json!({"workerName": TIMER, "pageSize": 1_000});
    stage.bad(&staff, "platform_workers.ListFailedEntries", endless, "INVALID_FIELD").await;

    stage.good(&staff, "platform_workers.PauseWorker", of.clone()).await;
    stage.bad(&staff, "platform_workers.PauseWorker", nowhere.clone(), "NOT_FOUND").await;
    stage.bad(&staff, "platform_workers.TriggerWorker", of.clone(), "WORKER_PAUSED").await;
    stage.good(&staff, "platform_workers.ActivateWorker", of.clone()).await;
    stage.bad(&member, "platform_workers.ActivateWorker", of.clone(), "REALM_NOT_ALLOWED").await;
    stage.good(&staff, "platform_workers.TriggerWorker", of.clone()).await;
    stage.good(&staff, "platform_workers.ReplayParkedEntries", of).await;
    stage.bad(&staff, "platform_workers.ReplayParkedEntries", nowhere, "NOT_FOUND").await;
    let none = json!({"workerName": TIMER, "clock": "7"});
    stage.bad(&staff, "platform_workers.ReplayFailedEntry", none, "NOT_FOUND").await;
    stage.journal("platform_workers").await;

    // The service makes these calls of each domain.
    let order = json!({"name": TIMER, "kind": "ACTIVATE"});
    stage.good(&machine, "identity_workers.ReadWorkers", json!({})).await;
    stage.bad(&staff, "identity_workers.ReadWorkers", json!({}), "REALM_NOT_ALLOWED").await;
    stage.good(&machine, "identity_workers.OrderWorker", order.clone()).await;
    stage.bad(&staff, "identity_workers.OrderWorker", order, "REALM_NOT_ALLOWED").await;
}
