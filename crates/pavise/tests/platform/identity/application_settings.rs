//! Settings of people in an application: saved views among them.

use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (staff, machine, visitor) = (stage.staff.clone(), stage.machine.clone(), stage.visitor.clone());
    let create = json!({"identityId": ada.id, "applicationName": "console", "name": "open-orders", "settings": {"columns": ["id"], "rows": 50}});
    let setting = stage.good(&member, "application_settings.CreateApplicationSetting", create.clone()).await;
    stage.bad(&member, "application_settings.CreateApplicationSetting", create, "ALREADY_EXISTS").await;
    let id = text(&setting["id"]);
    let at = json!({"identityId": ada.id, "applicationSettingId": id});
    let none = json!({"identityId": ada.id, "applicationSettingId": "none"});
    let read = stage.good(&member, "application_settings.GetApplicationSetting", at.clone()).await;
    assert_eq!(read["settings"], json!({"columns": ["id"], "rows": 50}), "{read}");
    stage.bad(&member, "application_settings.GetApplicationSetting", none.clone(), "NOT_FOUND").await;
    let of = |more: serde_json::Value| {
        let mut request = at.clone();
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let put = of(json!({"applicationName": "console", "name": "my-orders", "settings": {"rows": 10}}));
    let changed = stage.good(&member, "application_settings.UpdateApplicationSetting", put).await;
    assert_eq!(changed["name"], json!("my-orders"));
    stage
        .bad(&member, "application_settings.UpdateApplicationSetting", of(json!({"name": "x"})), "INVALID_FIELD")
        .await;
    let changed = stage
        .good(&member, "application_settings.UpdateApplicationSettingDocument", of(json!({"settings": {"rows": 20}})))
        .await;
    assert_eq!(changed["settings"], json!({"rows": 20}));
    let heavy = of(json!({"settings": {"text": "x".repeat(70_000)}}));
    stage.bad(&member, "application_settings.UpdateApplicationSettingDocument", heavy, "INVALID_FIELD").await;
    let mine = stage.good(&member, "application_settings.ListApplicationSettings", json!({"identityId": ada.id})).await;
    assert_eq!(mine["applicationSettings"].as_array().map(Vec::len), Some(1), "{mine}");
    stage
        .bad(&member, "application_settings.ListApplicationSettings", json!({"identityId": "another"}), "NOT_THE_OWNER")
        .await;
    let named = json!({"identityId": ada.id, "applicationName": "console"});
    let mine = stage.good(&member, "application_settings.GetApplicationSettingsByApplicationName", named).await;
    assert_eq!(mine["applicationSettings"].as_array().map(Vec::len), Some(1), "{mine}");
    let unnamed = json!({"identityId": ada.id});
    stage.bad(&member, "application_settings.GetApplicationSettingsByApplicationName", unnamed, "INVALID_FIELD").await;

    stage
        .bad(&member, "application_settings.ShareApplicationSetting", of(json!({"shared": true})), "REALM_NOT_ALLOWED")
        .await;
    stage.good(&staff, "application_settings.ShareApplicationSetting", of(json!({"shared": true}))).await;
    let shared =
        stage.good(&staff, "application_settings.ListSharedApplicationSettings", json!({"sharedIn": "console"})).await;
    let ids: Vec<&serde_json::Value> =
        shared["applicationSettings"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.contains(&&json!(id)), "{shared}");
    stage.bad(&staff, "application_settings.ListSharedApplicationSettings", json!({}), "INVALID_FIELD").await;

    let migrate =
        json!({"identityId": ada.id, "applicationName": "legacy", "name": "start", "settings": {"page": "home"}});
    stage.bad(&staff, "application_settings.MigrateApplicationSetting", migrate.clone(), "REALM_NOT_ALLOWED").await;
    stage.good(&machine, "application_settings.MigrateApplicationSetting", migrate).await;
    stage.good(&visitor, "application_settings.GetHealth", json!({})).await;
    stage.good(&member, "application_settings.DeleteApplicationSetting", at).await;
    stage.bad(&member, "application_settings.DeleteApplicationSetting", none, "NOT_FOUND").await;
    stage.journal("application_settings").await;
}
