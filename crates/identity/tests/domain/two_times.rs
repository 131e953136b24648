//! A move of business time ends nothing that lives in the machine's time.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::MIGRATIONS;
use pavise_identity::contract::v1::{
    CreateIdentityRequest, CreateJwtRequest, IdentityRealm, RefreshTokenRequest, SignOutRequest,
};
use pavise_kernel::time::{ClockOffset, DAY, to_micros, to_timestamp};
use pavise_testkit::scene::Database;
use tonic::Request;

use crate::scene::{Engine, NOW, PASSWORD, Scene, refusal_reason, request_by, scene, sign_up, with, with_test_clock};

/// The domain with a test clock that has not moved yet.
async fn scene_with_clock() -> (Scene, ClockOffset) {
    let offset = ClockOffset::new(0);
    let database = Database::new(Engine::Sqlite, &MIGRATIONS).await;
    (with_test_clock(database, Config::for_tests(), Some(offset.clone())).await, offset)
}

#[tokio::test]
async fn forty_days_end_no_token_no_session_and_no_throttle() {
    let (scene, offset) = scene_with_clock().await;
    scene.member("ada@example.com").await;
    scene.member("bob@example.com").await;
    let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    for _ in 0..6 {
        assert!(scene.sign_in("bob@example.com", "guess guess guess").await.is_err());
    }
    offset.raise_to(40 * DAY);
    scene.learn_what_ended().await;
    scene.caller(&token.access_token).await.unwrap();
    assert_eq!(scene.sign_in("bob@example.com", PASSWORD).await.unwrap_err().reason(), "SIGN_IN_THROTTLED");
    let refresh = RefreshTokenRequest { refresh_token: token.refresh_token, ..RefreshTokenRequest::default() };
    let renewed = scene.sessions().refresh_token(Request::new(refresh)).await.unwrap().into_inner();
    let expires_at = to_micros(&renewed.expires_at.unwrap());
    assert!(expires_at > NOW && expires_at < NOW + DAY, "tokens are dated by the machine");
    // The workers find keys and codes old by business time alone.
    scene.tick_all("moved").await.unwrap();
    scene.clock.move_forward(Duration::from_secs(61));
    scene.tick_all("a minute later").await.unwrap();
    scene.caller(&renewed.access_token).await.unwrap();
}

#[tokio::test]
async fn what_ended_before_the_move_stays_ended_after_it() {
    let (scene, offset) = scene_with_clock().await;
    scene.member("ada@example.com").await;
    let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let ended = SignOutRequest::default();
    scene.sessions().sign_out(request_by(&token.access_token, ended)).await.unwrap();
    offset.raise_to(40 * DAY);
    scene.learn_what_ended().await;
    assert!(scene.caller(&token.access_token).await.is_err());
}

#[tokio::test]
async fn journals_and_entities_have_the_business_time() {
    let (scene, offset) = scene_with_clock().await;
    offset.raise_to(40 * DAY);
    let ada = scene.member("ada@example.com").await;
    assert_eq!(ada.created_at, Some(to_timestamp(NOW + 40 * DAY)));
    let entry = scene.entries().await.pop().unwrap();
    assert_eq!(entry.at, Some(to_timestamp(NOW + 40 * DAY)));
}

#[tokio::test]
async fn a_repeat_after_the_move_makes_no_other_token() {
    let (scene, offset) = scene_with_clock().await;
    let robot = CreateIdentityRequest {
        realm: IdentityRealm::Machine.into(),
        emails: Vec::new(),
        usernames: vec!["robot".into()],
        password: String::new(),
        ..sign_up("x@example.com")
    };
    let robot = scene.identities().create_identity(scene.platform(robot)).await.unwrap().into_inner();
    let ask = || {
        let request = CreateJwtRequest { subject: robot.id.clone(), ..CreateJwtRequest::default() };
        with(scene.platform(request), "idempotency-key", "once")
    };
    let made = scene.tokens().create_jwt(ask()).await.unwrap().into_inner();
    assert_eq!(scene.tokens().create_jwt(ask()).await.unwrap().into_inner(), made);
    offset.raise_to(40 * DAY);
    // The token is made from its record, whose day is another one by now. It is refused, and no other token is made.
    assert_eq!(refusal_reason(scene.tokens().create_jwt(ask()).await), "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn parts_of_the_platform_alone_are_believed_about_the_day() {
    async fn made_at(scene: &Scene, request: Request<CreateIdentityRequest>, days: i64) -> Option<i64> {
        let request = with(request, "pavise-test-clock", &(days * DAY).to_string());
        let made = scene.identities().create_identity(request).await.unwrap().into_inner();
        made.created_at.as_ref().map(to_micros)
    }
    let (scene, _) = scene_with_clock().await;
    assert_eq!(made_at(&scene, scene.platform(sign_up("a@x.example")), 9).await, Some(NOW + 9 * DAY));
    assert_eq!(made_at(&scene, Request::new(sign_up("b@x.example")), 9).await, Some(NOW), "a visitor");
    assert_eq!(made_at(&scene, scene.platform(sign_up("c@x.example")), 801).await, Some(NOW), "out of bounds");
    let plain = self::scene().await;
    assert_eq!(made_at(&plain, plain.platform(sign_up("d@x.example")), 1).await, Some(NOW), "without a test clock");
}
