//! Recovery codes are shown once, and counted.

use pavise_identity::contract::v1::{CreateRecoveryCodesRequest, GetRecoveryCodesRequest};

use super::member;
use crate::scene::{Scene, refusal_reason, request_by, scene, scenes};

pub(crate) async fn left(scene: &Scene, token: &str, identity_id: &str) -> i32 {
    let request = GetRecoveryCodesRequest { identity_id: identity_id.to_owned() };
    scene.factors().get_recovery_codes(request_by(token, request)).await.unwrap().into_inner().left
}

#[tokio::test]
async fn ten_recovery_codes_are_made_after_a_fresh_proof() {
    for scene in scenes().await {
        let ada = member(&scene, "ada@example.com").await;
        let request = || request_by(&ada.token, CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() });
        assert_eq!(refusal_reason(scene.factors().create_recovery_codes(request()).await), "PROOF_NEEDED");
        assert_eq!(left(&scene, &ada.token, &ada.identity.id).await, 0);
        ada.app(&scene).await;
        let codes = scene.factors().create_recovery_codes(request()).await.unwrap().into_inner().codes;
        assert_eq!(codes.len(), 10);
        assert_eq!(left(&scene, &ada.token, &ada.identity.id).await, 10);
        let others = scene.factors().create_recovery_codes(request()).await.unwrap().into_inner().codes;
        assert!(codes.iter().all(|code| !others.contains(code)));
        assert_eq!(left(&scene, &ada.token, &ada.identity.id).await, 10);
        assert!(!format!("{:?}", scene.entries().await).contains(&codes[0]));
    }
}

#[tokio::test]
async fn recovery_codes_of_another_identity_are_out_of_reach() {
    let scene = scene().await;
    let (ada, eve) = (member(&scene, "ada@example.com").await, member(&scene, "eve@example.com").await);
    let request = CreateRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().create_recovery_codes(request_by(&eve.token, request.clone())).await),
        "NOT_THE_OWNER"
    );
    assert_eq!(
        refusal_reason(scene.factors().create_recovery_codes(scene.platform(request)).await),
        "REALM_NOT_ALLOWED"
    );
    let count = GetRecoveryCodesRequest { identity_id: ada.identity.id.clone() };
    assert_eq!(
        refusal_reason(scene.factors().get_recovery_codes(request_by(&eve.token, count)).await),
        "NOT_THE_OWNER"
    );
}
