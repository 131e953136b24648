//! Roles in groups: who has one sees the group, in their division a part of it, and nobody else does (rule 121).

use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{GROUPS, administrator, group, machine, on, path, sign_in};

fn person(identity: &str, kind: &str, divisions: &[&str]) -> Value {
    json!({"identityId": identity, "type": kind, "divisionIds": divisions})
}

async fn add(app: &TestApp, group: &Value, people: &[Value]) -> Value {
    let body = json!({"authorizedIdentities": people});
    machine(app).post(&path(group, "addAuthorizedIdentities"), body).await.expect(200)
}

/// Waits until a call of a person with a fresh token answers with a status.
async fn until(app: &TestApp, name: &str, at: &str, status: u16) -> Rest {
    app.eventually("the role", || async {
        let caller = sign_in(app, name).await;
        (caller.get(at).await.status.as_u16() == status).then_some(caller)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_opens_the_group_and_a_division_a_part_of_it() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        let (harbor, maple) = (group(&app, "harbor").await, group(&app, "maple").await);
        let (head, west) = (administrator(&app, "head").await, administrator(&app, "west").await);
        assert_eq!(sign_in(&app, "head").await.get(&path(&harbor, "")).await.status.as_u16(), 403);
        let people = [
            person(&head, "GROUP_ADMINISTRATOR", &[]),
            person(&west, "CUSTOMER_SERVICE_REPRESENTATIVE", &["harbor-west"]),
            json!({"email": "east@example.com", "type": "AUTHORIZED_USER", "divisionIds": ["harbor-east"]}),
        ];
        add(&app, &harbor, &people).await;
        let boss = until(&app, "head", &path(&harbor, ""), 200).await;
        let csr = until(&app, "west", &path(&harbor, ""), 200).await;

        let all = boss.get(&path(&harbor, "")).await.expect(200);
        assert_eq!(
            (all["divisions"].as_array().unwrap().len(), all["authorizedIdentities"].as_array().unwrap().len()),
            (2, 3)
        );
        assert!(all["formerIdentityIds"] == json!([]) && all["commission"].is_null(), "not for them: {all}");
        let part = csr.get(&path(&harbor, "")).await.expect(200);
        assert_eq!(part["divisionIds"], json!(["harbor-west"]));
        assert!(!part.to_string().contains("east"), "nothing of the other division: {part}");
        for caller in [&boss, &csr] {
            let listed = caller.get(GROUPS).await.expect(200);
            assert_eq!(listed["groups"].as_array().unwrap().len(), 1);
            assert_eq!(caller.get(&path(&maple, "")).await.status.as_u16(), 403);
            let staffs = caller.post(&path(&harbor, "updateName"), json!({"name": "Mine"})).await;
            assert_eq!(staffs.status.as_u16(), 403);
        }
        let contact = json!({"contacts": [{"type": "COMPANY", "name": "Front desk"}]});
        let _ = boss.post(&path(&harbor, "addContacts"), contact.clone()).await.expect(200);
        assert_eq!(csr.post(&path(&harbor, "addContacts"), contact).await.status.as_u16(), 403);
        let self_made = json!({"authorizedIdentities": [{"identityId": west, "type": "GROUP_ADMINISTRATOR"}]});
        assert_eq!(csr.post(&path(&harbor, "addAuthorizedIdentities"), self_made.clone()).await.status.as_u16(), 403);
        let named = boss.post(&path(&harbor, "addAuthorizedIdentities"), self_made).await;
        assert_eq!((named.status.as_u16(), named.fields()), (400, vec!["authorizedIdentities[0].identityId"]));
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_is_taken_away_ends_the_session() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    let harbor = group(&app, "harbor").await;
    let head = administrator(&app, "head").await;
    let added = add(&app, &harbor, &[person(&head, "FILE_ADMINISTRATOR", &[])]).await;
    let boss = until(&app, "head", &path(&harbor, ""), 200).await;
    let ids = json!({"ids": [added["authorizedIdentities"][0]["id"]]});
    let _ = machine(&app).post(&path(&harbor, "removeAuthorizedIdentities"), ids).await.expect(200);
    app.eventually("the end of the session", || async {
        let status = boss.get(&path(&harbor, "")).await.status.as_u16();
        matches!(status, 401 | 403).then_some(())
    })
    .await;
    let identity = app
        .eventually("the role is gone", || async {
            let identity = machine(&app).get(&format!("/v1/identities/{head}")).await.expect(200);
            identity["scopes"].as_array().is_none_or(Vec::is_empty).then_some(identity)
        })
        .await;
    assert!(identity["groupIds"].as_array().is_none_or(Vec::is_empty), "{identity}");
    app.eventually("nobody is waited for", || async {
        let group = machine(&app).get(&path(&harbor, "")).await.expect(200);
        group["formerIdentityIds"].as_array().is_none_or(Vec::is_empty).then_some(())
    })
    .await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_address_gets_an_identity_and_a_letter() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    let harbor = group(&app, "harbor").await;
    let body =
        json!({"authorizedIdentities": [{"id": "new", "email": "new@example.com", "type": "FILE_ADMINISTRATOR"}]});
    let _ = machine(&app).post(&path(&harbor, "addAuthorizedIdentities"), body).await.expect(200);
    let identity = app
        .eventually("the identity of the invited person", || async {
            let group = machine(&app).get(&path(&harbor, "")).await.expect(200);
            group["authorizedIdentities"][0]["identityId"].as_str().filter(|id| !id.is_empty()).map(str::to_owned)
        })
        .await;
    let scopes = app
        .eventually("their role", || async {
            let found = machine(&app).get(&format!("/v1/identities/{identity}")).await.expect(200);
            found["scopes"].as_array().filter(|scopes| !scopes.is_empty()).cloned()
        })
        .await;
    assert_eq!((&scopes[0]["kind"], &scopes[0]["roles"]), (&json!("GROUP"), &json!(["FILE_ADMINISTRATOR"])));
    let letter =
        app.eventually("their letter", || async { app.mailbox.of("new@example.com").into_iter().next() }).await;
    assert!(!letter.subject.is_empty());
    // A replacement without an identity keeps the person.
    let update =
        json!({"authorizedIdentities": [{"id": "new", "email": "new@example.com", "type": "AUTHORIZED_USER"}]});
    let updated = machine(&app).post(&path(&harbor, "updateAuthorizedIdentities"), update).await.expect(200);
    assert_eq!(updated["authorizedIdentities"][0]["identityId"], identity.as_str());
    app.finish().await;
}

#[tokio::test]
async fn divisions_of_a_role_are_added_replaced_and_removed_but_the_last_stays() {
    let app = on(Engine::Sqlite).without_workers().start().await.unwrap();
    let harbor = group(&app, "harbor").await;
    let west = administrator(&app, "west").await;
    let added = add(&app, &harbor, &[person(&west, "AUTHORIZED_USER", &["harbor-west"])]).await;
    let program = machine(&app);
    let role = added["authorizedIdentities"][0]["id"].clone();
    let call = async |name: &str, divisions: &[&str]| {
        let body = json!({"authorizedIdentityId": role, "divisionIds": divisions});
        program.post(&path(&harbor, &format!("{name}AuthorizedIdentityDivisions")), body).await
    };
    let both = call("add", &["harbor-east"]).await.expect(200);
    assert_eq!(both["authorizedIdentities"][0]["divisionIds"], json!(["harbor-west", "harbor-east"]));
    let east = call("remove", &["harbor-west"]).await.expect(200);
    assert_eq!(east["authorizedIdentities"][0]["divisionIds"], json!(["harbor-east"]));
    let last = call("remove", &["harbor-east"]).await;
    assert_eq!((last.status.as_u16(), last.fields()), (400, vec!["divisionIds"]));
    let unknown = call("update", &["north"]).await;
    assert_eq!((unknown.status.as_u16(), unknown.fields()), (400, vec!["authorized_identities[0].divisionIds"]));
    let whole = call("update", &[]).await.expect(200);
    assert!(whole["authorizedIdentities"][0]["divisionIds"].as_array().is_none_or(Vec::is_empty));
    let member = json!({"realm": "User", "emails": ["ann@example.com"], "password": "correct horse battery"});
    let member = program.post("/v1/identities", member).await.expect(200)["id"].clone();
    let body = json!({"authorizedIdentities": [person(member.as_str().unwrap(), "AUTHORIZED_USER", &[])]});
    let refused = program.post(&path(&harbor, "addAuthorizedIdentities"), body).await;
    assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec!["authorizedIdentities[0].identityId"]));
    app.finish().await;
}

/// The ids of the groups that an identity administers.
async fn groups_of(app: &TestApp, identity: &str) -> Vec<Value> {
    let identity = machine(app).get(&format!("/v1/identities/{identity}")).await.expect(200);
    identity["groupIds"].as_array().cloned().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_went_over_with_a_merged_identity_is_taken_away_too() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    let harbor = group(&app, "harbor").await;
    let (kept, merged) = (administrator(&app, "kept").await, administrator(&app, "merged").await);
    let added = add(&app, &harbor, &[person(&merged, "GROUP_ADMINISTRATOR", &[])]).await;
    let has = async |identity: &str, count: usize| {
        app.eventually("the groups", || async { (groups_of(&app, identity).await.len() == count).then_some(()) }).await;
    };
    has(&merged, 1).await;
    let at = format!("/v1/identities/{kept}/merge?mergedIdentityId={merged}");
    let merge = machine(&app).post(&at, json!({"reason": "one person"})).await.expect(200);
    has(&kept, 1).await;
    app.eventually("the merge", || async {
        let at = format!("/v1/identities/merges/{}", merge["id"].as_str().unwrap());
        (machine(&app).get(&at).await.expect(200)["status"] == "COMPLETE").then_some(())
    })
    .await;
    let ids = json!({"ids": [added["authorizedIdentities"][0]["id"]]});
    let _ = machine(&app).post(&path(&harbor, "removeAuthorizedIdentities"), ids).await.expect(200);
    has(&kept, 0).await;
    app.eventually("nobody is waited for", || async {
        let group = machine(&app).get(&path(&harbor, "")).await.expect(200);
        group["formerIdentityIds"].as_array().is_none_or(Vec::is_empty).then_some(())
    })
    .await;
    app.finish().await;
}
