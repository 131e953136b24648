//! Passkeys, with a device written apart from the service.

pub(crate) mod device;

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::PASSKEY_TABLE;
use pavise_identity::contract::v1::person_service_client::PersonServiceClient;
use pavise_identity::contract::v1::{
    AccessToken, AnswerChallengeRequest, BeginChallengePasskeyRequest, BeginPasskeyRegistrationRequest,
    BeginPasskeySignInRequest, CreatePasskeyRequest, DeleteIdentityRequest, DeletePasskeyRequest,
    FinishPasskeySignInRequest, IdentitySettings, ListPasskeysRequest, ListSessionsRequest, Passkey, PasskeyCeremony,
    Session, SessionStatus, UpdatePasskeyNameRequest, UpdateSettingsRequest,
};
use pavise_kernel::Error;
use pavise_kernel::common::v1::RedactPersonRequest;
use prost::{Message as _, Name as _};
use serde_json::Value;
use tonic::Request;

use self::device::Device;
use crate::factors::{Member, member};
use crate::scene::{PASSWORD, Scene, on, refusal_reason, request_by, scene, scenes, with};

async fn begin(scene: &Scene, ada: &Member) -> PasskeyCeremony {
    let request = BeginPasskeyRegistrationRequest { identity_id: ada.identity.id.clone() };
    scene.factors().begin_passkey_registration(request_by(&ada.token, request)).await.unwrap().into_inner()
}

fn made(ada: &Member, ceremony: &PasskeyCeremony, credential_json: String) -> Request<CreatePasskeyRequest> {
    let (identity_id, challenge_id) = (ada.identity.id.clone(), ceremony.challenge_id.clone());
    let request = CreatePasskeyRequest { identity_id, challenge_id, credential_json, name: "My telephone".into() };
    request_by(&ada.token, request)
}

/// A device with a passkey.
pub(crate) async fn registered(scene: &Scene, ada: &Member) -> (Device, Passkey) {
    let ceremony = begin(scene, ada).await;
    let mut device = Device::new();
    let credential = device.create(&ceremony.options_json);
    let passkey = scene.factors().create_passkey(made(ada, &ceremony, credential)).await.unwrap().into_inner();
    (device, passkey)
}

async fn ceremony(scene: &Scene) -> PasskeyCeremony {
    scene.identities().begin_passkey_sign_in(Request::new(BeginPasskeySignInRequest {})).await.unwrap().into_inner()
}

async fn finish(scene: &Scene, ceremony: &PasskeyCeremony, credential_json: String) -> Result<AccessToken, Error> {
    let challenge_id = ceremony.challenge_id.clone();
    let request = FinishPasskeySignInRequest { challenge_id, credential_json, ..FinishPasskeySignInRequest::default() };
    let answer = scene.identities().finish_passkey_sign_in(Request::new(request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

async fn refusal(scene: &Scene, ceremony: &PasskeyCeremony, credential_json: String) -> String {
    finish(scene, ceremony, credential_json).await.err().map(|error| error.reason().to_owned()).unwrap_or_default()
}

/// The document of a passkey, as the database has it.
async fn stored(scene: &Scene, passkey: &Passkey) -> Value {
    let row = scene.store().get(&PASSKEY_TABLE, &passkey.id).await.unwrap().unwrap();
    serde_json::from_str(&row.doc).unwrap()
}

/// How the newest session was opened.
async fn method(scene: &Scene) -> String {
    let mut entities = scene.entries().await.into_iter().filter_map(|entry| entry.entity);
    let newest = entities.rfind(|entity| entity.type_url.ends_with(&Session::full_name())).unwrap();
    Session::decode(newest.value.as_slice()).unwrap().method
}

#[tokio::test]
async fn a_passkey_is_made_and_signs_in_without_a_name_or_a_password() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let (mut device, passkey) = registered(&scene, &ada).await;
        assert_eq!((passkey.name.as_str(), passkey.owner_id.as_str()), ("My telephone", ada.identity.id.as_str()));
        assert!(passkey.credential.is_empty() && !passkey.credential_id.is_empty());
        let asked = ceremony(&scene).await;
        assert!(!asked.options_json.contains("mediation") && !asked.options_json.contains(&passkey.credential_id));
        let answer = device.get(&asked.options_json);
        let token = finish(&scene, &asked, answer.clone()).await.unwrap();
        assert_eq!(scene.caller(&token.access_token).await.unwrap().identity, ada.identity.id);
        assert_eq!(method(&scene).await, "passkey");
        assert_eq!(refusal(&scene, &asked, answer.clone()).await, "CHALLENGE_OVER", "an answer is good once");
        let other = ceremony(&scene).await;
        assert_eq!(refusal(&scene, &other, answer).await, "PASSKEY_REFUSED", "and for its own ceremony");

        let list = ListPasskeysRequest { identity_id: ada.identity.id.clone(), ..ListPasskeysRequest::default() };
        let listed = scene.factors().list_passkeys(request_by(&ada.token, list)).await.unwrap().into_inner().passkeys;
        assert!(listed.len() == 1 && listed[0].last_used_at.is_some());
        let actions = scene.actions().await;
        for action in ["MULTIFACTOR_ADDED", "CHALLENGE_MADE", "CHALLENGE_ENDED", "MULTIFACTOR_USED"] {
            assert!(actions.contains(&action.to_owned()), "{action}: {actions:?}");
        }
    }
}

#[tokio::test]
async fn the_passkey_of_an_erased_person_signs_nobody_in() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let (mut device, passkey) = registered(&scene, &ada).await;
        let asked = ceremony(&scene).await;
        finish(&scene, &asked, device.get(&asked.options_json)).await.unwrap();
        let before = stored(&scene, &passkey).await;
        let key = before["credential"].as_str().unwrap();
        let mut request =
            RedactPersonRequest { identity_id: ada.identity.id.clone(), ..RedactPersonRequest::default() };
        loop {
            let mut people = PersonServiceClient::new(scene.transport());
            let part = people.redact_person(scene.platform(request.clone())).await.unwrap().into_inner();
            request.page_token = part.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        let asked = ceremony(&scene).await;
        assert_eq!(refusal(&scene, &asked, device.get(&asked.options_json)).await, "PASSKEY_REFUSED");
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        let after = stored(&scene, &passkey).await.to_string();
        assert!(!after.contains(&passkey.credential_id) && !after.contains(key), "{after}");
    }
}

#[tokio::test]
async fn a_sign_in_with_a_passkey_tidies_up_as_one_with_a_password_does() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (mut device, _) = registered(&scene, &ada).await;
    let mut by_passkey = async || {
        let asked = ceremony(&scene).await;
        finish(&scene, &asked, device.get(&asked.options_json)).await.unwrap()
    };
    for _ in 0..50 {
        by_passkey().await;
    }
    let list = async |token: &AccessToken| {
        let request = ListSessionsRequest {
            identity_id: ada.identity.id.clone(),
            include_ended: true,
            page_size: 100,
            ..ListSessionsRequest::default()
        };
        scene.sessions().list_sessions(request_by(&token.access_token, request)).await.unwrap().into_inner().sessions
    };
    let last = by_passkey().await;
    let sessions = list(&last).await;
    let ended = sessions.iter().filter(|session| session.status() == SessionStatus::Revoked).count();
    assert_eq!((sessions.len(), ended), (52, 2), "nobody has more than 50");
    scene.clock.move_forward(scene.config.session_lifetime + Duration::from_secs(48 * 3600));
    let later = by_passkey().await;
    assert_eq!(list(&later).await.len(), 1, "what was over for a day is forgotten");
}

#[tokio::test]
async fn many_begin_at_once_after_others_did_not_finish() {
    for scene in scenes().await {
        for _ in 0..30 {
            ceremony(&scene).await;
        }
        scene.clock.move_forward(Duration::from_secs(360));
        futures::future::join_all((0..20).map(|_| ceremony(&scene))).await;
        scene.tick_all("six minutes later").await.unwrap();
        let ended = scene.actions().await.iter().filter(|action| *action == "CHALLENGE_ENDED").count();
        assert_eq!(ended, 30, "those that are over are forgotten");
    }
}

#[tokio::test]
async fn unfinished_passkey_sign_ins_wait() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (mut device, _) = registered(&scene, &ada).await;
    let begin = async |address: &str| {
        let request = with(Request::new(BeginPasskeySignInRequest {}), "x-forwarded-for", address);
        scene.identities().begin_passkey_sign_in(request).await
    };
    // A completed ceremony gives its attempt back.
    for _ in 0..60 {
        let asked = begin("203.0.113.9").await.unwrap().into_inner();
        let credential_json = device.get(&asked.options_json);
        let challenge_id = asked.challenge_id;
        let request =
            FinishPasskeySignInRequest { challenge_id, credential_json, ..FinishPasskeySignInRequest::default() };
        let request = with(Request::new(request), "x-forwarded-for", "203.0.113.9");
        scene.identities().finish_passkey_sign_in(request).await.unwrap();
    }
    for _ in 0..51 {
        begin("203.0.113.9").await.unwrap();
    }
    assert_eq!(refusal_reason(begin("203.0.113.9").await), "SIGN_IN_THROTTLED");
    begin("203.0.113.10").await.unwrap();
    scene.clock.move_forward(Duration::from_secs(1));
    begin("203.0.113.9").await.unwrap();
}

#[tokio::test]
async fn answers_of_another_ceremony_are_refused() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (mut device, _) = registered(&scene, &ada).await;
    let asked = ceremony(&scene).await;
    let elsewhere = Device { origin: "https://evil.example".into(), ..device.clone() }.get(&asked.options_json);
    let unseen = Device { verifies: false, ..device.clone() }.get(&asked.options_json);
    let another = Device { credential_id: b"another".to_vec(), ..device.clone() }.get(&asked.options_json);
    let whose = Device { user_handle: vec![7; 16], ..device.clone() }.get(&asked.options_json);
    let stranger = Device {
        credential_id: device.credential_id.clone(),
        user_handle: device.user_handle.clone(),
        ..Device::new()
    };
    let forged = stranger.clone().get(&asked.options_json);
    for (what, credential) in [
        ("another site", elsewhere),
        ("nobody showed himself", unseen),
        ("an unknown key", another),
        ("another's handle", whose),
        ("another key's signature", forged),
    ] {
        assert_eq!(refusal(&scene, &asked, credential).await, "PASSKEY_REFUSED", "{what}");
    }
    assert_eq!(refusal(&scene, &asked, "{}".into()).await, "INVALID_FIELD");
    assert_eq!(refusal(&scene, &asked, "not JSON".into()).await, "INVALID_FIELD");
    assert_eq!(refusal(&scene, &asked, device.get(&asked.options_json)).await, "", "and the right one signs in");

    // A copy of the device is behind.
    let mut copy = Device { counter: 0, ..device.clone() };
    let asked = ceremony(&scene).await;
    assert_eq!(refusal(&scene, &asked, copy.get(&asked.options_json)).await, "PASSKEY_REFUSED");

    let asked = ceremony(&scene).await;
    scene.clock.move_forward(Duration::from_secs(300));
    assert_eq!(refusal(&scene, &asked, device.get(&asked.options_json)).await, "CHALLENGE_OVER");
}

#[tokio::test]
async fn a_registration_is_its_owners_and_good_once() {
    let scene = scene().await;
    let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
    let request = BeginPasskeyRegistrationRequest { identity_id: ada.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().begin_passkey_registration(request_by(&eve.token, request)).await),
        "NOT_THE_OWNER"
    );
    let hers = begin(&scene, &ada).await;
    let mut device = Device::new();
    let credential = device.create(&hers.options_json);
    let stolen = scene.factors().create_passkey(made(&eve, &hers, credential.clone())).await;
    assert_eq!(refusal_reason(stolen), "CHALLENGE_OVER");
    let unseen = Device { verifies: false, ..Device::new() }.create(&hers.options_json);
    assert_eq!(refusal_reason(scene.factors().create_passkey(made(&ada, &hers, unseen)).await), "PASSKEY_REFUSED");
    scene.factors().create_passkey(made(&ada, &hers, credential.clone())).await.unwrap();
    assert_eq!(refusal_reason(scene.factors().create_passkey(made(&ada, &hers, credential)).await), "CHALLENGE_OVER");
    // The same key for somebody else.
    let again = begin(&scene, &eve).await;
    let credential = device.create(&again.options_json);
    assert_eq!(refusal_reason(scene.factors().create_passkey(made(&eve, &again, credential)).await), "ALREADY_EXISTS");
    // A sign-in's ceremony registers nothing.
    let asked = ceremony(&scene).await;
    let credential = Device::new().create(&begin(&scene, &ada).await.options_json);
    assert_eq!(refusal_reason(scene.factors().create_passkey(made(&ada, &asked, credential)).await), "CHALLENGE_OVER");
}

#[tokio::test]
async fn a_challenge_is_answered_with_a_passkey_of_its_identity() {
    for scene in scenes().await {
        let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
        let (mut device, passkey) = registered(&scene, &ada).await;
        let (mut hers, _) = registered(&scene, &eve).await;
        assert!(
            !scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token.is_empty(),
            "a passkey asks for nothing"
        );
        ada.app(&scene).await;
        let challenge = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().challenge.unwrap();
        assert!(challenge.passkeys);
        let answer = async |scene: &Scene, credential_json: String| {
            let request = AnswerChallengeRequest {
                challenge_id: challenge.id.clone(),
                credential_json,
                ..AnswerChallengeRequest::default()
            };
            scene.identities().answer_challenge(Request::new(request)).await
        };
        let asked = ceremony(&scene).await;
        assert_eq!(
            refusal_reason(answer(&scene, device.get(&asked.options_json)).await),
            "CHALLENGE_OVER",
            "it was not begun"
        );
        let request = BeginChallengePasskeyRequest { challenge_id: challenge.id.clone() };
        let asked = scene.identities().begin_challenge_passkey(Request::new(request)).await.unwrap().into_inner();
        assert!(asked.options_json.contains(&passkey.credential_id));
        assert_eq!(refusal_reason(answer(&scene, hers.get(&asked.options_json)).await), "PASSKEY_REFUSED");
        let token = answer(&scene, device.get(&asked.options_json)).await.unwrap().into_inner();
        assert_eq!(token.identity_id, ada.identity.id);
        assert_eq!(method(&scene).await, "password+passkey");
        assert_eq!(refusal_reason(answer(&scene, device.get(&asked.options_json)).await), "CHALLENGE_OVER");
    }
}

#[tokio::test]
async fn a_passkey_is_a_second_factor_where_one_is_required() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (mut device, passkey) = registered(&scene, &ada).await;
    let settings = Some(IdentitySettings { multifactor_required: true, ..IdentitySettings::default() });
    let request = UpdateSettingsRequest { identity_id: ada.identity.id.clone(), settings };
    scene.identities().update_settings(request_by(&ada.token, request)).await.unwrap();
    let challenge = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().challenge.unwrap();
    assert!(challenge.passkeys && challenge.factors.is_empty());
    let asked = ceremony(&scene).await;
    let token = finish(&scene, &asked, device.get(&asked.options_json)).await.unwrap().access_token;
    let delete = DeletePasskeyRequest { identity_id: ada.identity.id.clone(), passkey_id: passkey.id };
    assert_eq!(refusal_reason(scene.factors().delete_passkey(request_by(&token, delete)).await), "LAST_FACTOR");
}

#[tokio::test]
async fn new_passkey_needs_a_proof_of_the_second_factor() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, app) = ada.app(&scene).await;
    scene.clock.move_forward(Duration::from_secs(600));
    let request = || BeginPasskeyRegistrationRequest { identity_id: ada.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().begin_passkey_registration(request_by(&ada.token, request())).await),
        "PROOF_NEEDED"
    );
    let ada = ada.proven(&scene, &factor, &app.code(&scene)).await;
    let request = || BeginPasskeyRegistrationRequest { identity_id: ada.identity.id.clone() };
    scene.factors().begin_passkey_registration(request_by(&ada.token, request())).await.unwrap();
}

#[tokio::test]
async fn a_passkey_is_renamed_and_removed() {
    let scene = scene().await;
    let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
    let (mut device, passkey) = registered(&scene, &ada).await;
    let told = |messages: Vec<crate::messages::Message>| {
        messages.into_iter().map(|message| message.address).collect::<Vec<_>>()
    };
    assert_eq!(told(scene.delivered().await), ["ada@example.com"], "the owner is told that there is one more");
    let rename = |name: &str| UpdatePasskeyNameRequest {
        identity_id: ada.identity.id.clone(),
        passkey_id: passkey.id.clone(),
        name: name.to_owned(),
    };
    assert_eq!(
        refusal_reason(scene.factors().update_passkey_name(request_by(&eve.token, rename("Mine"))).await),
        "NOT_THE_OWNER"
    );
    let renamed =
        scene.factors().update_passkey_name(request_by(&ada.token, rename("Laptop"))).await.unwrap().into_inner();
    assert_eq!(renamed.name, "Laptop");

    scene.clock.move_forward(Duration::from_secs(600));
    let delete = || DeletePasskeyRequest { identity_id: ada.identity.id.clone(), passkey_id: passkey.id.clone() };
    assert_eq!(refusal_reason(scene.factors().delete_passkey(request_by(&ada.token, delete())).await), "PROOF_NEEDED");
    assert_eq!(refusal_reason(scene.factors().delete_passkey(request_by(&eve.token, delete())).await), "NOT_THE_OWNER");
    let asked = ceremony(&scene).await;
    let token = finish(&scene, &asked, device.get(&asked.options_json)).await.unwrap().access_token;
    scene.factors().delete_passkey(request_by(&token, delete())).await.unwrap();
    assert_eq!(told(scene.delivered().await), ["ada@example.com"], "and that there is one fewer");
    let asked = ceremony(&scene).await;
    assert_eq!(refusal(&scene, &asked, device.get(&asked.options_json)).await, "PASSKEY_REFUSED");
}

#[tokio::test]
async fn passkeys_go_with_their_identity() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (mut device, _) = registered(&scene, &ada).await;
    let delete = DeleteIdentityRequest { identity_id: ada.identity.id.clone() };
    scene.identities().delete_identity(scene.platform(delete)).await.unwrap();
    let asked = ceremony(&scene).await;
    assert_eq!(refusal(&scene, &asked, device.get(&asked.options_json)).await, "PASSKEY_REFUSED");
}

#[tokio::test]
async fn without_a_site_there_are_no_passkeys() {
    let before = scene().await;
    let scene =
        on(before.database(), Config { public_url: "http://127.0.0.1:8080".into(), ..Config::for_tests() }).await;
    let asked = scene.identities().begin_passkey_sign_in(Request::new(BeginPasskeySignInRequest {})).await;
    assert_eq!(refusal_reason(asked), "NOT_CONFIGURED");
}
