//! Tests of permissions.

use pavise_fulfillment::contract::v1::*;
use tonic::Code;

use crate::scene::{Scene, family};

#[tokio::test]
async fn member_sees_own_provisions_only() {
    let scene = Scene::new().await;
    let made = scene.create(family()).await;
    let get = GetProvisionRequest { provision_id: made.id.clone() };
    assert_eq!(scene.provisions("buyer").get_provision(get.clone()).await.unwrap().into_inner(), made);
    assert_eq!(scene.provisions("stranger").get_provision(get.clone()).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(scene.provisions("").get_provision(get).await.unwrap_err().code(), Code::Unauthenticated);

    let list = |of: &str| ListProvisionsRequest { identity_id: of.to_owned(), ..Default::default() };
    assert_eq!(scene.provisions("buyer").list_provisions(list("")).await.unwrap().into_inner().provisions.len(), 1);
    assert!(scene.provisions("stranger").list_provisions(list("")).await.unwrap().into_inner().provisions.is_empty());
    assert_eq!(
        scene.provisions("stranger").list_provisions(list("buyer")).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    assert_eq!(
        scene.provisions("internal").list_provisions(list("buyer")).await.unwrap().into_inner().provisions.len(),
        1
    );
}

#[tokio::test]
async fn members_do_not_move_provisions_and_staff_do_not_record_for_the_platform() {
    let scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    let status =
        UpdateStatusRequest { provision_id: id.clone(), status: ProvisionStatus::Started.into(), ..Default::default() };
    assert_eq!(scene.provisions("buyer").update_status(status).await.unwrap_err().code(), Code::PermissionDenied);
    assert_eq!(scene.provisions("buyer").create_provision(family()).await.unwrap_err().code(), Code::PermissionDenied);
    let entitlement =
        AddEntitlementRequest { provision_id: id.clone(), line_id: "1".to_owned(), entitlement_id: "x".to_owned() };
    assert_eq!(
        scene.provisions("internal").add_entitlement(entitlement).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    let process = ProcessProvisionsRequest { provision_ids: vec![id] };
    assert_eq!(scene.provisions("stranger").process_provisions(process).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn members_do_not_give_themselves_entitlements() {
    let scene = Scene::new().await;
    let create = CreateEntitlementRequest {
        identity_id: "member".to_owned(),
        product_id: "legal".to_owned(),
        ..Default::default()
    };
    assert_eq!(
        scene.entitlements("member").create_entitlement(create).await.unwrap_err().code(),
        Code::PermissionDenied
    );
}

#[tokio::test]
async fn all_that_are_named_are_queued_or_none() {
    let scene = Scene::new().await;
    let id = scene.create(family()).await.id;
    let process = ProcessProvisionsRequest { provision_ids: vec![id.clone(), "nothing".to_owned()] };
    assert_eq!(scene.provisions("internal").process_provisions(process).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(scene.provision(&id).await.status(), ProvisionStatus::Created);
}
