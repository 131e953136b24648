//! Programs that call the platform, and their keys.

use std::time::Duration;

use pavise_identity::contract::v1::application_service_client::ApplicationServiceClient;
use pavise_identity::contract::v1::{
    AccessToken, Application, ApplicationPermissions, ChangeApplicationOwnerRequest, CreateApplicationRequest,
    CreateApplicationTokenRequest, CreateIdentityRequest, DeleteApplicationRequest, DeleteIdentityRequest,
    GetApplicationRequest, GetCurrentSessionRequest, IdentityRealm, IssuedApplicationKey, ListAllApplicationsRequest,
    ListApplicationsRequest, UpdateApplicationExternalRequest, UpdateApplicationKeyRequest,
    UpdateApplicationNameRequest, UpdatePermissionsRequest, VerifyApplicationKeyRequest, VerifyApplicationKeyResponse,
};
use pavise_kernel::Error;
use pavise_kernel::caller::{APPLICATION, Realm};
use pavise_kernel::common::v1::{GetMaxClockRequest, JournalEntry, ReadJournalRequest};
use pavise_kernel::peers::Transport;
use pavise_kernel::time::{to_micros, to_timestamp};
use tonic::Request;

use crate::scene::{NOW, PASSWORD, Scene, refusal_reason, request_by, scene, scenes, sign_up, with};

const HOUR: Duration = Duration::from_secs(3600);

fn calls(scene: &Scene) -> ApplicationServiceClient<Transport> {
    ApplicationServiceClient::new(scene.transport())
}

fn permissions(names: &[&str]) -> Vec<ApplicationPermissions> {
    let permissions = names.iter().map(|name| (*name).to_owned()).collect();
    vec![ApplicationPermissions { application: APPLICATION.to_owned(), permissions }]
}

/// A program's identity with these permissions.
async fn robot(scene: &Scene, name: &str, may: &[&str]) -> String {
    let request = CreateIdentityRequest {
        realm: IdentityRealm::Machine.into(),
        emails: Vec::new(),
        usernames: vec![name.to_owned()],
        permissions: permissions(may),
        password: String::new(),
        ..sign_up("x@example.com")
    };
    scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner().id
}

fn reports(owner: &str, may: &[&str]) -> CreateApplicationRequest {
    CreateApplicationRequest {
        identity_id: owner.to_owned(),
        name: "reports".into(),
        external_reference: "crm-7".into(),
        permissions: permissions(may),
    }
}

async fn made(scene: &Scene, owner: &str, may: &[&str]) -> (Application, String) {
    let issued = calls(scene).create_application(scene.platform(reports(owner, may))).await.unwrap().into_inner();
    (issued.application.unwrap(), issued.key)
}

async fn verified(scene: &Scene, key: &str) -> VerifyApplicationKeyResponse {
    let request = VerifyApplicationKeyRequest { application_id: String::new(), key: key.to_owned() };
    calls(scene).verify_application_key(scene.platform(request)).await.unwrap().into_inner()
}

async fn is_good(scene: &Scene, key: &str) -> bool {
    verified(scene, key).await.valid
}

fn key_of(application: &Application) -> UpdateApplicationKeyRequest {
    UpdateApplicationKeyRequest {
        identity_id: application.owner_id.clone(),
        application_id: application.id.clone(),
        overlap_seconds: 0,
    }
}

async fn renewed(scene: &Scene, application: &Application, overlap: Duration) -> IssuedApplicationKey {
    let overlap_seconds = i32::try_from(overlap.as_secs()).unwrap();
    let request = UpdateApplicationKeyRequest { overlap_seconds, ..key_of(application) };
    calls(scene).update_application_key(scene.platform(request)).await.unwrap().into_inner()
}

async fn signed_in(scene: &Scene, key: &str) -> Result<AccessToken, Error> {
    let request = Request::new(CreateApplicationTokenRequest { key: key.to_owned() });
    calls(scene).create_application_token(request).await.map(tonic::Response::into_inner).map_err(Error::from)
}

async fn journal(scene: &Scene) -> Vec<JournalEntry> {
    let page = calls(scene).read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
    let clock = calls(scene).get_max_clock(scene.platform(GetMaxClockRequest {})).await.unwrap().into_inner().max_clock;
    assert_eq!(usize::try_from(clock).unwrap(), page.entries.len());
    page.entries
}

#[tokio::test]
async fn a_key_is_shown_once_and_signs_its_application_in() {
    for scene in scenes().await {
        let robot = robot(&scene, "robot", &["billing.*", "orders.orders.read"]).await;
        let (application, key) = made(&scene, &robot, &["billing.*"]).await;
        assert!(key.starts_with("pvk_") && key.len() == 47, "{key}");
        let [known] = application.keys.as_slice() else { panic!("{application:?}") };
        assert_eq!((known.prefix.as_str(), known.last4.as_str()), (&key[..8], &key[43..]));
        assert!(known.hash.is_empty() && known.expires_at.is_none(), "{known:?}");

        let answer = verified(&scene, &key).await;
        assert!(answer.valid);
        assert_eq!(
            (&answer.application_id, &answer.owner_id, answer.name.as_str()),
            (&application.id, &robot, "reports")
        );
        assert_eq!((answer.permissions, &answer.key_id), (permissions(&["billing.*"]), &known.id));

        let token = signed_in(&scene, &key).await.unwrap();
        assert_eq!(
            (token.identity_id.as_str(), token.realm(), token.token_type.as_str()),
            (robot.as_str(), IdentityRealm::Machine, "Bearer")
        );
        let caller = scene.caller(&token.access_token).await.unwrap();
        assert_eq!(
            (caller.identity.as_str(), caller.realm, caller.sub_type.as_str()),
            (robot.as_str(), Realm::Machine, "application")
        );
        assert!(caller.has("billing.invoices.write") && !caller.has("orders.orders.read"));
        let ask = ReadJournalRequest::default();
        let tokens = scene.tokens().read_journal(scene.platform(ask)).await.unwrap().into_inner().entries;
        let entry = tokens.last().unwrap();
        assert_eq!((entry.action.as_str(), entry.owner_id.as_str()), ("JWT_CREATED", robot.as_str()));

        let written = format!("{:?}{tokens:?}", journal(&scene).await);
        assert!(!written.contains(&key[8..40]) && !written.contains(&token.access_token), "nothing keeps it");
        let get = GetApplicationRequest { identity_id: String::new(), application_id: application.id.clone() };
        assert_eq!(calls(&scene).get_application(scene.platform(get)).await.unwrap().into_inner(), application);
    }
}

#[tokio::test]
async fn a_repeat_makes_nothing_anew_and_shows_no_key() {
    let scene = scene().await;
    let robot = robot(&scene, "robot", &["billing.*"]).await;
    let again = || with(scene.platform(reports(&robot, &["billing.*"])), "idempotency-key", "again");
    let first = calls(&scene).create_application(again()).await.unwrap().into_inner();
    let second = calls(&scene).create_application(again()).await.unwrap().into_inner();
    assert_eq!((second.application.as_ref(), second.key.as_str()), (first.application.as_ref(), ""));
    assert!(is_good(&scene, &first.key).await);
    let application = first.application.unwrap();
    let again = || with(scene.platform(key_of(&application)), "idempotency-key", "new key");
    let first = calls(&scene).update_application_key(again()).await.unwrap().into_inner();
    let second = calls(&scene).update_application_key(again()).await.unwrap().into_inner();
    assert_eq!((second.key_id, second.key.as_str()), (first.key_id, ""));
    assert!(is_good(&scene, &first.key).await);
    let only = with(scene.platform(key_of(&application)), "pavise-validate-only", "true");
    assert_eq!(calls(&scene).update_application_key(only).await.unwrap().into_inner().key, "");
    assert_eq!(journal(&scene).await.len(), 2);
}

#[tokio::test]
async fn the_key_before_is_good_for_as_long_as_was_asked() {
    for scene in scenes().await {
        let robot = robot(&scene, "robot", &["billing.*"]).await;
        let (application, first) = made(&scene, &robot, &["billing.*"]).await;
        let issued = renewed(&scene, &application, HOUR).await;
        let second = issued.key;
        let ends: Vec<_> = issued.application.unwrap().keys.iter().map(|key| key.expires_at).collect();
        assert_eq!(ends, [Some(to_timestamp(NOW + 3_600_000_000)), None]);
        assert_eq!(verified(&scene, &first).await.expires_at.as_ref().map(to_micros), Some(NOW + 3_600_000_000));
        assert!(is_good(&scene, &first).await && is_good(&scene, &second).await);
        scene.clock.move_forward(HOUR - Duration::from_micros(1));
        signed_in(&scene, &first).await.unwrap();
        scene.clock.move_forward(Duration::from_micros(1));
        assert!(!is_good(&scene, &first).await && is_good(&scene, &second).await);
        assert_eq!(signed_in(&scene, &first).await.unwrap_err().reason(), "WRONG_APPLICATION_KEY");

        let third = renewed(&scene, &application, Duration::ZERO).await.key;
        assert!(!is_good(&scene, &second).await && is_good(&scene, &third).await);
        let week = Duration::from_secs(7 * 24 * 3600);
        for _ in 0..4 {
            renewed(&scene, &application, week).await;
        }
        let sixth = UpdateApplicationKeyRequest { overlap_seconds: 60, ..key_of(&application) };
        assert_eq!(
            refusal_reason(calls(&scene).update_application_key(scene.platform(sixth)).await),
            "TOO_MANY_APPLICATION_KEYS"
        );
        let longer = UpdateApplicationKeyRequest { overlap_seconds: 604_801, ..key_of(&application) };
        assert_eq!(refusal_reason(calls(&scene).update_application_key(scene.platform(longer)).await), "INVALID_FIELD");
        let last = renewed(&scene, &application, Duration::ZERO).await;
        assert!(!is_good(&scene, &third).await && is_good(&scene, &last.key).await);
        assert_eq!(last.application.unwrap().keys.len(), 1);
    }
}

#[tokio::test]
async fn a_removed_applications_key_is_refused_at_once() {
    for scene in scenes().await {
        let robot = robot(&scene, "robot", &["billing.*"]).await;
        let (application, key) = made(&scene, &robot, &["billing.*"]).await;
        assert!(is_good(&scene, &key).await);
        let names = DeleteApplicationRequest { identity_id: robot.clone(), application_id: application.id.clone() };
        calls(&scene).delete_application(scene.platform(names.clone())).await.unwrap();
        assert_eq!(verified(&scene, &key).await, VerifyApplicationKeyResponse::default());
        assert_eq!(signed_in(&scene, &key).await.unwrap_err().reason(), "WRONG_APPLICATION_KEY");
        assert_eq!(refusal_reason(calls(&scene).delete_application(scene.platform(names)).await), "NOT_FOUND");
        assert_eq!(
            refusal_reason(calls(&scene).update_application_key(scene.platform(key_of(&application))).await),
            "NOT_FOUND"
        );
        let actions: Vec<_> = journal(&scene).await.into_iter().map(|entry| (entry.action, entry.removed)).collect();
        assert_eq!(actions, [("CREATED".to_owned(), false), ("REMOVED".to_owned(), true)]);
    }
}

#[tokio::test]
async fn an_application_may_do_no_more_than_its_maker_and_its_owner() {
    let scene = scene().await;
    let owner = robot(&scene, "robot", &["billing.*", "identity.*"]).await;
    let ask = |may: &[&str], maker: &[&str]| scene.program(reports(&owner, may), maker);
    let write = "identity.applications.write";
    let beyond_maker = calls(&scene).create_application(ask(&["billing.*"], &[write, "billing.invoices.read"])).await;
    assert_eq!(refusal_reason(beyond_maker), "PERMISSION_NOT_HELD");
    let beyond_owner = calls(&scene).create_application(ask(&["orders.*"], &["*"])).await;
    assert_eq!(refusal_reason(beyond_owner), "OWNER_LACKS_PERMISSION");
    assert_eq!(
        refusal_reason(calls(&scene).create_application(ask(&["billing.*"], &["billing.*"])).await),
        "PERMISSION_MISSING"
    );
    let (application, key) = made(&scene, &owner, &["billing.*"]).await;
    // A key is worth what its application may.
    let weak = scene.program(key_of(&application), &[write, "billing.invoices.read"]);
    assert_eq!(refusal_reason(calls(&scene).update_application_key(weak).await), "PERMISSION_NOT_HELD");

    let fewer =
        UpdatePermissionsRequest { identity_id: owner.clone(), permissions: permissions(&["billing.invoices.read"]) };
    scene.identities().update_permissions(scene.platform(fewer)).await.unwrap();
    assert_eq!(verified(&scene, &key).await.permissions, permissions(&["billing.invoices.read"]));
    let caller = scene.caller(&signed_in(&scene, &key).await.unwrap().access_token).await.unwrap();
    assert!(caller.has("billing.invoices.read") && !caller.has("billing.invoices.write"));
    scene.identities().delete_identity(scene.platform(DeleteIdentityRequest { identity_id: owner })).await.unwrap();
    assert!(!is_good(&scene, &key).await);
    assert_eq!(signed_in(&scene, &key).await.unwrap_err().reason(), "WRONG_APPLICATION_KEY");
}

#[tokio::test]
async fn applications_are_of_programs_and_staff() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await.id;
    let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    let hers = calls(&scene).create_application(scene.platform(reports(&ada, &["billing.*"]))).await;
    assert_eq!(refusal_reason(hers), "NOT_IN_THIS_REALM");
    let own = calls(&scene).create_application(request_by(&token, reports(&ada, &["billing.*"]))).await;
    assert_eq!(refusal_reason(own), "REALM_NOT_ALLOWED");
    let nobody = calls(&scene).create_application(scene.platform(reports("nobody", &["billing.*"]))).await;
    assert_eq!(refusal_reason(nobody), "NOT_FOUND");
    let nothing = CreateApplicationRequest { permissions: Vec::new(), ..reports(&ada, &[]) };
    assert_eq!(refusal_reason(calls(&scene).create_application(scene.platform(nothing)).await), "INVALID_FIELD");

    let max = scene.staff("max@example.com", &["*"]).await.id;
    let many: Vec<String> = (0..120).map(|n| format!("billing.{}{n}.read", "x".repeat(40))).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let large = calls(&scene).create_application(scene.platform(reports(&max, &many))).await;
    assert_eq!(refusal_reason(large), "INVALID_FIELD", "no token could carry it");
    let (_, key) = made(&scene, &max, &["billing.*"]).await;
    let token = signed_in(&scene, &key).await.unwrap();
    let caller = scene.caller(&token.access_token).await.unwrap();
    assert_eq!((caller.identity.as_str(), caller.realm, caller.session.as_str()), (max.as_str(), Realm::Internal, ""));
}

#[tokio::test]
async fn an_application_goes_to_another_owner_with_its_keys() {
    for scene in scenes().await {
        let first = robot(&scene, "first", &["billing.*"]).await;
        let second = robot(&scene, "second", &["billing.invoices.*"]).await;
        let ada = scene.member("ada@example.com").await.id;
        let (application, key) = made(&scene, &first, &["billing.*"]).await;
        let give = |to: &str| ChangeApplicationOwnerRequest {
            identity_id: first.clone(),
            application_id: application.id.clone(),
            new_owner_id: to.to_owned(),
        };
        assert_eq!(
            refusal_reason(calls(&scene).change_application_owner(scene.platform(give(&ada))).await),
            "NOT_IN_THIS_REALM"
        );
        assert_eq!(
            refusal_reason(calls(&scene).change_application_owner(scene.platform(give("nobody"))).await),
            "NOT_FOUND"
        );
        let weak = scene.program(give(&second), &["identity.applications.change_owner"]);
        assert_eq!(refusal_reason(calls(&scene).change_application_owner(weak).await), "PERMISSION_NOT_HELD");
        let given = calls(&scene).change_application_owner(scene.platform(give(&second))).await.unwrap().into_inner();
        assert_eq!(given.owner_id, second);
        let answer = verified(&scene, &key).await;
        assert_eq!((answer.owner_id, answer.permissions), (second.clone(), permissions(&["billing.invoices.*"])));
        assert_eq!(
            refusal_reason(calls(&scene).change_application_owner(scene.platform(give(&second))).await),
            "NOT_FOUND"
        );

        let list = |owner: &str| ListApplicationsRequest {
            identity_id: owner.to_owned(),
            ..ListApplicationsRequest::default()
        };
        let of = async |owner: &str| {
            calls(&scene).list_applications(scene.platform(list(owner))).await.unwrap().into_inner().applications
        };
        assert_eq!((of(&first).await, of(&second).await), (Vec::new(), vec![given.clone()]));
        let get = |owner: &str| GetApplicationRequest {
            identity_id: owner.to_owned(),
            application_id: application.id.clone(),
        };
        assert_eq!(refusal_reason(calls(&scene).get_application(scene.platform(get(&first))).await), "NOT_FOUND");
        assert_eq!(calls(&scene).get_application(scene.platform(get(&second))).await.unwrap().into_inner(), given);
    }
}

#[tokio::test]
async fn an_application_is_named_anew_and_found_by_its_reference() {
    for scene in scenes().await {
        let robot = robot(&scene, "robot", &["billing.*"]).await;
        let (application, key) = made(&scene, &robot, &["billing.*"]).await;
        let (identity_id, application_id) = (robot.clone(), application.id.clone());
        let name = UpdateApplicationNameRequest {
            identity_id: identity_id.clone(),
            application_id: application_id.clone(),
            name: "monthly reports".into(),
        };
        let named = calls(&scene).update_application_name(scene.platform(name.clone())).await.unwrap().into_inner();
        assert_eq!(named.name, "monthly reports");
        let nameless = UpdateApplicationNameRequest { name: String::new(), ..name };
        assert_eq!(
            refusal_reason(calls(&scene).update_application_name(scene.platform(nameless)).await),
            "INVALID_FIELD"
        );
        let external = UpdateApplicationExternalRequest {
            identity_id,
            application_id: application_id.clone(),
            external_reference: "crm-8".into(),
        };
        calls(&scene).update_application_external(scene.platform(external)).await.unwrap();
        let ask = |reference: &str| ListAllApplicationsRequest {
            external_reference: reference.to_owned(),
            ..ListAllApplicationsRequest::default()
        };
        let found = async |reference: &str| {
            let page = calls(&scene).list_all_applications(scene.platform(ask(reference))).await.unwrap().into_inner();
            page.applications.into_iter().map(|one| one.id).collect::<Vec<_>>()
        };
        assert_eq!(found("crm-7").await, Vec::<String>::new());
        assert_eq!(found("crm-8").await, std::slice::from_ref(&application_id));
        assert_eq!(found("").await, [application_id]);
        assert!(is_good(&scene, &key).await, "a name is no key");
        let actions: Vec<_> = journal(&scene).await.into_iter().map(|entry| entry.action).collect();
        assert_eq!(actions, ["CREATED", "UPDATED_NAME", "EXTERNAL_UPDATED"]);
    }
}

#[tokio::test]
async fn a_key_of_another_application_is_not_good_and_why_is_not_said() {
    let scene = scene().await;
    let robot = robot(&scene, "robot", &["billing.*"]).await;
    let (application, key) = made(&scene, &robot, &["billing.*"]).await;
    let (other, _) = made(&scene, &robot, &["billing.*"]).await;
    let ask = |application: &str, key: &str| VerifyApplicationKeyRequest {
        application_id: application.into(),
        key: key.into(),
    };
    let right =
        calls(&scene).verify_application_key(scene.platform(ask(&application.id, &key))).await.unwrap().into_inner();
    assert!(right.valid);
    let near = format!("{}{}", &key[..46], if key.ends_with('A') { 'B' } else { 'A' });
    for (application, key) in
        [(other.id.as_str(), key.as_str()), ("nobody", &key), ("", &near), ("", &key[4..]), ("", "pvk_")]
    {
        let wrong =
            calls(&scene).verify_application_key(scene.platform(ask(application, key))).await.unwrap().into_inner();
        assert_eq!(wrong, VerifyApplicationKeyResponse::default(), "{application} {key}");
    }
    let empty = calls(&scene).verify_application_key(scene.platform(ask("", ""))).await;
    assert_eq!(refusal_reason(empty), "INVALID_FIELD");
    let weak = scene.program(ask("", &key), &["identity.applications.read"]);
    assert_eq!(refusal_reason(calls(&scene).verify_application_key(weak).await), "PERMISSION_MISSING");
}

#[tokio::test]
async fn guessed_keys_wait_and_a_good_key_does_not() {
    let scene = scene().await;
    let robot = robot(&scene, "robot", &["billing.*"]).await;
    let (_, key) = made(&scene, &robot, &["billing.*"]).await;
    let ask = |key: &str| VerifyApplicationKeyRequest { application_id: String::new(), key: key.to_owned() };
    for n in 0..51 {
        assert!(!is_good(&scene, &format!("pvk_{n}")).await);
    }
    let guess = calls(&scene).verify_application_key(scene.platform(ask("pvk_x"))).await;
    assert_eq!(refusal_reason(guess), "SIGN_IN_THROTTLED");
    assert!(is_good(&scene, &key).await);
    let another = scene.program(ask("pvk_x"), &["identity.applications.verify"]);
    calls(&scene).verify_application_key(another).await.unwrap();

    let from = |address: &str, key: &str| {
        with(Request::new(CreateApplicationTokenRequest { key: key.to_owned() }), "x-forwarded-for", address)
    };
    for n in 0..51 {
        let guess = calls(&scene).create_application_token(from("203.0.113.9", &format!("pvk_{n}"))).await;
        assert_eq!(refusal_reason(guess), "WRONG_APPLICATION_KEY");
    }
    assert_eq!(
        refusal_reason(calls(&scene).create_application_token(from("203.0.113.9", &key)).await),
        "SIGN_IN_THROTTLED"
    );
    calls(&scene).create_application_token(from("203.0.113.10", &key)).await.unwrap();
    scene.clock.move_forward(Duration::from_secs(1));
    calls(&scene).create_application_token(from("203.0.113.9", &key)).await.unwrap();
}

#[tokio::test]
async fn a_key_that_ends_ends_the_tokens_that_it_gave() {
    for scene in scenes().await {
        let robot = robot(&scene, "robot", &["billing.*"]).await;
        let other = made(&scene, &robot, &["billing.*"]).await.1;
        let (application, key) = made(&scene, &robot, &["billing.*"]).await;
        let current = async |token: &AccessToken| {
            let ask = request_by(&token.access_token, GetCurrentSessionRequest {});
            scene.sessions().get_current_session(ask).await.map_err(|status| Error::from(status).reason().to_owned())
        };
        let (others, token) = (signed_in(&scene, &other).await.unwrap(), signed_in(&scene, &key).await.unwrap());
        current(&token).await.unwrap();
        scene.clock.move_forward(Duration::from_millis(10));
        let key = renewed(&scene, &application, Duration::ZERO).await.key;
        scene.learn_what_ended().await;
        assert_eq!(current(&token).await.unwrap_err(), "TOKEN_EXPIRED");
        let token = signed_in(&scene, &key).await.unwrap();
        current(&token).await.unwrap();
        scene.clock.move_forward(Duration::from_millis(10));
        let request = DeleteApplicationRequest { identity_id: robot.clone(), application_id: application.id.clone() };
        calls(&scene).delete_application(scene.platform(request)).await.unwrap();
        scene.learn_what_ended().await;
        assert_eq!(current(&token).await.unwrap_err(), "TOKEN_EXPIRED");
        current(&others).await.unwrap();
    }
}
