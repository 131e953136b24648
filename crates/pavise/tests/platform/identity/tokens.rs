//! Tokens and the keys that sign them.

use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let name = stage.fresh("job");
    let job = stage.good(&staff, "identities.CreateIdentity", json!({"realm": "Machine", "usernames": [name]})).await;
    let make = json!({"subject": job["id"], "lifetimeSeconds": 60, "audience": "pavise"});
    let token = text(&stage.good(&staff, "tokens.CreateJwt", make).await["token"]);
    stage.bad(&staff, "tokens.CreateJwt", json!({}), "INVALID_FIELD").await;
    let verdict = stage.good(&staff, "tokens.VerifyJwt", json!({"token": token})).await;
    assert_eq!(verdict["valid"], json!(true), "{verdict}");
    let broken = stage.good(&staff, "tokens.VerifyJwt", json!({"token": format!("{token}x")})).await;
    assert_eq!(broken["valid"], json!(false), "{broken}");
    stage.bad(&staff, "tokens.VerifyJwt", json!({}), "INVALID_FIELD").await;
    let keys = stage.good(&visitor, "tokens.ListKeys", json!({})).await;
    let key = text(&keys["keys"][0]["kid"]);
    for service in ["tokens", "identities"] {
        let read = stage.good(&visitor, &format!("{service}.GetKey"), json!({"keyId": key})).await;
        assert_eq!(read["kid"], json!(key));
        stage.bad(&visitor, &format!("{service}.GetKey"), json!({"keyId": "none"}), "NOT_FOUND").await;
    }
    stage.bad(&visitor, "tokens.RotateKey", json!({"replaces": key}), "TOKEN_MISSING").await;
    stage.good(&staff, "tokens.RotateKey", json!({"replaces": key})).await;
    stage.bad(&staff, "tokens.RetireKey", json!({"keyId": "none"}), "NOT_FOUND").await;
    stage.good(&staff, "tokens.RetireKey", json!({"keyId": key})).await;
    let verdict = stage.good(&staff, "tokens.VerifyJwt", json!({"token": token})).await;
    assert_eq!(verdict["valid"], json!(false), "a retired key vouches for nothing: {verdict}");
    stage.journal("tokens").await;
}
