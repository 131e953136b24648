//! Tests of permissions.

use pavise_fulfillment::contract::v1::*;
use tonic::Code;

use crate::scene::{Scene, family};

#[tokio::test]
async fn a_member_sees_his_own_provisions_only() {
    let world = Scene::new().await;
    let made = world.create(family()).await;
    let get = GetProvisionRequest { provision_id: made.id.clone() };
    assert_eq!(world.provisions("buyer").get_provision(get.clone()).await.unwrap().into_inner(), made);
    assert_eq!(world.provisions("stranger").get_provision(get.clone()).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(world.provisions("").get_provision(get).await.unwrap_err().code(), Code::Unauthenticated);

    let list = |of: &str| ListProvisionsRequest { identity_id: of.to_owned(), ..Default::default() };
    assert_eq!(world.provisions("buyer").list_provisions(list("")).await.unwrap().into_inner().provisions.len(), 1);
    assert!(world.provisions("stranger").list_provisions(list("")).await.unwrap().into_inner().provisions.is_empty());
    assert_eq!(
        world.provisions("stranger").list_provisions(list("buyer")).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    assert_eq!(
        world.provisions("internal").list_provisions(list("buyer")).await.unwrap().into_inner().provisions.len(),
        1
    );
}

#[tokio::test]
async fn members_do_not_move_provisions_and_staff_do_not_record_for_the_platform() {
    let world = Scene::new().await;
    let id = world.create(family()).await.id;
    let status =
        UpdateStatusRequest { provision_id: id.clone(), status: ProvisionStatus::Started.into(), ..Default::default() };
    assert_eq!(world.provisions("buyer").update_status(status).await.unwrap_err().code(), Code::PermissionDenied);
    assert_eq!(world.provisions("buyer").create_provision(family()).await.unwrap_err().code(), Code::PermissionDenied);
    let entitlement =
        AddEntitlementRequest { provision_id: id.clone(), line_id: "1".to_owned(), entitlement_id: "x".to_owned() };
    assert_eq!(
        world.provisions("internal").add_entitlement(entitlement).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    let process = ProcessProvisionsRequest { provision_ids: vec![id] };
    assert_eq!(world.provisions("stranger").process_provisions(process).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn members_do_not_give_themselves_entitlements() {
    let world = Scene::new().await;
    let create = CreateEntitlementRequest {
        identity_id: "member".to_owned(),
        product_id: "legal".to_owned(),
        ..Default::default()
    };
    assert_eq!(
        world.entitlements("member").create_entitlement(create).await.unwrap_err().code(),
        Code::PermissionDenied
    );
}

#[tokio::test]
async fn all_that_are_named_are_queued_or_none() {
    let world = Scene::new().await;
    let id = world.create(family()).await.id;
    let process = ProcessProvisionsRequest { provision_ids: vec![id.clone(), "nothing".to_owned()] };
    assert_eq!(world.provisions("internal").process_provisions(process).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(world.provision(&id).await.status(), ProvisionStatus::Created);
}
