//! A change that others make of somebody's names waits until the owner confirms it with the code of a letter.

use std::time::Duration;

use pavise_identity::contract::v1::{
    AddEmailRequest, AddUsernameRequest, CreateIdentityRequest, GetIdentityRequest, Identity, IdentityRealm,
    ListUnprovedEmailsRequest, ProveEmailRequest, RemoveEmailRequest, RemoveUsernameRequest, UnprovedEmail,
    UpdateUsernameRequest, UsernameUpdate,
};

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up};

const WRITE: &[&str] = &["identity.identities.write"];

fn add(id: &str, name: &str) -> AddUsernameRequest {
    AddUsernameRequest { identity_id: id.into(), username: name.into() }
}

fn drop_name(id: &str, name: &str) -> RemoveUsernameRequest {
    RemoveUsernameRequest { identity_id: id.into(), username: name.into() }
}

fn drop_email(id: &str, email: &str) -> RemoveEmailRequest {
    RemoveEmailRequest { identity_id: id.into(), email: email.into() }
}

async fn read(scene: &Scene, id: &str) -> Identity {
    let request = GetIdentityRequest { identity_id: id.into() };
    scene.identities().get_identity(scene.platform(request)).await.unwrap().into_inner()
}

async fn held(scene: &Scene, id: &str) -> Vec<UnprovedEmail> {
    let request = scene.owner(id, ListUnprovedEmailsRequest { identity_id: id.into() }).await;
    scene.identities().list_unproved_emails(request).await.unwrap().into_inner().emails
}

/// The codes of the letters to an address since the last time, and the addresses of all letters.
async fn letters(scene: &Scene, email: &str) -> (Vec<String>, Vec<String>) {
    let delivered = scene.delivered().await;
    let to_it = delivered.iter().filter(|letter| letter.address == email);
    let code =
        |text: &str| text.split_whitespace().find(|word| word.len() == 11 && word.contains('-')).map(str::to_owned);
    (
        to_it.filter_map(|letter| code(&letter.text)).collect(),
        delivered.iter().map(|letter| letter.address.clone()).collect(),
    )
}

#[tokio::test]
async fn names_that_others_change_wait_for_their_owner() {
    for scene in scenes().await {
        let named = CreateIdentityRequest { usernames: vec!["ada".into()], ..sign_up("ada@example.com") };
        let ada = scene.identities().create_identity(scene.platform(named)).await.unwrap().into_inner();
        let id = ada.id.as_str();
        let spare = AddEmailRequest { identity_id: id.into(), email: "spare@example.com".into(), primary: false };
        scene.identities().add_email(scene.owner(id, spare).await).await.unwrap();
        let ada = scene.prove(id, "spare@example.com").await;
        let eve = scene.member("eve@example.com").await;
        scene.staff("root@example.com", &["*"]).await;
        let root = scene.sign_in("root@example.com", PASSWORD).await.unwrap().access_token;
        scene.delivered().await;
        let mut client = scene.identities();

        client.add_username(request_by(&root, add(id, "countess"))).await.unwrap();
        let (first, to) = letters(&scene, "ada@example.com").await;
        assert_eq!((first.len(), to.as_slice()), (1, ["ada@example.com".to_owned()].as_slice()));
        let now = read(&scene, id).await;
        assert_eq!((&now.usernames, &now.emails), (&ada.usernames, &ada.emails), "nothing has happened");
        assert!(scene.actions().await.contains(&"NAMES_HELD".to_owned()));
        client.remove_email(scene.program(drop_email(id, "spare@example.com"), WRITE)).await.unwrap();
        client.remove_username(scene.program(drop_name(id, "ada"), WRITE)).await.unwrap();
        let (more, to) = letters(&scene, "ada@example.com").await;
        assert_eq!((more.len(), to.len()), (2, 2), "each change has its letter");
        let now = read(&scene, id).await;
        assert_eq!((&now.usernames, &now.emails), (&ada.usernames, &ada.emails));
        let waiting = held(&scene, id).await;
        assert_eq!(waiting.len(), 1);
        assert_eq!(waiting[0].address, "ada@example.com");
        assert_eq!(waiting[0].adds_usernames, ["countess"]);
        assert_eq!(waiting[0].removes, ["spare@example.com", "ada"]);

        let prove = |id: &str, code: &str| ProveEmailRequest {
            identity_id: id.into(),
            email: "ada@example.com".into(),
            code: code.into(),
        };
        let of_eve = scene.owner(&eve.id, prove(&eve.id, &more[1])).await;
        assert_eq!(
            refusal_reason(client.prove_email(of_eve).await),
            "EMAIL_CODE_NOT_GOOD",
            "the code is one identity's"
        );
        let of_root = request_by(&root, prove(id, &more[1]));
        assert_eq!(refusal_reason(client.prove_email(of_root).await), "NOT_THE_OWNER", "staff do not confirm it");
        for old in [&first[0], &more[0]] {
            let early = scene.owner(id, prove(id, old)).await;
            assert_eq!(refusal_reason(client.prove_email(early).await), "EMAIL_CODE_NOT_GOOD", "it was for less");
        }
        let done = client.prove_email(scene.owner(id, prove(id, &more[1])).await).await.unwrap().into_inner();
        assert_eq!(done.usernames, ["countess"]);
        assert_eq!(done.emails.iter().map(|email| email.address.as_str()).collect::<Vec<_>>(), ["ada@example.com"]);
        assert_eq!(letters(&scene, "").await.1, ["spare@example.com"], "and the address that goes is told");
        assert!(scene.actions().await.contains(&"NAMES_CONFIRMED".to_owned()));
        assert!(held(&scene, id).await.is_empty());
        let again = scene.owner(id, prove(id, &more[1])).await;
        assert_eq!(refusal_reason(client.prove_email(again).await), "EMAIL_CODE_NOT_GOOD", "once");

        let own = client.add_username(scene.owner(id, add(id, "lovelace")).await).await.unwrap().into_inner();
        assert_eq!(own.usernames, ["countess", "lovelace"], "what they change themselves takes effect at once");
    }
}

#[tokio::test]
async fn the_primary_address_is_not_moved_by_others() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await;
        let id = ada.id.as_str();
        let spare = |primary: bool| AddEmailRequest { identity_id: id.into(), email: "b@example.com".into(), primary };
        scene.identities().add_email(scene.owner(id, spare(false)).await).await.unwrap();
        scene.prove(id, "b@example.com").await;
        scene.delivered().await;
        scene.identities().add_email(scene.program(spare(true), WRITE)).await.unwrap();
        assert_eq!(
            read(&scene, id).await.emails.iter().find(|email| email.primary).unwrap().address,
            "ada@example.com"
        );
        let after = scene.prove(id, "ada@example.com").await;
        assert_eq!(after.emails.iter().find(|email| email.primary).unwrap().address, "b@example.com");
    }
}

#[tokio::test]
async fn what_nobody_could_confirm_is_refused() {
    for scene in scenes().await {
        let mut client = scene.identities();
        let unproved = scene.newcomer("new@example.com").await;
        let named = CreateIdentityRequest {
            realm: IdentityRealm::Internal.into(),
            emails: Vec::new(),
            usernames: vec!["max".into()],
            ..sign_up("")
        };
        let max = client.create_identity(scene.platform(named)).await.unwrap().into_inner();
        for id in [&unproved.id, &max.id] {
            let refused = client.add_username(scene.platform(add(id, "other"))).await;
            assert_eq!(refusal_reason(refused), "PROVE_EMAIL_FIRST");
        }
        let rename = UpdateUsernameRequest {
            identity_id: max.id.clone(),
            username: "max".into(),
            update: Some(UsernameUpdate { username: "moritz".into() }),
        };
        assert_eq!(refusal_reason(client.update_username(scene.platform(rename)).await), "PROVE_EMAIL_FIRST");
        let ada = scene.member("ada@example.com").await;
        let taken = client.add_username(scene.platform(add(&ada.id, "MAX"))).await;
        assert_eq!(refusal_reason(taken), "ALREADY_EXISTS");
        let last = client.remove_email(scene.platform(drop_email(&ada.id, "ada@example.com"))).await;
        assert_eq!(refusal_reason(last), "LAST_SIGN_IN_NAME");
        let program = CreateIdentityRequest {
            realm: IdentityRealm::Machine.into(),
            emails: Vec::new(),
            usernames: vec!["job".into()],
            ..sign_up("")
        };
        let program = client.create_identity(scene.platform(program)).await.unwrap().into_inner();
        let after = client.add_username(scene.platform(add(&program.id, "night-job"))).await.unwrap().into_inner();
        assert_eq!(after.usernames, ["job", "night-job"], "a program is nobody who reads letters");
    }
}

#[tokio::test]
async fn a_change_that_nobody_confirms_lapses() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    scene.identities().add_username(scene.platform(add(&ada.id, "countess"))).await.unwrap();
    assert_eq!(held(&scene, &ada.id).await.len(), 1);
    scene.clock.move_forward(Duration::from_secs(7 * 24 * 3600 + 1));
    scene.tick_all("seven days later").await.unwrap();
    assert!(held(&scene, &ada.id).await.is_empty());
    assert!(read(&scene, &ada.id).await.usernames.is_empty());
}
