//! Signing in with a second factor.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::v1::{
    AccessToken, AnswerChallengeRequest, CreateRecoveryCodesRequest, CreateTokenRequest, DeleteFactorRequest, Factor,
    FactorType, SendChallengeCodeRequest, SendFactorCodeResponse, Session, SetPasswordRequest, SignInChallenge,
};
use pavise_kernel::Error;
use pavise_kernel::common::v1::ClassicIdType;
use prost::{Message as _, Name as _};
use tonic::Request;

use super::recovery::left;
use super::{App, Member, STEP, code_sent, member, other_than};
use crate::scene::{PASSWORD, Scene, on, refusal_reason, request_by, scene, scenes, sign_in, with};

async fn challenged(scene: &Scene, email: &str) -> SignInChallenge {
    let answer = scene.sign_in(email, PASSWORD).await.unwrap();
    assert!(answer.access_token.is_empty() && answer.refresh_token.is_empty() && answer.session_id.is_empty());
    answer.challenge.unwrap()
}

async fn answer(scene: &Scene, request: AnswerChallengeRequest) -> Result<AccessToken, Error> {
    let answer = scene.identities().answer_challenge(Request::new(request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

/// Why an answer is refused; empty when it signs in.
async fn refusal(scene: &Scene, request: AnswerChallengeRequest) -> String {
    answer(scene, request).await.err().map(|error| error.reason().to_owned()).unwrap_or_default()
}

fn coded(challenge: &SignInChallenge, factor: &Factor, code: &str) -> AnswerChallengeRequest {
    AnswerChallengeRequest {
        challenge_id: challenge.id.clone(),
        factor_id: factor.id.clone(),
        code: code.to_owned(),
        ..AnswerChallengeRequest::default()
    }
}

fn recovered(challenge: &SignInChallenge, code: &str) -> AnswerChallengeRequest {
    let (challenge_id, recovery_code) = (challenge.id.clone(), code.to_owned());
    AnswerChallengeRequest { challenge_id, recovery_code, ..AnswerChallengeRequest::default() }
}

async fn send(scene: &Scene, challenge: &SignInChallenge, factor_id: &str) -> Result<SendFactorCodeResponse, Error> {
    let request = SendChallengeCodeRequest { challenge_id: challenge.id.clone(), factor_id: factor_id.to_owned() };
    let answer = scene.identities().send_challenge_code(Request::new(request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

async fn recovery_codes(scene: &Scene, ada: &Member) -> Vec<String> {
    let request = CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
    scene.factors().create_recovery_codes(request_by(&ada.token, request)).await.unwrap().into_inner().codes
}

/// How the newest session was opened.
async fn method(scene: &Scene) -> String {
    let mut entities = scene.entries().await.into_iter().filter_map(|entry| entry.entity);
    let newest = entities.rfind(|entity| entity.type_url.ends_with(&Session::full_name())).unwrap();
    Session::decode(newest.value.as_slice()).unwrap().method
}

async fn with_app(scene: &Scene) -> (Member, Factor, App) {
    let ada = member(scene, "ada@example.com").await;
    let (factor, app) = ada.app(scene).await;
    (ada, factor, app)
}

#[tokio::test]
async fn a_password_alone_opens_nothing_where_there_is_a_second_factor() {
    for scene in scenes().await {
        let (ada, factor, app) = with_app(&scene).await;
        let challenge = challenged(&scene, "ada@example.com").await;
        assert_eq!(challenge.factors.len(), 1);
        assert_eq!((challenge.factors[0].factor_id.as_str(), challenge.factors[0].primary), (factor.id.as_str(), true));
        assert!(!challenge.recovery_codes);
        assert_eq!(refusal(&scene, coded(&challenge, &factor, &other_than(&app.code(&scene)))).await, "WRONG_CODE");
        let token = answer(&scene, coded(&challenge, &factor, &app.code(&scene))).await.unwrap();
        assert_eq!(scene.caller(&token.access_token).await.unwrap().identity, ada.identity.id);
        assert!(!token.refresh_token.is_empty() && token.challenge.is_none());
        assert_eq!(method(&scene).await, "password+totp");

        scene.clock.move_forward(STEP);
        assert_eq!(refusal(&scene, coded(&challenge, &factor, &app.code(&scene))).await, "CHALLENGE_OVER", "once");
        let actions = scene.actions().await;
        for action in ["CHALLENGE_MADE", "CHALLENGE_ENDED", "MULTIFACTOR_USED", "LOGGED_IN"] {
            assert!(actions.contains(&action.to_owned()), "{action}: {actions:?}");
        }
        assert!(
            !format!("{:?}", scene.entries().await).contains(&challenge.id),
            "what the caller holds is kept nowhere"
        );
    }
}

#[tokio::test]
async fn a_code_that_signed_in_signs_in_nobody_else() {
    let scene = scene().await;
    let (_, factor, app) = with_app(&scene).await;
    let code = app.code(&scene);
    let (mine, theirs) = (challenged(&scene, "ada@example.com").await, challenged(&scene, "ada@example.com").await);
    let (one, other) =
        tokio::join!(answer(&scene, coded(&mine, &factor, &code)), answer(&scene, coded(&theirs, &factor, &code)));
    assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1);
    let third = challenged(&scene, "ada@example.com").await;
    assert_eq!(refusal(&scene, coded(&third, &factor, &code)).await, "WRONG_CODE");
}

#[tokio::test]
async fn a_challenge_is_for_its_identity_and_for_five_minutes() {
    let scene = scene().await;
    let (_, factor, app) = with_app(&scene).await;
    let eve = member(&scene, "eve@example.com").await;
    let (hers, her_app) = eve.app(&scene).await;
    let challenge = challenged(&scene, "ada@example.com").await;
    assert_eq!(refusal(&scene, coded(&challenge, &hers, &her_app.code(&scene))).await, "INVALID_FIELD");
    let unknown = SignInChallenge { id: "nonsense".into(), ..SignInChallenge::default() };
    assert_eq!(refusal(&scene, coded(&unknown, &factor, &app.code(&scene))).await, "CHALLENGE_OVER");
    let both = AnswerChallengeRequest { recovery_code: "AAAA".into(), ..coded(&challenge, &factor, "123456") };
    assert_eq!(refusal(&scene, both).await, "INVALID_FIELD");
    scene.clock.move_forward(Duration::from_secs(300));
    assert_eq!(refusal(&scene, coded(&challenge, &factor, &app.code(&scene))).await, "CHALLENGE_OVER");
    let ended = async || scene.actions().await.iter().filter(|action| *action == "CHALLENGE_ENDED").count();
    scene.tick_all("at once").await.unwrap();
    assert_eq!(ended().await, 0);
    scene.clock.move_forward(Duration::from_secs(60));
    let open = challenged(&scene, "ada@example.com").await;
    scene.tick_all("a minute later").await.unwrap();
    assert_eq!(ended().await, 1, "a worker clears away what is over");
    assert_eq!(refusal(&scene, coded(&open, &factor, &app.code(&scene))).await, "", "and nothing else");
}

#[tokio::test]
async fn a_new_password_ends_the_challenges_of_the_old_one() {
    let scene = scene().await;
    let (ada, factor, app) = with_app(&scene).await;
    let challenge = challenged(&scene, "ada@example.com").await;
    scene.clock.move_forward(Duration::from_secs(1));
    let set = SetPasswordRequest { user_id: ada.identity.id.clone(), password: "staple of another kind".into() };
    scene.identities().set_password(scene.platform(set)).await.unwrap();
    assert_eq!(refusal(&scene, coded(&challenge, &factor, &app.code(&scene))).await, "CHALLENGE_OVER");
}

#[tokio::test]
async fn a_code_is_sent_to_who_is_not_signed_in_yet() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let telephone = ada.telephone(&scene, "+15125550100").await;
    let challenge = challenged(&scene, "ada@example.com").await;
    assert_eq!(challenge.factors[0].sent_to, "+1•••••••100");
    let sent = send(&scene, &challenge, &telephone.id).await.unwrap();
    assert_eq!(sent.sent_to, "+1•••••••100");
    assert_eq!(send(&scene, &challenge, &telephone.id).await.unwrap_err().reason(), "CODE_SENT_RECENTLY");
    let code = code_sent(&scene, "+15125550100").await;
    answer(&scene, coded(&challenge, &telephone, &code)).await.unwrap();
    assert_eq!(method(&scene).await, "password+sms");
    assert_eq!(send(&scene, &challenge, &telephone.id).await.unwrap_err().reason(), "CHALLENGE_OVER");
}

#[tokio::test]
async fn an_account_number_and_a_security_question_complete_no_sign_in() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    ada.number(&scene, ClassicIdType::Member.into(), "112233").await;
    let request = pavise_identity::contract::v1::CreateFactorRequest {
        account_type: ClassicIdType::Member.into(),
        ..ada.wish(FactorType::Account)
    };
    let account = ada.create(&scene, request).await.unwrap().factor.unwrap();
    let verify = pavise_identity::contract::v1::VerifyFactorRequest {
        identity_id: ada.identity.id.clone(),
        factor_id: account.id.clone(),
        account_number: "112233".into(),
        ..Default::default()
    };
    scene.factors().verify_factor(request_by(&ada.token, verify)).await.unwrap();
    assert!(
        !scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token.is_empty(),
        "it completes no sign-in"
    );
    let question = ada.question(&scene, "Mr. Babbage").await;
    assert!(
        !scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token.is_empty(),
        "nor does a security question"
    );
    // Nor does it prove anybody to a call that needs a proof, and it is never the primary factor.
    let codes = CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
    let alone = member(&scene, "alone@example.com").await;
    alone.question(&scene, "Mr. Babbage").await;
    let codes_of_hers = CreateRecoveryCodesRequest { identity_id: alone.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().create_recovery_codes(request_by(&alone.token, codes_of_hers)).await),
        "PROOF_NEEDED",
        "not even where there is nothing else"
    );
    let primary = pavise_identity::contract::v1::SetPrimaryFactorRequest {
        identity_id: ada.identity.id.clone(),
        factor_id: question.id.clone(),
    };
    assert_eq!(
        refusal_reason(scene.factors().set_primary_factor(request_by(&ada.token, primary)).await),
        "FACTOR_TYPE_NOT_ALLOWED"
    );
    ada.app(&scene).await;
    scene.factors().create_recovery_codes(request_by(&ada.token, codes)).await.unwrap();
    let challenge = challenged(&scene, "ada@example.com").await;
    assert_eq!(challenge.factors.len(), 1, "an app alone is offered");
    let given = AnswerChallengeRequest { answer: "Mr. Babbage".into(), ..coded(&challenge, &question, "") };
    assert_eq!(refusal(&scene, given).await, "INVALID_FIELD");
    assert_eq!(refusal(&scene, coded(&challenge, &account, "")).await, "INVALID_FIELD");
}

#[tokio::test]
async fn a_sent_code_is_good_for_the_challenge_that_it_was_asked_for_in() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let telephone = ada.telephone(&scene, "+15125550100").await;
        let mine = challenged(&scene, "ada@example.com").await;
        let theirs = challenged(&scene, "ada@example.com").await;
        send(&scene, &mine, &telephone.id).await.unwrap();
        let code = code_sent(&scene, "+15125550100").await;
        for _ in 0..5 {
            assert_eq!(refusal(&scene, coded(&theirs, &telephone, &code)).await, "WRONG_CODE", "another challenge");
        }
        assert_eq!(ada.validate(&scene, &telephone, &code).await, "WRONG_CODE", "nor a session");
        scene.clock.move_forward(Duration::from_secs(2));
        assert_eq!(refusal(&scene, coded(&mine, &telephone, &code)).await, "", "and guesses elsewhere cost no try");

        let request = pavise_identity::contract::v1::SendFactorCodeRequest {
            identity_id: ada.identity.id.clone(),
            factor_id: telephone.id.clone(),
        };
        scene.factors().send_factor_code(request_by(&ada.token, request)).await.unwrap();
        let code = code_sent(&scene, "+15125550100").await;
        assert_eq!(
            refusal(&scene, coded(&theirs, &telephone, &code)).await,
            "WRONG_CODE",
            "a session's is for sessions"
        );
        assert_eq!(ada.validate(&scene, &telephone, &code).await, "");
    }
}

#[tokio::test]
async fn guesses_wait_and_the_owner_still_gets_in() {
    let scene = scene().await;
    let (ada, factor, app) = with_app(&scene).await;
    let codes = recovery_codes(&scene, &ada).await;
    let theirs = challenged(&scene, "ada@example.com").await;
    for _ in 0..6 {
        assert_eq!(refusal(&scene, coded(&theirs, &factor, &other_than(&app.code(&scene)))).await, "WRONG_CODE");
    }
    let another = challenged(&scene, "ada@example.com").await;
    let waits = refusal(&scene, coded(&another, &factor, &other_than(&app.code(&scene)))).await;
    assert_eq!(waits, "SIGN_IN_THROTTLED", "another challenge is no way around it");
    // The owner's session is not made to wait, nor is a recovery code, nor the app after a moment.
    assert_eq!(ada.validate(&scene, &factor, &app.code(&scene)).await, "");
    let mine = challenged(&scene, "ada@example.com").await;
    assert!(mine.recovery_codes);
    assert_eq!(refusal(&scene, recovered(&mine, "AAAA-AAAA-AAAA-AAAA")).await, "WRONG_CODE");
    assert_eq!(refusal(&scene, recovered(&mine, &codes[0].to_lowercase())).await, "");
    assert_eq!(method(&scene).await, "password+recovery");
    scene.clock.move_forward(STEP);
    let mine = challenged(&scene, "ada@example.com").await;
    assert_eq!(refusal(&scene, coded(&mine, &factor, &app.code(&scene))).await, "");
}

#[tokio::test]
async fn guessed_codes_do_not_lock_the_owner_out() {
    let scene = scene().await;
    let (_, factor, app) = with_app(&scene).await;
    let from = |address: &'static str, challenge: &SignInChallenge, code: String| {
        let request = with(Request::new(coded(challenge, &factor, &code)), "x-forwarded-for", address);
        let mut identities = scene.identities();
        async move {
            let answer = identities.answer_challenge(request).await;
            answer.err().map(|status| Error::from(status).reason().to_owned()).unwrap_or_default()
        }
    };
    let wrong = || other_than(&app.code(&scene));
    let home = challenged(&scene, "ada@example.com").await;
    assert_eq!(from("203.0.113.9", &home, app.code(&scene)).await, "");
    scene.clock.move_forward(STEP);
    // A thief who knows the password guesses codes. The password alone does not make their address known.
    let request = with(Request::new(sign_in("ada@example.com", PASSWORD)), "x-forwarded-for", "198.51.100.7");
    let theirs = scene.identities().create_token(request).await.unwrap().into_inner().challenge.unwrap();
    for _ in 0..6 {
        assert_eq!(from("198.51.100.7", &theirs, wrong()).await, "WRONG_CODE");
    }
    assert_eq!(from("198.51.100.7", &theirs, wrong()).await, "SIGN_IN_THROTTLED");
    assert_eq!(from("198.51.100.8", &theirs, wrong()).await, "SIGN_IN_THROTTLED", "wherever he does it");
    // Ada waits at a new address, too, but not at home.
    let mine = challenged(&scene, "ada@example.com").await;
    assert_eq!(from("192.0.2.1", &mine, app.code(&scene)).await, "SIGN_IN_THROTTLED");
    assert_eq!(from("203.0.113.9", &mine, app.code(&scene)).await, "");
    scene.clock.move_forward(STEP);
    // Somebody at home who guesses waits as anybody does.
    let mine = challenged(&scene, "ada@example.com").await;
    for _ in 0..6 {
        assert_eq!(from("203.0.113.9", &mine, wrong()).await, "WRONG_CODE");
    }
    assert_eq!(from("203.0.113.9", &mine, app.code(&scene)).await, "SIGN_IN_THROTTLED");
}

#[tokio::test]
async fn wrong_answers_count_in_every_process_and_the_right_one_forgives() {
    let one = scene().await;
    let (ada, factor, app) = with_app(&one).await;
    let other = on(one.database(), Config::for_tests()).await;
    other.clock.move_forward(STEP);
    let challenge = challenged(&one, "ada@example.com").await;
    let wrong = other_than(&app.code(&one));
    for process in [&one, &other, &one, &other, &one, &other] {
        assert_eq!(refusal(process, coded(&challenge, &factor, &wrong)).await, "WRONG_CODE");
    }
    for process in [&one, &other] {
        assert_eq!(refusal(process, coded(&challenge, &factor, &app.code(&one))).await, "SIGN_IN_THROTTLED");
    }
    let seen = ada.list(&one).await.remove(0);
    assert_eq!((seen.refusals, seen.refused_at), (6, Some(one.now())), "the owner sees that somebody tried");
    for process in [&one, &other] {
        process.clock.move_forward(Duration::from_secs(1));
    }
    assert_eq!(refusal(&other, coded(&challenge, &factor, &app.code(&one))).await, "");
    assert_eq!(ada.list(&one).await.remove(0).refusals, 0);
}

#[tokio::test]
async fn wrong_answers_that_come_at_once_are_counted_one_by_one() {
    for scene in scenes().await {
        let (ada, factor, app) = with_app(&scene).await;
        let challenge = challenged(&scene, "ada@example.com").await;
        let wrong = other_than(&app.code(&scene));
        let guesses = (0..6).map(|_| refusal(&scene, coded(&challenge, &factor, &wrong)));
        assert_eq!(futures::future::join_all(guesses).await, ["WRONG_CODE"; 6]);
        assert_eq!(ada.list(&scene).await.remove(0).refusals, 6);
    }
}

#[tokio::test]
async fn the_owner_answers_from_an_address_where_others_guess() {
    let scene = scene().await;
    let (_, factor, app) = with_app(&scene).await;
    let from_the_office =
        |request: AnswerChallengeRequest| with(Request::new(request), "x-forwarded-for", "203.0.113.9");
    let first = challenged(&scene, "ada@example.com").await;
    scene.identities().answer_challenge(from_the_office(coded(&first, &factor, &app.code(&scene)))).await.unwrap();
    scene.clock.move_forward(STEP);
    let eve = member(&scene, "eve@example.com").await;
    let (hers, her_app) = eve.app(&scene).await;
    for _ in 0..51 {
        let guess = AnswerChallengeRequest { challenge_id: "guess".into(), ..AnswerChallengeRequest::default() };
        assert!(scene.identities().answer_challenge(from_the_office(guess)).await.is_err());
    }
    let challenge = challenged(&scene, "eve@example.com").await;
    let never_here = coded(&challenge, &hers, &her_app.code(&scene));
    assert_eq!(
        refusal_reason(scene.identities().answer_challenge(from_the_office(never_here)).await),
        "SIGN_IN_THROTTLED"
    );
    let mine = challenged(&scene, "ada@example.com").await;
    scene.identities().answer_challenge(from_the_office(coded(&mine, &factor, &app.code(&scene)))).await.unwrap();
}

#[tokio::test]
async fn a_recovery_code_is_good_once() {
    for scene in scenes().await {
        let (ada, _, _) = with_app(&scene).await;
        let codes = recovery_codes(&scene, &ada).await;
        let (one, other) = (challenged(&scene, "ada@example.com").await, challenged(&scene, "ada@example.com").await);
        let (one, other) =
            tokio::join!(answer(&scene, recovered(&one, &codes[4])), answer(&scene, recovered(&other, &codes[4])));
        assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1);
        let again = challenged(&scene, "ada@example.com").await;
        assert_eq!(refusal(&scene, recovered(&again, &codes[4])).await, "WRONG_CODE");
        assert_eq!(left(&scene, &ada.token, &ada.identity.id).await, 9);
    }
}

#[tokio::test]
async fn guesses_at_challenges_make_an_address_wait() {
    let scene = scene().await;
    for _ in 0..51 {
        let request = AnswerChallengeRequest { challenge_id: "guess".into(), ..AnswerChallengeRequest::default() };
        let guess = with(Request::new(request), "x-forwarded-for", "203.0.113.9");
        assert_eq!(
            Error::from(scene.identities().answer_challenge(guess).await.unwrap_err()).reason(),
            "CHALLENGE_OVER"
        );
    }
    let request = AnswerChallengeRequest { challenge_id: "guess".into(), ..AnswerChallengeRequest::default() };
    let again = with(Request::new(request), "x-forwarded-for", "203.0.113.9");
    assert_eq!(
        Error::from(scene.identities().answer_challenge(again).await.unwrap_err()).reason(),
        "SIGN_IN_THROTTLED"
    );
}

#[tokio::test]
async fn sign_in_with_a_second_factor_is_a_fresh_proof() {
    let scene = scene().await;
    let (ada, factor, app) = with_app(&scene).await;
    scene.clock.move_forward(Duration::from_secs(600));
    let challenge = challenged(&scene, "ada@example.com").await;
    let token = answer(&scene, coded(&challenge, &factor, &app.code(&scene))).await.unwrap().access_token;
    let delete = || DeleteFactorRequest { identity_id: ada.identity.id.clone(), factor_id: factor.id.clone() };
    let old = scene.factors().delete_factor(request_by(&ada.token, delete())).await;
    assert!(old.is_err(), "another session has not");
    scene.factors().delete_factor(request_by(&token, delete())).await.unwrap();
    assert!(
        !scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token.is_empty(),
        "the password is enough again"
    );
}

#[tokio::test]
async fn a_browser_gets_its_cookies_at_the_end() {
    let scene = scene().await;
    let (_, factor, app) = with_app(&scene).await;
    let request = CreateTokenRequest { cookie: true, ..sign_in("ada@example.com", PASSWORD) };
    let answer = scene.identities().create_token(Request::new(request)).await.unwrap();
    assert!(answer.metadata().get("set-cookie").is_none());
    let challenge = answer.into_inner().challenge.unwrap();
    let request = coded(&challenge, &factor, &app.code(&scene));
    let answer = scene.identities().answer_challenge(Request::new(request)).await.unwrap();
    assert!(answer.metadata().get_all("set-cookie").iter().count() >= 2);
    assert!(answer.into_inner().access_token.is_empty());
}
