//! Sessions: prolonged, listed, ended; and the addresses of the sign-in pages.

use std::time::Duration;

use pavise_kernel::token::issue_token;
use pavise_testapp::TestApp;
use serde_json::json;

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, _) = stage.member().await;
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let sign_in = json!({"email": ada.email, "password": ada.password});
    let opened = stage.good(&visitor, "identities.CreateToken", sign_in.clone()).await;
    let first = text(&opened["refreshToken"]);
    let renewed = stage.good(&visitor, "sessions.RefreshToken", json!({"refreshToken": first})).await;
    assert_eq!(renewed["sessionId"], opened["sessionId"]);
    let member = visitor.with_token(&text(&renewed["accessToken"]));
    let current = stage.good(&member, "sessions.GetCurrentSession", json!({})).await;
    assert_eq!((&current["identityId"], &current["sessionId"]), (&json!(ada.id), &opened["sessionId"]), "{current}");
    stage.bad(&visitor, "sessions.GetCurrentSession", json!({}), "TOKEN_MISSING").await;
    let proven = stage.good(&member, "identities.ProveSession", json!({"password": ada.password})).await;
    assert_eq!(proven["sessionId"], opened["sessionId"]);
    stage.bad(&member, "identities.ProveSession", json!({"password": "a guess of a thief"}), "WRONG_CREDENTIALS").await;
    // A token whose session proved nothing within ten minutes changes no name.
    let app = stage.platform.app();
    let stale = issue_token(&TestApp::member(&ada.id), Duration::from_secs(900), app.key(), app.now());
    let further = json!({"identityId": ada.id, "email": format!("further.{}", ada.email), "primary": true});
    stage.bad(&visitor.with_token(&stale), "identities.AddEmail", further.clone(), "PROOF_NEEDED").await;
    stage.good(&visitor.with_token(&text(&proven["accessToken"])), "identities.AddEmail", further).await;
    let other = stage.good(&visitor, "identities.CreateToken", sign_in.clone()).await;
    let of = json!({"identityId": ada.id});
    let list = stage.good(&member, "sessions.ListSessions", of.clone()).await;
    assert_eq!(list["sessions"].as_array().map(Vec::len), Some(2), "{list}");
    assert!(!list.to_string().contains(&first), "no token is shown");
    stage.bad(&member, "sessions.ListSessions", json!({"identityId": "another"}), "NOT_THE_OWNER").await;
    let one = json!({"identityId": ada.id, "sessionId": other["sessionId"]});
    stage.good(&member, "sessions.RevokeSession", one).await;
    stage.bad(&member, "sessions.RevokeSession", json!({"identityId": ada.id, "sessionId": "none"}), "NOT_FOUND").await;
    stage
        .bad(&visitor, "sessions.RefreshToken", json!({"refreshToken": other["refreshToken"]}), "REFRESH_TOKEN_INVALID")
        .await;

    let all = stage.good(&member, "sessions.RevokeAllSessions", of.clone()).await;
    assert_eq!(all["ended"].as_array().map(Vec::len), Some(1), "{all}");
    stage.bad(&visitor, "sessions.RevokeAllSessions", of.clone(), "TOKEN_MISSING").await;
    let opened = stage.good(&visitor, "identities.CreateToken", sign_in).await;
    stage.good(&visitor, "sessions.SignOut", json!({"refreshToken": opened["refreshToken"]})).await;
    stage.bad(&visitor, "sessions.SignOut", json!({"refreshToken": "x".repeat(2000)}), "INVALID_FIELD").await;

    let machine = stage.machine.clone();
    let told = stage.good(&machine, "identities.TellSubject", json!({"identityId": ada.id, "service": "orders"})).await;
    assert_eq!(told["told"], true);
    stage.bad(&staff, "identities.TellSubject", json!({"identityId": ada.id}), "REALM_NOT_ALLOWED").await;

    let acted = json!({"identityId": ada.id, "reason": "the member called about an order"});
    stage.good(&staff, "identities.Impersonate", acted).await;
    let acts = stage.good(&staff, "sessions.ListImpersonations", of.clone()).await;
    assert_eq!(acts["impersonations"].as_array().map(Vec::len), Some(1), "{acts}");
    stage.bad(&visitor, "sessions.ListImpersonations", of.clone(), "TOKEN_MISSING").await;
    stage.good(&staff, "sessions.EndImpersonation", of.clone()).await;
    stage.bad(&visitor, "sessions.EndImpersonation", of, "TOKEN_MISSING").await;

    let composed = json!({"app": "app", "page": "sign-in", "returnTo": "/app/plans?tab=1"});
    let address = stage.good(&visitor, "sessions.ComposeSignInAddress", composed).await;
    assert!(address.to_string().contains("%2Fapp%2Fplans%3Ftab%3D1"), "{address}");
    stage
        .bad(&visitor, "sessions.ComposeSignInAddress", json!({"app": "nobody", "page": "sign-in"}), "INVALID_FIELD")
        .await;
    let home = stage.good(&visitor, "sessions.ResolveReturn", json!({"app": "app", "returnTo": "/app/plans"})).await;
    assert!(home.to_string().contains("/app/plans"), "{home}");
    stage.bad(&visitor, "sessions.ResolveReturn", json!({"app": "nobody"}), "INVALID_FIELD").await;
}
