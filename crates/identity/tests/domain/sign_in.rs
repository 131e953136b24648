//! Signing in: the same answer for whoever is wrong, and a wait for whoever guesses.

use std::time::Duration;

use pavise_identity::contract::v1::{CreateIdentityRequest, CreateTokenRequest, Session};
use pavise_identity::{Config, HashCost};
use pavise_kernel::caller::Realm;
use pavise_kernel::{Common, Error};
use prost::Message as _;
use tonic::Request;

use crate::scene::{Engine, PASSWORD, configured, scene, scenes, sign_in, sign_up, with};

#[tokio::test]
async fn sign_in_is_named_in_the_token_and_the_journal() {
    for scene in scenes().await {
        let named = CreateIdentityRequest { usernames: vec!["countess".into()], ..sign_up("ada@example.com") };
        let ada = scene.identities().create_identity(scene.platform(named)).await.unwrap().into_inner();
        let by_name = CreateTokenRequest {
            username: "Countess".into(),
            password: PASSWORD.into(),
            ..CreateTokenRequest::default()
        };
        scene.identities().create_token(Request::new(by_name)).await.unwrap();
        let answer = scene.sign_in("ADA@example.com", PASSWORD).await.unwrap();
        assert_eq!((answer.token_type.as_str(), answer.identity_id.as_str()), ("Bearer", ada.id.as_str()));
        let caller = scene.caller(&answer.access_token).await.unwrap();
        assert_eq!(
            (caller.identity.as_str(), caller.realm, caller.session.as_str()),
            (ada.id.as_str(), Realm::User, answer.session_id.as_str())
        );
        assert!(caller.permissions.is_empty() && caller.actor.is_none());

        let entry = scene.entries().await.pop().unwrap();
        assert_eq!((entry.action.as_str(), entry.owner_id.as_str()), ("LOGGED_IN", ada.id.as_str()));
        let session = Session::decode(entry.entity.unwrap().value.as_slice()).unwrap();
        assert_eq!((session.id, session.method.as_str()), (answer.session_id, "password"));

        scene.clock.move_forward(Duration::from_secs(15 * 60));
        assert!(scene.caller(&answer.access_token).await.unwrap_err().is(Common::TokenExpired));
    }
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_answered_alike() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let wrong = scene.sign_in("ada@example.com", "correct horse batterz").await.unwrap_err();
    let unknown = scene.sign_in("nobody@example.com", PASSWORD).await.unwrap_err();
    assert_eq!(wrong.reason(), "WRONG_CREDENTIALS");
    assert_eq!((wrong.reason(), wrong.message(), wrong.code()), (unknown.reason(), unknown.message(), unknown.code()));
    assert_eq!(scene.actions().await, ["CREATED", "CREATED"], "a failure writes nothing");
}

#[tokio::test]
async fn failures_make_an_account_wait_whether_it_exists_or_not() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    for email in ["ada@example.com", "nobody@example.com"] {
        for _ in 0..6 {
            assert_eq!(scene.sign_in(email, "guess guess guess").await.unwrap_err().reason(), "WRONG_CREDENTIALS");
        }
        let waits = scene.sign_in(email, PASSWORD).await.unwrap_err();
        assert_eq!(waits.reason(), "SIGN_IN_THROTTLED");
        assert!(waits.is_transient());
    }
    scene.clock.move_forward(Duration::from_secs(1));
    scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    for _ in 0..5 {
        assert_eq!(
            scene.sign_in("ada@example.com", "guess guess guess").await.unwrap_err().reason(),
            "WRONG_CREDENTIALS"
        );
    }
}

#[tokio::test]
async fn failures_make_an_address_wait_whatever_the_account() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let from = |address: &str, email: &str, password: &str| {
        with(Request::new(sign_in(email, password)), "x-forwarded-for", address)
    };
    for n in 0..51 {
        let guess = from("203.0.113.9", &format!("user{n}@example.com"), "guess guess guess");
        assert_eq!(
            Error::from(scene.identities().create_token(guess).await.unwrap_err()).reason(),
            "WRONG_CREDENTIALS"
        );
    }
    let again = from("198.51.100.1, 203.0.113.9", "ada@example.com", PASSWORD);
    assert_eq!(Error::from(scene.identities().create_token(again).await.unwrap_err()).reason(), "SIGN_IN_THROTTLED");
    let elsewhere = from("203.0.113.10", "ada@example.com", PASSWORD);
    scene.identities().create_token(elsewhere).await.unwrap();
}

#[tokio::test]
async fn validate_only_guesses_are_refused() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    for password in [PASSWORD, "another horse of the sea"] {
        let asked = with(Request::new(sign_in("ada@example.com", password)), "pavise-validate-only", "true");
        let refused = Error::from(scene.identities().create_token(asked).await.unwrap_err());
        assert_eq!(refused.reason(), "VALIDATE_ONLY_REFUSED");
    }
    assert_eq!(scene.actions().await, ["CREATED", "CREATED"]);
}

#[tokio::test]
async fn guessed_passwords_do_not_lock_the_owner_out() {
    let scene = scene().await;
    let named = CreateIdentityRequest { usernames: vec!["countess".into()], ..sign_up("ada@example.com") };
    scene.identities().create_identity(scene.platform(named)).await.unwrap();
    let from = |address: &str, email: &str, password: &str| {
        let request = with(Request::new(sign_in(email, password)), "x-forwarded-for", address);
        let mut identities = scene.identities();
        async move { identities.create_token(request).await.map_err(|status| Error::from(status).reason().to_owned()) }
    };
    from("203.0.113.9", "ada@example.com", PASSWORD).await.unwrap();
    // A password is tried from a thousand addresses, one try each.
    let mut waits = 0;
    for n in 0..200 {
        let guess = from(&format!("198.51.{}.{}", n / 100, n % 100), "ada@example.com", "guess guess guess").await;
        waits += u32::from(guess.unwrap_err() == "SIGN_IN_THROTTLED");
    }
    assert!(waits > 190, "guessing goes on at {waits}");
    // Ada waits at a new address, too, but not at home.
    assert_eq!(from("192.0.2.1", "ada@example.com", PASSWORD).await.unwrap_err(), "SIGN_IN_THROTTLED");
    from("203.0.113.9", "ada@example.com", PASSWORD).await.unwrap();
    // Somebody at home who guesses waits as anybody does.
    for _ in 0..6 {
        assert_eq!(from("203.0.113.9", "ada@example.com", "guess guess guess").await.unwrap_err(), "WRONG_CREDENTIALS");
    }
    assert_eq!(from("203.0.113.9", "ada@example.com", PASSWORD).await.unwrap_err(), "SIGN_IN_THROTTLED");
}

#[tokio::test]
async fn more_sign_ins_than_can_be_hashed_at_once_are_turned_away_at_once() {
    let dear = HashCost { memory_kib: 8 * 1024, passes: 2, lanes: 1 };
    let config = Config { hash_cost: dear, hashes_at_once: 2, ..Config::for_tests() };
    let scene = configured(Engine::Sqlite, config).await;
    let tries = (0..40).map(|n| {
        let (scene, email) = (&scene, format!("user{n}@example.com"));
        async move { scene.sign_in(&email, "whatever it may be").await.unwrap_err().reason().to_owned() }
    });
    let answers = futures::future::join_all(tries).await;
    let turned_away = answers.iter().filter(|reason| *reason == "OVERLOADED").count();
    let checked = answers.iter().filter(|reason| *reason == "WRONG_CREDENTIALS").count();
    assert_eq!(turned_away + checked, 40, "{answers:?}");
    assert!(checked >= 2 && turned_away >= 20, "{checked} checked, {turned_away} turned away");
    // Nobody is blamed for what was not looked at.
    assert_eq!(
        scene.sign_in("user39@example.com", "whatever it may be").await.unwrap_err().reason(),
        "WRONG_CREDENTIALS"
    );
}
