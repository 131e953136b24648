//! From the first factor to the last.

use pavise_identity::contract::v1::{
    CreateFactorRequest, DeleteFactorRequest, DeleteIdentityRequest, FactorStatus, FactorType, ListFactorsRequest,
    ProofType, SecurityQuestionInput, SecurityQuestionType, SetPrimaryFactorRequest, UpdateFactorNameRequest,
    VerifyFactorRequest,
};
use pavise_kernel::common::v1::ClassicIdType;
use tonic::Request;

use super::{App, Member, STEP, code_sent, member, other_than};
use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, with};

fn deletion(identity_id: &str, factor_id: &str) -> DeleteFactorRequest {
    DeleteFactorRequest { identity_id: identity_id.into(), factor_id: factor_id.into() }
}

#[tokio::test]
async fn an_authenticator_app_is_set_up_shown_to_work_and_used() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let made = ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap();
        let (factor, shown) = (made.factor.unwrap(), made.authenticator.unwrap());
        assert_eq!((factor.status(), factor.proof_type()), (FactorStatus::Pending, ProofType::Possession));
        assert_eq!((factor.name.as_str(), factor.primary), ("Authenticator app", false));
        assert!(shown.uri.starts_with("otpauth://totp/Pavise:ada%40example%2Ecom?secret="), "{}", shown.uri);
        assert!(shown.uri.contains(&shown.secret_text) && shown.qr_svg.contains("<svg"));
        assert!(
            factor.authenticator.as_ref().unwrap().sealed_secret.is_empty(),
            "the secret is shown once, and elsewhere"
        );

        let app = App::new(&shown.secret_text);
        assert_eq!(
            ada.validate(&scene, &factor, &app.code(&scene)).await,
            "STATUS_NOT_ALLOWED",
            "it proves nothing yet"
        );
        let wrong = ada.verify(&scene, &factor, &other_than(&app.code(&scene))).await.unwrap_err();
        assert_eq!(wrong.reason(), "WRONG_CODE");
        let active = ada.verify(&scene, &factor, &app.code(&scene)).await.unwrap();
        assert_eq!((active.status(), active.primary), (FactorStatus::Active, true));
        assert_eq!(ada.verify(&scene, &factor, &app.code(&scene)).await.unwrap_err().reason(), "STATUS_NOT_ALLOWED");

        scene.clock.move_forward(STEP);
        let request = ada.validation(&active, &app.code(&scene));
        let proof = scene.factors().validate_factor(request_by(&ada.token, request)).await.unwrap().into_inner();
        assert_eq!((proof.identity_id.as_str(), proof.proof_type()), (ada.identity.id.as_str(), ProofType::Possession));
        assert!(proof.good_until.unwrap().seconds - proof.proven_at.unwrap().seconds == 600);
        let actions = scene.actions().await;
        for action in ["MULTIFACTOR_ADDED", "MULTIFACTOR_VERIFIED", "MULTIFACTOR_USED"] {
            assert!(actions.contains(&action.to_owned()), "{action}: {actions:?}");
        }
        let journal = format!("{:?}", scene.entries().await);
        assert!(!journal.contains("sealed_secret: [1") && !journal.contains(&shown.secret_text));
    }
}

#[tokio::test]
async fn exactly_one_active_factor_is_primary() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let (app, code) = ada.app(&scene).await;
        let telephone = ada.telephone(&scene, "+15125550100").await;
        let second = ada.telephone(&scene, "+15125550101").await;
        let primaries = async |scene: &Scene| {
            let all = ada.list(scene).await;
            all.into_iter().filter(|factor| factor.primary).map(|factor| factor.id).collect::<Vec<_>>()
        };
        assert_eq!(primaries(&scene).await, std::slice::from_ref(&app.id));
        let set = |id: &str| SetPrimaryFactorRequest { identity_id: ada.identity.id.clone(), factor_id: id.to_owned() };
        let answer =
            scene.factors().set_primary_factor(request_by(&ada.token, set(&second.id))).await.unwrap().into_inner();
        assert!(answer.primary);
        assert_eq!(primaries(&scene).await, std::slice::from_ref(&second.id));
        scene.factors().set_primary_factor(request_by(&ada.token, set(&second.id))).await.unwrap();
        let changes = scene.actions().await.iter().filter(|action| *action == "MULTIFACTOR_NO_LONGER_PRIMARY").count();
        assert_eq!(changes, 1, "what is primary already changes nothing");

        // Two at once: one of them is refused, or they follow each other; never two primary ones.
        let (one, other) = (request_by(&ada.token, set(&app.id)), request_by(&ada.token, set(&telephone.id)));
        let (mut left, mut right) = (scene.factors(), scene.factors());
        let (one, other) = tokio::join!(left.set_primary_factor(one), right.set_primary_factor(other));
        assert!(one.is_ok() || other.is_ok());
        assert_eq!(primaries(&scene).await.len(), 1);

        // Where the primary one goes, the longest active takes its place.
        scene.factors().set_primary_factor(request_by(&ada.token, set(&telephone.id))).await.unwrap();
        assert_eq!(ada.validate(&scene, &app, &code.code(&scene)).await, "");
        let delete = deletion(&ada.identity.id, &telephone.id);
        scene.factors().delete_factor(request_by(&ada.token, delete)).await.unwrap();
        assert_eq!(primaries(&scene).await, std::slice::from_ref(&app.id));
        for id in [app.id, second.id] {
            scene.factors().delete_factor(request_by(&ada.token, deletion(&ada.identity.id, &id))).await.ok();
        }
        assert!(primaries(&scene).await.len() <= 1);
    }
}

#[tokio::test]
async fn an_active_factor_goes_with_a_recent_proof_in_the_same_session() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (app, code) = ada.app(&scene).await;
    let pending = ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap().factor.unwrap();
    scene.factors().delete_factor(request_by(&ada.token, deletion(&ada.identity.id, &pending.id))).await.unwrap();

    scene.clock.move_forward(std::time::Duration::from_secs(600));
    let delete = || deletion(&ada.identity.id, &app.id);
    assert_eq!(refusal_reason(scene.factors().delete_factor(request_by(&ada.token, delete())).await), "PROOF_NEEDED");
    let codes = pavise_identity::contract::v1::CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().create_recovery_codes(request_by(&ada.token, codes)).await),
        "PROOF_NEEDED"
    );
    let ada = ada.proven(&scene, &app, &code.code(&scene)).await;
    let gone = scene.factors().delete_factor(request_by(&ada.token, delete())).await.unwrap().into_inner();
    assert_eq!(gone.id, app.id);
    assert!(ada.list(&scene).await.is_empty());
    assert_eq!(refusal_reason(scene.factors().delete_factor(request_by(&ada.token, delete())).await), "NOT_FOUND");
    let told = scene.delivered().await;
    assert!(
        told.iter().filter(|message| message.address == "ada@example.com").count() >= 2,
        "the owner is told: {told:?}"
    );
}

#[tokio::test]
async fn a_session_that_proved_nothing_gives_itself_no_proof() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        ada.number(&scene, ClassicIdType::Member.into(), "112233").await;
        let account =
            CreateFactorRequest { account_type: ClassicIdType::Member.into(), ..ada.wish(FactorType::Account) };
        let question = || {
            let (kind, question) = (SecurityQuestionType::Text.into(), "Who am I?".into());
            let question = SecurityQuestionInput { r#type: kind, question, answer: "somebody else".into() };
            CreateFactorRequest { question: Some(question), ..ada.wish(FactorType::Question) }
        };
        // A thief with Ada's session begins a factor before Ada has one.
        let begun = ada.create(&scene, question()).await.unwrap().factor.unwrap();
        let number = ada.create(&scene, account).await.unwrap().factor.unwrap();
        let mine =
            Member { token: scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token, ..ada.clone() };
        let (app, code) = mine.app(&scene).await;

        assert_eq!(ada.create(&scene, question()).await.unwrap_err().reason(), "PROOF_NEEDED");
        assert_eq!(ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap_err().reason(), "PROOF_NEEDED");
        let answered = |factor_id: &str, answer: &str, account_number: &str| VerifyFactorRequest {
            identity_id: ada.identity.id.clone(),
            factor_id: factor_id.to_owned(),
            answer: answer.to_owned(),
            account_number: account_number.to_owned(),
            ..VerifyFactorRequest::default()
        };
        let finish = || answered(&begun.id, "somebody else", "");
        assert_eq!(
            refusal_reason(scene.factors().verify_factor(request_by(&ada.token, finish())).await),
            "PROOF_NEEDED"
        );
        let number = answered(&number.id, "", "112233");
        assert_eq!(
            refusal_reason(scene.factors().verify_factor(request_by(&ada.token, number.clone())).await),
            "PROOF_NEEDED"
        );

        // Ada's own factor is a proof for a new one, except a number that is printed on cards.
        scene.factors().verify_factor(request_by(&mine.token, number.clone())).await.unwrap();
        let mut asked = ada.validation(&app, "");
        (asked.factor_id, asked.account_number) = (number.factor_id, number.account_number);
        scene.factors().validate_factor(request_by(&ada.token, asked)).await.unwrap();
        let delete = || deletion(&ada.identity.id, &app.id);
        assert_eq!(
            refusal_reason(scene.factors().delete_factor(request_by(&ada.token, delete())).await),
            "PROOF_NEEDED"
        );
        let codes = pavise_identity::contract::v1::CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
        assert_eq!(
            refusal_reason(scene.factors().create_recovery_codes(request_by(&ada.token, codes)).await),
            "PROOF_NEEDED"
        );
        assert_eq!(ada.validate(&scene, &app, &code.code(&scene)).await, "");
        scene.factors().verify_factor(request_by(&ada.token, finish())).await.unwrap();
        scene.factors().delete_factor(request_by(&ada.token, delete())).await.unwrap();
    }
}

#[tokio::test]
async fn another_member_sees_and_changes_nothing() {
    let scene = scene().await;
    let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
    let (factor, app) = ada.app(&scene).await;
    let mut client = scene.factors();
    let (ada_id, eve_id, factor_id) = (ada.identity.id.clone(), eve.identity.id.clone(), factor.id.clone());
    let list = ListFactorsRequest { identity_id: ada_id.clone(), ..ListFactorsRequest::default() };
    assert_eq!(refusal_reason(client.list_factors(request_by(&eve.token, list)).await), "NOT_THE_OWNER");
    for identity_id in [&ada_id, &eve_id] {
        let expected = if *identity_id == ada_id { "NOT_THE_OWNER" } else { "NOT_FOUND" };
        let verify = VerifyFactorRequest {
            identity_id: identity_id.clone(),
            factor_id: factor_id.clone(),
            code: app.code(&scene),
            ..VerifyFactorRequest::default()
        };
        assert_eq!(refusal_reason(client.verify_factor(request_by(&eve.token, verify)).await), expected);
        let primary = SetPrimaryFactorRequest { identity_id: identity_id.clone(), factor_id: factor_id.clone() };
        assert_eq!(refusal_reason(client.set_primary_factor(request_by(&eve.token, primary)).await), expected);
        let rename = UpdateFactorNameRequest {
            identity_id: identity_id.clone(),
            factor_id: factor_id.clone(),
            name: "Mine".into(),
        };
        assert_eq!(refusal_reason(client.update_factor_name(request_by(&eve.token, rename)).await), expected);
        let delete = deletion(identity_id, &factor_id);
        assert_eq!(refusal_reason(client.delete_factor(request_by(&eve.token, delete)).await), expected);
        let mut validate = ada.validation(&factor, &app.code(&scene));
        validate.identity_id.clone_from(identity_id);
        assert_eq!(refusal_reason(client.validate_factor(request_by(&eve.token, validate)).await), expected);
    }
    assert_eq!(
        refusal_reason(client.create_factor(request_by(&eve.token, ada.wish(FactorType::Google))).await),
        "NOT_THE_OWNER"
    );
    assert_eq!(refusal_reason(client.create_factor(Request::new(ada.wish(FactorType::Google))).await), "TOKEN_MISSING");
    assert_eq!(ada.validate(&scene, &factor, &app.code(&scene)).await, "", "and the code is still good for its owner");
}

#[tokio::test]
async fn staff_remove_a_lost_factor_and_make_none_for_others() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, _) = ada.app(&scene).await;
    let create = scene.program(ada.wish(FactorType::Google), &["identity.factors.*"]);
    assert_eq!(refusal_reason(scene.factors().create_factor(create).await), "REALM_NOT_ALLOWED");
    let staff = scene.staff("sue@example.com", &["identity.factors.*"]).await;
    let token = scene.sign_in("sue@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(
        refusal_reason(scene.factors().create_factor(request_by(&token, ada.wish(FactorType::Google))).await),
        "NOT_THE_OWNER"
    );
    let own = CreateFactorRequest { identity_id: staff.id, ..ada.wish(FactorType::Google) };
    scene.factors().create_factor(request_by(&token, own)).await.unwrap();

    let delete = || deletion(&ada.identity.id, &factor.id);
    let weak = scene.program(delete(), &["identity.factors.change"]);
    assert_eq!(refusal_reason(scene.factors().delete_factor(weak).await), "PERMISSION_MISSING");
    scene.factors().delete_factor(request_by(&token, delete())).await.unwrap();
    assert!(ada.list(&scene).await.is_empty());
}

#[tokio::test]
async fn a_name_is_changed() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (factor, _) = ada.app(&scene).await;
    let rename = |name: &str| {
        let request = UpdateFactorNameRequest {
            identity_id: ada.identity.id.clone(),
            factor_id: factor.id.clone(),
            name: name.to_owned(),
        };
        request_by(&ada.token, request)
    };
    assert_eq!(
        scene.factors().update_factor_name(rename("My telephone")).await.unwrap().into_inner().name,
        "My telephone"
    );
    assert_eq!(refusal_reason(scene.factors().update_factor_name(rename("")).await), "INVALID_FIELD");
    assert_eq!(refusal_reason(scene.factors().update_factor_name(rename(&"x".repeat(65))).await), "INVALID_FIELD");
}

#[tokio::test]
async fn fields_that_a_type_needs_are_required() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let question = |kind: SecurityQuestionType, answer: &str| {
        let question =
            SecurityQuestionInput { r#type: kind.into(), question: "When was it?".into(), answer: answer.into() };
        CreateFactorRequest { question: Some(question), ..ada.wish(FactorType::Question) }
    };
    let wrong = [
        ada.wish(FactorType::Unspecified),
        ada.wish(FactorType::Sms),
        CreateFactorRequest { phone_number: "5125550100".into(), ..ada.wish(FactorType::Sms) },
        CreateFactorRequest { email: "nonsense".into(), ..ada.wish(FactorType::Email) },
        CreateFactorRequest { email: "a@example.com".into(), ..ada.wish(FactorType::Google) },
        question(SecurityQuestionType::Date, "31.3.2026"),
        question(SecurityQuestionType::Number, "a dozen"),
        question(SecurityQuestionType::Text, "?"),
        question(SecurityQuestionType::Unspecified, "blue"),
    ];
    for request in wrong {
        let shown = format!("{request:?}");
        assert_eq!(ada.create(&scene, request).await.unwrap_err().reason(), "INVALID_FIELD", "{shown}");
    }
    let account =
        CreateFactorRequest { account_type: ClassicIdType::Associate.into(), ..ada.wish(FactorType::Account) };
    assert_eq!(ada.create(&scene, account).await.unwrap_err().reason(), "ACCOUNT_NUMBER_MISSING");
    for _ in 0..10 {
        ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap();
    }
    assert_eq!(ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap_err().reason(), "TOO_MANY_FACTORS");
}

#[tokio::test]
async fn an_account_number_proves_who_calls_and_completes_no_sign_in() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    ada.number(&scene, ClassicIdType::Member.into(), "112233").await;
    let request = CreateFactorRequest { account_type: ClassicIdType::Member.into(), ..ada.wish(FactorType::Account) };
    let factor = ada.create(&scene, request).await.unwrap().factor.unwrap();
    let answer = |number: &str| VerifyFactorRequest {
        identity_id: ada.identity.id.clone(),
        factor_id: factor.id.clone(),
        account_number: number.into(),
        ..VerifyFactorRequest::default()
    };
    assert_eq!(
        refusal_reason(scene.factors().verify_factor(request_by(&ada.token, answer("112234"))).await),
        "WRONG_CODE"
    );
    let active = scene.factors().verify_factor(request_by(&ada.token, answer("112233"))).await.unwrap().into_inner();
    assert_eq!((active.proof_type(), active.primary), (ProofType::Account, false));
    let primary = SetPrimaryFactorRequest { identity_id: ada.identity.id.clone(), factor_id: factor.id.clone() };
    let refused = scene.factors().set_primary_factor(request_by(&ada.token, primary)).await;
    assert_eq!(refusal_reason(refused), "FACTOR_TYPE_NOT_ALLOWED");

    // Staff ask a caller for it.
    let mut asked = ada.validation(&factor, "");
    asked.account_number = "112233".into();
    let proof =
        scene.factors().validate_factor(scene.program(asked.clone(), &["identity.factors.validate"])).await.unwrap();
    assert_eq!(proof.into_inner().factor_id, factor.id);
    let weak = scene.program(asked, &["identity.factors.read"]);
    assert_eq!(refusal_reason(scene.factors().validate_factor(weak).await), "PERMISSION_MISSING");
}

#[tokio::test]
async fn factors_go_with_their_identity() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    ada.app(&scene).await;
    let delete = DeleteIdentityRequest { identity_id: ada.identity.id.clone() };
    scene.identities().delete_identity(scene.platform(delete)).await.unwrap();
    let list = ListFactorsRequest { identity_id: ada.identity.id.clone(), ..ListFactorsRequest::default() };
    assert!(scene.factors().list_factors(scene.platform(list)).await.unwrap().into_inner().factors.is_empty());
}

#[tokio::test]
async fn a_repeat_begins_no_second_factor_and_shows_no_secret_again() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let request = || with(request_by(&ada.token, ada.wish(FactorType::Google)), "idempotency-key", "app");
    let first = scene.factors().create_factor(request()).await.unwrap().into_inner();
    let again = scene.factors().create_factor(request()).await.unwrap().into_inner();
    assert_eq!(first.factor.unwrap().id, again.factor.unwrap().id);
    assert!(first.authenticator.is_some() && again.authenticator.is_none());
    assert_eq!(ada.list(&scene).await.len(), 1);
    let asked = with(request_by(&ada.token, ada.wish(FactorType::Google)), "pavise-validate-only", "true");
    assert!(scene.factors().create_factor(asked).await.unwrap().into_inner().authenticator.is_none());
}

#[tokio::test]
async fn an_address_of_ones_own_is_taken_when_none_is_named() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let made = ada.create(&scene, ada.wish(FactorType::Email)).await.unwrap();
    assert_eq!(made.sent.unwrap().sent_to, "a•••@example.com");
    let code = code_sent(&scene, "ada@example.com").await;
    let factor = ada.verify(&scene, &made.factor.unwrap(), &code).await.unwrap();
    assert_eq!(factor.destination.unwrap().address, "ada@example.com");
}
