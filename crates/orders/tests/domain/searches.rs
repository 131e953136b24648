//! Staff find the orders of all members; other callers do not.

use pavise_kernel::common::v1::{ClassicId, RegionCode};
use pavise_kernel::{Error, Result};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, MALLORY, PLATFORM, STAFF, Scene, draft, payment, refusal_reason, request_by, scene, scenes};

async fn search(scene: &Scene, who: &str, request: SearchOrdersRequest) -> Result<SearchOrdersResponse> {
    Ok(scene.orders().search_orders(request_by(who, request)).await.map_err(Error::from)?.into_inner())
}

async fn ids(scene: &Scene, request: SearchOrdersRequest) -> Vec<String> {
    search(scene, STAFF, request).await.unwrap().orders.into_iter().map(|order| order.id).collect()
}

fn begins(text: &str) -> SearchOrdersRequest {
    SearchOrdersRequest { text: text.into(), ..SearchOrdersRequest::default() }
}

/// An order of somebody with that name.
async fn order_of(scene: &Scene, owner: &str, last_name: &str, email: &str) -> Order {
    let person = PersonalInfo {
        first_name: "Al".into(),
        last_name: last_name.into(),
        email: email.into(),
        ..PersonalInfo::default()
    };
    let number = ClassicId { r#type: 1, value: format!("C{}", last_name.len()) };
    let order =
        OrderDraft { personal_info: Some(person), classic_ids: vec![number], ..draft(RegionCode::Tx, &["legal"]) };
    let request = CreateOrderRequest { identity_id: owner.into(), order: Some(order) };
    scene.orders().create_order(request_by(PLATFORM, request)).await.unwrap().into_inner()
}

#[tokio::test]
async fn by_the_id_an_address_a_name_or_a_number_across_owners() {
    for scene in scenes().await {
        let lee = order_of(&scene, "alice", "Lee", "Lee@Example.com").await;
        let leeds = order_of(&scene, "bob", "Leeds", "bo@example.com").await;
        for text in ["lee@", "LEE@EX", &lee.id, &lee.id.to_uppercase(), "c3"] {
            assert_eq!(ids(&scene, begins(text)).await, [lee.id.as_str()], "{text}");
        }
        // The first match is by address, which is searched before the names.
        assert_eq!(ids(&scene, begins("lee")).await, [lee.id.as_str(), leeds.id.as_str()]);
        assert_eq!(ids(&scene, begins("leed")).await, [leeds.id.as_str()]);
        assert!(ids(&scene, begins("example")).await.is_empty());
        let of_bob = SearchOrdersRequest { identity_id: "bob".into(), ..begins("lee") };
        assert_eq!(ids(&scene, of_bob).await, [leeds.id.as_str()]);
        let renamed = PutAuthorizedUsersRequest {
            order_id: lee.id.clone(),
            personal_info: Some(PersonalInfo {
                last_name: "Moss".into(),
                email: "moss@example.com".into(),
                ..lee.personal_info.clone().unwrap()
            }),
            ..PutAuthorizedUsersRequest::default()
        };
        scene.orders().put_authorized_users(request_by(ALICE, renamed)).await.unwrap();
        assert_eq!(ids(&scene, begins("lee")).await, [leeds.id.as_str()], "the name before is found no more");
        assert_eq!(ids(&scene, begins("mos")).await, [lee.id.as_str()]);
    }
}

#[tokio::test]
async fn by_words_of_all_people_on_it_and_by_telephone_digits() {
    for scene in scenes().await {
        let person = PersonalInfo {
            first_name: "James".into(),
            last_name: "Lawson-Beaumont".into(),
            email: "jim.b@example.com".into(),
            phone_number: "(512) 555-0177".into(),
            ..PersonalInfo::default()
        };
        let spouse = AuthorizedUser {
            r#type: AuthorizedUserType::Spouse.into(),
            first_name: "Philippa".into(),
            last_name: "Wother".into(),
            email: "pip@example.com".into(),
            ..AuthorizedUser::default()
        };
        let order = OrderDraft {
            personal_info: Some(person),
            authorized_users: vec![spouse],
            ..draft(RegionCode::Tx, &["legal"])
        };
        let request = CreateOrderRequest { identity_id: "alice".into(), order: Some(order) };
        let james = scene.orders().create_order(request_by(PLATFORM, request)).await.unwrap().into_inner();
        let other = order_of(&scene, "bob", "Lawson", "bo@example.com").await;
        assert!(james.search_words.is_empty(), "the words stay inside");
        for text in [
            "James Lawson",
            "beaumont  james",
            "jam beau",
            "philippa wother",
            "james philippa",
            "jim",
            "pip@example.com",
            "james 512-555-0177",
            "512-555-0177",
            "+1 (512) 555-01",
            "5125550177",
        ] {
            assert_eq!(ids(&scene, begins(text)).await, [james.id.as_str()], "{text}");
        }
        let mut both = ids(&scene, begins("lawson")).await;
        both.sort();
        let mut expected = [james.id.clone(), other.id.clone()];
        expected.sort();
        assert_eq!(both, expected, "each once");
        for text in ["james wotherspoon", "al beaumont", "555-0177"] {
            assert!(ids(&scene, begins(text)).await.is_empty(), "{text}");
        }
        assert_eq!(ids(&scene, begins("al lawson")).await, [other.id.as_str()]);
    }
}

#[tokio::test]
async fn by_status_newest_first_where_nothing_is_looked_for() {
    for scene in scenes().await {
        let mut all = Vec::new();
        for owner in ["alice", "bob", "carol"] {
            all.insert(0, order_of(&scene, owner, "Lee", "lee@example.com").await);
        }
        let ids_of = |orders: &[Order]| orders.iter().map(|order| order.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&scene, begins("")).await, ids_of(&all));
        let alices = all[2].clone();
        scene.orders().purchase_order(request_by(ALICE, payment(&alices))).await.unwrap();
        let of = |status: OrderStatus, text: &str| SearchOrdersRequest { status: status.into(), ..begins(text) };
        for text in ["", "lee"] {
            assert_eq!(ids(&scene, of(OrderStatus::Processing, text)).await, [alices.id.as_str()], "{text}");
            assert_eq!(ids(&scene, of(OrderStatus::Open, text)).await.len(), 2, "{text}");
            assert!(ids(&scene, of(OrderStatus::Provisioned, text)).await.is_empty(), "{text}");
        }
        let mut page = SearchOrdersRequest { page_size: 2, ..begins("") };
        let first = search(&scene, STAFF, page.clone()).await.unwrap();
        page.page_token = first.next_page_token;
        let second = search(&scene, STAFF, page).await.unwrap();
        assert_eq!([ids_of(&first.orders), ids_of(&second.orders)].concat(), ids_of(&all));
        assert!(second.next_page_token.is_empty());
    }
}

#[tokio::test]
async fn members_programs_and_visitors_do_not_search_and_administrators_find_their_groups_orders() {
    let scene = scene().await;
    order_of(&scene, "alice", "Lee", "lee@example.com").await;
    let of_alice = SearchOrdersRequest { identity_id: "alice".into(), ..begins("lee") };
    for who in [ALICE, MALLORY, PLATFORM, "Partner/pat"] {
        assert_eq!(refusal_reason(search(&scene, who, of_alice.clone()).await), "REALM_NOT_ALLOWED", "{who}");
    }
    let admin = "GroupAdmin/ann/acme";
    assert_eq!(refusal_reason(search(&scene, admin, of_alice.clone()).await), "NOT_THE_OWNER");
    assert!(search(&scene, admin, begins("lee")).await.unwrap().orders.is_empty(), "it came through no group");
    assert_eq!(refusal_reason(search(&scene, "", of_alice).await), "TOKEN_MISSING");
}

#[tokio::test]
async fn by_several_criteria_that_all_hold() {
    for scene in scenes().await {
        let lee = order_of(&scene, "alice", "Lee", "lee@example.com").await.id;
        let leeds = order_of(&scene, "bob", "Leeds", "bo@example.com").await.id;
        let bo = order_of(&scene, "carol", "Bower", "bo@example.com").await.id;
        let asked = |last_name: &str, email: &str, classic_id: &str| SearchOrdersRequest {
            last_name: last_name.into(),
            email: email.into(),
            classic_id: classic_id.into(),
            ..SearchOrdersRequest::default()
        };
        for (request, expected) in [
            (asked("LEE", "", ""), vec![&lee, &leeds]),
            (asked(" lee ", "bo@", ""), vec![&leeds]),
            (asked("", "bo@EX", ""), vec![&leeds, &bo]),
            (asked("b", "bo@", "c5"), vec![&bo]),
            (asked("", "", "C5"), vec![&leeds, &bo]),
            (asked("", "", "c"), vec![]),
            (asked("lee", "nobody", ""), vec![]),
            (SearchOrdersRequest { text: "bo".into(), ..asked("leed", "", "") }, vec![&leeds]),
            (SearchOrdersRequest { identity_id: "carol".into(), ..asked("", "bo@", "") }, vec![&bo]),
        ] {
            let mut found = Vec::new();
            let mut page = SearchOrdersRequest { page_size: 1, ..request.clone() };
            loop {
                let answer = search(&scene, STAFF, page.clone()).await.unwrap();
                found.extend(answer.orders.into_iter().map(|order| order.id));
                if answer.next_page_token.is_empty() {
                    break;
                }
                page.page_token = answer.next_page_token;
            }
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{request:?}");
        }
        let first = search(&scene, STAFF, SearchOrdersRequest { page_size: 1, ..asked("lee", "", "") }).await.unwrap();
        let other = SearchOrdersRequest { page_token: first.next_page_token, ..asked("leed", "", "") };
        assert_eq!(refusal_reason(search(&scene, STAFF, other).await), "INVALID_PAGE_TOKEN");
    }
}
