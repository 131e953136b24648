//! Names are unique in the platform, compared without case, and free again when they are let go.

use pavise_identity::contract::v1::{
    AddClassicIdRequest, AddEmailRequest, AddUsernameRequest, CheckIdentityExistsRequest, ClassicIdInput,
    CreateIdentityRequest, DeleteIdentityRequest, GetIdentityRequest, Identity, ListIdentitiesRequest,
    RemoveEmailRequest, RemoveUsernameRequest,
};
use pavise_kernel::{Common, Error};
use tonic::Request;

use crate::scene::{Scene, refusal_reason, request_by, scene, scenes, sign_up, with};

async fn exists(scene: &Scene, email: &str, username: &str) -> bool {
    let ask = CheckIdentityExistsRequest { email: email.into(), username: username.into() };
    scene.identities().check_identity_exists(Request::new(ask)).await.unwrap().into_inner().exists
}

async fn find(scene: &Scene, email: &str) -> Vec<Identity> {
    let ask = ListIdentitiesRequest { email: email.into(), ..ListIdentitiesRequest::default() };
    scene.identities().list_identities(scene.platform(ask)).await.unwrap().into_inner().identities
}

#[tokio::test]
async fn an_address_is_one_identitys_until_it_lets_it_go() {
    for scene in scenes().await {
        let ada = scene.member("Ada@Example.com").await;
        assert_eq!((ada.emails[0].address.as_str(), ada.emails[0].primary), ("Ada@Example.com", true));
        assert_eq!(ada.owner_id, ada.id);
        let twin = scene.identities().create_identity(Request::new(sign_up("ada@example.COM"))).await;
        assert_eq!(refusal_reason(twin), "ALREADY_EXISTS");
        assert!(exists(&scene, "ADA@example.com", "").await);
        assert_eq!(find(&scene, "aDa@example.com").await[0].id, ada.id);

        let more = AddEmailRequest { identity_id: ada.id.clone(), email: "countess@example.com".into(), primary: true };
        let ada = scene.identities().add_email(scene.platform(more)).await.unwrap().into_inner();
        assert_eq!(ada.emails.len(), 1, "it counts for nothing before its proof");
        let ada = scene.prove(&ada.id, "countess@example.com").await;
        assert_eq!(ada.emails.iter().map(|email| email.primary).collect::<Vec<_>>(), [false, true]);
        let bob = scene.member("bob@example.com").await;
        let steal = AddEmailRequest { identity_id: bob.id.clone(), email: "ADA@example.com".into(), primary: false };
        assert_eq!(refusal_reason(scene.identities().add_email(scene.platform(steal.clone())).await), "ALREADY_EXISTS");

        let drop = RemoveEmailRequest { identity_id: ada.id.clone(), email: "ada@example.com".into() };
        scene.identities().remove_email(scene.owner(&ada.id, drop).await).await.unwrap();
        assert!(!exists(&scene, "ada@example.com", "").await);
        scene.identities().add_email(scene.platform(steal)).await.unwrap();
        scene.prove(&bob.id, "ADA@example.com").await;
        assert_eq!(find(&scene, "ada@example.com").await[0].id, bob.id);
    }
}

#[tokio::test]
async fn deleting_an_identity_frees_its_names_and_ends_its_password() {
    for scene in scenes().await {
        let number = Some(ClassicIdInput { r#type: 1, value: "12345".into() });
        let request = CreateIdentityRequest {
            usernames: vec!["Countess".into()],
            classic_ids: number.clone().into_iter().collect(),
            ..sign_up("ada@example.com")
        };
        let ada = scene.identities().create_identity(scene.platform(request.clone())).await.unwrap().into_inner();
        assert!(exists(&scene, "", "COUNTESS").await);
        scene.sign_in("ada@example.com", "correct horse battery").await.unwrap();
        let bob = scene.member("bob@example.com").await;
        let claim = AddClassicIdRequest { identity_id: bob.id.clone(), r#type: 1, value: "12345".into() };
        assert_eq!(
            refusal_reason(scene.identities().add_classic_id(scene.platform(claim.clone())).await),
            "ALREADY_EXISTS"
        );

        let delete = DeleteIdentityRequest { identity_id: ada.id.clone() };
        scene.identities().delete_identity(scene.platform(delete.clone())).await.unwrap();
        assert!(!exists(&scene, "ada@example.com", "").await && !exists(&scene, "", "countess").await);
        assert_eq!(refusal_reason(scene.identities().delete_identity(scene.platform(delete)).await), "NOT_FOUND");
        assert!(scene.sign_in("ada@example.com", "correct horse battery").await.is_err());
        scene.identities().add_classic_id(scene.platform(claim)).await.unwrap();
        let again = CreateIdentityRequest { classic_ids: Vec::new(), ..request };
        let again = scene.identities().create_identity(scene.platform(again)).await.unwrap().into_inner();
        assert_ne!(again.id, ada.id);
        assert_eq!(scene.actions().await.iter().filter(|action| *action == "DELETED").count(), 2);
    }
}

#[tokio::test]
async fn usernames_are_added_and_removed_but_not_the_last_name() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let token = scene.sign_in("ada@example.com", "correct horse battery").await.unwrap().access_token;
    let add = AddUsernameRequest { identity_id: ada.id.clone(), username: "ada".into() };
    let once = scene.identities().add_username(request_by(&token, add.clone())).await.unwrap().into_inner();
    let twice = scene.identities().add_username(request_by(&token, add)).await.unwrap().into_inner();
    assert_eq!(once, twice, "what is there already is not added again");
    let email = RemoveEmailRequest { identity_id: ada.id.clone(), email: "ada@example.com".into() };
    scene.identities().remove_email(request_by(&token, email)).await.unwrap();
    let last = RemoveUsernameRequest { identity_id: ada.id.clone(), username: "ADA".into() };
    assert_eq!(refusal_reason(scene.identities().remove_username(request_by(&token, last)).await), "LAST_SIGN_IN_NAME");
    assert_eq!(
        scene.actions().await,
        [
            "CREATED",
            "CREATED",
            "LOGGED_IN",
            "USERNAME_ADDED",
            "USERNAME_ADDED",
            "EMAIL_MADE_FORMER",
            "EMAIL_REMOVED",
            "EMAIL_REMOVED"
        ],
        "each is told"
    );
}

#[tokio::test]
async fn a_member_sees_and_changes_nobody_else() {
    let scene = scene().await;
    let bob = scene.member("bob@example.com").await;
    let ada = scene.member("ada@example.com").await;
    let token = scene.sign_in("ada@example.com", "correct horse battery").await.unwrap().access_token;
    let get = |id: &str| GetIdentityRequest { identity_id: id.to_owned() };
    assert_eq!(scene.identities().get_identity(request_by(&token, get(&ada.id))).await.unwrap().into_inner(), ada);
    assert_eq!(
        refusal_reason(scene.identities().get_identity(request_by(&token, get(&bob.id))).await),
        "NOT_THE_OWNER"
    );
    assert_eq!(refusal_reason(scene.identities().get_identity(Request::new(get(&bob.id))).await), "TOKEN_MISSING");
    let list = ListIdentitiesRequest::default();
    assert_eq!(refusal_reason(scene.identities().list_identities(request_by(&token, list)).await), "REALM_NOT_ALLOWED");
    let take = AddEmailRequest { identity_id: bob.id.clone(), email: "mine@example.com".into(), primary: true };
    assert_eq!(refusal_reason(scene.identities().add_email(request_by(&token, take)).await), "NOT_THE_OWNER");
}

#[tokio::test]
async fn a_repeated_sign_up_makes_one_identity() {
    let scene = scene().await;
    let repeat = || with(Request::new(sign_up("ada@example.com")), "idempotency-key", "7f3d2c1b5a694e88");
    let first = scene.identities().create_identity(repeat()).await.unwrap().into_inner();
    let second = scene.identities().create_identity(repeat()).await.unwrap().into_inner();
    assert_eq!(first, second);
    let other = with(Request::new(sign_up("bob@example.com")), "idempotency-key", "7f3d2c1b5a694e88");
    assert_eq!(refusal_reason(scene.identities().create_identity(other).await), "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn every_change_of_names_is_told() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let told = async || scene.delivered().await.into_iter().map(|message| message.address).collect::<Vec<_>>();
    let more = AddEmailRequest { identity_id: ada.id.clone(), email: "new@example.com".into(), primary: true };
    scene.identities().add_email(scene.platform(more.clone())).await.unwrap();
    scene.prove(&ada.id, "new@example.com").await;
    assert_eq!(told().await, ["ada@example.com"], "where messages went before");
    scene.identities().add_email(scene.platform(more)).await.unwrap();
    assert!(told().await.is_empty(), "nothing has changed");
    let username = AddUsernameRequest { identity_id: ada.id.clone(), username: "countess".into() };
    scene.identities().add_username(scene.owner(&ada.id, username).await).await.unwrap();
    assert_eq!(told().await, ["new@example.com", "ada@example.com"], "the former one is told for three days");
    let drop = RemoveEmailRequest { identity_id: ada.id.clone(), email: "ada@example.com".into() };
    scene.identities().remove_email(scene.owner(&ada.id, drop).await).await.unwrap();
    assert_eq!(told().await, ["ada@example.com"], "at the address that goes");
    scene.clock.move_forward(std::time::Duration::from_secs(3 * 24 * 3600));
    let drop = RemoveUsernameRequest { identity_id: ada.id.clone(), username: "countess".into() };
    scene.identities().remove_username(scene.owner(&ada.id, drop).await).await.unwrap();
    assert_eq!(told().await, ["new@example.com"]);
}

#[tokio::test]
async fn a_sign_up_does_not_tell_which_of_its_names_is_taken() {
    for scene in scenes().await {
        let named = |email: &str, address: &str| {
            let request =
                CreateIdentityRequest { emails: vec!["spare@example.com".into(), email.into()], ..sign_up(email) };
            with(Request::new(request), "x-forwarded-for", address)
        };
        scene.member("ada@example.com").await;
        let refused = async |email: &str, address: &str| {
            Error::from(scene.identities().create_identity(named(email, address)).await.unwrap_err())
        };
        let known = refused("ada@example.com", "192.0.2.2").await;
        assert!(known.is(Common::AlreadyExists) && known.violations().is_empty());
        assert!(!known.message().contains("ada"), "{}", known.message());
        refused("ada@example.com", "192.0.2.2").await;
        let request = CreateIdentityRequest { usernames: vec!["countess".into()], ..sign_up("nobody@example.com") };
        let early = scene.identities().create_identity(Request::new(request)).await;
        assert_eq!(refusal_reason(early), "INVALID_FIELD", "a username comes after the proof");

        // A caller with a list of names has to wait, as with CheckIdentityExists.
        for _ in 2..51 {
            assert!(refused("ada@example.com", "192.0.2.2").await.is(Common::AlreadyExists));
        }
        assert_eq!(refused("ada@example.com", "192.0.2.2").await.reason(), "SIGN_IN_THROTTLED");
        let ask =
            CheckIdentityExistsRequest { email: "ada@example.com".into(), ..CheckIdentityExistsRequest::default() };
        let ask = with(Request::new(ask), "x-forwarded-for", "192.0.2.2");
        assert_eq!(refusal_reason(scene.identities().check_identity_exists(ask).await), "SIGN_IN_THROTTLED");
        assert!(refused("ada@example.com", "192.0.2.3").await.is(Common::AlreadyExists));
        // Those who make something have asked nothing.
        for number in 0..60 {
            let request =
                with(Request::new(sign_up(&format!("new{number}@example.com"))), "x-forwarded-for", "192.0.2.4");
            scene.identities().create_identity(request).await.unwrap();
        }
    }
}
