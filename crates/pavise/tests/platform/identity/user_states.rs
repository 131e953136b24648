//! The state that an application keeps of its user.

use pavise_kernel::table::Realm;
use pavise_testapp::TestApp;
use serde_json::{Value, json};

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (bob, _) = stage.member().await;
    let staff = stage.staff.clone();
    let create = json!({"identityId": ada.id, "application": "IDShield", "chatVersion": "2"});
    let state = stage.good(&member, "user_state.CreateUserState", create.clone()).await;
    assert_eq!((&state["status"], &state["ownerId"]), (&json!("ACTIVE"), &json!(ada.id)));
    stage.bad(&member, "user_state.CreateUserState", json!({"identityId": ada.id}), "INVALID_FIELD").await;
    stage
        .bad(
            &member,
            "user_state.CreateUserState",
            json!({"identityId": bob.id, "application": "All"}),
            "NOT_THE_OWNER",
        )
        .await;

    let id = text(&state["id"]);
    let at = |more: Value| {
        let mut request = json!({"identityId": ada.id, "userStateId": id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let settings = json!({"identityAlerts": true, "creditAlerts": false});
    let too_long = "x".repeat(5000);
    for (call, change, wrong, reason) in [
        (
            "AddDeviceToken",
            json!({"token": "device-1", "platform": "IOS"}),
            json!({"token": "", "platform": "IOS"}),
            "INVALID_FIELD",
        ),
        (
            "UpdateClientMetadata",
            json!({"clientMetadata": {"osName": "iOS", "locale": "en-US"}}),
            json!({"clientMetadata": {"osName": too_long}}),
            "INVALID_FIELD",
        ),
        (
            "UpdateMobileAppVersion",
            json!({"mobileAppVersion": "5.1.0"}),
            json!({"mobileAppVersion": too_long}),
            "INVALID_FIELD",
        ),
        (
            "UpdateProductProfiles",
            json!({"productProfiles": []}),
            json!({"productProfiles": [{"productId": ""}]}),
            "INVALID_FIELD",
        ),
        ("UpdateIdShieldNotificationSettings", json!({"settings": settings}), json!({}), "INVALID_FIELD"),
        ("UpdateIdShieldSmsNotificationSettings", json!({"settings": settings}), json!({}), "INVALID_FIELD"),
        ("UpdateIdShieldPushNotificationSettings", json!({"settings": settings}), json!({}), "INVALID_FIELD"),
        ("UpdateChatVersion", json!({"chatVersion": "3"}), json!({"chatVersion": too_long}), "INVALID_FIELD"),
        ("AddAlert", json!({"alertId": "alert-1", "kind": "CREDIT"}), json!({"alertId": ""}), "INVALID_FIELD"),
        (
            "AddImpression",
            json!({"subject": "banner-1", "value": "SEEN"}),
            json!({"subject": "banner-1"}),
            "INVALID_FIELD",
        ),
    ] {
        let name = format!("user_state.{call}");
        stage.bad(&member, &name, at(wrong), reason).await;
        let changed = stage.good(&member, &name, at(change.clone())).await;
        let again = stage.good(&member, &name, at(change)).await;
        assert_eq!(changed["version"], again["version"], "{name}: the same twice is one change");
    }
    let read = stage.good(&member, "user_state.GetUserState", at(json!({}))).await;
    assert_eq!((&read["chatVersion"], &read["mobileAppVersion"]), (&json!("3"), &json!("5.1.0")), "{read}");
    let removed = stage.good(&member, "user_state.DeleteDeviceToken", at(json!({"deviceToken": "device-1"}))).await;
    assert_eq!(removed["deviceTokens"], json!([]), "{removed}");
    stage.bad(&member, "user_state.DeleteDeviceToken", at(json!({"deviceToken": ""})), "INVALID_FIELD").await;
    stage
        .bad(&member, "user_state.GetUserState", json!({"identityId": ada.id, "userStateId": "none"}), "NOT_FOUND")
        .await;
    let list = stage.good(&member, "user_state.ListUserStates", json!({"identityId": ada.id})).await;
    assert_eq!(list["userStates"].as_array().map(Vec::len), Some(1), "{list}");
    stage
        .bad(&member, "user_state.ListUserStates", json!({"identityId": ada.id, "pageSize": 501}), "INVALID_FIELD")
        .await;

    stage.good(&member, "user_state.CancelUserState", at(json!({}))).await;
    stage.bad(&member, "user_state.UpdateChatVersion", at(json!({"chatVersion": "4"})), "STATUS_NOT_ALLOWED").await;
    stage.good(&member, "user_state.ActivateUserState", at(json!({}))).await;
    stage
        .bad(&member, "user_state.ActivateUserState", json!({"identityId": ada.id, "userStateId": "none"}), "NOT_FOUND")
        .await;
    stage
        .bad(&member, "user_state.CancelUserState", json!({"identityId": ada.id, "userStateId": "none"}), "NOT_FOUND")
        .await;
    let gone = stage.fresh("gone");
    stage
        .bad(&member, "user_state.DeleteUserState", json!({"identityId": ada.id, "userStateId": gone}), "NOT_FOUND")
        .await;
    stage.bad(&staff, "user_state.ChangeUserStateOwner", at(json!({"newOwnerId": ""})), "INVALID_FIELD").await;
    let moved = stage.good(&staff, "user_state.ChangeUserStateOwner", at(json!({"newOwnerId": bob.id}))).await;
    assert_eq!(moved["ownerId"], json!(bob.id));
    stage.bad(&member, "user_state.GetUserState", at(json!({})), "NOT_FOUND").await;
    stage.good(&staff, "user_state.DeleteUserState", json!({"identityId": bob.id, "userStateId": id})).await;
    console(stage).await;
    stage.journal("user_state").await;
}

/// Staff keep their choices in the console, and find them again with another session.
async fn console(stage: &mut Stage<'_>) {
    let staff = stage.staff.clone();
    let name = stage.fresh("console");
    let make = json!({"realm": "Internal", "usernames": [name], "password": "correct horse battery"});
    let id = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let caller = TestApp::with_permissions(Realm::Internal, &id, &[]);
    let (one, other) = (stage.caller(&caller), stage.caller(&caller));
    let of = json!({"identityId": id});
    let empty = stage.good(&one, "user_state.GetConsolePreferences", of.clone()).await;
    assert_eq!((&empty["id"], &empty["lists"]), (&json!(""), &json!([])), "{empty}");
    let lists = json!([{"list": "orders.Order", "columns": ["id", "status"], "order": "-updated_at"}]);
    let choice = json!({"identityId": id, "theme": "DARK", "density": "COMPACT", "lists": lists});
    let kept = stage.good(&one, "user_state.PutConsolePreferences", choice.clone()).await;
    assert_eq!((&kept["id"], &kept["version"]), (&json!(id), &json!("1")), "{kept}");
    let mut light = choice.clone();
    light["theme"] = json!("LIGHT");
    let changed = stage.good(&one, "user_state.PutConsolePreferences", light).await;
    assert_eq!((&changed["version"], &changed["lists"]), (&json!("2"), &lists), "{changed}");
    assert_eq!(stage.good(&other, "user_state.GetConsolePreferences", of.clone()).await, changed);
    stage.bad(&staff, "user_state.GetConsolePreferences", of, "NOT_THE_OWNER").await;
    stage.bad(&staff, "user_state.PutConsolePreferences", choice, "NOT_THE_OWNER").await;
}
