//! A move of business time ends nothing that lives in the machine's time.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::MIGRATIONS;
use pavise_identity::contract::v1::{
    CreateIdentityRequest, CreateJwtRequest, GetIdentityRequest, IdentityRealm, RefreshTokenRequest, SignOutRequest,
};
use pavise_kernel::common::v1::Date;
use pavise_kernel::store::{Cursor, FailedEntry, WorkerTick};
use pavise_kernel::test_clock::{self, ClockState};
use pavise_kernel::time::{ClockOffset, DAY, start_of, to_micros, to_timestamp};
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
    let get = GetIdentityRequest { identity_id: token.identity_id.clone() };
    let refused = scene.identities().get_identity(request_by(&token.access_token, get)).await;
    assert_eq!(refusal_reason(refused), "TOKEN_EXPIRED");
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

/// The test clock, as soon as it is as wanted.
async fn clock_that(scene: &Scene, wanted: impl Fn(&ClockState) -> bool) -> ClockState {
    let looks = async {
        loop {
            let state = test_clock::load_state(&scene.kernel).await.unwrap();
            if wanted(&state) {
                return state;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), looks).await.unwrap()
}

#[tokio::test]
async fn a_day_waits_for_each_worker_and_for_a_second_try() {
    let (scene, offset) = scene_with_clock().await;
    let (kernel, store) = (scene.kernel.clone(), scene.store().clone());
    test_clock::open(store.as_ref(), NOW, None).await.unwrap();
    let worker = |name: &str, journal: &str| WorkerTick {
        worker: name.to_owned(),
        journal: journal.to_owned(),
        offset: i64::MIN,
    };
    let workers = [worker("identity.follower", "identities"), worker("identity.timer", "")];
    store.set_workers(&["identity".to_owned()], &workers).await.unwrap();
    let ada = scene.member("ada@example.com").await;
    assert!(test_clock::begin_advance(&kernel, 1, "days").await.unwrap());
    assert!(!test_clock::begin_advance(&kernel, 1, "days").await.unwrap(), "one at a time");
    let waits = async || test_clock::load_state(&kernel).await.unwrap().waits_for;
    assert_eq!(waits().await, ["identity.follower", "identity.timer"]);
    store.record_tick("identity.timer", 0).await.unwrap();
    assert_eq!(waits().await, ["identity.follower"]);

    // The follower stands at the end, and one entry failed once: it is tried again in a moment.
    let head = store.head("identities").await.unwrap();
    let failed = FailedEntry {
        worker: "identity.follower".to_owned(),
        clock: 1,
        entity_id: ada.id,
        attempts: 1,
        next_at: 0,
        cause: "it failed".to_owned(),
        parked: false,
        entry: Vec::new(),
    };
    assert!(store.lease("identity.follower", "here", Duration::from_secs(600)).await.unwrap());
    let cursor = Cursor { clock: head.clock, epoch: head.epoch };
    assert!(store.advance("identity.follower", "here", &cursor, std::slice::from_ref(&failed)).await.unwrap());
    assert_eq!(waits().await, ["identity.follower"]);
    store.retry(&FailedEntry { attempts: 2, ..failed }).await.unwrap();
    assert!(waits().await.is_empty(), "the next try is by the machine's clock");

    let running = tokio::spawn(test_clock::run(kernel.clone(), kernel.stop_token().clone()));
    let next_day = clock_that(&scene, |state| state.offset == DAY).await;
    assert!(next_day.is_advancing && next_day.waits_for == ["identity.timer"], "{next_day:?}");
    store.record_tick("identity.timer", DAY).await.unwrap();
    let over = clock_that(&scene, |state| !state.is_advancing).await;
    assert_eq!((over.offset, offset.get(), over.days.len()), (DAY, DAY, 1));
    assert_eq!(over.days[0].1.get("set_aside"), Some(&1), "{over:?}");
    kernel.stop_token().cancel();
    running.await.unwrap();
}

#[tokio::test]
async fn an_empty_database_begins_on_any_day_and_data_keep_theirs() {
    let january = |day| Date { year: 2026, month: 1, day };
    let now = start_of(january(1)) + DAY / 2;
    for engine in Engine::BOTH {
        let empty = Database::new(engine, &MIGRATIONS).await;
        let store = empty.store().as_ref();
        for far in [Date { year: 2029, month: 1, day: 1 }, Date { year: 2001, month: 1, day: 1 }] {
            assert!(test_clock::open(store, now, Some(far)).await.is_err());
        }
        for said in [Some(january(31)), None, Some(january(31))] {
            assert_eq!(test_clock::open(store, now, said).await.unwrap().get(), 30 * DAY);
        }
        let other_day = test_clock::open(store, now, Some(january(30))).await.unwrap_err();
        assert!(other_day.message().contains("2026-01-31"), "{other_day}");
        let moved = test_clock::stay_with_machine(store, now).await.unwrap_err();
        assert!(moved.message().contains("--test-clock"), "{moved}");

        let served = Database::new(engine, &MIGRATIONS).await;
        let store = served.store().as_ref();
        for _ in 0..2 {
            test_clock::stay_with_machine(store, now).await.unwrap();
        }
        assert!(test_clock::open(store, now, Some(january(2))).await.is_err());
        assert_eq!(test_clock::open(store, now, Some(january(1))).await.unwrap().get(), 0);

        // An earlier version served it, which knew of no test clock.
        let earlier = Database::new(engine, &MIGRATIONS).await;
        let store = earlier.store().as_ref();
        assert!(store.lease("identity.timer", "here", Duration::from_secs(60)).await.unwrap());
        assert!(test_clock::open(store, now, Some(january(2))).await.is_err());
        assert_eq!(test_clock::open(store, now, None).await.unwrap().get(), 0);
    }
}
