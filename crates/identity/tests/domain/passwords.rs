//! Passwords are set, changed, renewed, and never shown.

use pavise_identity::contract::v1::{
    CreateIdentityRequest, Credential, GetIdentityRequest, IdentityRealm, ImpersonateRequest, SetPasswordRequest,
    UpdatePasswordRequest,
};
use pavise_identity::{Config, HashCost};
use prost::{Message as _, Name as _};
use sha1::Digest as _;
use tonic::Request;

use crate::scene::{PASSWORD, on, refusal_reason, request_by, scene, sign_up, with};

const NEW: &str = "staple of another kind";

#[tokio::test]
async fn a_password_is_changed_by_who_knows_the_old_one() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    let change = |old: &str, new: &str| UpdatePasswordRequest {
        user_id: ada.id.clone(),
        old_password: old.into(),
        new_password: new.into(),
    };
    let mut client = scene.identities();
    assert_eq!(
        refusal_reason(client.update_password(request_by(&token, change("wrong password", NEW))).await),
        "WRONG_CREDENTIALS"
    );
    assert_eq!(
        refusal_reason(client.update_password(request_by(&token, change(PASSWORD, PASSWORD))).await),
        "INVALID_FIELD"
    );
    assert_eq!(
        refusal_reason(client.update_password(request_by(&token, change(PASSWORD, "password123"))).await),
        "PASSWORD_NOT_ALLOWED"
    );
    assert_eq!(
        refusal_reason(client.update_password(request_by(&token, change(PASSWORD, "ada 1815 ada@example.com"))).await),
        "PASSWORD_NOT_ALLOWED"
    );
    assert_eq!(
        refusal_reason(client.update_password(request_by(&token, change(PASSWORD, "too short"))).await),
        "INVALID_FIELD"
    );
    let request = || with(request_by(&token, change(PASSWORD, NEW)), "idempotency-key", "change");
    let changed = client.update_password(request()).await.unwrap().into_inner();
    assert_eq!(changed.identity_id, ada.id);
    assert_eq!(client.update_password(request()).await.unwrap().into_inner(), changed, "a repeat is answered alike");
    assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
    scene.sign_in("ada@example.com", NEW).await.unwrap();
    let actions = scene.actions().await;
    let after = actions.iter().skip_while(|action| *action != "SESSION_REVOKED").collect::<Vec<_>>();
    assert_eq!(
        after,
        ["SESSION_REVOKED", "PASSWORD_UPDATED", "PASSWORD_UPDATED", "LOGGED_IN"],
        "the other session ended"
    );
    let told = scene.delivered().await;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].address.as_str(), told[0].template.as_str()), ("ada@example.com", "security.password-changed"));
}

#[tokio::test]
async fn a_leaked_password_is_refused_wherever_one_is_chosen() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let leaked = "a fine and private place";
    let digest = sha1::Sha1::digest(leaked.as_bytes());
    let hash: String = digest.iter().map(|byte| format!("{byte:02X}")).collect();
    std::io::Write::write_all(&mut file, format!("{hash}:37\n").as_bytes()).unwrap();
    let set = std::sync::Arc::new(pavise_identity::LeakedPasswords::open(file.path()).unwrap());
    let config = Config { leaked_passwords: Some(set), ..Config::for_tests() };
    for engine in crate::scene::Engine::BOTH {
        let scene = crate::scene::configured(engine, config.clone()).await;
        let request = CreateIdentityRequest { password: leaked.into(), ..sign_up("ada@example.com") };
        let refused = scene.identities().create_identity(Request::new(request)).await;
        let error = pavise_kernel::Error::from(refused.unwrap_err());
        assert_eq!((error.reason(), error.violations()[0].field.as_str()), ("PASSWORD_NOT_ALLOWED", "password"));
        let ada = scene.member("ada@example.com").await;
        let set = SetPasswordRequest { user_id: ada.id.clone(), password: leaked.into() };
        assert_eq!(refusal_reason(scene.identities().set_password(scene.platform(set)).await), "PASSWORD_NOT_ALLOWED");
        let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
        let change = |new: &str| UpdatePasswordRequest {
            user_id: ada.id.clone(),
            old_password: PASSWORD.into(),
            new_password: new.into(),
        };
        assert_eq!(
            refusal_reason(scene.identities().update_password(request_by(&token, change(leaked))).await),
            "PASSWORD_NOT_ALLOWED"
        );
        scene.identities().update_password(request_by(&token, change(NEW))).await.unwrap();
    }
}

#[tokio::test]
async fn password_of_another_identity_cannot_be_changed_with_the_old_one() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    scene.staff("eve@example.com", &["*"]).await;
    let eve = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    let change =
        UpdatePasswordRequest { user_id: ada.id.clone(), old_password: PASSWORD.into(), new_password: NEW.into() };
    assert_eq!(
        refusal_reason(scene.identities().update_password(request_by(&eve, change.clone())).await),
        "NOT_THE_OWNER"
    );
    let request =
        ImpersonateRequest { identity_id: ada.id.clone(), reason: "she asked".into(), write: true, cookie: false };
    let as_ada = scene.identities().impersonate(request_by(&eve, request)).await.unwrap().into_inner().access_token;
    assert_eq!(
        refusal_reason(scene.identities().update_password(request_by(&as_ada, change)).await),
        "IMPERSONATION_DENIED"
    );
}

#[tokio::test]
async fn staff_set_a_password_where_there_was_none() {
    let scene = scene().await;
    let request = CreateIdentityRequest { password: String::new(), ..sign_up("ada@example.com") };
    let ada = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
    assert!(scene.sign_in("ada@example.com", "").await.is_err());
    let set = |password: &str| SetPasswordRequest { user_id: ada.id.clone(), password: password.into() };
    assert_eq!(refusal_reason(scene.identities().set_password(Request::new(set(NEW))).await), "TOKEN_MISSING");
    let weak = scene.program(set(NEW), &["identity.identities.*"]);
    assert_eq!(refusal_reason(scene.identities().set_password(weak).await), "PERMISSION_MISSING");
    scene.identities().set_password(scene.platform(set(NEW))).await.unwrap();
    scene.sign_in("ada@example.com", NEW).await.unwrap();
    scene.identities().set_password(scene.platform(set(PASSWORD))).await.unwrap();
    scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let nobody = SetPasswordRequest { user_id: "nobody".into(), password: NEW.into() };
    assert_eq!(refusal_reason(scene.identities().set_password(scene.platform(nobody)).await), "NOT_FOUND");
}

#[tokio::test]
async fn no_hash_leaves_the_service() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let get = GetIdentityRequest { identity_id: ada.id };
    let answer = scene.identities().get_identity(scene.platform(get)).await.unwrap().into_inner();
    assert!(!format!("{answer:?}").contains("argon2"));
    let journal = scene.entries().await;
    let entities: Vec<_> = journal.iter().filter_map(|entry| entry.entity.as_ref()).collect();
    let credential = entities.iter().find(|entity| entity.type_url.ends_with(&Credential::full_name())).unwrap();
    let credential = Credential::decode(credential.value.as_slice()).unwrap();
    assert!(credential.password_hash.is_empty() && credential.password_set_at.is_some());
    assert!(!format!("{journal:?}").contains("argon2"));
}

#[tokio::test]
async fn a_sign_in_renews_a_hash_that_was_made_with_other_parameters() {
    let cheap = scene().await;
    cheap.member("ada@example.com").await;
    let cost = HashCost { memory_kib: 64, passes: 1, lanes: 1 };
    let dearer = on(cheap.database(), Config { hash_cost: cost, ..Config::for_tests() }).await;
    dearer.sign_in("ada@example.com", PASSWORD).await.unwrap();
    dearer.sign_in("ada@example.com", PASSWORD).await.unwrap();
    let renewals = dearer.actions().await.into_iter().filter(|action| action == "PASSWORD_REHASHED").count();
    assert_eq!(renewals, 1);
}

#[tokio::test]
async fn sign_up_sets_the_chosen_password_and_makes_a_member() {
    let scene = scene().await;
    let mut client = scene.identities();
    let staff = CreateIdentityRequest { realm: IdentityRealm::Internal.into(), ..sign_up("eve@example.com") };
    assert_eq!(refusal_reason(client.create_identity(Request::new(staff)).await), "TOKEN_MISSING");
    let open = CreateIdentityRequest { password: String::new(), ..sign_up("eve@example.com") };
    assert_eq!(refusal_reason(client.create_identity(Request::new(open)).await), "INVALID_FIELD");
    let weak = CreateIdentityRequest { password: "eve@example.com".into(), ..sign_up("eve@example.com") };
    assert_eq!(refusal_reason(client.create_identity(Request::new(weak)).await), "PASSWORD_NOT_ALLOWED");
    assert!(scene.actions().await.is_empty());
}
