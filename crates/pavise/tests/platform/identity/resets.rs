//! Settings, imports, and passwords that are forgotten, imported and taken away.

use pavise_testapp::TestApp;
use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (staff, machine, visitor) = (stage.staff.clone(), stage.machine.clone(), stage.visitor.clone());
    let settings = stage.good(&member, "identities.GetSettings", json!({"identityId": ada.id})).await;
    assert_eq!(settings["multifactorRequired"], json!(false), "{settings}");
    stage.bad(&member, "identities.GetSettings", json!({"identityId": "another"}), "NOT_THE_OWNER").await;
    let change = json!({"identityId": ada.id, "settings": {"multifactorType": "EMAIL"}});
    stage.good(&member, "identities.UpdateSettings", change).await;
    stage.bad(&member, "identities.UpdateSettings", json!({"identityId": ada.id}), "INVALID_FIELD").await;

    stage.good(&visitor, "identities.SendPasswordResetEmail", json!({"email": ada.email})).await;
    stage.good(&visitor, "identities.SendPasswordResetEmail", json!({"email": "nobody@example.com"})).await;
    stage.bad(&visitor, "identities.SendPasswordResetEmail", json!({}), "INVALID_FIELD").await;
    let code = code_for(stage, &ada.email).await;
    let with = |code: &str, password: &str| json!({"userId": ada.id, "code": code, "password": password});
    let guess = with(&"0".repeat(code.len()), "a new horse battery");
    stage.bad(&visitor, "identities.ResetPassword", guess, "RESET_CODE_NOT_GOOD").await;
    stage.good(&visitor, "identities.ResetPassword", with(&code, "a new horse battery")).await;
    stage.bad(&visitor, "identities.ResetPassword", with(&code, "a newer horse battery"), "RESET_CODE_NOT_GOOD").await;
    stage
        .good(&visitor, "identities.CreateToken", json!({"email": ada.email, "password": "a new horse battery"}))
        .await;
    let reset = json!({"passwordResetId": newest(stage, "PasswordReset").await});
    for call in ["PreparePasswordReset", "ForgetPasswordReset"] {
        let name = format!("identities.{call}");
        stage.bad(&staff, &name, reset.clone(), "REALM_NOT_ALLOWED").await;
        stage.good(&machine, &name, reset.clone()).await;
    }

    let rows = json!({"userId": ada.id, "rows": [{"userId": ada.id, "password": "an imported horse battery"}]});
    stage.good(&machine, "identities.BulkAddPasswords", rows).await;
    stage.bad(&machine, "identities.BulkAddPasswords", json!({"userId": ada.id, "rows": []}), "INVALID_FIELD").await;
    stage.good(&machine, "identities.InvalidatePasswords", json!({"userId": ada.id})).await;
    // A new password, and one that is taken away, end the tokens without a session from before.
    let member = stage.caller(&TestApp::member(&ada.id));
    stage.bad(&member, "identities.InvalidatePasswords", json!({"userId": ada.id}), "REALM_NOT_ALLOWED").await;
    let (id, email) = (stage.fresh("imported"), format!("{}@example.com", stage.fresh("import")));
    let import = json!({"id": id, "realm": "User", "emails": [{"address": email, "primary": true}]});
    let imported = stage.good(&machine, "identities.MigrateIdentity", import.clone()).await;
    assert_eq!(imported["realm"], json!("User"));
    stage.bad(&staff, "identities.MigrateIdentity", import, "REALM_NOT_ALLOWED").await;
    let username = stage.fresh("name");
    let next = stage.fresh("name");
    let member = stage.caller(&TestApp::member(&ada.id));
    stage.good(&member, "identities.AddUsername", json!({"identityId": ada.id, "username": username})).await;
    let change = json!({"identityId": ada.id, "username": username, "update": {"username": next}});
    let changed = stage.good(&member, "identities.UpdateUsername", change.clone()).await;
    assert!(changed["usernames"].as_array().unwrap().iter().any(|known| text(known) == next), "{changed}");
    let none = json!({"identityId": ada.id, "username": next, "update": {"username": "!"}});
    stage.bad(&member, "identities.UpdateUsername", none, "INVALID_FIELD").await;
}

/// The newest entity of that type in the journal.
pub(crate) async fn newest(stage: &mut Stage<'_>, kind: &str) -> String {
    let staff = stage.staff.clone();
    let head = stage.good(&staff, "identities.GetMaxClock", json!({})).await;
    let clock = text(&head["maxClock"]).parse::<i64>().unwrap();
    let page = json!({"clock": (clock - 100).max(0).to_string(), "limit": 500});
    let page = stage.good(&staff, "identities.ReadJournal", page).await;
    let of = |entry: &&serde_json::Value| {
        text(&entry["entity"]["@type"]).ends_with(kind) && entry["removed"] == json!(false)
    };
    let entry = page["entries"].as_array().unwrap().iter().rev().find(of);
    text(&entry.unwrap_or_else(|| panic!("no {kind} in {page}"))["entityId"])
}

/// The code in the message to an address, once it is there.
async fn code_for(stage: &Stage<'_>, address: &str) -> String {
    let app = stage.platform.app();
    let code = || {
        let message = app.mailbox.of(address).into_iter().find(|message| message.subject.contains("new password"));
        let code = message.and_then(|message| {
            let (_, after) = message.text.split_once("password is ")?;
            after.split_whitespace().next().map(str::to_owned)
        });
        async move { code }
    };
    app.eventually("a message with a code", code).await
}
