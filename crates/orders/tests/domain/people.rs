//! The people on an order.

use pavise_kernel::common::v1::{Date, PhoneType, RegionCode};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, Scene, draft, payment, refusal_reason, request_by, scene, user};

async fn put(scene: &Scene, order: &Order, users: Vec<AuthorizedUser>) -> Result<Order> {
    let request = PutAuthorizedUsersRequest {
        order_id: order.id.clone(),
        authorized_users: users,
        ..PutAuthorizedUsersRequest::default()
    };
    Ok(scene.orders().put_authorized_users(request_by(ALICE, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn a_tier_covers_as_many_people_as_it_says() {
    use AuthorizedUserType::{Dependent, NormalUser, Spouse};
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    let family = put(&scene, &order, vec![user(Spouse), user(Dependent)]).await.unwrap();
    assert!(family.authorized_users.iter().all(|user| !user.id.is_empty()));
    assert_eq!(
        refusal_reason(put(&scene, &order, vec![user(Spouse), user(Dependent), user(Dependent)]).await),
        "AUTHORIZED_USERS_EXCEEDED"
    );
    assert_eq!(refusal_reason(put(&scene, &order, vec![user(NormalUser)]).await), "AUTHORIZED_USERS_EXCEEDED");
    assert_eq!(refusal_reason(put(&scene, &order, vec![user(Spouse), user(Spouse)]).await), "INVALID_FIELD");
    let tomorrow = AuthorizedUser { birth_date: Some(Date { year: 2026, month: 1, day: 16 }), ..user(Dependent) };
    assert_eq!(refusal_reason(put(&scene, &order, vec![tomorrow]).await), "INVALID_FIELD");
    let alone = PutOffersRequest {
        order_id: order.id.clone(),
        offers: vec![crate::scene::choice("identity")],
        ..PutOffersRequest::default()
    };
    let refused = scene.orders().put_offers(request_by(ALICE, alone)).await.map_err(Error::from);
    assert_eq!(refusal_reason(refused), "AUTHORIZED_USERS_EXCEEDED");
}

#[tokio::test]
async fn a_business_plan_needs_its_business() {
    let scene = scene().await;
    let order = scene.create(ALICE, draft(RegionCode::Tx, &["business"])).await.unwrap();
    put(&scene, &order, vec![user(AuthorizedUserType::NormalUser)]).await.unwrap();
    assert_eq!(refusal_reason(scene.purchase(&order).await), "BUSINESS_MISSING");
    let business = BusinessInfo {
        name: "Lee & Co".into(),
        first_name: "Al".into(),
        last_name: "Lee".into(),
        email: "al@lee.example".into(),
        ..BusinessInfo::default()
    };
    let request = PutAuthorizedUsersRequest {
        order_id: order.id.clone(),
        business_info: Some(business),
        ..PutAuthorizedUsersRequest::default()
    };
    let named = scene.orders().put_authorized_users(request_by(ALICE, request)).await.unwrap().into_inner();
    assert_eq!(named.business_info.unwrap().phone_type(), PhoneType::Cell);
    scene.orders().purchase_order(request_by(ALICE, payment(&order))).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    let handed = scene.peers.state().provisions.values().next().unwrap().clone();
    assert_eq!(handed.business.unwrap().name, "Lee & Co");
}
