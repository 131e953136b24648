//! A caller cannot grant a permission that they do not have.

use pavise_identity::contract::v1::{
    AddEmailRequest, AddUsernameRequest, ApplicationPermissions, BulkAddPasswordsRequest, CreateIdentityRequest, Email,
    IdentityRealm, InvalidatePasswordsRequest, ListIdentitiesRequest, PasswordRow, PasswordRowOutcome,
    ReplaceAllEmailsRequest, SetPasswordRequest, UpdateGroupsRequest, UpdatePermissionsRequest,
};
use pavise_kernel::Error;
use pavise_kernel::caller::APPLICATION;
use pavise_kernel::table::ScopeKind;

use crate::scene::{PASSWORD, refusal_reason, request_by, scene, scenes, sign_up};

fn permissions(names: &[&str]) -> Vec<ApplicationPermissions> {
    let permissions = names.iter().map(|name| (*name).to_owned()).collect();
    vec![ApplicationPermissions { application: APPLICATION.to_owned(), permissions }]
}

#[tokio::test]
async fn staff_pass_on_what_they_have_and_take_away_the_rest() {
    let scene = scene().await;
    scene.staff("eve@example.com", &["identity.permissions.write", "identity.identities.write", "billing.*"]).await;
    let eve = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
    let max = scene.staff("max@example.com", &["orders.*"]).await;
    let update =
        |names: &[&str]| UpdatePermissionsRequest { identity_id: max.id.clone(), permissions: permissions(names) };
    let beyond = scene.identities().update_permissions(request_by(&eve, update(&["catalog.offers.read"]))).await;
    assert_eq!(refusal_reason(beyond), "PERMISSION_NOT_HELD");
    let kept =
        scene.identities().update_permissions(request_by(&eve, update(&["orders.*", "billing.invoices.read"]))).await;
    assert_eq!(kept.unwrap().into_inner().permissions, permissions(&["billing.invoices.read", "orders.*"]));
    let made = CreateIdentityRequest {
        realm: IdentityRealm::Internal.into(),
        permissions: permissions(&["*"]),
        ..sign_up("root@example.com")
    };
    assert_eq!(refusal_reason(scene.identities().create_identity(request_by(&eve, made)).await), "PERMISSION_NOT_HELD");

    let token = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
    let caller = scene.caller(&token).await.unwrap();
    assert!(
        caller.has("orders.orders.write")
            && caller.has("billing.invoices.read")
            && !caller.has("billing.invoices.write")
    );
}

#[tokio::test]
async fn groups_are_of_group_administrators_and_permissions_are_not_of_members() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let grant = UpdatePermissionsRequest { identity_id: ada.id.clone(), permissions: permissions(&["billing.*"]) };
    assert_eq!(refusal_reason(scene.identities().update_permissions(scene.platform(grant)).await), "NOT_IN_THIS_REALM");
    let groups =
        |id: &str| UpdateGroupsRequest { identity_id: id.to_owned(), group_ids: vec!["g1".into()], scopes: None };
    assert_eq!(
        refusal_reason(scene.identities().update_groups(scene.platform(groups(&ada.id))).await),
        "NOT_IN_THIS_REALM"
    );
    let request = CreateIdentityRequest { realm: IdentityRealm::GroupAdmin.into(), ..sign_up("bob@example.com") };
    let bob = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
    scene.identities().update_groups(scene.platform(groups(&bob.id))).await.unwrap();
    let token = scene.sign_in("bob@example.com", PASSWORD).await.unwrap().access_token;
    assert!(scene.caller(&token).await.unwrap().scopes.has_administrator(ScopeKind::Group, "g1"));
}

/// The rights of a clerk, or of a program that brings accounts over.
const RIGHTS: &[&str] = &["identity.passwords.write", "identity.identities.write", "billing.*"];

#[tokio::test]
async fn impersonation_of_somebody_with_more_rights_is_refused() {
    for scene in scenes().await {
        scene.staff("eve@example.com", RIGHTS).await;
        let eve = scene.sign_in("eve@example.com", PASSWORD).await.unwrap().access_token;
        let root = scene.staff("root@example.com", &["*"]).await;
        let max = scene.staff("max@example.com", &["billing.invoices.read"]).await;
        let ada = scene.member("ada@example.com").await;
        let password =
            |id: &str| SetPasswordRequest { user_id: id.to_owned(), password: "staple of another kind".into() };
        let more =
            |id: &str, email: &str| AddEmailRequest { identity_id: id.to_owned(), email: email.into(), primary: true };
        let all = |id: &str, email: &str| {
            let emails = vec![Email { address: email.into(), ..Email::default() }];
            ReplaceAllEmailsRequest { identity_id: id.to_owned(), emails }
        };
        let mut client = scene.identities();
        assert_eq!(
            refusal_reason(client.set_password(request_by(&eve, password(&root.id))).await),
            "REALM_NOT_ALLOWED"
        );
        let program = scene.program(password(&root.id), RIGHTS);
        assert_eq!(refusal_reason(client.set_password(program).await), "PERMISSION_NOT_HELD");
        assert_eq!(
            refusal_reason(client.add_email(request_by(&eve, more(&root.id, "e@example.com"))).await),
            "PERMISSION_NOT_HELD"
        );
        let replaced = client.replace_all_emails(request_by(&eve, all(&root.id, "e@example.com"))).await;
        assert_eq!(refusal_reason(replaced), "PERMISSION_NOT_HELD");
        let name = AddUsernameRequest { identity_id: root.id.clone(), username: "eves".into() };
        assert_eq!(refusal_reason(client.add_username(request_by(&eve, name)).await), "PERMISSION_NOT_HELD");
        let take = InvalidatePasswordsRequest { user_id: root.id.clone(), ..InvalidatePasswordsRequest::default() };
        client.invalidate_passwords(request_by(&eve, take)).await.unwrap();
        let rows = vec![PasswordRow { password: "staple of another kind".into(), ..PasswordRow::default() }];
        let add = BulkAddPasswordsRequest { user_id: root.id.clone(), rows };
        assert_eq!(refusal_reason(client.bulk_add_passwords(request_by(&eve, add.clone())).await), "REALM_NOT_ALLOWED");
        let added = client.bulk_add_passwords(scene.program(add.clone(), RIGHTS)).await.unwrap().into_inner().results;
        assert_eq!(
            (added[0].outcome(), added[0].reason.as_str()),
            (PasswordRowOutcome::Refused, "PERMISSION_NOT_HELD")
        );

        // Eve can add addresses to identities with no more permissions than Eve, and passwords to none. A program with
        // the same rights can set theirs. The platform and the owner can change each.
        for (number, id) in [&max.id, &ada.id].into_iter().enumerate() {
            assert_eq!(refusal_reason(client.set_password(request_by(&eve, password(id))).await), "REALM_NOT_ALLOWED");
            client.set_password(scene.program(password(id), RIGHTS)).await.unwrap();
            client.add_email(request_by(&eve, more(id, &format!("new{number}@example.com")))).await.unwrap();
        }
        let added = client.bulk_add_passwords(scene.platform(add)).await.unwrap().into_inner().results;
        assert_eq!(added[0].outcome(), PasswordRowOutcome::Added);
        client.add_email(scene.platform(more(&root.id, "office@example.com"))).await.unwrap();
        let token = scene.sign_in("root@example.com", "staple of another kind").await.unwrap().access_token;
        client.add_email(request_by(&token, more(&root.id, "home@example.com"))).await.unwrap();
    }
}

#[tokio::test]
async fn withdrawn_permissions_are_gone_at_once() {
    for scene in scenes().await {
        let max = scene.staff("max@example.com", &["identity.identities.read", "billing.*"]).await;
        let update =
            |names: &[&str]| UpdatePermissionsRequest { identity_id: max.id.clone(), permissions: permissions(names) };
        let read = async |token: &str| {
            scene.learn_what_ended().await;
            let list = ListIdentitiesRequest::default();
            scene
                .identities()
                .list_identities(request_by(token, list))
                .await
                .map_err(|status| Error::from(status).reason().to_owned())
        };
        let token = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
        scene
            .identities()
            .update_permissions(scene.platform(update(&["identity.*", "billing.*", "orders.*"])))
            .await
            .unwrap();
        assert_eq!(read(&token).await.unwrap_err(), "TOKEN_EXPIRED", "a token from before does not have the new ones");
        let token = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
        read(&token).await.unwrap();
        scene.identities().update_permissions(scene.platform(update(&["billing.*", "orders.*"]))).await.unwrap();
        assert_eq!(read(&token).await.unwrap_err(), "TOKEN_EXPIRED");

        let request = CreateIdentityRequest { realm: IdentityRealm::GroupAdmin.into(), ..sign_up("bob@example.com") };
        let bob = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
        let groups = async |names: &[&str]| {
            let group_ids = names.iter().map(|name| (*name).to_owned()).collect();
            let request = UpdateGroupsRequest { identity_id: bob.id.clone(), group_ids, scopes: None };
            scene.identities().update_groups(scene.platform(request)).await.unwrap();
        };
        groups(&["g1"]).await;
        let token = scene.sign_in("bob@example.com", PASSWORD).await.unwrap().access_token;
        groups(&["g1", "g2"]).await;
        assert_eq!(read(&token).await.unwrap_err(), "TOKEN_EXPIRED", "a token from before does not have the new group");
        let token = scene.sign_in("bob@example.com", PASSWORD).await.unwrap().access_token;
        assert_eq!(read(&token).await.unwrap_err(), "REALM_NOT_ALLOWED", "the new token is good");
        groups(&["g2"]).await;
        assert_eq!(read(&token).await.unwrap_err(), "TOKEN_EXPIRED");
    }
}
