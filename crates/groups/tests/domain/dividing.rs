//! Orders and subscriptions lie in the division of the employee who enrolled.

use pavise_testapp::{Engine, Rest, TestApp, stock};
use serde_json::{Value, json};

use crate::enrolling::{at, begin, employ, employer, identity, legal, payroll, until};
use crate::scene::{administrator, machine, on, path, sign_in};

const SEARCH: &str = "/v1/orders/search";

/// A group with its administrator, the customer service of its division West, and somebody who uploads files.
async fn harbor_with_people(app: &TestApp) -> Value {
    let harbor = employer(app, "harbor", payroll()).await;
    let people: [(&str, &str, &[&str]); 3] = [
        ("head", "GROUP_ADMINISTRATOR", &[]),
        ("west", "CUSTOMER_SERVICE_REPRESENTATIVE", &["harbor-west"]),
        ("files", "FILE_ADMINISTRATOR", &[]),
    ];
    let mut named = Vec::new();
    for (name, kind, divisions) in people {
        let id = administrator(app, name).await;
        named.push(json!({"identityId": id, "type": kind, "divisionIds": divisions}));
    }
    let people = json!({"authorizedIdentities": named});
    let _ = machine(app).post(&path(&harbor, "addAuthorizedIdentities"), people).await.expect(200);
    harbor
}

/// Signs somebody in once they have their role in the group.
async fn signed(app: &TestApp, harbor: &Value, name: &str) -> Rest {
    app.eventually("the role", || async {
        let caller = sign_in(app, name).await;
        (caller.get(&path(harbor, "employees")).await.status.as_u16() == 200).then_some(caller)
    })
    .await
}

/// Enrolls a member until their subscription is there, and answers the ids of the order and of the subscription.
async fn enroll(app: &TestApp, member: &str, harbor: &Value) -> (String, String) {
    let (mine, staff) = (app.rest(&TestApp::member(member)), app.rest(&TestApp::staff()));
    let begun = begin(app, member, harbor).await;
    let at = at(member, &begun);
    let _ = mine.post(&format!("{at}/changeOffers"), json!({"offers": [legal()]})).await.expect(200);
    let _ = mine.post(&format!("{at}/submit"), json!({})).await.expect(200);
    let done = until(app, &mine, &at, |one| one["completedAt"].is_string()).await;
    // The plan is set up on its first use.
    let provisions = format!("/v1/identities/{member}/provisions");
    let bought = until(app, &staff, &provisions, |page| page["provisions"][0]["id"].is_string()).await;
    assert_eq!(bought["provisions"][0]["divisionId"], begun["divisionId"]);
    let used = json!({"provisionIds": [bought["provisions"][0]["id"]]});
    let _ = staff.post("/v1/provision/process", used).await.expect(200);
    let subscriptions = format!("/v1/identities/{member}/subscriptions");
    let paying = until(app, &staff, &subscriptions, |page| page["subscriptions"][0]["id"].is_string()).await;
    let subscription = &paying["subscriptions"][0];
    assert_eq!((&subscription["divisionId"], &subscription["groupId"]), (&begun["divisionId"], &harbor["id"]));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&done["orderId"]), text(&subscription["id"]))
}

fn ids(page: &Value, items: &str) -> Vec<String> {
    let items = page[items].as_array().unwrap();
    items.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_in_a_division_shows_its_orders_and_subscriptions_alone() {
    for engine in Engine::BOTH {
        let app = on(engine).start().await.unwrap();
        stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
        let harbor = harbor_with_people(&app).await;
        let ada = employ(&app, &harbor, "E-1", "ada.stone@example.com", "harbor-west").await;
        let _ = employ(&app, &harbor, "E-2", "bob@example.com", "harbor-east").await;
        let (me, him) = (identity(&app, "ada.stone@example.com").await, identity(&app, "bob@example.com").await);
        let (mine, paying) = enroll(&app, &me, &harbor).await;
        let (his, paid) = enroll(&app, &him, &harbor).await;
        let boss = signed(&app, &harbor, "head").await;
        let csr = signed(&app, &harbor, "west").await;
        let file = signed(&app, &harbor, "files").await;

        let searched = async |caller: &Rest| {
            let page = caller.post(SEARCH, json!({"groupId": harbor["id"]})).await.expect(200);
            ids(&page, "orders")
        };
        assert_eq!(searched(&boss).await, [his.clone(), mine.clone()]);
        assert_eq!(searched(&csr).await, std::slice::from_ref(&mine));
        assert!(searched(&file).await.is_empty());
        let everything = csr.post(SEARCH, json!({})).await.expect(200);
        assert_eq!(ids(&everything, "orders"), std::slice::from_ref(&mine));
        assert_eq!(csr.get(&format!("/v1/orders/{mine}")).await.expect(200)["divisionId"], "harbor-west");
        assert_eq!(csr.get(&format!("/v1/orders/{his}")).await.status.as_u16(), 404);
        let group = harbor["id"].as_str().unwrap();
        let orders = |member: &str| format!("/v2/groups/{group}/identities/{member}/orders");
        assert_eq!(csr.get(&format!("{}/{mine}", orders(&me))).await.expect(200)["id"], json!(mine));
        assert_eq!(csr.get(&format!("{}/{his}", orders(&him))).await.status.as_u16(), 404);
        assert_eq!(boss.get(&format!("{}/{his}", orders(&him))).await.expect(200)["id"], json!(his));
        assert_eq!(ids(&csr.get(&orders(&me)).await.expect(200), "orders"), std::slice::from_ref(&mine));
        assert!(ids(&csr.get(&orders(&him)).await.expect(200), "orders").is_empty());

        let listed = path(&harbor, "subscriptions");
        assert_eq!(ids(&boss.get(&listed).await.expect(200), "subscriptions"), [paid.clone(), paying.clone()]);
        assert_eq!(ids(&csr.get(&listed).await.expect(200), "subscriptions"), std::slice::from_ref(&paying));
        assert_eq!(file.get(&listed).await.status.as_u16(), 403);
        let cancel = format!("/v1/groups/{group}/identities/{me}/subscriptions/{paying}/cancel");
        let refused = csr.post(&cancel, json!({"reason": "MEMBER_REQUESTED_CANCEL"})).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (403, "ROLE_MISSING"), "they read alone");

        // A plan that was bought stays with the division through which it was bought.
        let moved = json!({"employeeId": ada["id"], "divisionId": "harbor-east"});
        let _ = boss.post(&path(&harbor, "changeEmployeeDivision"), moved).await.expect(200);
        assert_eq!(searched(&csr).await, std::slice::from_ref(&mine));
        app.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_alone_says_the_division_of_an_order_through_a_group() {
    let app = on(Engine::Sqlite).start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
    let me = identity(&app, "ada.stone@example.com").await;
    let mut offer = legal();
    offer["brand"] = json!("pavise");
    let draft = json!({"channel": "BuyNow", "locality": "TX", "offers": [offer], "divisionId": "harbor-west"});
    let orders = format!("/v1/identities/{me}/orders");
    for caller in [app.rest(&TestApp::staff()), machine(&app)] {
        let refused = caller.post(&orders, draft.clone()).await;
        assert_eq!(refused.status.as_u16(), 400);
        assert!(refused.fields().iter().any(|field| field.ends_with("divisionId")), "{:?}", refused.fields());
    }
    app.finish().await;
}
