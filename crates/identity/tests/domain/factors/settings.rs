//! The owner's settings of second factors.

use pavise_identity::contract::v1::{DeleteFactorRequest, FactorType, IdentitySettings, UpdateSettingsRequest};
use pavise_kernel::Error;

use super::{Member, member};
use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene};

async fn set(scene: &Scene, ada: &Member, settings: IdentitySettings) {
    let request = UpdateSettingsRequest { identity_id: ada.identity.id.clone(), settings: Some(settings) };
    scene.identities().update_settings(request_by(&ada.token, request)).await.unwrap();
}

#[tokio::test]
async fn last_required_second_factor_cannot_be_removed() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    set(&scene, &ada, IdentitySettings { multifactor_required: true, ..IdentitySettings::default() }).await;
    assert!(
        !scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token.is_empty(),
        "to make the first one"
    );
    let (app, _) = ada.app(&scene).await;
    let telephone = ada.telephone(&scene, "+15125550100").await;
    let delete = |id: &str| DeleteFactorRequest { identity_id: ada.identity.id.clone(), factor_id: id.to_owned() };
    scene.factors().delete_factor(request_by(&ada.token, delete(&telephone.id))).await.unwrap();
    let refused = scene.factors().delete_factor(request_by(&ada.token, delete(&app.id))).await;
    let error = Error::from(refused.unwrap_err());
    assert_eq!(
        (error.reason(), error.message()),
        ("LAST_FACTOR", "this is the last second factor; add another one first")
    );
    assert_eq!(ada.list(&scene).await.len(), 1);
    // Staff remove what was lost.
    scene.factors().delete_factor(scene.platform(delete(&app.id))).await.unwrap();
    assert_eq!(
        refusal_reason(scene.factors().delete_factor(request_by(&ada.token, delete(&app.id))).await),
        "NOT_FOUND"
    );
}

#[tokio::test]
async fn the_kind_that_is_wanted_is_offered_first() {
    let scene = scene().await;
    let ada = member(&scene, "ada@example.com").await;
    let (app, _) = ada.app(&scene).await;
    let telephone = ada.telephone(&scene, "+15125550100").await;
    let offered = async |scene: &Scene| {
        let challenge = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().challenge.unwrap();
        challenge.factors.into_iter().map(|factor| factor.factor_id).collect::<Vec<_>>()
    };
    assert_eq!(offered(&scene).await, [app.id.clone(), telephone.id.clone()], "the primary one");
    let wanted = IdentitySettings { multifactor_type: FactorType::Sms.into(), ..IdentitySettings::default() };
    set(&scene, &ada, wanted).await;
    assert_eq!(offered(&scene).await, [telephone.id, app.id]);
}
