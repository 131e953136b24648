//! Acting for somebody: with a reason, for half an hour, reading only unless more was granted, and on record.

use std::time::Duration;

use pavise_identity::contract::v1::{AddUsernameRequest, GetIdentityRequest, ImpersonateRequest, Impersonation};
use pavise_kernel::Common;
use prost::Message as _;

use crate::scene::{PASSWORD, Scene, reason, scene, with_token};

fn ask(identity_id: &str, write: bool) -> ImpersonateRequest {
    ImpersonateRequest { identity_id: identity_id.to_owned(), reason: "she is on the phone".into(), write, cookie: false }
}

async fn staff(scene: &Scene, permissions: &[&str]) -> (String, String) {
    let eve = scene.staff("eve@example.com", permissions).await;
    (eve.id, scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token)
}

#[tokio::test]
async fn the_record_says_who_acted_for_whom_and_why() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let (eve, token) = staff(&scene, &["identity.impersonation.read"]).await;
    let answer = scene.identities().impersonate(with_token(ask(&ada.id, false), &token)).await.unwrap().into_inner();
    let caller = scene.caller(&answer.access_token).await.unwrap();
    assert_eq!(
        (caller.identity.as_str(), caller.acting(), caller.on_behalf_of()),
        (ada.id.as_str(), eve.as_str(), ada.id.as_str())
    );
    let entry = scene.journal().await.pop().unwrap();
    assert_eq!(
        (entry.action.as_str(), entry.owner_id.as_str(), entry.actor.as_str()),
        ("IMPERSONATED", ada.id.as_str(), eve.as_str())
    );
    let record = Impersonation::decode(entry.entity.unwrap().value.as_slice()).unwrap();
    assert_eq!(
        (record.actor_id.as_str(), record.reason.as_str(), record.may_write),
        (eve.as_str(), "she is on the phone", false)
    );

    let get = GetIdentityRequest { identity_id: ada.id.clone() };
    scene.identities().get_identity(with_token(get, &answer.access_token)).await.unwrap();
    scene.clock.advance(Duration::from_secs(29 * 60));
    assert!(scene.caller(&answer.access_token).await.is_ok());
    scene.clock.advance(Duration::from_secs(60));
    assert!(scene.caller(&answer.access_token).await.unwrap_err().is(Common::TokenExpired));
}

#[tokio::test]
async fn changing_things_takes_a_permission_of_its_own_and_some_things_are_never_allowed() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let (_, reader) = staff(&scene, &["identity.impersonation.read"]).await;
    assert_eq!(reason(scene.identities().impersonate(with_token(ask(&ada.id, true), &reader)).await), "PERMISSION_MISSING");
    scene.staff("max@example.com", &["identity.impersonation.*"]).await;
    let writer = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
    let token = scene.identities().impersonate(with_token(ask(&ada.id, true), &writer)).await.unwrap().into_inner().access_token;
    assert!(scene.caller(&token).await.unwrap().actor.unwrap().may_write);
    let name = AddUsernameRequest { identity_id: ada.id.clone(), username: "ada".into() };
    assert_eq!(reason(scene.identities().add_username(with_token(name, &token)).await), "IMPERSONATION_DENIED");
    assert_eq!(reason(scene.identities().impersonate(with_token(ask(&ada.id, false), &token)).await), "REALM_NOT_ALLOWED");
}

#[tokio::test]
async fn only_members_and_group_administrators_are_acted_for() {
    let scene = scene().await;
    let (eve, token) = staff(&scene, &["*"]).await;
    assert_eq!(reason(scene.identities().impersonate(with_token(ask(&eve, false), &token)).await), "NOT_IMPERSONABLE");
    assert_eq!(reason(scene.identities().impersonate(with_token(ask("nobody", false), &token)).await), "NOT_FOUND");
    let silent = ImpersonateRequest { reason: String::new(), ..ask(&eve, false) };
    assert_eq!(reason(scene.identities().impersonate(with_token(silent, &token)).await), "INVALID_FIELD");
    let ada = scene.member("ada@example.com").await;
    assert_eq!(reason(scene.identities().impersonate(scene.platform(ask(&ada.id, false))).await), "REALM_NOT_ALLOWED");
}
