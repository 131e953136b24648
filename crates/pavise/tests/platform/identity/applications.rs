//! Programs and their keys.

use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let name = stage.fresh("machine");
    let make = json!({"realm": "Machine", "usernames": [name], "permissions": [{"application": "pavise", "permissions": ["orders.*"]}]});
    let owner = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let reference = stage.fresh("reference");
    let create = json!({"identityId": owner, "name": "Order import", "externalReference": reference,
        "permissions": [{"application": "pavise", "permissions": ["orders.orders.read"]}]});
    let issued = stage.good(&staff, "applications.CreateApplication", create.clone()).await;
    let mut greedy = create.clone();
    greedy["permissions"] = json!([{"application": "pavise", "permissions": ["billing.*"]}]);
    stage.bad(&staff, "applications.CreateApplication", greedy, "OWNER_LACKS_PERMISSION").await;
    let (id, key) = (text(&issued["application"]["id"]), text(&issued["key"]));
    assert!(key.starts_with("pvk_"), "{key}");
    let at = json!({"identityId": owner, "applicationId": id});
    let none = json!({"identityId": owner, "applicationId": "none"});
    let read = stage.answered(&staff, "applications.GetApplication", at.clone()).await;
    assert!(!read.json.to_string().contains(&key), "a key is shown once");
    stage.bad(&staff, "applications.GetApplication", none.clone(), "NOT_FOUND").await;
    let list = stage.good(&staff, "applications.ListApplications", json!({"identityId": owner})).await;
    assert_eq!(list["applications"].as_array().map(Vec::len), Some(1), "{list}");
    stage
        .bad(
            &staff,
            "applications.ListApplications",
            json!({"identityId": owner, "pageToken": "bm8"}),
            "INVALID_PAGE_TOKEN",
        )
        .await;
    let found = stage.good(&staff, "applications.ListAllApplications", json!({"externalReference": reference})).await;
    assert_eq!(found["applications"][0]["id"], json!(id));
    stage.bad(&visitor, "applications.ListAllApplications", json!({}), "TOKEN_MISSING").await;

    let good = stage.good(&staff, "applications.VerifyApplicationKey", json!({"key": key})).await;
    assert_eq!(good["valid"], json!(true), "{good}");
    stage.bad(&staff, "applications.VerifyApplicationKey", json!({}), "INVALID_FIELD").await;
    let token = stage.good(&visitor, "applications.CreateApplicationToken", json!({"key": key})).await;
    let program = stage.visitor.with_token(&text(&token["accessToken"]));
    stage.good(&program, "tokens.ListKeys", json!({})).await;
    stage.bad(&program, "applications.GetApplication", at.clone(), "PERMISSION_MISSING").await;
    let wrong = json!({"key": format!("{}x", &key[..key.len() - 1])});
    stage.bad(&visitor, "applications.CreateApplicationToken", wrong, "WRONG_APPLICATION_KEY").await;

    let of = |more: serde_json::Value| {
        let mut request = at.clone();
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let renamed = stage.good(&staff, "applications.UpdateApplicationName", of(json!({"name": "Import"}))).await;
    assert_eq!(renamed["name"], json!("Import"));
    stage.bad(&staff, "applications.UpdateApplicationName", of(json!({"name": ""})), "INVALID_FIELD").await;
    stage.good(&staff, "applications.UpdateApplicationExternal", of(json!({"externalReference": "other"}))).await;
    let long = of(json!({"externalReference": "x".repeat(129)}));
    stage.bad(&staff, "applications.UpdateApplicationExternal", long, "INVALID_FIELD").await;
    let next = stage.good(&staff, "applications.UpdateApplicationKey", of(json!({"overlapSeconds": 60}))).await;
    for key in [&key, &text(&next["key"])] {
        let good = stage.good(&staff, "applications.VerifyApplicationKey", json!({"key": key})).await;
        assert_eq!(good["valid"], json!(true), "both are good for a minute");
    }
    stage
        .bad(&staff, "applications.UpdateApplicationKey", of(json!({"overlapSeconds": 8 * 86_400})), "INVALID_FIELD")
        .await;
    let heir = stage.fresh("machine");
    let make = json!({"realm": "Machine", "usernames": [heir], "permissions": [{"application": "pavise", "permissions": ["*"]}]});
    let heir = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    stage.bad(&staff, "applications.ChangeApplicationOwner", of(json!({"newOwnerId": ""})), "INVALID_FIELD").await;
    stage.good(&staff, "applications.ChangeApplicationOwner", of(json!({"newOwnerId": heir}))).await;
    stage.bad(&staff, "applications.DeleteApplication", at, "NOT_FOUND").await;
    stage.good(&staff, "applications.DeleteApplication", json!({"identityId": heir, "applicationId": id})).await;
    let gone = stage.good(&staff, "applications.VerifyApplicationKey", json!({"key": next["key"]})).await;
    assert_eq!(gone["valid"], json!(false), "{gone}");
    stage.journal("applications").await;
}
