//! Orders that belong to nobody: their ids, and their end.

use std::collections::BTreeSet;
use std::time::Duration;

use pavise_kernel::common::v1::{EntityReference, GetTitlesRequest, RegionCode};
use pavise_orders::contract::v1::title_service_client::TitleServiceClient;
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, choice, draft, refusal_reason, request_by, scene, scenes};

const DAY: Duration = Duration::from_secs(24 * 3600);
const ADMIN: &str = "GroupAdmin/ann/acme";
const CONFINED: [&str; 3] = [MALLORY, ADMIN, "Partner/pat"];

async fn visit(scene: &Scene) -> Order {
    let buyer = PersonalInfo {
        first_name: "Vi".into(),
        last_name: "Leery".into(),
        email: "vi@example.com".into(),
        ..PersonalInfo::default()
    };
    let draft = OrderDraft { personal_info: Some(buyer), ..draft(RegionCode::Tx, &["legal"]) };
    let request = CreateAnonymousOrderRequest { order: Some(draft) };
    scene.orders().create_anonymous_order(request_by("", request)).await.unwrap().into_inner()
}

async fn claim(scene: &Scene, order_id: &str) -> pavise_kernel::Result<Order> {
    let request = AssignOwnerRequest { order_id: order_id.to_owned(), identity_id: "alice".to_owned() };
    Ok(scene.orders().assign_owner(request_by(ALICE, request)).await?.into_inner())
}

/// The reasons of all calls about an order that a visitor can make.
async fn attempts(scene: &Scene, id: &str) -> Vec<String> {
    let order = Order { id: id.to_owned(), ..Order::default() };
    let offers = PutOffersRequest { order_id: id.into(), offers: vec![choice("identity")], ..Default::default() };
    let people = PutAuthorizedUsersRequest { order_id: id.into(), ..Default::default() };
    let friend = OrderSource { name: "a friend".into(), ..OrderSource::default() };
    let stolen = AssignOwnerRequest { order_id: id.into(), identity_id: "mallory".into() };
    let source = UpdateSourceRequest { order_id: id.into(), source: Some(friend) };
    vec![
        refusal_reason(scene.get("", &order).await),
        refusal_reason(scene.get(MALLORY, &order).await),
        refusal_reason(scene.orders().put_offers(request_by("", offers)).await),
        refusal_reason(scene.orders().put_authorized_users(request_by("", people)).await),
        refusal_reason(scene.orders().update_source(request_by("", source)).await),
        refusal_reason(scene.orders().delete_order(request_by("", DeleteOrderRequest { order_id: id.into() })).await),
        refusal_reason(scene.orders().assign_owner(request_by(MALLORY, stolen)).await),
    ]
}

#[tokio::test]
async fn guessed_ids_of_carts_are_not_found() {
    for scene in scenes().await {
        let carts = [visit(&scene).await, visit(&scene).await, visit(&scene).await];
        let random: BTreeSet<&str> = carts.iter().map(|cart| cart.id.get(19..).unwrap()).collect();
        assert!(random.len() == 3 && random.iter().all(|text| text.len() == 32), "128 random bits: {random:?}");
        let last = carts[0].id.chars().last().unwrap();
        let neighbour = format!("{}{}", &carts[0].id[..carts[0].id.len() - 1], if last == '0' { '1' } else { '0' });
        let time_only = carts[0].id[..18].to_owned();
        for guess in [neighbour.as_str(), time_only.as_str(), "%", ""] {
            let reasons = attempts(&scene, guess).await;
            let refused = |reason: &String| reason == "NOT_FOUND" || guess.is_empty() && reason == "INVALID_FIELD";
            assert!(reasons.iter().all(refused), "{guess}: {reasons:?}");
        }
        assert_eq!(scene.get("", &carts[0]).await.unwrap(), carts[0]);
    }
}

#[tokio::test]
async fn an_id_is_worth_nothing_once_the_order_has_an_owner() {
    for scene in scenes().await {
        let cart = visit(&scene).await;
        assert_eq!(scene.get(MALLORY, &cart).await.unwrap(), cart, "the id is the right to it");
        claim(&scene, &cart.id).await.unwrap();
        let reasons = attempts(&scene, &cart.id).await;
        assert!(reasons.iter().all(|reason| reason == "NOT_FOUND"), "{reasons:?}");
        assert_eq!(scene.get(ALICE, &cart).await.unwrap().owner_id, "alice");
    }
}

#[tokio::test]
async fn no_search_list_or_title_has_a_visitors_cart() {
    for scene in scenes().await {
        let cart = visit(&scene).await;
        let search = |text: &str| SearchOrdersRequest { text: text.into(), ..SearchOrdersRequest::default() };
        for text in ["", "leery", "vi@", &cart.id[..8]] {
            let found = scene.orders().search_orders(request_by(ADMIN, search(text))).await.unwrap().into_inner();
            assert!(found.orders.is_empty() && found.next_page_token.is_empty(), "{text}");
            let found = scene.orders().search_orders(request_by(STAFF, search(text))).await.unwrap().into_inner();
            assert_eq!(found.orders, std::slice::from_ref(&cart), "staff find it: {text}");
        }
        let reference = EntityReference { r#type: "Order".into(), id: cart.id.clone() };
        let titles = GetTitlesRequest { references: vec![reference] };
        for who in CONFINED {
            let mut client = TitleServiceClient::new(scene.transport());
            let found = client.get_titles(request_by(who, titles.clone())).await.unwrap().into_inner();
            assert!(found.titles.is_empty(), "{who}");
        }
        let list = |who: &str| ListOrdersRequest { identity_id: who.into(), show_total: true, ..Default::default() };
        let mine = scene.orders().list_orders(request_by(MALLORY, list("mallory"))).await.unwrap().into_inner();
        assert_eq!((mine.orders.len(), mine.total_size), (0, 0));
    }
}

#[tokio::test]
async fn a_claimed_cart_has_its_place_among_the_owners_orders() {
    for scene in scenes().await {
        let mut all = Vec::new();
        for turn in 0..6 {
            let order = match turn % 2 {
                0 => scene.order(&["legal"]).await,
                _ => claim(&scene, &visit(&scene).await.id).await.unwrap(),
            };
            all.insert(0, order.id);
        }
        let mut request = ListOrdersRequest { identity_id: "alice".into(), page_size: 1, ..Default::default() };
        let mut listed = Vec::new();
        loop {
            let page = scene.orders().list_orders(request_by(ALICE, request.clone())).await.unwrap().into_inner();
            listed.extend(page.orders.into_iter().map(|order| order.id));
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        assert_eq!(listed, all, "newest first");
    }
}

#[tokio::test]
async fn a_cart_that_nobody_claims_ends_after_thirty_days() {
    for scene in scenes().await {
        let (left, changed, claimed) = (visit(&scene).await, visit(&scene).await, visit(&scene).await);
        let owned = scene.order(&["legal"]).await;
        claim(&scene, &claimed.id).await.unwrap();
        scene.clock.move_forward(20 * DAY);
        let offers = PutOffersRequest {
            order_id: changed.id.clone(),
            offers: vec![choice("identity")],
            ..PutOffersRequest::default()
        };
        scene.orders().put_offers(request_by("", offers)).await.unwrap();
        scene.clock.move_forward(10 * DAY - Duration::from_secs(1));
        scene.run_timer("orders.orders_unowned", "early").await.unwrap();
        assert_eq!(scene.get("", &left).await.unwrap(), left, "a second before its end");
        scene.clock.move_forward(Duration::from_secs(1));
        scene.run_timer("orders.orders_unowned", "in time").await.unwrap();
        scene.run_timer("orders.orders_unowned", "again").await.unwrap();
        assert_eq!(refusal_reason(scene.get("", &left).await), "NOT_FOUND");
        assert_eq!(refusal_reason(scene.get(STAFF, &left).await), "NOT_FOUND");
        assert_eq!(scene.actions(&left).await, ["CREATED", "ABANDONED"]);
        scene.get("", &changed).await.unwrap();
        scene.clock.move_forward(20 * DAY);
        scene.run_timer("orders.orders_unowned", "later").await.unwrap();
        assert_eq!(refusal_reason(scene.get("", &changed).await), "NOT_FOUND", "30 days after its last change");
        for order in [&claimed, &owned] {
            assert_eq!(scene.get(ALICE, order).await.unwrap().status(), OrderStatus::Open);
        }
    }
}

#[tokio::test]
async fn only_what_nobody_claimed_in_time_is_ended() {
    let scene = scene().await;
    let (fresh, owned) = (visit(&scene).await, scene.order(&["legal"]).await);
    for order in [&fresh, &owned] {
        let request = EndUnownedOrderRequest { order_id: order.id.clone() };
        assert_eq!(
            refusal_reason(scene.orders().end_unowned_order(request_by(PLATFORM, request.clone())).await),
            "NOT_FOUND"
        );
        for who in [STAFF, ALICE, ADMIN] {
            let refused = scene.orders().end_unowned_order(request_by(who, request.clone())).await;
            assert_eq!(refusal_reason(refused), "REALM_NOT_ALLOWED", "{who}");
        }
    }
    scene.clock.move_forward(40 * DAY);
    let request = EndUnownedOrderRequest { order_id: owned.id.clone() };
    assert_eq!(refusal_reason(scene.orders().end_unowned_order(request_by(PLATFORM, request)).await), "NOT_FOUND");
    let request = EndUnownedOrderRequest { order_id: fresh.id.clone() };
    scene.orders().end_unowned_order(request_by(PLATFORM, request)).await.unwrap();
}
