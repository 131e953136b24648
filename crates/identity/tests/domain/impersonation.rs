//! Acting for somebody: with a reason, for a quarter of an hour, reading only unless more was granted, and on record.

use std::time::Duration;

use pavise_identity::contract::v1::{
    AddUsernameRequest, CreateTokenRequest, EndImpersonationRequest, GetCurrentSessionRequest, GetIdentityRequest,
    ImpersonateRequest, Impersonation, ListImpersonationsRequest, ListSessionsRequest, RefreshTokenRequest,
    RevokeAllSessionsRequest, RevokeSessionRequest, SignOutRequest,
};
use pavise_kernel::Common;
use prost::Message as _;
use tonic::Request;

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_in, with};

fn ask(identity_id: &str, write: bool) -> ImpersonateRequest {
    ImpersonateRequest {
        identity_id: identity_id.to_owned(),
        reason: "she is on the phone".into(),
        write,
        cookie: false,
    }
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
    let answer = scene.identities().impersonate(request_by(&token, ask(&ada.id, false))).await.unwrap().into_inner();
    let caller = scene.caller(&answer.access_token).await.unwrap();
    assert_eq!(
        (caller.identity.as_str(), caller.actor_identity(), caller.on_behalf_of()),
        (ada.id.as_str(), eve.as_str(), ada.id.as_str())
    );
    let entry = scene.entries().await.pop().unwrap();
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
    scene.identities().get_identity(request_by(&answer.access_token, get)).await.unwrap();
    scene.clock.move_forward(Duration::from_secs(14 * 60));
    assert!(scene.caller(&answer.access_token).await.is_ok());
    scene.clock.move_forward(Duration::from_secs(60));
    assert!(scene.caller(&answer.access_token).await.unwrap_err().is(Common::TokenExpired));
}

#[tokio::test]
async fn changing_things_takes_a_permission_of_its_own_and_some_things_are_never_allowed() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let (_, reader) = staff(&scene, &["identity.impersonation.read"]).await;
    assert_eq!(
        refusal_reason(scene.identities().impersonate(request_by(&reader, ask(&ada.id, true))).await),
        "PERMISSION_MISSING"
    );
    scene.staff("max@example.com", &["identity.impersonation.*"]).await;
    let writer = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
    let token = scene
        .identities()
        .impersonate(request_by(&writer, ask(&ada.id, true)))
        .await
        .unwrap()
        .into_inner()
        .access_token;
    assert!(scene.caller(&token).await.unwrap().actor.as_ref().unwrap().may_write);
    let name = AddUsernameRequest { identity_id: ada.id.clone(), username: "ada".into() };
    assert_eq!(refusal_reason(scene.identities().add_username(request_by(&token, name)).await), "IMPERSONATION_DENIED");
    assert_eq!(
        refusal_reason(scene.identities().impersonate(request_by(&token, ask(&ada.id, false))).await),
        "REALM_NOT_ALLOWED"
    );
}

#[tokio::test]
async fn only_members_and_group_administrators_are_acted_for() {
    let scene = scene().await;
    let (eve, token) = staff(&scene, &["*"]).await;
    assert_eq!(
        refusal_reason(scene.identities().impersonate(request_by(&token, ask(&eve, false))).await),
        "NOT_IMPERSONABLE"
    );
    assert_eq!(
        refusal_reason(scene.identities().impersonate(request_by(&token, ask("nobody", false))).await),
        "NOT_FOUND"
    );
    let silent = ImpersonateRequest { reason: String::new(), ..ask(&eve, false) };
    assert_eq!(refusal_reason(scene.identities().impersonate(request_by(&token, silent)).await), "INVALID_FIELD");
    let ada = scene.member("ada@example.com").await;
    assert_eq!(
        refusal_reason(scene.identities().impersonate(scene.platform(ask(&ada.id, false))).await),
        "REALM_NOT_ALLOWED"
    );
}

fn end(identity_id: &str, impersonation_id: &str) -> EndImpersonationRequest {
    EndImpersonationRequest { identity_id: identity_id.to_owned(), impersonation_id: impersonation_id.to_owned() }
}

/// Whether a token of ada's opens anything, once the process knows of what ended.
async fn opens(scene: &Scene, ada: &str, token: &str) -> bool {
    scene.learn_what_ended().await;
    let get = GetIdentityRequest { identity_id: ada.to_owned() };
    scene.identities().get_identity(request_by(token, get)).await.is_ok()
}

#[tokio::test]
async fn an_impersonation_ends_when_either_side_of_it_is_ended() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let (eve, staff_token) = staff(&scene, &["identity.impersonation.read"]).await;
        let (_, others) = {
            let mallory = scene.staff("mallory@example.com", &["identity.impersonation.read"]).await;
            (mallory.id, scene.sign_in("mallory@example.com", PASSWORD).await.unwrap().access_token)
        };
        let begin = || async {
            let answer = scene.identities().impersonate(request_by(&staff_token, ask(&ada.id, false))).await.unwrap();
            answer.into_inner()
        };
        // With the token that it gave.
        let first = begin().await;
        assert!(opens(&scene, &ada.id, &first.access_token).await);
        let ended =
            scene.sessions().end_impersonation(request_by(&first.access_token, end(&ada.id, ""))).await.unwrap();
        assert_eq!(ended.into_inner().ended, vec![first.session_id.clone()]);
        let entry = scene.entries().await.pop().unwrap();
        assert_eq!(
            (entry.action.as_str(), entry.actor.as_str(), entry.subject.as_str()),
            ("IMPERSONATION_ENDED", eve.as_str(), ada.id.as_str())
        );
        assert!(!opens(&scene, &ada.id, &first.access_token).await);
        // By staff: all of their own, or one by name.
        let (second, third) = (begin().await, begin().await);
        let none = scene.sessions().end_impersonation(request_by(&others, end(&ada.id, ""))).await.unwrap();
        assert!(none.into_inner().ended.is_empty());
        scene.sessions().end_impersonation(request_by(&others, end(&ada.id, &second.session_id))).await.unwrap();
        assert!(
            !opens(&scene, &ada.id, &second.access_token).await && opens(&scene, &ada.id, &third.access_token).await
        );
        // By signing out of it.
        let out = scene.sessions().sign_out(request_by(&third.access_token, SignOutRequest::default())).await.unwrap();
        assert_eq!(out.into_inner().ended, [third.session_id]);
        assert!(!opens(&scene, &ada.id, &third.access_token).await);
        // With the session that it was begun from.
        let fourth = begin().await;
        scene.sessions().sign_out(request_by(&staff_token, SignOutRequest::default())).await.unwrap();
        assert!(!opens(&scene, &ada.id, &fourth.access_token).await);
    }
}

#[tokio::test]
async fn a_member_ends_no_impersonation_and_sees_none() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let own = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(
        refusal_reason(scene.sessions().end_impersonation(request_by(&own, end(&ada.id, ""))).await),
        "NOT_IMPERSONATING"
    );
    let (eve, token) = staff(&scene, &["identity.impersonation.read"]).await;
    let begun = scene.identities().impersonate(request_by(&token, ask(&ada.id, false))).await.unwrap().into_inner();
    assert_eq!(
        refusal_reason(scene.sessions().end_impersonation(request_by(&own, end(&ada.id, &begun.session_id))).await),
        "NOT_IMPERSONATING"
    );
    let list = ListImpersonationsRequest { identity_id: ada.id.clone(), ..ListImpersonationsRequest::default() };
    assert_eq!(
        refusal_reason(scene.sessions().list_impersonations(request_by(&own, list.clone())).await),
        "REALM_NOT_ALLOWED"
    );
    let listed =
        scene.sessions().list_impersonations(request_by(&token, list)).await.unwrap().into_inner().impersonations;
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((one.actor_id.as_str(), one.reason.as_str()), (eve.as_str(), "she is on the phone"));
}

#[tokio::test]
async fn impersonation_cannot_touch_sessions_or_passwords() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let own = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let (eve, token) = staff(&scene, &["identity.*"]).await;
    let acting =
        scene.identities().impersonate(request_by(&token, ask(&ada.id, true))).await.unwrap().into_inner().access_token;
    let current = scene
        .sessions()
        .get_current_session(request_by(&acting, GetCurrentSessionRequest {}))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (current.identity_id.as_str(), current.actor_id.as_str(), current.actor_may_write),
        (ada.id.as_str(), eve.as_str(), true)
    );
    let list = ListSessionsRequest { identity_id: ada.id.clone(), ..ListSessionsRequest::default() };
    assert_eq!(refusal_reason(scene.sessions().list_sessions(request_by(&acting, list)).await), "IMPERSONATION_DENIED");
    let revoke = RevokeSessionRequest { identity_id: ada.id.clone(), session_id: own.session_id.clone() };
    assert_eq!(
        refusal_reason(scene.sessions().revoke_session(request_by(&acting, revoke)).await),
        "IMPERSONATION_DENIED"
    );
    let all = RevokeAllSessionsRequest { identity_id: ada.id.clone(), except_current: false };
    assert_eq!(
        refusal_reason(scene.sessions().revoke_all_sessions(request_by(&acting, all)).await),
        "IMPERSONATION_DENIED"
    );
    let renew = RefreshTokenRequest { refresh_token: own.refresh_token, cookie: false };
    assert_eq!(
        refusal_reason(scene.sessions().refresh_token(request_by(&acting, renew)).await),
        "IMPERSONATION_DENIED"
    );
}

#[tokio::test]
async fn a_browser_acts_with_a_cookie_beside_its_own() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let (_, token) = staff(&scene, &["identity.impersonation.read"]).await;
    let request = ImpersonateRequest { cookie: true, ..ask(&ada.id, false) };
    let answer = scene.identities().impersonate(request_by(&token, request)).await.unwrap();
    let cookie = answer.metadata().get("set-cookie").unwrap().to_str().unwrap().to_owned();
    assert!(
        cookie.starts_with("__Host-pavise_acting=ey")
            && cookie.contains("; Max-Age=900; HttpOnly; SameSite=Lax; Secure")
    );
    assert!(answer.into_inner().access_token.is_empty());
    // Once it is over, the next renewal of the session takes it out of the way.
    scene.clock.move_forward(Duration::from_secs(16 * 60));
    let request = CreateTokenRequest { cookie: true, ..sign_in("eve@example.com", PASSWORD) };
    let own = scene.identities().create_token(Request::new(request)).await.unwrap();
    let own = own.metadata().get_all("set-cookie").iter().nth(1).unwrap().to_str().unwrap().to_owned();
    let plain = |set: &str| set.split(';').next().unwrap().strip_prefix("__Host-").unwrap().to_owned();
    let both = format!("{}; {}", plain(&own), plain(&cookie));
    let renewed = scene
        .sessions()
        .refresh_token(with(Request::new(RefreshTokenRequest::default()), "pavise-cookies", &both))
        .await
        .unwrap();
    let set: Vec<&str> = renewed.metadata().get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(set.iter().any(|cookie| cookie.starts_with("__Host-pavise_acting=; Path=/; Max-Age=0;")), "{set:?}");
}
