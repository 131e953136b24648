//! Settings of the applications.

use std::collections::BTreeMap;

use pavise_identity::contract::v1::application_setting_service_client::ApplicationSettingServiceClient;
use pavise_identity::contract::v1::{
    ApplicationSetting, CreateApplicationSettingRequest, DeleteApplicationSettingRequest, GetApplicationSettingRequest,
    GetApplicationSettingsByApplicationNameRequest, GetHealthRequest, ListApplicationSettingsRequest,
    ListSharedApplicationSettingsRequest, MigrateApplicationSettingRequest, ShareApplicationSettingRequest,
    UpdateApplicationSettingDocumentRequest, UpdateApplicationSettingRequest,
};
use pavise_kernel::common::v1::{GetMaxClockRequest, ReadJournalRequest};
use pavise_kernel::peers::Transport;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use tonic::Request;

use crate::scene::{PASSWORD, Scene, refusal_reason, request_by, scene, scenes};

/// The permissions that staff need for the settings of others, and for what is shared.
const STAFF: [&str; 2] = ["identity.application_settings.read", "identity.application_settings.write"];

fn calls(scene: &Scene) -> ApplicationSettingServiceClient<Transport> {
    ApplicationSettingServiceClient::new(scene.transport())
}

fn value(kind: Kind) -> Value {
    Value { kind: Some(kind) }
}

fn settings(name: &str, kind: Kind) -> Option<Struct> {
    Some(Struct { fields: BTreeMap::from([(name.to_owned(), value(kind))]) })
}

fn text(text: &str) -> Option<Struct> {
    settings("text", Kind::StringValue(text.to_owned()))
}

/// Lists within lists, so many in all with the object around them.
fn deep(levels: usize) -> Option<Struct> {
    let list = |inner: Option<Kind>| Kind::ListValue(ListValue { values: inner.map(value).into_iter().collect() });
    let kind = (1..levels).fold(None, |inner, _| Some(list(inner)));
    settings("deep", kind.unwrap_or(Kind::BoolValue(true)))
}

fn saved(owner: &str, name: &str) -> CreateApplicationSettingRequest {
    CreateApplicationSettingRequest {
        identity_id: owner.to_owned(),
        application_name: "console".into(),
        name: name.to_owned(),
        settings: text("a"),
    }
}

fn names(settings: &[ApplicationSetting]) -> Vec<&str> {
    settings.iter().map(|one| one.name.as_str()).collect()
}

/// The id and a token of somebody on the staff.
async fn staff(scene: &Scene, email: &str) -> (String, String) {
    let id = scene.staff(email, &STAFF).await.id;
    (id, scene.sign_in(email, PASSWORD).await.unwrap().access_token)
}

#[tokio::test]
async fn a_setting_is_made_replaced_and_removed() {
    for scene in scenes().await {
        let (max, token) = staff(&scene, "max@example.com").await;
        let made = calls(&scene)
            .create_application_setting(request_by(&token, saved(&max, "failed")))
            .await
            .unwrap()
            .into_inner();
        assert_eq!((made.owner_id.as_str(), made.shared, made.settings.clone()), (max.as_str(), false, text("a")));
        let (identity_id, application_setting_id) = (max.clone(), made.id.clone());
        let twin = calls(&scene).create_application_setting(request_by(&token, saved(&max, "failed"))).await;
        assert_eq!(refusal_reason(twin), "ALREADY_EXISTS");
        let elsewhere = CreateApplicationSettingRequest { application_name: "member".into(), ..saved(&max, "failed") };
        calls(&scene).create_application_setting(request_by(&token, elsewhere)).await.unwrap();

        let document = UpdateApplicationSettingDocumentRequest {
            identity_id: identity_id.clone(),
            application_setting_id: application_setting_id.clone(),
            settings: settings("columns", Kind::NumberValue(3.5)),
        };
        let changed =
            calls(&scene).update_application_setting_document(request_by(&token, document.clone())).await.unwrap();
        assert_eq!(changed.into_inner().settings, document.settings);
        let none = UpdateApplicationSettingDocumentRequest { settings: None, ..document };
        let refused = calls(&scene).update_application_setting_document(request_by(&token, none)).await;
        assert_eq!(refusal_reason(refused), "INVALID_FIELD");

        let put = UpdateApplicationSettingRequest {
            identity_id: identity_id.clone(),
            application_setting_id: application_setting_id.clone(),
            application_name: "console".into(),
            name: "all".into(),
            settings: None,
        };
        let replaced =
            calls(&scene).update_application_setting(request_by(&token, put.clone())).await.unwrap().into_inner();
        assert_eq!((replaced.name.as_str(), replaced.settings, replaced.version), ("all", None, 3));
        let taken = UpdateApplicationSettingRequest { application_name: "member".into(), name: "failed".into(), ..put };
        assert_eq!(
            refusal_reason(calls(&scene).update_application_setting(request_by(&token, taken)).await),
            "ALREADY_EXISTS"
        );

        let delete = DeleteApplicationSettingRequest {
            identity_id: identity_id.clone(),
            application_setting_id: application_setting_id.clone(),
        };
        calls(&scene).delete_application_setting(request_by(&token, delete.clone())).await.unwrap();
        assert_eq!(
            refusal_reason(calls(&scene).delete_application_setting(request_by(&token, delete)).await),
            "NOT_FOUND"
        );
        let get = GetApplicationSettingRequest { identity_id, application_setting_id };
        assert_eq!(refusal_reason(calls(&scene).get_application_setting(request_by(&token, get)).await), "NOT_FOUND");
        calls(&scene).create_application_setting(request_by(&token, saved(&max, "all"))).await.unwrap();

        let page =
            calls(&scene).read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
        let actions: Vec<_> = page.entries.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(actions, ["CREATED", "CREATED", "SETTINGS_UPDATED", "UPDATED", "DELETED", "CREATED"]);
        let clock =
            calls(&scene).get_max_clock(scene.platform(GetMaxClockRequest {})).await.unwrap().into_inner().max_clock;
        let health = calls(&scene).get_health(Request::new(GetHealthRequest {})).await.unwrap().into_inner();
        assert_eq!((health.status.as_str(), health.max_clock, clock), ("UP", 6, 6));
    }
}

#[tokio::test]
async fn settings_are_found_by_their_application() {
    for scene in scenes().await {
        let (max, token) = staff(&scene, "max@example.com").await;
        for name in ["first", "second", "third"] {
            calls(&scene).create_application_setting(request_by(&token, saved(&max, name))).await.unwrap();
        }
        let elsewhere = CreateApplicationSettingRequest { application_name: "member".into(), ..saved(&max, "fourth") };
        calls(&scene).create_application_setting(request_by(&token, elsewhere)).await.unwrap();
        let all =
            ListApplicationSettingsRequest { identity_id: max.clone(), ..ListApplicationSettingsRequest::default() };
        let page = calls(&scene).list_application_settings(request_by(&token, all)).await.unwrap().into_inner();
        assert_eq!(names(&page.application_settings), ["fourth", "third", "second", "first"]);
        let ask = GetApplicationSettingsByApplicationNameRequest {
            identity_id: max.clone(),
            application_name: "console".into(),
            page_size: 2,
            page_token: String::new(),
        };
        let page =
            calls(&scene).get_application_settings_by_application_name(request_by(&token, ask.clone())).await.unwrap();
        let page = page.into_inner();
        assert_eq!(names(&page.application_settings), ["third", "second"]);
        let next = GetApplicationSettingsByApplicationNameRequest { page_token: page.next_page_token, ..ask.clone() };
        let page = calls(&scene).get_application_settings_by_application_name(request_by(&token, next)).await.unwrap();
        assert_eq!(names(&page.into_inner().application_settings), ["first"]);
        let unnamed = GetApplicationSettingsByApplicationNameRequest { application_name: String::new(), ..ask };
        let refused = calls(&scene).get_application_settings_by_application_name(request_by(&token, unnamed)).await;
        assert_eq!(refusal_reason(refused), "INVALID_FIELD");
    }
}

#[tokio::test]
async fn shared_settings_are_seen_by_staff_only() {
    for scene in scenes().await {
        let (max, token) = staff(&scene, "max@example.com").await;
        let (_, colleague) = staff(&scene, "eve@example.com").await;
        let ada = scene.member("ada@example.com").await.id;
        let member = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
        let made = calls(&scene)
            .create_application_setting(request_by(&token, saved(&max, "failed")))
            .await
            .unwrap()
            .into_inner();
        calls(&scene).create_application_setting(request_by(&token, saved(&max, "mine"))).await.unwrap();
        let share = |owner: &str, id: &str, shared: bool| ShareApplicationSettingRequest {
            identity_id: owner.to_owned(),
            application_setting_id: id.to_owned(),
            shared,
        };
        calls(&scene).share_application_setting(request_by(&token, share(&max, &made.id, true))).await.unwrap();
        let ask = |application: &str| ListSharedApplicationSettingsRequest {
            shared_in: application.to_owned(),
            ..ListSharedApplicationSettingsRequest::default()
        };
        let page = calls(&scene)
            .list_shared_application_settings(request_by(&colleague, ask("console")))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(names(&page.application_settings), ["failed"]);
        let page = calls(&scene)
            .list_shared_application_settings(request_by(&colleague, ask("member")))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(page.application_settings, []);
        let all = calls(&scene).list_shared_application_settings(request_by(&colleague, ask(""))).await;
        assert_eq!(refusal_reason(all), "INVALID_FIELD");
        let outside = calls(&scene).list_shared_application_settings(request_by(&member, ask("console"))).await;
        assert_eq!(refusal_reason(outside), "REALM_NOT_ALLOWED");

        let own = calls(&scene)
            .create_application_setting(request_by(&member, saved(&ada, "hers")))
            .await
            .unwrap()
            .into_inner();
        let shared = calls(&scene).share_application_setting(request_by(&member, share(&ada, &own.id, true))).await;
        assert_eq!(refusal_reason(shared), "REALM_NOT_ALLOWED", "nobody puts a view before staff who is not of them");

        calls(&scene).share_application_setting(request_by(&token, share(&max, &made.id, false))).await.unwrap();
        let page = calls(&scene)
            .list_shared_application_settings(request_by(&colleague, ask("console")))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(page.application_settings, []);
    }
}

#[tokio::test]
async fn another_members_setting_does_not_exist() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await.id;
    let eve = scene.member("eve@example.com").await.id;
    let hers = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
    let other = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    let made =
        calls(&scene).create_application_setting(request_by(&hers, saved(&ada, "view"))).await.unwrap().into_inner();
    let get = |owner: &str| GetApplicationSettingRequest {
        identity_id: owner.into(),
        application_setting_id: made.id.clone(),
    };
    assert_eq!(
        refusal_reason(calls(&scene).get_application_setting(request_by(&other, get(&ada))).await),
        "NOT_THE_OWNER"
    );
    assert_eq!(refusal_reason(calls(&scene).get_application_setting(request_by(&other, get(&eve))).await), "NOT_FOUND");
    assert_eq!(calls(&scene).get_application_setting(request_by(&hers, get(&ada))).await.unwrap().into_inner(), made);
    calls(&scene).create_application_setting(request_by(&other, saved(&eve, "view"))).await.unwrap();
}

#[tokio::test]
async fn a_document_has_its_bounds() {
    for scene in scenes().await {
        let ada = scene.member("ada@example.com").await.id;
        let token = scene.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
        let with =
            |name: &str, settings: Option<Struct>| CreateApplicationSettingRequest { settings, ..saved(&ada, name) };
        let good = [("large", text(&"x".repeat(65_000))), ("deep", deep(10)), ("none", None)];
        for (name, document) in good {
            calls(&scene).create_application_setting(request_by(&token, with(name, document))).await.unwrap();
        }
        let bad = [
            text(&"x".repeat(65_536)),
            deep(11),
            deep(20),
            settings("n", Kind::NumberValue(f64::NAN)),
            settings("n", Kind::NumberValue(f64::INFINITY)),
            text("a\0b"),
            settings("a\0b", Kind::BoolValue(true)),
        ];
        for document in bad {
            let refused =
                calls(&scene).create_application_setting(request_by(&token, with("bad", document.clone()))).await;
            assert_eq!(refusal_reason(refused), "INVALID_FIELD", "{:.100}", format!("{document:?}"));
        }
        let nameless = CreateApplicationSettingRequest { name: String::new(), ..saved(&ada, "") };
        assert_eq!(
            refusal_reason(calls(&scene).create_application_setting(request_by(&token, nameless)).await),
            "INVALID_FIELD"
        );
        let odd = CreateApplicationSettingRequest { application_name: "a/b".into(), ..saved(&ada, "view") };
        assert_eq!(
            refusal_reason(calls(&scene).create_application_setting(request_by(&token, odd)).await),
            "INVALID_FIELD"
        );
    }
}

#[tokio::test]
async fn programs_take_over_settings_of_another_system() {
    let scene = scene().await;
    let (max, token) = staff(&scene, "max@example.com").await;
    let old = MigrateApplicationSettingRequest {
        identity_id: max.clone(),
        application_name: "console".into(),
        name: "old".into(),
        settings: text("old"),
        shared: true,
    };
    let refused = calls(&scene).migrate_application_setting(request_by(&token, old.clone())).await;
    assert_eq!(refusal_reason(refused), "REALM_NOT_ALLOWED");
    let taken = calls(&scene).migrate_application_setting(scene.platform(old.clone())).await.unwrap().into_inner();
    assert_eq!((taken.owner_id.as_str(), taken.shared_in.as_str()), (max.as_str(), "console"));
    let again = calls(&scene).migrate_application_setting(scene.platform(old.clone())).await.unwrap().into_inner();
    assert_eq!(again, taken, "nothing changed, and nothing was written");
    let new = MigrateApplicationSettingRequest { settings: text("new"), shared: false, ..old };
    let changed = calls(&scene).migrate_application_setting(scene.platform(new)).await.unwrap().into_inner();
    assert_eq!((changed.id.as_str(), changed.version, &changed.settings), (taken.id.as_str(), 2, &text("new")));
    assert_eq!((changed.shared_in.as_str(), changed.created_at), ("", taken.created_at));
    let page = calls(&scene).read_journal(scene.platform(ReadJournalRequest::default())).await.unwrap().into_inner();
    assert_eq!(page.entries.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), ["MIGRATED", "UPDATED"]);
}

/// 16 programs take over the same three settings at once, each with its own document: one is made and the others change
/// it, with an entry each. A repeat with a key writes nothing.
#[tokio::test]
async fn a_setting_that_is_taken_over_at_once_is_made_once_on_both_engines() {
    for scene in &scenes().await {
        let (max, _) = staff(scene, "max@example.com").await;
        let moves = (0..48).map(|number| {
            let (identity_id, settings) = (max.clone(), text(&number.to_string()));
            let name = format!("setting-{}", number % 3);
            let request = MigrateApplicationSettingRequest {
                identity_id,
                application_name: "console".into(),
                name,
                settings,
                shared: false,
            };
            async move {
                let mut tries = Vec::new();
                while tries.len() < 2 {
                    let mut request = scene.platform(request.clone());
                    request.metadata_mut().insert("idempotency-key", format!("key-{number}").parse().unwrap());
                    match calls(scene).migrate_application_setting(request).await {
                        Ok(answer) => tries.push(answer.into_inner()),
                        // A caller who lost too often is told to try again.
                        Err(refusal) => assert_eq!(refusal_reason::<()>(Err(refusal)), "CONTENTION"),
                    }
                }
                assert_eq!(tries[0], tries[1], "a repeat gets the first answer");
            }
        });
        futures::future::join_all(moves).await;
        let request = ReadJournalRequest { limit: 500, ..ReadJournalRequest::default() };
        let page = calls(scene).read_journal(scene.platform(request)).await.unwrap().into_inner();
        let count = |action: &str| page.entries.iter().filter(|entry| entry.action == action).count();
        assert_eq!((count("MIGRATED"), count("UPDATED"), page.entries.len()), (3, 45, 48));
    }
}
