//! Nobody grants what he does not have.

use pavise_identity::contract::v1::{
    ApplicationPermissions, CreateIdentityRequest, IdentityRealm, UpdateGroupsRequest, UpdatePermissionsRequest,
};
use pavise_kernel::caller::APPLICATION;

use crate::scene::{PASSWORD, reason, scene, sign_up, with_token};

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
    let update = |names: &[&str]| UpdatePermissionsRequest { identity_id: max.id.clone(), permissions: permissions(names) };
    let beyond = scene.identities().update_permissions(with_token(update(&["catalog.offers.read"]), &eve)).await;
    assert_eq!(reason(beyond), "PERMISSION_NOT_HELD");
    let kept = scene.identities().update_permissions(with_token(update(&["orders.*", "billing.invoices.read"]), &eve)).await;
    assert_eq!(kept.unwrap().into_inner().permissions, permissions(&["billing.invoices.read", "orders.*"]));
    let made = CreateIdentityRequest {
        realm: IdentityRealm::Internal.into(),
        permissions: permissions(&["*"]),
        ..sign_up("root@example.com")
    };
    assert_eq!(reason(scene.identities().create_identity(with_token(made, &eve)).await), "PERMISSION_NOT_HELD");

    let token = scene.sign_in("max@example.com", PASSWORD).await.unwrap().access_token;
    let caller = scene.caller(&token).await.unwrap();
    assert!(caller.has("orders.orders.write") && caller.has("billing.invoices.read") && !caller.has("billing.invoices.write"));
}

#[tokio::test]
async fn groups_are_of_group_administrators_and_permissions_are_not_of_members() {
    let scene = scene().await;
    let ada = scene.member("ada@example.com").await;
    let grant = UpdatePermissionsRequest { identity_id: ada.id.clone(), permissions: permissions(&["billing.*"]) };
    assert_eq!(reason(scene.identities().update_permissions(scene.platform(grant)).await), "NOT_IN_THIS_REALM");
    let groups = |id: &str| UpdateGroupsRequest { identity_id: id.to_owned(), group_ids: vec!["g1".into()] };
    assert_eq!(reason(scene.identities().update_groups(scene.platform(groups(&ada.id))).await), "NOT_IN_THIS_REALM");
    let request = CreateIdentityRequest { realm: IdentityRealm::GroupAdmin.into(), ..sign_up("bob@example.com") };
    let bob = scene.identities().create_identity(scene.platform(request)).await.unwrap().into_inner();
    scene.identities().update_groups(scene.platform(groups(&bob.id))).await.unwrap();
    let token = scene.sign_in("bob@example.com", PASSWORD).await.unwrap().access_token;
    assert_eq!(scene.caller(&token).await.unwrap().groups, ["g1"]);
}
