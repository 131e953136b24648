//! Codes: good once, for a while, for few guesses, and not sent too often.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::v1::{
    CreateFactorRequest, Factor, FactorType, ListFactorTypesRequest, ListFactorsRequest, RevealFactorRequest,
    SecurityQuestionInput, SecurityQuestionType, SendFactorCodeRequest, SendFactorCodeResponse,
};
use pavise_kernel::Error;

use super::{Member, STEP, code_sent, member, other_than};
use crate::scene::{PASSWORD, Scene, on, refusal_reason, request_by, scene, scenes};

const NUMBER: &str = "+15125550100";

async fn send(scene: &Scene, ada: &Member, factor: &Factor) -> Result<SendFactorCodeResponse, Error> {
    let request = SendFactorCodeRequest { identity_id: ada.identity.id.clone(), factor_id: factor.id.clone() };
    let answer = scene.factors().send_factor_code(request_by(&ada.token, request)).await;
    answer.map(tonic::Response::into_inner).map_err(Error::from)
}

#[tokio::test]
async fn an_apps_code_is_good_once_and_no_earlier_one_is_afterwards() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let (factor, app) = ada.app(&scene).await;
        let early = app.code(&scene);
        scene.clock.move_forward(STEP);
        let code = app.code(&scene);
        assert_eq!(ada.validate(&scene, &factor, &code).await, "");
        assert_eq!(ada.validate(&scene, &factor, &code).await, "WRONG_CODE", "a code that was seen is of no use");
        assert_eq!(ada.validate(&scene, &factor, &early).await, "WRONG_CODE", "nor is one from before it");
        scene.clock.move_forward(STEP);
        let late = app.code(&scene);
        scene.clock.move_forward(STEP);
        assert_eq!(ada.validate(&scene, &factor, &late).await, "", "a clock may be half a minute wrong");
        scene.clock.move_forward(3 * STEP);
        assert_eq!(ada.validate(&scene, &factor, &late).await, "WRONG_CODE");
    }
}

#[tokio::test]
async fn of_two_who_use_a_code_at_once_one_is_refused() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, app) = ada.app(&scene).await;
    let request = || request_by(&ada.token, ada.validation(&factor, &app.code(&scene)));
    let (mut one, mut other) = (scene.factors(), scene.factors());
    let (one, other) = tokio::join!(one.validate_factor(request()), other.validate_factor(request()));
    assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1);
}

#[tokio::test]
async fn guessing_makes_wait_and_the_owner_gets_in_afterwards() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, app) = ada.app(&scene).await;
    for _ in 0..6 {
        assert_eq!(ada.validate(&scene, &factor, &other_than(&app.code(&scene))).await, "WRONG_CODE");
    }
    assert_eq!(ada.validate(&scene, &factor, &app.code(&scene)).await, "SIGN_IN_THROTTLED");
    scene.clock.move_forward(Duration::from_secs(1));
    assert_eq!(ada.validate(&scene, &factor, &app.code(&scene)).await, "");
}

#[tokio::test]
async fn a_sent_code_is_good_once_for_ten_minutes_and_five_guesses() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let request = CreateFactorRequest { phone_number: NUMBER.into(), ..ada.wish(FactorType::Sms) };
        let made = ada.create(&scene, request).await.unwrap();
        assert_eq!(made.sent.unwrap().sent_to, "+1•••••••100");
        let (factor, code) = (made.factor.unwrap(), code_sent(&scene, NUMBER).await);
        for _ in 0..4 {
            assert_eq!(ada.verify(&scene, &factor, &other_than(&code)).await.unwrap_err().reason(), "WRONG_CODE");
        }
        let factor = ada.verify(&scene, &factor, &code).await.unwrap();
        assert_eq!(ada.validate(&scene, &factor, &code).await, "WRONG_CODE", "once");

        send(&scene, &ada, &factor).await.unwrap();
        let code = code_sent(&scene, NUMBER).await;
        for _ in 0..5 {
            assert_eq!(ada.validate(&scene, &factor, &other_than(&code)).await, "WRONG_CODE");
        }
        scene.clock.move_forward(Duration::from_secs(2));
        assert_eq!(ada.validate(&scene, &factor, &code).await, "WRONG_CODE", "the fifth wrong one ends it");
        assert!(scene.actions().await.contains(&"MULTIFACTOR_REFUSED".to_owned()));

        scene.clock.move_forward(Duration::from_secs(30));
        send(&scene, &ada, &factor).await.unwrap();
        let code = code_sent(&scene, NUMBER).await;
        scene.clock.move_forward(Duration::from_secs(600));
        assert_eq!(ada.validate(&scene, &factor, &code).await, "WRONG_CODE", "its time is over");
    }
}

#[tokio::test]
async fn a_newer_code_takes_the_place_of_the_one_before_and_has_to_wait() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let telephone = ada.telephone(&scene, NUMBER).await;
    let first = send(&scene, &ada, &telephone).await.unwrap();
    let old = code_sent(&scene, NUMBER).await;
    let refused = send(&scene, &ada, &telephone).await.unwrap_err();
    assert_eq!(
        (refused.reason(), refused.message()),
        ("CODE_SENT_RECENTLY", "a code was sent just now; another one can be in 30 s")
    );
    scene.clock.move_forward(Duration::from_secs(30));
    let second = send(&scene, &ada, &telephone).await.unwrap();
    assert_eq!(second.next_at.unwrap().seconds - first.next_at.unwrap().seconds, 60, "and the next one longer");
    let new = code_sent(&scene, NUMBER).await;
    if old != new {
        assert_eq!(ada.validate(&scene, &telephone, &old).await, "WRONG_CODE");
    }
    assert_eq!(ada.validate(&scene, &telephone, &new).await, "");
    let (app, _) = ada.app(&scene).await;
    assert_eq!(send(&scene, &ada, &app).await.unwrap_err().reason(), "FACTOR_TYPE_NOT_ALLOWED");
    let types = async || {
        let types = scene.factors().list_factor_types(ListFactorTypesRequest {}).await.unwrap().into_inner();
        types.types().collect::<Vec<_>>()
    };
    assert!(types().await.contains(&FactorType::Sms));
    scene.clock.move_forward(Duration::from_secs(600));
    *scene.post.suppressed.lock().unwrap() = NUMBER.to_owned();
    let refused = send(&scene, &ada, &telephone).await.unwrap_err();
    assert_eq!(refused.reason(), "RECIPIENT_SUPPRESSED", "its owner answered STOP");
    scene.post.suppressed.lock().unwrap().clear();
    scene.wire.set_down("messaging", true);
    send(&scene, &ada, &telephone).await.unwrap();
    assert!(types().await.contains(&FactorType::Sms), "a letter waits until messaging answers");
    scene.wire.set_down("messaging", false);
    assert_eq!(ada.validate(&scene, &telephone, &code_sent(&scene, NUMBER).await).await, "");
    *scene.post.missing.lock().unwrap() = Some("sms");
    assert_eq!(send(&scene, &ada, &telephone).await.unwrap_err().reason(), "NOT_CONFIGURED");
    let offered = types().await;
    assert!(!offered.contains(&FactorType::Sms) && offered.contains(&FactorType::Google), "{offered:?}");
}

#[tokio::test]
async fn repeated_new_factors_do_not_send_letter_after_letter() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let mut refusals = Vec::new();
    for n in 0..9 {
        let request = CreateFactorRequest { phone_number: format!("+1512555010{n}"), ..ada.wish(FactorType::Sms) };
        refusals.extend(ada.create(&scene, request).await.err().map(|error| error.reason().to_owned()));
    }
    assert_eq!(refusals, ["CODE_SENT_RECENTLY"; 3]);
}

#[tokio::test]
async fn answers_are_compared_by_what_they_mean() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let cases = [
        (SecurityQuestionType::Text, "Mr. Babbage", "  mr.  BABBAGE", "Mrs. Babbage"),
        (SecurityQuestionType::Date, "1815-12-10", " 1815-12-10 ", "1815-12-11"),
        (SecurityQuestionType::Number, "007.50", "7.5", "75"),
    ];
    for (kind, answer, alike, other) in cases {
        let question =
            SecurityQuestionInput { r#type: kind.into(), question: "What was it?".into(), answer: answer.into() };
        let request = CreateFactorRequest { question: Some(question), ..ada.wish(FactorType::Question) };
        let factor = ada.create(&scene, request).await.unwrap().factor.unwrap();
        assert!(factor.question.as_ref().unwrap().answer_hash.is_empty(), "no hash is answered");
        let verify = |answer: &str| {
            let request = pavise_identity::contract::v1::VerifyFactorRequest {
                identity_id: ada.identity.id.clone(),
                factor_id: factor.id.clone(),
                answer: answer.to_owned(),
                ..Default::default()
            };
            request_by(&ada.token, request)
        };
        assert_eq!(refusal_reason(scene.factors().verify_factor(verify(other)).await), "WRONG_CODE");
        scene.factors().verify_factor(verify(alike)).await.unwrap();
        assert_eq!(ada.validate(&scene, &factor, "123456").await, "INVALID_FIELD", "a code is not what is asked for");
    }
}

#[tokio::test]
async fn a_factor_of_another_secret_is_refused_and_not_broken() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, app) = ada.app(&scene).await;
    let other = Config { key_encryption_secret: "another key-encryption secret".into(), ..Config::for_tests() };
    let other = on(scene.database(), other).await;
    other.clock.move_forward(STEP);
    let request = request_by(&ada.token, ada.validation(&factor, &app.code(&other)));
    assert_eq!(refusal_reason(other.factors().validate_factor(request).await), "FACTOR_UNREADABLE");
}

#[tokio::test]
async fn staff_see_the_end_of_a_number_and_are_told_the_whole_for_a_reason() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let factor = ada.telephone(&scene, NUMBER).await;
        let number = |factor: &Factor| factor.destination.as_ref().unwrap().address.clone();
        assert_eq!(number(&ada.list(&scene).await[0]), NUMBER, "it is their own");
        scene.staff("desk@staff.example", &["identity.factors.read", "identity.factors.reveal"]).await;
        let desk = scene.sign_in("desk@staff.example", PASSWORD).await.unwrap().access_token;
        let list = ListFactorsRequest { identity_id: ada.identity.id.clone(), ..ListFactorsRequest::default() };
        let listed = scene.factors().list_factors(request_by(&desk, list)).await.unwrap().into_inner().factors;
        assert_eq!(number(&listed[0]), "••••0100");
        let reveal = |reason: &str| RevealFactorRequest {
            identity_id: ada.identity.id.clone(),
            factor_id: factor.id.clone(),
            reason: reason.into(),
        };
        let told = scene.factors().reveal_factor(request_by(&desk, reveal("they call back"))).await;
        assert_eq!(number(&told.unwrap().into_inner()), NUMBER);
        let refused = scene.factors().reveal_factor(request_by(&desk, reveal(""))).await;
        assert_eq!(refusal_reason(refused.map_err(Error::from)), "INVALID_FIELD");
        let refused = scene.factors().reveal_factor(request_by(&ada.token, reveal("mine"))).await;
        assert_eq!(refusal_reason(refused.map_err(Error::from)), "REALM_NOT_ALLOWED");
    }
}
