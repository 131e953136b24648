//! The state that an application keeps of its user.

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
    stage.journal("user_state").await;
}
