//! Addresses are proved by a code from a letter. Until then they let their maker in, and do nothing else.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::EMAIL_ADDRESS_TABLE;
use pavise_identity::contract::v1::{
    AccessToken, AddEmailRequest, AddUsernameRequest, CheckIdentityExistsRequest, CreateIdentityRequest, IdentityRealm,
    ListIdentitiesRequest, ListUnprovedEmailsRequest, ProveEmailRequest, RefreshTokenRequest, RemoveEmailRequest,
    ResetPasswordRequest, SendEmailCodeRequest, SendPasswordResetEmailRequest,
};
use pavise_kernel::store::Filter;
use tonic::Request;

use crate::factors::member;
use crate::scene::{Engine, PASSWORD, Scene, configured, refusal_reason, request_by, scene, scenes, sign_in, sign_up};

const NEW: &str = "staple of another kind";
const DAY: Duration = Duration::from_secs(24 * 3600);

fn proof(id: &str, email: &str, code: &str) -> ProveEmailRequest {
    ProveEmailRequest { identity_id: id.into(), email: email.into(), code: code.into() }
}

async fn unproved(scene: &Scene, (token, id): (&str, &str)) -> Vec<String> {
    let request = ListUnprovedEmailsRequest { identity_id: id.into() };
    let answer = scene.identities().list_unproved_emails(request_by(token, request)).await.unwrap().into_inner();
    answer.emails.into_iter().map(|email| email.address).collect()
}

/// Asks for a new password, and answers the addresses that get a code, with it.
async fn ask_reset(scene: &Scene, email: &str) -> Vec<(String, String)> {
    scene.delivered().await;
    let request = SendPasswordResetEmailRequest { email: email.into(), ..SendPasswordResetEmailRequest::default() };
    scene.identities().send_password_reset_email(Request::new(request)).await.unwrap();
    assert_eq!(scene.handle_all("identity.prepare_password_resets").await, 0);
    let delivered = scene.delivered().await.into_iter();
    let coded = delivered.filter_map(|message| {
        let code = message.text.split_whitespace().find(|word| word.len() == 11 && word.contains('-'))?.to_owned();
        Some((message.address, code))
    });
    coded.collect()
}

async fn reset(scene: &Scene, id: &str, code: &str) -> String {
    let request =
        ResetPasswordRequest { user_id: id.into(), code: code.into(), password: NEW.into(), email: String::new() };
    match scene.identities().reset_password(Request::new(request)).await {
        Ok(_) => String::new(),
        Err(status) => pavise_kernel::Error::from(status).reason().to_owned(),
    }
}

async fn kept(scene: &Scene) -> usize {
    scene.store().list(&EMAIL_ADDRESS_TABLE, &Filter { limit: 50, ..Filter::default() }).await.unwrap().len()
}

#[tokio::test]
async fn the_address_of_a_sign_up_lets_its_maker_in_and_does_nothing_else() {
    for scene in scenes().await {
        let ada = scene.newcomer("ada@example.com").await;
        assert!(ada.emails.is_empty());
        let code = scene.email_code("ada@example.com").await;
        let token = scene.sign_in("ADA@example.com", PASSWORD).await.unwrap();
        assert_eq!(unproved(&scene, (&token.access_token, &ada.id)).await, ["ada@example.com"]);
        assert!(!token.needs_proved_email && !token.access_token.is_empty());
        let ask = CheckIdentityExistsRequest { email: "ada@example.com".into(), username: String::new() };
        assert!(!scene.identities().check_identity_exists(Request::new(ask)).await.unwrap().into_inner().exists);
        let find = ListIdentitiesRequest { email: "ada@example.com".into(), ..ListIdentitiesRequest::default() };
        let found = scene.identities().list_identities(scene.platform(find)).await.unwrap().into_inner().identities;
        assert!(found.is_empty(), "it is no name");
        assert!(ask_reset(&scene, "ada@example.com").await.is_empty(), "no reset");
        let name = AddUsernameRequest { identity_id: ada.id.clone(), username: "ada".into() };
        let refused = scene.identities().add_username(request_by(&token.access_token, name.clone())).await;
        assert_eq!(refusal_reason(refused), "PROVE_EMAIL_FIRST");

        let prove = |code: &str| request_by(&token.access_token, proof(&ada.id, "ada@example.com", code));
        let mut client = scene.identities();
        assert_eq!(refusal_reason(client.prove_email(prove("00000-00000")).await), "EMAIL_CODE_NOT_GOOD");
        let proved = client.prove_email(prove(&code.to_lowercase())).await.unwrap().into_inner();
        assert!(proved.emails[0].primary && proved.emails[0].verified_at.is_some());
        assert_eq!(refusal_reason(client.prove_email(prove(&code)).await), "EMAIL_CODE_NOT_GOOD", "once");
        assert!(unproved(&scene, (&token.access_token, &ada.id)).await.is_empty() && kept(&scene).await == 0);
        client.add_username(request_by(&token.access_token, name)).await.unwrap();
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        assert_eq!(ask_reset(&scene, "ada@example.com").await.len(), 1);
        let journal = format!("{:?}", scene.entries().await);
        assert!(!journal.contains(&code.replace('-', "")), "the code is kept nowhere");
    }
}

#[tokio::test]
async fn first_proof_of_an_address_takes_it() {
    for scene in scenes().await {
        let eve = scene.newcomer("ada@example.com").await;
        let hers = scene.email_code("ada@example.com").await;
        let eves = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
        scene.clock.move_forward(Duration::from_secs(1));
        let request = CreateIdentityRequest { password: NEW.into(), ..sign_up("ada@example.com") };
        let ada = scene.identities().create_identity(Request::new(request)).await.unwrap().into_inner();
        let mine = scene.email_code("ada@example.com").await;
        let token = scene.sign_in("ada@example.com", NEW).await.unwrap();
        assert_eq!(token.identity_id, ada.id, "the last one signs in");
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        let adas = token.access_token;
        let with = |id: &str, code: &str| {
            request_by(if id == ada.id { &adas } else { &eves }, proof(id, "ada@example.com", code))
        };
        let mut client = scene.identities();
        assert_eq!(
            refusal_reason(client.prove_email(with(&ada.id, &hers)).await),
            "EMAIL_CODE_NOT_GOOD",
            "a code is of one identity"
        );
        client.prove_email(with(&ada.id, &mine)).await.unwrap();
        assert_eq!(
            refusal_reason(client.prove_email(with(&eve.id, &hers)).await),
            "EMAIL_CODE_NOT_GOOD",
            "the claim is over"
        );
        assert!(unproved(&scene, (&eves, &eve.id)).await.is_empty());
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        assert_eq!(scene.sign_in("ada@example.com", NEW).await.unwrap().identity_id, ada.id);
        let third = scene.identities().create_identity(Request::new(sign_up("ada@example.com"))).await;
        assert_eq!(refusal_reason(third), "ALREADY_EXISTS");
    }
}

#[tokio::test]
async fn an_address_that_is_not_proved_lapses_after_seven_days() {
    for scene in scenes().await {
        let ada = scene.newcomer("ada@example.com").await;
        let code = scene.email_code("ada@example.com").await;
        scene.clock.move_forward(6 * DAY);
        scene.tick_all("six days later").await.unwrap();
        assert_eq!(kept(&scene).await, 1);
        let old = scene.owner(&ada.id, proof(&ada.id, "ada@example.com", &code)).await;
        assert_eq!(
            refusal_reason(scene.identities().prove_email(old).await),
            "EMAIL_CODE_NOT_GOOD",
            "a code is good for a day"
        );
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        scene.clock.move_forward(DAY + Duration::from_secs(1));
        scene.tick_all("seven days later").await.unwrap();
        assert_eq!(kept(&scene).await, 0);
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        scene.newcomer("ada@example.com").await;
    }
}

#[tokio::test]
async fn a_code_is_asked_for_again_and_not_too_often() {
    let scene = scene().await;
    let (ada, eve) = (scene.newcomer("ada@example.com").await, scene.newcomer("eve@example.com").await);
    let first = scene.email_code("ada@example.com").await;
    let ask = |id: &str, email: &str| SendEmailCodeRequest { identity_id: id.into(), email: email.into() };
    let adas = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    let eves = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    let mut client = scene.identities();
    client.send_email_code(request_by(&adas, ask(&ada.id, "ada@example.com"))).await.unwrap();
    let second = scene.email_code("ada@example.com").await;
    let prove = |code: &str| request_by(&adas, proof(&ada.id, "ada@example.com", code));
    assert_eq!(refusal_reason(client.prove_email(prove(&first)).await), "EMAIL_CODE_NOT_GOOD", "it was replaced");
    let foreign = request_by(&eves, ask(&ada.id, "ada@example.com"));
    assert_eq!(refusal_reason(client.send_email_code(foreign).await), "NOT_THE_OWNER");
    let foreign = request_by(&eves, ask(&eve.id, "ada@example.com"));
    assert_eq!(
        refusal_reason(client.send_email_code(foreign).await),
        "EMAIL_CODE_NOT_GOOD",
        "nobody writes to a stranger"
    );
    let foreign = ListUnprovedEmailsRequest { identity_id: ada.id.clone() };
    assert_eq!(refusal_reason(client.list_unproved_emails(request_by(&eves, foreign)).await), "NOT_THE_OWNER");
    let mut refusals = Vec::new();
    for _ in 0..10 {
        let again = request_by(&adas, ask(&ada.id, "ada@example.com"));
        refusals.extend(client.send_email_code(again).await.err().map(|_| "refused"));
    }
    assert!((5..10).contains(&refusals.len()), "{refusals:?}");
    assert!(client.prove_email(prove(&second)).await.is_err(), "and the last one replaced this one");
}

#[tokio::test]
async fn repeated_sign_ups_do_not_fill_a_strangers_mailbox() {
    let scene = scene().await;
    for _ in 0..20 {
        scene.newcomer("stranger@example.com").await;
    }
    let letters = scene.delivered().await.len();
    assert!((1..8).contains(&letters), "{letters} letters");
}

#[tokio::test]
async fn an_added_address_counts_for_nothing_before_its_proof() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let add =
            AddEmailRequest { identity_id: ada.identity.id.clone(), email: "thief@example.com".into(), primary: true };
        scene.identities().add_email(request_by(&ada.token, add)).await.unwrap();
        assert!(scene.sign_in("thief@example.com", PASSWORD).await.is_err(), "it signs nobody in");
        assert!(ask_reset(&scene, "thief@example.com").await.is_empty(), "and resets nothing");
        let sent = ask_reset(&scene, "ada@example.com").await;
        assert_eq!(sent.into_iter().map(|(address, _)| address).collect::<Vec<_>>(), ["ada@example.com"]);
    }
}

#[tokio::test]
async fn a_former_address_undoes_a_change_for_three_days() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let id = &ada.identity.id;
        let add = AddEmailRequest { identity_id: id.clone(), email: "thief@example.com".into(), primary: true };
        scene.identities().add_email(request_by(&ada.token, add)).await.unwrap();
        scene.prove(id, "thief@example.com").await;
        let drop = RemoveEmailRequest { identity_id: id.clone(), email: "ada@example.com".into() };
        scene.identities().remove_email(request_by(&ada.token, drop)).await.unwrap();
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());

        let both = ask_reset(&scene, "thief@example.com").await;
        let mut addresses: Vec<_> = both.iter().map(|(address, _)| address.as_str()).collect();
        addresses.sort_unstable();
        assert_eq!(addresses, ["ada@example.com", "thief@example.com"]);
        let mine = ask_reset(&scene, "ada@example.com").await;
        assert_eq!(mine.iter().map(|(address, _)| address.as_str()).collect::<Vec<_>>(), ["ada@example.com"]);
        assert_eq!(reset(&scene, id, &both[0].1).await, "RESET_CODE_NOT_GOOD", "it was replaced");
        let by_address = ResetPasswordRequest {
            user_id: "-".into(),
            email: "ada@example.com".into(),
            code: mine[0].1.clone(),
            password: NEW.into(),
        };
        scene.identities().reset_password(Request::new(by_address)).await.unwrap();
        assert_eq!(scene.sign_in("ada@example.com", NEW).await.unwrap().identity_id, *id, "everything is as it was");
        assert!(scene.sign_in("thief@example.com", NEW).await.is_err());
        assert!(ask_reset(&scene, "thief@example.com").await.is_empty());
        assert_eq!(kept(&scene).await, 0);
    }
}

#[tokio::test]
async fn letters_go_to_a_former_address_for_three_days_and_no_longer() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let add = AddEmailRequest { identity_id: ada.id.clone(), email: "new@example.com".into(), primary: true };
    scene.identities().add_email(scene.platform(add)).await.unwrap();
    scene.prove(&ada.id, "new@example.com").await;
    assert_eq!(ask_reset(&scene, "new@example.com").await.len(), 2);
    scene.clock.move_forward(3 * DAY);
    assert_eq!(ask_reset(&scene, "new@example.com").await.len(), 1);
    assert_eq!(kept(&scene).await, 1);
    scene.clock.move_forward(Duration::from_secs(1));
    scene.tick_all("three days later").await.unwrap();
    assert_eq!(kept(&scene).await, 0, "and it is forgotten");
}

#[tokio::test]
async fn staff_who_have_proved_no_address_do_no_more_than_that() {
    for engine in Engine::BOTH {
        let scene = configured(engine, Config::for_tests()).await;
        let root = scene.staff("root@example.com", &["*"]).await;
        let root_token = scene.sign_in("root@example.com", PASSWORD).await.unwrap().access_token;
        let max = CreateIdentityRequest {
            realm: IdentityRealm::Internal.into(),
            permissions: root.permissions.clone(),
            ..sign_up("max@example.com")
        };
        let max = scene.identities().create_identity(request_by(&root_token, max)).await.unwrap().into_inner();
        assert!(max.emails.is_empty());
        let code = scene.email_code("max@example.com").await;
        let token: AccessToken = scene.sign_in("max@example.com", PASSWORD).await.unwrap();
        assert!(token.needs_proved_email);
        let list = || ListIdentitiesRequest::default();
        let refused = scene.identities().list_identities(request_by(&token.access_token, list())).await;
        assert_eq!(refusal_reason(refused), "PERMISSION_MISSING");
        let prove = proof(&max.id, "max@example.com", &code);
        scene.identities().prove_email(request_by(&token.access_token, prove)).await.unwrap();
        let renew = RefreshTokenRequest { refresh_token: token.refresh_token, ..RefreshTokenRequest::default() };
        let renewed = scene.sessions().refresh_token(Request::new(renew)).await.unwrap().into_inner();
        assert!(!renewed.needs_proved_email);
        scene.identities().list_identities(request_by(&renewed.access_token, list())).await.unwrap();
    }
}

#[tokio::test]
async fn first_password_proves_the_address_of_an_identity_made_by_staff() {
    let scene = scene().await;
    scene.staff("root@example.com", &["*"]).await;
    let root = scene.sign_in("root@example.com", PASSWORD).await.unwrap().access_token;
    let open = CreateIdentityRequest { password: String::new(), ..sign_up("ada@example.com") };
    let ada = scene.identities().create_identity(request_by(&root, open)).await.unwrap().into_inner();
    let sent = ask_reset(&scene, "ada@example.com").await;
    assert_eq!(reset(&scene, &ada.id, &sent[0].1).await, "");
    assert_eq!(scene.sign_in("ada@example.com", NEW).await.unwrap().identity_id, ada.id);
    let token = scene.sign_in("ada@example.com", NEW).await.unwrap().access_token;
    assert!(unproved(&scene, (&token, &ada.id)).await.is_empty());
}

#[tokio::test]
async fn a_realm_that_needs_a_second_factor_lets_nobody_in_without_one() {
    for engine in Engine::BOTH {
        let config = Config { second_factor_realms: vec![IdentityRealm::Internal], ..Config::for_tests() };
        let scene = configured(engine, config).await;
        let max = scene.staff("max@example.com", &["*"]).await;
        scene.member("ada@example.com").await;
        assert!(!scene.sign_in("ada@example.com", PASSWORD).await.unwrap().needs_second_factor, "another realm");
        let token = scene.sign_in("max@example.com", PASSWORD).await.unwrap();
        assert!(token.needs_second_factor);
        let list = || ListIdentitiesRequest::default();
        let refused = scene.identities().list_identities(request_by(&token.access_token, list())).await;
        assert_eq!(refusal_reason(refused), "PERMISSION_MISSING");
        let elsewhere = scene.sign_in("max@example.com", PASSWORD).await.unwrap();
        let max = crate::factors::Member { identity: max, token: token.access_token.clone() };
        let (factor, app) = max.app(&scene).await;
        let renew = async |token: &str| {
            let request = RefreshTokenRequest { refresh_token: token.into(), ..RefreshTokenRequest::default() };
            scene.sessions().refresh_token(Request::new(request)).await.unwrap().into_inner()
        };
        assert!(renew(&elsewhere.refresh_token).await.needs_second_factor, "the proof is of one session");
        let renewed = renew(&token.refresh_token).await;
        assert!(!renewed.needs_second_factor);
        scene.identities().list_identities(request_by(&renewed.access_token, list())).await.unwrap();

        let challenge = scene.sign_in("max@example.com", PASSWORD).await.unwrap().challenge.unwrap();
        let answer = pavise_identity::contract::v1::AnswerChallengeRequest {
            challenge_id: challenge.id,
            factor_id: factor.id,
            code: app.code(&scene),
            ..Default::default()
        };
        let opened = scene.identities().answer_challenge(Request::new(answer)).await.unwrap().into_inner();
        assert!(!opened.needs_second_factor);
        scene.identities().list_identities(request_by(&opened.access_token, list())).await.unwrap();
        let request = Request::new(sign_in("max@example.com", "not the right password"));
        assert!(scene.identities().create_token(request).await.is_err());
    }
}

#[tokio::test]
async fn address_that_is_claimed_again_waits_once() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        for email in ["other@example.com", "OTHER@example.com"] {
            let add = AddEmailRequest {
                identity_id: ada.identity.id.clone(),
                email: email.into(),
                ..AddEmailRequest::default()
            };
            scene.identities().add_email(request_by(&ada.token, add)).await.unwrap();
            assert_eq!(unproved(&scene, (&ada.token, &ada.identity.id)).await, [email]);
        }
    }
}
