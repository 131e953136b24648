//! Orders through an employer group.

use pavise_kernel::common::v1::RegionCode;
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, PLATFORM, STAFF, Scene, draft, payment, refusal_reason, request_by, scene, scenes};

const ADMIN: &str = "GroupAdmin/ann/acme";
const OTHER: &str = "GroupAdmin/otto/other";

async fn create(scene: &Scene, who: &str) -> Result<Order> {
    let request = CreateGroupOrderRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        order: Some(draft(RegionCode::Tx, &["employer"])),
    };
    Ok(scene.orders().create_group_order(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

#[tokio::test]
async fn administrator_orders_for_members_of_the_own_group_only() {
    let scene = scene().await;
    assert_eq!(refusal_reason(create(&scene, OTHER).await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(create(&scene, ALICE).await), "REALM_NOT_ALLOWED");
    let order = create(&scene, ADMIN).await.unwrap();
    assert_eq!((order.group_id.as_str(), order.owner_id.as_str()), ("acme", "alice"));
    assert_eq!(scene.get(ADMIN, &order).await.unwrap(), order);
    assert_eq!(scene.get(ALICE, &order).await.unwrap(), order);
    assert_eq!(refusal_reason(scene.get(OTHER, &order).await), "NOT_FOUND");
    let private = scene.order(&["legal"]).await;
    assert_eq!(refusal_reason(scene.get(ADMIN, &private).await), "NOT_FOUND");
    let list = |group: &str| ListOrdersRequest {
        identity_id: "alice".into(),
        group_id: group.into(),
        ..ListOrdersRequest::default()
    };
    assert_eq!(scene.orders().list_orders(request_by(ADMIN, list("acme"))).await.unwrap().into_inner().orders, [order]);
    assert!(scene.orders().list_orders(request_by(ADMIN, list("other"))).await.is_err());
    assert!(scene.orders().list_orders(request_by(ADMIN, list(""))).await.is_err());
}

#[tokio::test]
async fn the_role_in_the_group_decides() {
    let scene = scene().await;
    let order = create(&scene, ADMIN).await.unwrap();
    let list =
        ListOrdersRequest { identity_id: "alice".into(), group_id: "acme".into(), ..ListOrdersRequest::default() };
    let listed = async |who: &str| {
        let answer = scene.orders().list_orders(request_by(who, list.clone())).await.map_err(Error::from);
        answer.map(|answer| answer.into_inner().orders.len())
    };
    let service = "GroupAdmin/sue/acme:CUSTOMER_SERVICE_REPRESENTATIVE";
    assert_eq!(listed(service).await.unwrap(), 1);
    assert_eq!(scene.get(service, &order).await.unwrap(), order);
    assert_eq!(refusal_reason(create(&scene, service).await), "ROLE_MISSING", "only an administrator orders");
    let files = "GroupAdmin/fay/acme:FILE_ADMINISTRATOR";
    assert_eq!(refusal_reason(listed(files).await), "ROLE_MISSING");
    assert_eq!(refusal_reason(scene.get(files, &order).await), "NOT_FOUND");
    assert_eq!(refusal_reason(listed("GroupAdmin/otto/other:CUSTOMER_SERVICE_REPRESENTATIVE").await), "NOT_THE_OWNER");
}

#[tokio::test]
async fn an_administrator_orders_for_no_stranger_and_for_nobody_who_does_not_exist() {
    for scene in scenes().await {
        let create_in = async |group: &str, who: &str, buyer: &str| {
            let order = Some(draft(RegionCode::Tx, &["employer"]));
            let request = CreateGroupOrderRequest { group_id: group.into(), identity_id: buyer.into(), order };
            scene.orders().create_group_order(request_by(who, request)).await.map_err(Error::from)
        };
        let create = async |who: &str, buyer: &str| create_in("acme", who, buyer).await;
        let stranger = create(ADMIN, "mallory").await.unwrap_err();
        let nobody = create(ADMIN, "nobody").await.unwrap_err();
        assert_eq!((stranger.reason(), stranger.violations()[0].field.as_str()), ("NOT_TIED", "identity_id"));
        assert_eq!((stranger.code(), stranger.message()), (nobody.code(), nobody.message()), "it tells who exists");
        assert_eq!(refusal_reason(create(STAFF, "nobody").await), "NOT_TIED");
        assert_eq!(scene.actions_of("mallory").await, [""; 0], "a refused order was kept");
        create(ADMIN, "alice").await.unwrap();

        // An order that staff made ties its buyer to the group once it is paid, and not before.
        let order = create(STAFF, "paula").await.unwrap().into_inner();
        let buy = |method: &str| PurchaseOrderRequest {
            order_id: order.id.clone(),
            identity_id: "paula".into(),
            group_id: "acme".into(),
            payment_method_id: method.into(),
            ..PurchaseOrderRequest::default()
        };
        let early = scene.orders().purchase_order(request_by(ADMIN, buy("paula's premium"))).await.map_err(Error::from);
        assert_eq!(refusal_reason(early), "NOT_TIED");
        assert_eq!(refusal_reason(create(ADMIN, "paula").await), "NOT_TIED");
        scene.orders().purchase_order(request_by(STAFF, buy("paula's premium"))).await.unwrap();
        assert_eq!(scene.run_workers().await, 0);
        create(ADMIN, "paula").await.unwrap();
        assert_eq!(refusal_reason(create("GroupAdmin/gus/globex", "paula").await), "NOT_THE_OWNER");
        assert_eq!(refusal_reason(create_in("globex", "GroupAdmin/gus/globex", "paula").await), "NOT_TIED");
    }
}

/// Administrators of random groups search without naming a group, and find what a plain model says, on both engines.
#[tokio::test]
async fn a_search_without_a_scope_answers_what_lies_in_the_callers_own() {
    for scene in scenes().await {
        let mut orders = Vec::new();
        for (number, owner) in ["alice", "bob", "carol"].into_iter().cycle().take(9).enumerate() {
            let (group, offer) = [("acme", "employer"), ("globex", "workplace"), ("", "legal")][number / 3];
            let order = Some(draft(RegionCode::Tx, &[offer]));
            let made = if group.is_empty() {
                let request = CreateOrderRequest { identity_id: owner.into(), order };
                scene.orders().create_order(request_by(PLATFORM, request)).await
            } else {
                let request = CreateGroupOrderRequest { group_id: group.into(), identity_id: owner.into(), order };
                scene.orders().create_group_order(request_by(&format!("GroupAdmin/boss/{group}"), request)).await
            };
            orders.insert(0, made.unwrap().into_inner());
        }
        for number in 0..16 {
            let held = ["acme", "globex", "acme:FILE_ADMINISTRATOR", "initech"];
            let held: Vec<&str> = (0..4).filter(|at| (number >> at) & 1 == 1).map(|at| held[at]).collect();
            let who = format!("GroupAdmin/ann/{}", held.join("/"));
            let sees = |order: &Order| !order.group_id.is_empty() && held.contains(&order.group_id.as_str());
            let model: Vec<String> = orders.iter().filter(|order| sees(order)).map(|order| order.id.clone()).collect();
            let mut request = SearchOrdersRequest { page_size: 2, ..SearchOrdersRequest::default() };
            let mut found = Vec::new();
            loop {
                let page = scene.orders().search_orders(request_by(&who, request.clone())).await.unwrap().into_inner();
                found.extend(page.orders.into_iter().map(|order| order.id));
                request.page_token = page.next_page_token;
                if request.page_token.is_empty() {
                    break;
                }
            }
            assert_eq!(found, model, "{who}");
        }
    }
}

#[tokio::test]
async fn the_offers_of_a_group_are_not_sold_outside_it() {
    let scene = scene().await;
    assert_eq!(refusal_reason(scene.create(ALICE, draft(RegionCode::Tx, &["employer"])).await), "SELECTION_REFUSED");
}

#[tokio::test]
async fn an_administrator_charges_what_the_group_added_and_never_the_members_own_card() {
    let scene = scene().await;
    let order = create(&scene, ADMIN).await.unwrap();
    let buy = |method: &str| PurchaseOrderRequest {
        group_id: "acme".into(),
        payment_method_id: method.into(),
        ..payment(&order)
    };
    let refused = scene.orders().purchase_order(request_by(ADMIN, buy("card"))).await.map_err(Error::from);
    assert_eq!(refusal_reason(refused), "PAYMENT_METHOD_NOT_USABLE");
    let begun = scene.orders().purchase_order(request_by(ADMIN, buy("premium"))).await.unwrap().into_inner();
    assert_eq!(begun.payment_method(), PaymentMethod::PremiumBilling);
    assert_eq!(scene.run_workers().await, 0);
    let sold = scene.get(ALICE, &order).await.unwrap();
    assert_eq!(sold.status(), OrderStatus::Provisioned);
    let state = scene.peers.state();
    assert!(state.charges.is_empty() && state.invoices.is_empty(), "the employer is billed, not the member");
}

#[tokio::test]
async fn the_members_own_card_pays_when_the_member_says_so() {
    let scene = scene().await;
    let order = create(&scene, ADMIN).await.unwrap();
    scene.purchase(&order).await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.peers.state().charges.len(), 1);
}

#[tokio::test]
async fn a_group_pays_what_it_said_it_would_and_nothing_else() {
    let scene = scene().await;
    let order = create(&scene, ADMIN).await.unwrap();
    let private = scene.order(&["legal"]).await;
    let buy = async |order: &Order, method: &str| {
        let request = PurchaseOrderRequest { payment_method_id: method.into(), ..payment(order) };
        scene.orders().purchase_order(request_by(ALICE, request)).await.map_err(Error::from)
    };
    assert_eq!(
        refusal_reason(buy(&order, "her own premium").await),
        "PAYMENT_METHOD_NOT_USABLE",
        "the group did not say so"
    );
    for method in ["premium", "corporate", "her own premium"] {
        assert_eq!(refusal_reason(buy(&private, method).await), "PAYMENT_METHOD_NOT_USABLE", "{method}");
    }
    buy(&order, "corporate").await.unwrap();
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
    assert_eq!(scene.get(ALICE, &private).await.unwrap().status(), OrderStatus::Open);
}
