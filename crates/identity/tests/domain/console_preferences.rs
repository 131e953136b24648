//! The choices of people in the console.

use pavise_identity::contract::v1::user_state_service_client::UserStateServiceClient;
use pavise_identity::contract::v1::{
    ConsoleDensity, ConsolePreference, ConsoleTheme, CreateIdentityRequest, GetConsolePreferencesRequest,
    IdentityRealm, ListPreference, PutConsolePreferencesRequest,
};
use pavise_kernel::common::v1::ReadJournalRequest;
use pavise_kernel::{Error, Result};

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scenes, sign_up};

/// The id and the token of a new person.
async fn person(scene: &Scene, realm: IdentityRealm, email: &str) -> (String, String) {
    let request = CreateIdentityRequest { realm: realm.into(), ..sign_up(email) };
    let made = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
    (made.id, scene.sign_in(email, PASSWORD).await.unwrap().access_token)
}

/// The choice of a theme, and of the columns of the orders.
fn choice(id: &str, theme: ConsoleTheme, columns: &[&str]) -> PutConsolePreferencesRequest {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    PutConsolePreferencesRequest {
        identity_id: id.to_owned(),
        theme: theme.into(),
        density: ConsoleDensity::Compact.into(),
        lists: vec![ListPreference { list: "orders.Order".into(), columns, order: "-updated_at".into() }],
    }
}

async fn put(scene: &Scene, token: &str, request: PutConsolePreferencesRequest) -> Result<ConsolePreference> {
    let mut calls = UserStateServiceClient::new(scene.transport());
    Ok(calls.put_console_preferences(request_by(token, request)).await.map_err(Error::from)?.into_inner())
}

async fn get(scene: &Scene, token: &str, id: &str) -> Result<ConsolePreference> {
    let mut calls = UserStateServiceClient::new(scene.transport());
    let request = GetConsolePreferencesRequest { identity_id: id.to_owned() };
    Ok(calls.get_console_preferences(request_by(token, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn each_identity_has_one_set_of_choices_of_its_own_on_both_engines() {
    for scene in scenes().await {
        let (ann, anns) = person(&scene, IdentityRealm::Internal, "ann@example.com").await;
        let (ben, bens) = person(&scene, IdentityRealm::GroupAdmin, "ben@example.com").await;
        let (mia, mias) = person(&scene, IdentityRealm::User, "mia@example.com").await;
        assert_eq!(get(&scene, &anns, &ann).await.unwrap(), ConsolePreference::default(), "nothing is chosen");
        let first = put(&scene, &anns, choice(&ann, ConsoleTheme::Dark, &["status", "id"])).await.unwrap();
        assert_eq!((&first.id, &first.owner_id, first.version), (&ann, &ann, 1));
        assert_eq!(get(&scene, &anns, &ann).await.unwrap(), first);
        let second = put(&scene, &anns, choice(&ann, ConsoleTheme::Light, &["id"])).await.unwrap();
        assert_eq!((second.version, second.theme(), second.lists[0].columns.len()), (2, ConsoleTheme::Light, 1));
        let again = put(&scene, &anns, choice(&ann, ConsoleTheme::Light, &["id"])).await.unwrap();
        assert_eq!(again, second, "the same choices are no change");
        let other = put(&scene, &bens, choice(&ben, ConsoleTheme::Dark, &[])).await.unwrap();
        assert_eq!((&other.id, other.version), (&ben, 1));
        assert_eq!(get(&scene, &anns, &ann).await.unwrap(), second, "and not ben's");
        assert_eq!(refusal_reason(get(&scene, &anns, &ben).await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(put(&scene, &bens, choice(&ann, ConsoleTheme::Dark, &[])).await), "NOT_THE_OWNER");
        assert_eq!(
            refusal_reason(put(&scene, &mias, choice(&mia, ConsoleTheme::Dark, &[])).await),
            "REALM_NOT_ALLOWED"
        );
        let twice = choice(&ann, ConsoleTheme::Dark, &["id", "id"]);
        assert_eq!(refusal_reason(put(&scene, &anns, twice).await), "INVALID_FIELD");
        let mut calls = UserStateServiceClient::new(scene.transport());
        let journal = calls.read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
        let written: Vec<_> = journal.entries.iter().map(|entry| (entry.action.as_str(), &entry.entity_id)).collect();
        let expected = [("PREFERENCE_CREATED", &ann), ("PREFERENCE_UPDATED", &ann), ("PREFERENCE_CREATED", &ben)];
        assert_eq!(written, expected);
    }
}

/// Windows keep choices at once: each write is whole, and there is one entity at the end.
#[tokio::test(flavor = "multi_thread")]
async fn windows_that_write_at_once_leave_one_set_of_choices() {
    for scene in scenes().await {
        let (ann, token) = person(&scene, IdentityRealm::Internal, "ann@example.com").await;
        // Each write starts again when another one is first: with four of them, at most three times.
        let columns: Vec<String> = (0..4).map(|number| format!("column_{number}")).collect();
        let writes = columns.iter().map(|column| put(&scene, &token, choice(&ann, ConsoleTheme::Dark, &[column])));
        for written in futures::future::join_all(writes).await {
            assert_eq!(written.unwrap().id, ann);
        }
        let last = get(&scene, &token, &ann).await.unwrap();
        assert_eq!(last.version, 4, "each of the writes is a version");
        assert!(columns.contains(&last.lists[0].columns[0]));
    }
}
