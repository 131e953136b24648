//! Tokens made and checked by call.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pavise_identity::contract::v1::{
    ApplicationPermissions, CreateIdentityRequest, CreateJwtRequest, IdentityRealm, TokenProblem, VerifyJwtRequest,
    VerifyJwtResponse,
};
use pavise_kernel::caller::{APPLICATION, Realm};
use pavise_kernel::common::v1::ReadJournalRequest;
use pavise_kernel::time::Ids;
use pavise_kernel::token::{LARGEST, TokenKey, issue};
use pavise_kernel::{Caller, Error};

use crate::scene::{NOW, PASSWORD, Scene, by, reason, scene, scenes, sign_up, with};

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
    scene.clock.advance(Duration::from_secs(5));
    let second = scene.tokens().create_jwt(repeat(ask(&robot))).await.unwrap().into_inner();
    assert_eq!(first, second);
    let other = CreateJwtRequest { lifetime_seconds: 60, ..ask(&robot) };
    assert_eq!(reason(scene.tokens().create_jwt(repeat(other)).await), "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_token_allows_no_more_than_its_subject_or_its_maker_may() {
    let scene = scene().await;
    let robot = robot(&scene).await;
    let narrow = CreateJwtRequest { permissions: permissions(&["billing.invoices.read"]), ..ask(&robot) };
    let weak = scene.program(ask(&robot), &["identity.tokens.write", "orders.orders.read"]);
    assert_eq!(reason(scene.tokens().create_jwt(weak).await), "PERMISSION_NOT_HELD");
    let enough = scene.program(narrow.clone(), &["identity.tokens.write", "billing.invoices.*"]);
    let made = scene.tokens().create_jwt(enough).await.unwrap().into_inner();
    assert!(!scene.caller(&made.token).await.unwrap().has("billing.invoices.write"));
    let beyond = CreateJwtRequest { permissions: permissions(&["catalog.*"]), ..ask(&robot) };
    assert_eq!(reason(scene.tokens().create_jwt(scene.platform(beyond)).await), "INVALID_FIELD");
    assert_eq!(reason(scene.tokens().create_jwt(scene.platform(ask("nobody"))).await), "NOT_FOUND");

    let ada = scene.member("ada@example.com").await;
    scene.staff("eve@example.com", &["*"]).await;
    let eve = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(reason(scene.tokens().create_jwt(by(&eve, ask(&ada.id))).await), "NOT_IMPERSONABLE");
    let ada = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(reason(scene.tokens().create_jwt(by(&ada, ask(&robot))).await), "REALM_NOT_ALLOWED");
}

#[tokio::test]
async fn what_is_wrong_with_a_token_is_said() {
    let scene = scene().await;
    let robot = robot(&scene).await;
    let made = scene.tokens().create_jwt(scene.platform(ask(&robot))).await.unwrap().into_inner();
    let partner = CreateJwtRequest { audience: "partner.example".into(), ..ask(&robot) };
    let partner = scene.tokens().create_jwt(scene.platform(partner)).await.unwrap().into_inner();
    let caller = Caller { identity: robot.clone(), realm: Realm::Machine, ..Caller::default() };
    let stranger = |kid: &str| issue(&caller, Duration::from_secs(60), &TokenKey::random(kid, &Ids::seeded(7)), NOW);
    let unsigned = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"none","typ":"JWT","kid":"{}"}}"#, made.key_id));
    let (_, rest) = made.token.split_once('.').unwrap();
    let (claims, signature) = rest.split_once('.').unwrap();
    let cases = [
        (made.token[..made.token.len() - 4].to_owned(), TokenProblem::Malformed),
        ("x".repeat(LARGEST + 1), TokenProblem::TooLarge),
        (format!("{unsigned}.{claims}.{signature}"), TokenProblem::HeaderNotAllowed),
        (stranger("unknown"), TokenProblem::UnknownKey),
        (
            issue(
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
    scene.clock.advance(Duration::from_secs(900));
    assert_eq!(verify(&scene, &made.token, "").await.problem(), TokenProblem::Expired);
    let anonymous = tonic::Request::new(VerifyJwtRequest { token: made.token, audience: String::new() });
    assert_eq!(Error::from(scene.tokens().verify_jwt(anonymous).await.unwrap_err()).reason(), "TOKEN_MISSING");
}
