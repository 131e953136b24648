//! Signing keys: made once, replaced in time, published, withdrawn.

use std::time::Duration;

use pavise_identity::contract::v1::{
    CreateIdentityRequest, GetKeyRequest, ListKeysRequest, PublicKey, RetireKeyRequest, RotateKeyRequest,
    SigningKeyStatus,
};
use pavise_identity::{Config, enroll_identity, make_signing_key};
use pavise_kernel::Common;
use pavise_kernel::common::v1::ReadJournalRequest;
use pavise_kernel::worker::Work;
use tonic::Request;

use crate::scene::{PASSWORD, Scene, on, refusal_reason, scene, scenes, sign_up};

const DAY: Duration = Duration::from_secs(24 * 3600);

async fn keys(scene: &Scene) -> Vec<PublicKey> {
    scene.tokens().list_keys(Request::new(ListKeysRequest {})).await.unwrap().into_inner().keys
}

#[tokio::test]
async fn the_first_key_is_made_once_however_many_processes_start() {
    for first in scenes().await {
        let second = on(first.database(), Config::for_tests()).await;
        let all =
            (0..8).map(|n| make_signing_key(if n % 2 == 0 { &first.kernel } else { &second.kernel }, &first.config));
        for done in futures::future::join_all(all).await {
            done.unwrap();
        }
        let published = keys(&second).await;
        assert_eq!(published.len(), 1);
        let key = &published[0];
        assert_eq!(
            (key.kty.as_str(), key.crv.as_str(), key.alg.as_str(), key.r#use.as_str()),
            ("OKP", "Ed25519", "EdDSA", "sig")
        );
        let ask = || Request::new(GetKeyRequest { key_id: key.kid.clone() });
        assert_eq!(first.tokens().get_key(ask()).await.unwrap().into_inner(), *key);
        assert_eq!(first.identities().get_key(ask()).await.unwrap().into_inner(), *key);
        assert_eq!(
            refusal_reason(first.tokens().get_key(Request::new(GetKeyRequest { key_id: "mesh".into() })).await),
            "NOT_FOUND"
        );
    }
}

#[tokio::test]
async fn a_key_is_replaced_in_time_and_what_it_signed_stays_good() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let first = keys(&scene).await.remove(0).kid;
    scene.tick_all("young").await.unwrap();
    assert_eq!(keys(&scene).await.len(), 1);
    scene.clock.move_forward(30 * DAY);
    let before = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    scene.tick_all("old").await.unwrap();
    scene.clock.move_forward(Duration::from_secs(61));
    let after = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert_eq!(before.key_id, first);
    assert_ne!(after.key_id, first);
    for token in [&before.access_token, &after.access_token] {
        scene.caller(token).await.unwrap();
    }
    assert_eq!(keys(&scene).await.len(), 2);
    scene.clock.move_forward(2 * DAY);
    scene.tick_all("older").await.unwrap();
    assert_eq!(keys(&scene).await.into_iter().map(|key| key.kid).collect::<Vec<_>>(), [after.key_id]);
    assert_eq!(
        refusal_reason(scene.tokens().get_key(Request::new(GetKeyRequest { key_id: first })).await),
        "NOT_FOUND"
    );
    let journal =
        scene.tokens().read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
    let actions: Vec<_> = journal.entries.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["KEY_CREATED", "KEY_REPLACED", "KEY_CREATED", "KEY_RETIRED"]);
}

#[tokio::test]
async fn a_withdrawn_keys_tokens_are_good_no_more() {
    let scene = scene().await;
    scene.member("ada@example.com").await;
    let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let retire = RetireKeyRequest { key_id: token.key_id.clone() };
    assert_eq!(refusal_reason(scene.tokens().retire_key(scene.platform(retire.clone())).await), "STATUS_NOT_ALLOWED");
    let nobodys = RotateKeyRequest { replaces: "KEY".to_owned() };
    assert_eq!(refusal_reason(scene.tokens().rotate_key(scene.platform(nobodys)).await), "NOT_FOUND");
    let rotate = RotateKeyRequest { replaces: token.key_id.clone() };
    let made = scene.tokens().rotate_key(scene.platform(rotate.clone())).await.unwrap().into_inner();
    assert!(made.sealed_private_key.is_empty(), "the private half never leaves the service, sealed or not");
    let late = scene.tokens().rotate_key(scene.platform(rotate)).await.unwrap().into_inner();
    assert_eq!(late.id, made.id, "who is late gets the key that is there");
    let retired = scene.tokens().retire_key(scene.platform(retire)).await.unwrap().into_inner();
    assert_eq!(retired.status(), SigningKeyStatus::Retired);
    assert!(scene.caller(&token.access_token).await.unwrap_err().is(Common::TokenInvalid));
}

#[tokio::test]
async fn with_another_secret_a_new_key_signs_and_the_old_one_verifies() {
    let before = scene().await;
    before.member("ada@example.com").await;
    let old = before.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let config =
        Config { key_encryption_secret: "another secret of thirty-two characters".into(), ..Config::for_tests() };
    let after = on(before.database(), config).await;
    let new = after.sign_in("ada@example.com", PASSWORD).await.unwrap();
    assert_ne!(old.key_id, new.key_id);
    after.caller(&old.access_token).await.unwrap();
    after.caller(&new.access_token).await.unwrap();
}

#[tokio::test]
async fn demo_identities_are_enrolled_once() {
    let scene = scene().await;
    let work = || Work::new(&scene.kernel, "demo", "first".into(), "");
    let request =
        |n: u32| CreateIdentityRequest { emails: vec![format!("demo{n}@example.com")], ..sign_up("x@example.com") };
    for _ in 0..2 {
        for n in 0..5 {
            enroll_identity(&work(), request(n)).await.unwrap();
        }
    }
    assert_eq!(scene.actions().await.len(), 10, "five identities, five passwords");
    scene.sign_in("demo3@example.com", PASSWORD).await.unwrap();
}
