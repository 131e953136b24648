//! Orders of visitors, and how they find their owner.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, STAFF, Scene, choice, draft, refusal_reason, request_by, scene};

async fn visit(scene: &Scene, who: &str) -> Order {
    let request = CreateAnonymousOrderRequest { order: Some(draft(RegionCode::Tx, &["legal"])) };
    scene.orders().create_anonymous_order(request_by(who, request)).await.unwrap().into_inner()
}

async fn assign(scene: &Scene, who: &str, order: &Order, identity: &str) -> Result<Order> {
    let request = AssignOwnerRequest { order_id: order.id.clone(), identity_id: identity.to_owned() };
    Ok(scene.orders().assign_owner(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn visitors_order_is_claimed_once() {
    let scene = scene().await;
    let order = visit(&scene, "").await;
    assert_eq!((order.owner_id.as_str(), order.status()), ("", OrderStatus::Open));
    assert_eq!(scene.get("", &order).await.unwrap(), order);
    assert_eq!(refusal_reason(assign(&scene, "", &order, "alice").await), "TOKEN_MISSING");
    assert_eq!(refusal_reason(assign(&scene, MALLORY, &order, "alice").await), "NOT_THE_OWNER");
    let owned = assign(&scene, ALICE, &order, "alice").await.unwrap();
    assert_eq!(owned.owner_id, "alice");
    assert_eq!(assign(&scene, ALICE, &order, "alice").await.unwrap().version, owned.version);
    assert_eq!(refusal_reason(assign(&scene, MALLORY, &order, "mallory").await), "NOT_FOUND");
    assert_eq!(refusal_reason(scene.get("", &order).await), "NOT_FOUND");
    assert_eq!(refusal_reason(scene.get(MALLORY, &order).await), "NOT_FOUND");
    assert_eq!(assign(&scene, STAFF, &order, "bob").await.unwrap().owner_id, "bob");
    assert_eq!(scene.actions(&order).await, ["CREATED", "OWNER_ASSIGNED", "OWNER_ASSIGNED"]);
}

#[tokio::test]
async fn order_of_a_signed_in_member_has_an_owner() {
    let scene = scene().await;
    let order = visit(&scene, ALICE).await;
    assert_eq!(order.owner_id, "alice");
    assert_eq!(refusal_reason(scene.get(MALLORY, &order).await), "NOT_FOUND");
}

#[tokio::test]
async fn visitor_changes_and_drops_the_own_cart_only() {
    let scene = scene().await;
    let (open, owned) = (visit(&scene, "").await, scene.order(&["legal"]).await);
    let put = |order: &Order| PutOffersRequest {
        order_id: order.id.clone(),
        offers: vec![choice("identity")],
        ..PutOffersRequest::default()
    };
    let source = |order: &Order| UpdateSourceRequest {
        order_id: order.id.clone(),
        source: Some(OrderSource { name: "a friend".into(), ..OrderSource::default() }),
    };
    let drop = |order: &Order| DeleteOrderRequest { order_id: order.id.clone() };
    assert_eq!(
        scene.orders().put_offers(request_by("", put(&open))).await.unwrap().into_inner().offers[0].offer_id,
        "identity"
    );
    scene.orders().update_source(request_by("", source(&open))).await.unwrap();
    scene.orders().delete_order(request_by("", drop(&open))).await.unwrap();
    assert_eq!(refusal_reason(scene.get("", &open).await), "NOT_FOUND");
    assert_eq!(scene.actions(&open).await, ["CREATED", "UPDATED", "SOURCE_UPDATED", "DELETED"]);
    for who in ["", MALLORY] {
        assert_eq!(
            scene.orders().put_offers(request_by(who, put(&owned))).await.unwrap_err().code(),
            tonic::Code::NotFound
        );
        assert_eq!(
            scene.orders().update_source(request_by(who, source(&owned))).await.unwrap_err().code(),
            tonic::Code::NotFound
        );
        assert_eq!(
            scene.orders().delete_order(request_by(who, drop(&owned))).await.unwrap_err().code(),
            tonic::Code::NotFound
        );
    }
}

#[tokio::test]
async fn orders_of_another_member_are_out_of_reach() {
    let scene = scene().await;
    assert_eq!(refusal_reason(scene.create(MALLORY, draft(RegionCode::Tx, &["legal"])).await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(scene.create("", draft(RegionCode::Tx, &["legal"])).await), "TOKEN_MISSING");
    let (first, second) = (scene.order(&["legal"]).await, scene.order(&["identity"]).await);
    let list = || ListOrdersRequest { identity_id: "alice".into(), ..ListOrdersRequest::default() };
    let listed = scene.orders().list_orders(request_by(ALICE, list())).await.unwrap().into_inner().orders;
    assert_eq!(listed, [second, first]);
    assert!(scene.orders().list_orders(request_by(MALLORY, list())).await.is_err());
    let open = ListOrdersRequest { status: OrderStatus::FullyFunded.into(), ..list() };
    assert!(scene.orders().list_orders(request_by(STAFF, open)).await.unwrap().into_inner().orders.is_empty());
}
