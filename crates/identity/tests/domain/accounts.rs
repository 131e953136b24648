//! The record of an identity besides its names: settings, referrer, accounts elsewhere, and imported identities.

use pavise_identity::contract::v1::{
    ApplicationPermissions, ClassicIdInput, CreateIdentityRequest, DeleteOktaIdRequest, Email, EmailUpdate,
    GetIdentityRequest, GetSettingsRequest, Identity, IdentitySettings, IdentityType, ListIdentitiesRequest,
    MigrateIdentityRequest, ProveEmailRequest, RemoveClassicIdRequest, ReplaceAllEmailsRequest, UpdateEmailRequest,
    UpdateOktaIdRequest, UpdateReferrerRequest, UpdateSettingsRequest, UpdateUsernameRequest, UsernameUpdate,
};
use pavise_kernel::common::v1::Locale;
use tonic::Request;

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up, with};

const WRITE: &[&str] = &["identity.identities.write"];

async fn get(scene: &Scene, id: &str) -> Identity {
    let request = GetIdentityRequest { identity_id: id.to_owned() };
    scene.identities().get_identity(scene.platform(request)).await.unwrap().into_inner()
}

async fn token(scene: &Scene, email: &str) -> String {
    scene.sign_in(email, PASSWORD).await.unwrap().access_token
}

/// The last action, and how many entries there are.
async fn last(scene: &Scene) -> (String, usize) {
    let actions = scene.actions().await;
    (actions.last().cloned().unwrap_or_default(), actions.len())
}

fn new_email(id: &str, old: &str, new: &str) -> UpdateEmailRequest {
    UpdateEmailRequest { identity_id: id.into(), email: old.into(), update: Some(EmailUpdate { email: new.into() }) }
}

#[tokio::test]
async fn an_address_is_replaced_and_the_old_one_is_told() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        scene.member("bob@example.com").await;
        let token = token(&scene, "ada@example.com").await;
        let mut client = scene.identities();
        let taken = new_email(&ada.id, "ada@example.com", "BOB@example.com");
        assert_eq!(refusal_reason(client.update_email(request_by(&token, taken)).await), "ALREADY_EXISTS");
        let unknown = new_email(&ada.id, "nobody@example.com", "new@example.com");
        assert_eq!(refusal_reason(client.update_email(request_by(&token, unknown)).await), "INVALID_FIELD");
        assert_eq!(
            refusal_reason(client.update_email(request_by(&token, new_email(&ada.id, "", "no address"))).await),
            "INVALID_FIELD"
        );
        let none = UpdateEmailRequest { update: None, ..new_email(&ada.id, "", "") };
        assert_eq!(refusal_reason(client.update_email(request_by(&token, none)).await), "INVALID_FIELD");
        assert!(scene.delivered().await.is_empty(), "nothing has happened yet");

        let request =
            || with(request_by(&token, new_email(&ada.id, "", "countess@example.com")), "idempotency-key", "new");
        let after = client.update_email(request()).await.unwrap().into_inner();
        assert_eq!(client.update_email(request()).await.unwrap().into_inner(), after);
        assert_eq!(after.emails[0].address, "ada@example.com", "the new one waits for its proof");
        scene.sign_in("ada@example.com", PASSWORD).await.unwrap();
        let after = scene.prove(&ada.id, "countess@example.com").await;
        assert_eq!(
            (after.emails.len(), after.emails[0].address.as_str(), after.emails[0].primary),
            (1, "countess@example.com", true)
        );
        let told = scene.delivered().await;
        assert_eq!(told.iter().map(|message| message.address.as_str()).collect::<Vec<_>>(), ["ada@example.com"]);
        assert!(scene.actions().await.contains(&"EMAIL_PROVED".to_owned()));
        assert!(scene.sign_in("ada@example.com", PASSWORD).await.is_err());
        scene.sign_in("countess@example.com", PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn a_username_is_replaced() {
    let scene = scene().await;
    let request = CreateIdentityRequest { usernames: vec!["ada".into()], ..sign_up("ada@example.com") };
    let ada = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
    let token = token(&scene, "ada@example.com").await;
    let new = |old: &str, new: &str| UpdateUsernameRequest {
        identity_id: ada.id.clone(),
        username: old.into(),
        update: Some(UsernameUpdate { username: new.into() }),
    };
    let mut client = scene.identities();
    assert_eq!(
        refusal_reason(client.update_username(request_by(&token, new("eve", "lovelace"))).await),
        "INVALID_FIELD"
    );
    assert_eq!(refusal_reason(client.update_username(request_by(&token, new("ada", "a b"))).await), "INVALID_FIELD");
    let after = client.update_username(request_by(&token, new("", "lovelace"))).await.unwrap().into_inner();
    assert_eq!(after.usernames, ["lovelace"]);
    assert_eq!(last(&scene).await.0, "USERNAME_UPDATED");
    assert_eq!(scene.delivered().await.len(), 1);
}

#[tokio::test]
async fn all_addresses_are_replaced_at_once() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let bob = scene.member("bob@example.com").await;
        let email = |address: &str, primary: bool| Email {
            address: address.into(),
            primary,
            added_at: None,
            verified_at: None,
        };
        let replace = |emails: Vec<Email>| ReplaceAllEmailsRequest { identity_id: ada.id.clone(), emails };
        let mut client = scene.identities();
        let member = token(&scene, "ada@example.com").await;
        let own = request_by(&member, replace(vec![email("x@example.com", true)]));
        assert_eq!(refusal_reason(client.replace_all_emails(own).await), "REALM_NOT_ALLOWED");
        assert_eq!(
            refusal_reason(client.replace_all_emails(scene.program(replace(vec![]), WRITE)).await),
            "INVALID_FIELD"
        );
        let wrong = scene.program(replace(vec![email("not an address", true)]), WRITE);
        assert_eq!(refusal_reason(client.replace_all_emails(wrong).await), "INVALID_FIELD");
        let taken = scene.program(replace(vec![email("bob@example.com", true)]), WRITE);
        assert_eq!(refusal_reason(client.replace_all_emails(taken).await), "ALREADY_EXISTS");
        let all = replace(vec![
            email("one@example.com", false),
            email("two@example.com", true),
            email("ONE@example.com", true),
        ]);
        let after = client.replace_all_emails(scene.program(all, WRITE)).await.unwrap().into_inner();
        assert_eq!(after.emails[0].address, "ada@example.com", "new ones wait for their proof");
        let codes = scene.delivered().await;
        let code = |address: &str| {
            let letter = codes.iter().find(|letter| letter.address == address && letter.text.contains('-')).unwrap();
            letter.text.split_whitespace().find(|word| word.len() == 11 && word.contains('-')).unwrap().to_owned()
        };
        let prove = |address: &str| ProveEmailRequest {
            identity_id: ada.id.clone(),
            email: address.into(),
            code: code(address),
        };
        client.prove_email(request_by(&member, prove("one@example.com"))).await.unwrap();
        let after = client.prove_email(request_by(&member, prove("two@example.com"))).await.unwrap().into_inner();
        let addresses: Vec<_> = after.emails.iter().map(|email| (email.address.as_str(), email.primary)).collect();
        assert_eq!(addresses, [("one@example.com", false), ("two@example.com", true)]);
        assert!(after.emails.iter().all(|email| email.added_at.is_some()));
        assert!(scene.actions().await.contains(&"EMAIL_PROVED".to_owned()));
        assert_eq!(get(&scene, &bob.id).await, bob);
    }
}

#[tokio::test]
async fn a_referrer_is_recorded_and_removed() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let by = |referrer: &str| {
        let request = UpdateReferrerRequest { identity_id: ada.id.clone(), referrer: referrer.into() };
        scene.program(request, WRITE)
    };
    let mut client = scene.identities();
    assert_eq!(client.update_referrer(by("associate 12345")).await.unwrap().into_inner().referrer, "associate 12345");
    let (action, entries) = last(&scene).await;
    assert_eq!(action, "REFERRER_ADDED");
    client.update_referrer(by("associate 12345")).await.unwrap();
    assert_eq!(last(&scene).await.1, entries, "the same is not recorded twice");
    assert_eq!(client.update_referrer(by("")).await.unwrap().into_inner().referrer, "");
    assert_eq!(last(&scene).await.0, "REFERRER_REMOVED");
}

#[tokio::test]
async fn an_account_elsewhere_is_one_identitys() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let bob = scene.member("bob@example.com").await;
        let connect = |id: &str, okta: &str| {
            let request = UpdateOktaIdRequest { identity_id: id.to_owned(), okta_id: okta.into() };
            scene.program(request, WRITE)
        };
        let mut client = scene.identities();
        assert_eq!(refusal_reason(client.update_okta_id(connect(&ada.id, "")).await), "INVALID_FIELD");
        assert_eq!(client.update_okta_id(connect(&ada.id, "00u1")).await.unwrap().into_inner().okta_id, "00u1");
        assert_eq!(last(&scene).await.0, "FEDERATED_ID_ADDED");
        assert_eq!(refusal_reason(client.update_okta_id(connect(&bob.id, "00u1")).await), "ALREADY_EXISTS");
        let root = scene.staff("root@example.com", &["*"]).await;
        let become_root = client.update_okta_id(connect(&root.id, "00u2")).await;
        assert_eq!(refusal_reason(become_root), "PERMISSION_NOT_HELD", "the account would sign in with more rights");
        let list = ListIdentitiesRequest { okta_id: "00u1".into(), ..ListIdentitiesRequest::default() };
        let found = client.list_identities(scene.platform(list)).await.unwrap().into_inner().identities;
        assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [ada.id.as_str()]);
        let drop = || scene.program(DeleteOktaIdRequest { identity_id: ada.id.clone() }, WRITE);
        assert_eq!(client.delete_okta_id(drop()).await.unwrap().into_inner().okta_id, "");
        let (action, entries) = last(&scene).await;
        assert_eq!(action, "FEDERATED_ID_REMOVED");
        client.delete_okta_id(drop()).await.unwrap();
        assert_eq!(last(&scene).await.1, entries);
        client.update_okta_id(connect(&bob.id, "00u1")).await.unwrap();
    }
}

#[tokio::test]
async fn settings_are_the_owners_and_a_changed_second_factor_is_told() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let eve = scene.member("eve@example.com").await;
    let (token, other) = (token(&scene, "ada@example.com").await, token(&scene, "eve@example.com").await);
    let ask = || GetSettingsRequest { identity_id: ada.id.clone() };
    let put =
        |settings: IdentitySettings| UpdateSettingsRequest { identity_id: ada.id.clone(), settings: Some(settings) };
    let mut client = scene.identities();
    assert_eq!(client.get_settings(request_by(&token, ask())).await.unwrap().into_inner(), IdentitySettings::default());
    assert_eq!(refusal_reason(client.get_settings(request_by(&other, ask())).await), "NOT_THE_OWNER");
    assert_eq!(
        refusal_reason(client.update_settings(request_by(&other, put(IdentitySettings::default()))).await),
        "NOT_THE_OWNER"
    );
    let unknown = put(IdentitySettings { multifactor_type: 99, ..IdentitySettings::default() });
    assert_eq!(refusal_reason(client.update_settings(request_by(&token, unknown)).await), "INVALID_FIELD");

    let french = IdentitySettings { locale: Locale::FrCa.into(), ..IdentitySettings::default() };
    assert_eq!(client.update_settings(request_by(&token, put(french))).await.unwrap().into_inner(), french);
    assert_eq!(last(&scene).await.0, "SETTINGS_UPDATED");
    assert!(scene.delivered().await.is_empty(), "a language is nobody's alarm");
    let factor = IdentitySettings { multifactor_required: true, multifactor_type: 2, ..french };
    let request = || with(request_by(&token, put(factor)), "idempotency-key", "factor");
    assert_eq!(client.update_settings(request()).await.unwrap().into_inner(), factor);
    assert_eq!(client.update_settings(request()).await.unwrap().into_inner(), factor);
    assert_eq!(last(&scene).await.0, "MULTIFACTOR_TYPE_UPDATED");
    let told = scene.delivered().await;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].template.as_str(), told[0].locale), ("security.factor-changed", Locale::FrCa));
    assert_eq!(client.get_settings(request_by(&token, ask())).await.unwrap().into_inner(), factor);
    assert_eq!(get(&scene, &eve.id).await.settings, None);
}

fn migrated(id: &str) -> MigrateIdentityRequest {
    MigrateIdentityRequest {
        id: id.into(),
        realm: 1,
        emails: vec![Email { address: format!("{id}@example.com"), ..Email::default() }],
        usernames: vec![id.into()],
        classic_ids: vec![ClassicIdInput { r#type: 1, value: id.into() }],
        okta_id: format!("okta-{id}"),
        r#type: IdentityType::Invitee.into(),
        // Made with OpenSSL, of the password that all tests use.
        password_hash:
            "$argon2id$v=19$m=1024,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$y2EsH71PG1ZVDWC2noonfvKwpNJH+bZBE4n9zVdS9xo".into(),
        ..MigrateIdentityRequest::default()
    }
}

#[tokio::test]
async fn an_identity_comes_over_with_its_id_and_its_password() {
    for scene in scenes().await {
        let mut client = scene.identities();
        let migrate: &[&str] = &["identity.identities.migrate"];
        let request = || scene.program(migrated("legacy-0001"), migrate);
        let ada = client.migrate_identity(request()).await.unwrap().into_inner();
        assert_eq!(
            (ada.id.as_str(), ada.owner_id.as_str(), ada.r#type()),
            ("legacy-0001", "legacy-0001", IdentityType::Invitee)
        );
        assert_eq!((ada.classic_ids[0].key.as_str(), ada.emails[0].primary), ("Member/legacy-0001", true));
        let entries = last(&scene).await.1;
        assert_eq!(
            client.migrate_identity(request()).await.unwrap().into_inner(),
            ada,
            "an import is repeated without harm"
        );
        assert_eq!(last(&scene).await.1, entries);
        assert_eq!(scene.sign_in("legacy-0001@example.com", PASSWORD).await.unwrap().identity_id, ada.id);
        assert!(scene.actions().await.contains(&"PASSWORD_REHASHED".to_owned()), "the foreign hash is replaced");
        scene.sign_in("legacy-0001@example.com", PASSWORD).await.unwrap();

        let twin = MigrateIdentityRequest { id: "legacy-0002".into(), ..migrated("legacy-0001") };
        assert_eq!(refusal_reason(client.migrate_identity(scene.program(twin, migrate)).await), "ALREADY_EXISTS");
        let hash = MigrateIdentityRequest { password_hash: "$md5$x".into(), ..migrated("legacy-0003") };
        assert_eq!(
            refusal_reason(client.migrate_identity(scene.program(hash, migrate)).await),
            "PASSWORD_HASH_NOT_SUPPORTED"
        );
        let permissions = vec![ApplicationPermissions { application: "pavise".into(), permissions: vec!["*".into()] }];
        let boss = MigrateIdentityRequest { realm: 3, permissions, ..migrated("legacy-0004") };
        assert_eq!(refusal_reason(client.migrate_identity(scene.program(boss, migrate)).await), "PERMISSION_NOT_HELD");
        assert_eq!(
            refusal_reason(client.migrate_identity(Request::new(migrated("legacy-0005"))).await),
            "TOKEN_MISSING"
        );
        scene.staff("staff@example.com", &["*"]).await;
        let staff = token(&scene, "staff@example.com").await;
        assert_eq!(
            refusal_reason(client.migrate_identity(request_by(&staff, migrated("legacy-0006"))).await),
            "REALM_NOT_ALLOWED"
        );
    }
}

#[tokio::test]
async fn a_classic_number_is_disconnected_by_its_kind() {
    let scene = scene().await;
    let mut client = scene.identities();
    let ada = client.migrate_identity(scene.platform(migrated("legacy-0001"))).await.unwrap().into_inner();
    let drop = |number: &str| RemoveClassicIdRequest { identity_id: ada.id.clone(), classic_id: number.into() };
    let other =
        client.remove_classic_id(scene.program(drop("Associate/legacy-0001"), WRITE)).await.unwrap().into_inner();
    assert_eq!(other.classic_ids.len(), 1);
    let none = client.remove_classic_id(scene.program(drop("Member/legacy-0001"), WRITE)).await.unwrap().into_inner();
    assert!(none.classic_ids.is_empty());
    assert_eq!(last(&scene).await.0, "CLASSIC_ID_REMOVED");
}
