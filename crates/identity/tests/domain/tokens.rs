//! Tokens made and checked by call.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_identity::contract::v1::{
    ApplicationPermissions, CreateIdentityRequest, CreateJwtRequest, DeleteIdentityRequest, GetCurrentSessionRequest,
    IdentityRealm, InvalidatePasswordsRequest, RevokeAllSessionsRequest, SetPasswordRequest, TokenProblem,
    UpdateGroupsRequest, UpdatePermissionsRequest, VerifyJwtRequest, VerifyJwtResponse,
};
use pavise_kernel::caller::{APPLICATION, Realm};
use pavise_kernel::common::v1::ReadJournalRequest;
use pavise_kernel::time::{Ids, MINUTE, to_timestamp};
use pavise_kernel::token::{LARGEST, TokenKey, issue_token};
use pavise_kernel::{Caller, Error};

use crate::scene::{NOW, PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up, with};

fn permissions(names: &[&str]) -> Vec<ApplicationPermissions> {
    let permissions = names.iter().map(|name| (*name).to_owned()).collect();
    vec![ApplicationPermissions { application: APPLICATION.to_owned(), permissions }]
}

async fn robot(scene: &Scene) -> String {
    let request = CreateIdentityRequest {
        realm: IdentityRealm::Machine.into(),
        emails: Vec::new(),
        usernames: vec!["robot".into()],
        permissions: permissions(&["billing.*", "orders.orders.read"]),
        password: String::new(),
        ..sign_up("x@example.com")
    };
    scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner().id
}

fn ask(subject: &str) -> CreateJwtRequest {
    CreateJwtRequest { subject: subject.to_owned(), ..CreateJwtRequest::default() }
}

async fn verify(scene: &Scene, token: &str, audience: &str) -> VerifyJwtResponse {
    let request = VerifyJwtRequest { token: token.to_owned(), audience: audience.to_owned() };
    scene.tokens().verify_jwt(scene.platform(request)).await.unwrap().into_inner()
}

#[tokio::test]
async fn a_token_speaks_for_its_subject_and_is_on_record() {
    for scene in scenes().await {
        let robot = robot(&scene).await;
        let made = scene.tokens().create_jwt(scene.platform(ask(&robot))).await.unwrap().into_inner();
        let caller = scene.caller(&made.token).await.unwrap();
        assert_eq!((caller.identity.as_str(), caller.realm), (robot.as_str(), Realm::Machine));
        assert!(caller.has("billing.invoices.write") && !caller.has("orders.orders.write"));
        let checked = verify(&scene, &made.token, "").await;
        let claims = checked.claims.unwrap();
        assert!(checked.valid);
        assert_eq!(
            (claims.jwt_id, claims.subject.as_str(), claims.key_id),
            (made.jwt_id.clone(), robot.as_str(), made.key_id)
        );
        assert_eq!(
            (claims.issuer.as_str(), claims.audience.as_str(), claims.expires_at),
            ("pavise", "pavise", made.expires_at)
        );
        let journal =
            scene.tokens().read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
        let entry = journal.entries.last().unwrap();
        assert_eq!((entry.action.as_str(), &entry.entity_id, &entry.owner_id), ("JWT_CREATED", &made.jwt_id, &robot));
        assert!(!format!("{journal:?}").contains(&made.token), "the token is not kept");
    }
}

#[tokio::test]
async fn a_repeat_gets_the_same_token_though_it_is_not_kept() {
    let scene = scene().await;
    let robot = robot(&scene).await;
    let repeat = |request: CreateJwtRequest| with(scene.platform(request), "idempotency-key", "again");
    let first = scene.tokens().create_jwt(repeat(ask(&robot))).await.unwrap().into_inner();
    scene.clock.move_forward(Duration::from_secs(5));
    let second = scene.tokens().create_jwt(repeat(ask(&robot))).await.unwrap().into_inner();
    assert_eq!(first, second);
    let other = CreateJwtRequest { lifetime_seconds: 60, ..ask(&robot) };
    assert_eq!(refusal_reason(scene.tokens().create_jwt(repeat(other)).await), "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_token_allows_no_more_than_its_subject_or_its_maker_may() {
    let scene = scene().await;
    let robot = robot(&scene).await;
    let narrow = CreateJwtRequest { permissions: permissions(&["billing.invoices.read"]), ..ask(&robot) };
    let weak = scene.program(ask(&robot), &["identity.tokens.write", "orders.orders.read"]);
    assert_eq!(refusal_reason(scene.tokens().create_jwt(weak).await), "PERMISSION_NOT_HELD");
    let enough = scene.program(narrow.clone(), &["identity.tokens.write", "billing.invoices.*"]);
    let made = scene.tokens().create_jwt(enough).await.unwrap().into_inner();
    assert!(!scene.caller(&made.token).await.unwrap().has("billing.invoices.write"));
    let beyond = CreateJwtRequest { permissions: permissions(&["catalog.*"]), ..ask(&robot) };
    assert_eq!(refusal_reason(scene.tokens().create_jwt(scene.platform(beyond)).await), "INVALID_FIELD");
    assert_eq!(refusal_reason(scene.tokens().create_jwt(scene.platform(ask("nobody"))).await), "NOT_FOUND");

    let ada = scene.member("ada@example.com").await;
    scene.staff("eve@example.com", &["*"]).await;
    let eve = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(refusal_reason(scene.tokens().create_jwt(request_by(&eve, ask(&ada.id))).await), "NOT_IMPERSONABLE");
    let ada = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(refusal_reason(scene.tokens().create_jwt(request_by(&ada, ask(&robot))).await), "REALM_NOT_ALLOWED");
}

#[tokio::test]
async fn flaw_of_a_token_is_named() {
    let scene = scene().await;
    let robot = robot(&scene).await;
    let made = scene.tokens().create_jwt(scene.platform(ask(&robot))).await.unwrap().into_inner();
    let partner = CreateJwtRequest { audience: "partner.example".into(), ..ask(&robot) };
    let partner = scene.tokens().create_jwt(scene.platform(partner)).await.unwrap().into_inner();
    let caller = Caller { identity: robot.clone(), realm: Realm::Machine, ..Caller::default() };
    let stranger =
        |kid: &str| issue_token(&caller, Duration::from_secs(60), &TokenKey::random(kid, &Ids::from_seed(7)), NOW);
    let unsigned = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"none","typ":"JWT","kid":"{}"}}"#, made.key_id));
    let (_, rest) = made.token.split_once('.').unwrap();
    let (claims, signature) = rest.split_once('.').unwrap();
    let cases = [
        (made.token[..made.token.len() - 4].to_owned(), TokenProblem::Malformed),
        ("x".repeat(LARGEST + 1), TokenProblem::TooLarge),
        (format!("{unsigned}.{claims}.{signature}"), TokenProblem::HeaderNotAllowed),
        (stranger("unknown"), TokenProblem::UnknownKey),
        (
            issue_token(
                &caller,
                Duration::from_secs(60),
                &TokenKey::mesh(b"a secret that all parts share in this test"),
                NOW,
            ),
            TokenProblem::UnknownKey,
        ),
        (stranger(&made.key_id), TokenProblem::BadSignature),
        (partner.token.clone(), TokenProblem::WrongAudience),
    ];
    for (token, problem) in cases {
        let checked = verify(&scene, &token, "").await;
        assert_eq!((checked.valid, checked.problem()), (false, problem));
        assert!(checked.claims.is_none() && !checked.description.is_empty());
    }
    assert!(verify(&scene, &partner.token, "partner.example").await.valid);
    assert!(scene.caller(&partner.token).await.is_err(), "it opens nothing here");
    scene.clock.move_forward(Duration::from_secs(900));
    assert_eq!(verify(&scene, &made.token, "").await.problem(), TokenProblem::Expired);
    let anonymous = tonic::Request::new(VerifyJwtRequest { token: made.token, audience: String::new() });
    assert_eq!(Error::from(scene.tokens().verify_jwt(anonymous).await.unwrap_err()).reason(), "TOKEN_MISSING");
}

/// An identity of a realm, with rights where the realm has any.
async fn someone(scene: &Scene, realm: IdentityRealm, email: &str) -> String {
    let may = if matches!(realm, IdentityRealm::Internal | IdentityRealm::Machine | IdentityRealm::Partner) {
        permissions(&["identity.sessions.*"])
    } else {
        Vec::new()
    };
    let request = CreateIdentityRequest { realm: realm.into(), permissions: may, ..sign_up(email) };
    scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner().id
}

const REALMS: [IdentityRealm; 5] = [
    IdentityRealm::User,
    IdentityRealm::Machine,
    IdentityRealm::Internal,
    IdentityRealm::Partner,
    IdentityRealm::GroupAdmin,
];

async fn is_admitted(scene: &Scene, token: &str) -> Result<(), String> {
    let answer = scene.sessions().get_current_session(request_by(token, GetCurrentSessionRequest {})).await;
    answer.map(drop).map_err(|status| Error::from(status).reason().to_owned())
}

#[tokio::test]
async fn a_token_of_a_person_is_good_for_fifteen_minutes_whatever_is_asked_for() {
    let scene = scene().await;
    for (n, realm) in REALMS.into_iter().enumerate() {
        let id = someone(&scene, realm, &format!("p{n}@example.com")).await;
        let day = CreateJwtRequest { lifetime_seconds: 86_400, ..ask(&id) };
        let made = scene.tokens().create_jwt(scene.platform(day)).await.unwrap().into_inner();
        let minutes = if realm == IdentityRealm::Machine { 60 } else { 15 };
        assert_eq!(made.expires_at, Some(to_timestamp(NOW + minutes * MINUTE)), "{realm:?}");
    }
}

#[tokio::test]
async fn tokens_without_a_session_end_with_access_in_every_realm() {
    for scene in scenes().await {
        for (n, realm) in REALMS.into_iter().enumerate() {
            let id = someone(&scene, realm, &format!("p{n}@example.com")).await;
            let new = async || scene.tokens().create_jwt(scene.platform(ask(&id))).await.unwrap().into_inner().token;
            let ended = async |what: &str, token: &str| {
                scene.learn_what_ended().await;
                assert_eq!(is_admitted(&scene, token).await, Err("TOKEN_EXPIRED".to_owned()), "{realm:?}: {what}");
            };
            let token = new().await;
            is_admitted(&scene, &token).await.unwrap();
            scene.clock.move_forward(Duration::from_millis(300));
            let password = SetPasswordRequest { user_id: id.clone(), password: "a stable of the sea".into() };
            scene.identities().set_password(scene.platform(password)).await.unwrap();
            ended("password", &token).await;

            let token = new().await;
            scene.clock.move_forward(Duration::from_millis(300));
            let invalidate =
                InvalidatePasswordsRequest { user_id: id.clone(), ..InvalidatePasswordsRequest::default() };
            scene.identities().invalidate_passwords(scene.platform(invalidate)).await.unwrap();
            ended("invalidated password", &token).await;

            let token = new().await;
            is_admitted(&scene, &token).await.unwrap();
            match realm {
                IdentityRealm::User => {}
                IdentityRealm::GroupAdmin => {
                    let groups = vec!["g1".to_owned()];
                    let update = UpdateGroupsRequest { identity_id: id.clone(), group_ids: groups, scopes: None };
                    scene.identities().update_groups(scene.platform(update)).await.unwrap();
                    ended("groups", &token).await;
                }
                _ => {
                    let update = UpdatePermissionsRequest { identity_id: id.clone(), permissions: Vec::new() };
                    scene.identities().update_permissions(scene.platform(update)).await.unwrap();
                    ended("permissions", &token).await;
                }
            }

            let token = new().await;
            is_admitted(&scene, &token).await.unwrap();
            scene
                .identities()
                .delete_identity(scene.platform(DeleteIdentityRequest { identity_id: id }))
                .await
                .unwrap();
            ended("deletion", &token).await;
        }
    }
}

#[tokio::test]
async fn sessions_that_are_ended_for_a_person_end_their_tokens_without_a_session() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let session = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    let jwt = scene.tokens().create_jwt(scene.platform(ask(&ada.id))).await.unwrap().into_inner().token;
    scene.clock.move_forward(Duration::from_secs(1));
    let all = RevokeAllSessionsRequest { identity_id: ada.id.clone(), except_current: false };
    scene.sessions().revoke_all_sessions(request_by(&session, all)).await.unwrap();
    scene.learn_what_ended().await;
    for token in [&session, &jwt] {
        assert_eq!(is_admitted(&scene, token).await, Err("TOKEN_EXPIRED".to_owned()));
    }
    let again = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    is_admitted(&scene, &again).await.unwrap();
    let jwt = scene.tokens().create_jwt(scene.platform(ask(&ada.id))).await.unwrap().into_inner().token;
    is_admitted(&scene, &jwt).await.unwrap();
}
