//! Calls that ask for a fresh proof, and the call that gives one.

use std::time::Duration;

use pavise_identity::contract::v1::{
    AccessToken, AddEmailRequest, BeginPasskeySignInRequest, FactorType, GetCurrentSessionRequest, IdentitySettings,
    ImpersonateRequest, ProveSessionRequest, RefreshTokenRequest, SetPrimaryFactorRequest, UpdateEmailRequest,
    UpdatePermissionsRequest, UpdateSettingsRequest,
};
use pavise_kernel::Error;
use pavise_kernel::time::{MINUTE, to_timestamp};

use crate::factors::{Member, member};
use crate::passkeys::registered;
use crate::scene::{NOW, PASSWORD, Scene, refusal_reason, request_by, scene, scenes, with};

const TEN_MINUTES: Duration = Duration::from_secs(600);

async fn prove(scene: &Scene, token: &str, request: ProveSessionRequest) -> Result<AccessToken, String> {
    let answer = scene.identities().prove_session(request_by(token, request)).await;
    answer.map(tonic::Response::into_inner).map_err(|status| Error::from(status).reason().to_owned())
}

fn password(password: &str) -> ProveSessionRequest {
    ProveSessionRequest { password: password.to_owned(), ..ProveSessionRequest::default() }
}

fn add(ada: &Member, email: &str) -> AddEmailRequest {
    AddEmailRequest { identity_id: ada.identity.id.clone(), email: email.to_owned(), primary: true }
}

#[tokio::test]
async fn a_stolen_token_takes_no_account_over() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        scene.clock.move_forward(TEN_MINUTES);
        // The thief has the token for five minutes more. The first step to the account is refused.
        let first = scene.identities().add_email(request_by(&ada.token, add(&ada, "thief@example.com"))).await;
        assert_eq!(refusal_reason(first), "PROOF_NEEDED");
        let change = UpdateEmailRequest {
            identity_id: ada.identity.id.clone(),
            email: "ada@example.com".into(),
            ..UpdateEmailRequest::default()
        };
        assert!(scene.identities().update_email(request_by(&ada.token, change)).await.is_err());
        assert_eq!(ada.create(&scene, ada.wish(FactorType::Google)).await.unwrap_err().reason(), "PROOF_NEEDED");
        for guess in ["a horse of the thief", "a stable of the thief"] {
            assert_eq!(prove(&scene, &ada.token, password(guess)).await.unwrap_err(), "WRONG_CREDENTIALS");
        }
        let dry = with(request_by(&ada.token, password("another horse")), "pavise-validate-only", "true");
        assert_eq!(refusal_reason(scene.identities().prove_session(dry).await), "VALIDATE_ONLY_REFUSED");

        // The owner knows the password.
        let proven = prove(&scene, &ada.token, password(PASSWORD)).await.unwrap();
        assert!(proven.refresh_token.is_empty(), "the refresh token stays as it is");
        scene
            .identities()
            .add_email(request_by(&proven.access_token, add(&ada, "countess@example.com")))
            .await
            .unwrap();
        let stolen = scene.identities().add_email(request_by(&ada.token, add(&ada, "thief@example.com"))).await;
        assert_eq!(refusal_reason(stolen), "PROOF_NEEDED", "the proof is in the new token, and not in the stolen one");
    }
}

#[tokio::test]
async fn a_refresh_is_no_proof_and_takes_over_the_one_that_there_was() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let signed_in = scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let refresh = async |refresh_token: String| {
            let request = tonic::Request::new(RefreshTokenRequest { refresh_token, cookie: false });
            scene.sessions().refresh_token(request).await.unwrap().into_inner()
        };
        let proved_at = async |token: &str| {
            let current = scene.sessions().get_current_session(request_by(token, GetCurrentSessionRequest {})).await;
            current.unwrap().into_inner().proved_at
        };
        scene.clock.move_forward(TEN_MINUTES - Duration::from_secs(1));
        let renewed = refresh(signed_in.refresh_token).await;
        assert_eq!(proved_at(&renewed.access_token).await, Some(to_timestamp(NOW)));
        scene.identities().add_email(request_by(&renewed.access_token, add(&ada, "a@example.com"))).await.unwrap();
        scene.clock.move_forward(Duration::from_secs(1));
        let late = scene.identities().add_email(request_by(&renewed.access_token, add(&ada, "b@example.com"))).await;
        assert_eq!(refusal_reason(late), "PROOF_NEEDED");
        let again = refresh(renewed.refresh_token).await;
        let late = scene.identities().add_email(request_by(&again.access_token, add(&ada, "b@example.com"))).await;
        assert_eq!(refusal_reason(late), "PROOF_NEEDED");
        prove(&scene, &again.access_token, password(PASSWORD)).await.unwrap();
        let after = refresh(again.refresh_token).await;
        assert_eq!(proved_at(&after.access_token).await, Some(to_timestamp(NOW + 10 * MINUTE)));
        scene.identities().add_email(request_by(&after.access_token, add(&ada, "b@example.com"))).await.unwrap();
    }
}

#[tokio::test]
async fn with_a_second_factor_the_password_alone_is_no_proof() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let (factor, app) = ada.app(&scene).await;
        scene.clock.move_forward(TEN_MINUTES);
        let primary = || SetPrimaryFactorRequest { identity_id: ada.identity.id.clone(), factor_id: factor.id.clone() };
        assert_eq!(
            refusal_reason(scene.factors().set_primary_factor(request_by(&ada.token, primary())).await),
            "PROOF_NEEDED"
        );
        assert_eq!(prove(&scene, &ada.token, password(PASSWORD)).await.unwrap_err(), "PROOF_NEEDED");
        let answer = |factor_id: &str, code: &str| ProveSessionRequest {
            factor_id: factor_id.to_owned(),
            code: code.to_owned(),
            ..ProveSessionRequest::default()
        };
        assert_eq!(prove(&scene, &ada.token, answer(&factor.id, "000000")).await.unwrap_err(), "WRONG_CODE");
        let bob = member(&scene, "bob@example.com").await;
        let (others, others_app) = bob.app(&scene).await;
        let code = others_app.code(&scene);
        assert_eq!(prove(&scene, &ada.token, answer(&others.id, &code)).await.unwrap_err(), "NOT_FOUND");
        let proven = ada.proven(&scene, &factor, &app.code(&scene)).await;
        scene.factors().set_primary_factor(request_by(&proven.token, primary())).await.unwrap();
    }
}

#[tokio::test]
async fn a_passkey_of_the_account_is_a_proof_and_anothers_is_none() {
    for scene in scenes().await {
        let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
        let mut device = registered(&scene, &ada).await.0;
        let mut others = registered(&scene, &eve).await.0;
        scene.clock.move_forward(TEN_MINUTES);
        let shown = async |device: &mut crate::passkeys::device::Device| {
            let begin = tonic::Request::new(BeginPasskeySignInRequest {});
            let asked = scene.identities().begin_passkey_sign_in(begin).await.unwrap().into_inner();
            let credential_json = device.get(&asked.options_json);
            ProveSessionRequest { challenge_id: asked.challenge_id, credential_json, ..ProveSessionRequest::default() }
        };
        let foreign = shown(&mut others).await;
        assert_eq!(prove(&scene, &ada.token, foreign).await.unwrap_err(), "PASSKEY_REFUSED");
        let own = shown(&mut device).await;
        let proven = prove(&scene, &ada.token, own.clone()).await.unwrap();
        scene.identities().add_email(request_by(&proven.access_token, add(&ada, "a@example.com"))).await.unwrap();
        assert_eq!(prove(&scene, &ada.token, own).await.unwrap_err(), "CHALLENGE_OVER", "it is good once");
    }
}

#[tokio::test]
async fn staff_prove_themselves_before_they_act_for_somebody_or_give_rights() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let eve = scene.staff("eve@example.com", &["*"]).await;
        let token = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
        scene.clock.move_forward(TEN_MINUTES);
        let act = || ImpersonateRequest {
            identity_id: ada.id.clone(),
            reason: "a question about an invoice".into(),
            ..ImpersonateRequest::default()
        };
        assert_eq!(refusal_reason(scene.identities().impersonate(request_by(&token, act())).await), "PROOF_NEEDED");
        let rights = UpdatePermissionsRequest { identity_id: eve.id.clone(), permissions: Vec::new() };
        assert_eq!(
            refusal_reason(scene.identities().update_permissions(request_by(&token, rights)).await),
            "PROOF_NEEDED"
        );
        let token = prove(&scene, &token, password(PASSWORD)).await.unwrap().access_token;
        let acting = scene.identities().impersonate(request_by(&token, act())).await.unwrap().into_inner().access_token;
        // An impersonation has no proof of its subject, and gives none.
        let prove_as = scene.identities().prove_session(request_by(&acting, password(PASSWORD))).await;
        assert_eq!(refusal_reason(prove_as), "IMPERSONATION_DENIED");
    }
}

#[tokio::test]
async fn the_settings_of_the_second_factor_need_a_proof_and_the_language_needs_none() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    scene.clock.move_forward(TEN_MINUTES);
    let update = async |settings: IdentitySettings| {
        let request = UpdateSettingsRequest { identity_id: ada.identity.id.clone(), settings: Some(settings) };
        scene.identities().update_settings(request_by(&ada.token, request)).await
    };
    update(IdentitySettings { locale: 2, ..IdentitySettings::default() }).await.unwrap();
    let strict = IdentitySettings { multifactor_required: true, ..IdentitySettings::default() };
    assert_eq!(refusal_reason(update(strict).await), "PROOF_NEEDED");
}
