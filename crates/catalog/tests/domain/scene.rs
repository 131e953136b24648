//! A catalog with one product, and short names for calls.

use pavise_testapp::{Rest, TestApp, store_document};
use serde_json::{Value, json};

/// Where the offers of the tests are.
pub(crate) const OFFERS: &str = "/v1/brands/pavise/offers";
/// An id that nothing has.
pub(crate) const NOBODY: &str = "99999999-0000-4000-8000-000000000000";

/// A product with one tier, `individual`, for 29.95 dollars a month.
pub(crate) fn product(name: &str) -> Value {
    let money = json!({"currency": "USD", "amount": 2995});
    json!({
        "name": name,
        "family": "Legal",
        "productGroup": "legal-plan",
        "tiers": [{
            "id": "individual",
            "name": "Individual",
            "coverage": "INDIVIDUAL",
            "prices": [{"billingPeriod": "MONTHLY", "initial": money, "renewal": money}],
        }],
    })
}

/// An offer of products, sold directly.
pub(crate) fn offer(products: &[&str]) -> Value {
    let products: Vec<Value> = products.iter().map(|product| json!({"productId": product})).collect();
    json!({"names": [{"locale": "en-US", "text": "Plans"}], "channel": "D2C", "products": products})
}

/// Staff.
pub(crate) fn staff(app: &TestApp) -> Rest {
    app.rest(&TestApp::staff())
}

/// The id in an answer.
pub(crate) fn id(answer: &Value) -> String {
    answer["id"].as_str().unwrap().to_owned()
}

/// The id of a new document that contracts can name. Its name ends in `.pdf`.
pub(crate) async fn document(app: &TestApp, name: &str) -> String {
    store_document(app.channel("documents", &TestApp::staff()), name).await.unwrap().id
}

/// A new active product.
pub(crate) async fn active_product(rest: &Rest, name: &str) -> String {
    let product = id(&rest.post("/v1/products", product(name)).await.expect(200));
    let active = rest.post(&format!("/v1/products/{product}/activate"), json!({})).await.expect(200);
    assert_eq!(active["status"], "ACTIVE");
    product
}

/// An offer of a product in any status.
pub(crate) async fn offer_in(app: &TestApp, product: &str, status: &str) -> String {
    let request = json!({"id": app.id(), "status": status, "offer": offer(&[product])});
    let offer = staff(app).post(&format!("{OFFERS}/migrate"), request).await.expect(200);
    assert_eq!(offer["status"], status);
    id(&offer)
}

/// The path of the calls by which groups of the older system come.
const MIGRATE_GROUP: &str = "/v1/groups/migrate";

/// A group with that id, PENDING.
pub(crate) async fn group(app: &TestApp, id: &str) {
    let group = json!({"id": id, "status": "PENDING", "group": group_draft(id)});
    let made = app.rest(&TestApp::machine()).post(MIGRATE_GROUP, group).await.expect(200);
    assert_eq!(made["status"], "PENDING");
}

/// Makes a group ACTIVE, which sells an offer or more.
pub(crate) async fn open_group(app: &TestApp, id: &str, offers: &[&str]) {
    let program = app.rest(&TestApp::machine());
    let path = format!("{MIGRATE_GROUP}/{id}/addOffers");
    let _ = program.post(&path, json!({"offerIds": offers})).await.expect(200);
    let active = program.post(&format!("/v1/groups/{id}/activate"), json!({})).await.expect(200);
    assert_eq!(active["status"], "ACTIVE");
}

/// Ends a group.
pub(crate) async fn end_group(app: &TestApp, id: &str) {
    let group = json!({"id": id, "status": "CANCELLED", "group": group_draft(id), "cancelReason": "TRANSFERRED",
        "cancelledOn": "2024-05-31"});
    let ended = app.rest(&TestApp::machine()).post(MIGRATE_GROUP, group).await.expect(200);
    assert_eq!(ended["status"], "CANCELLED");
}

fn group_draft(name: &str) -> Value {
    json!({"name": name, "countryIdentifier": "USA", "brand": "pavise", "payType": "SELF_PAY",
        "effectiveDate": "2020-01-01", "contacts": [{"type": "PRIMARY", "name": "Rosa Whitfield"}]})
}

/// The actions in a service's journal after a clock, and the clock to go on from.
pub(crate) async fn actions(rest: &Rest, service: &str, clock: i64) -> (Vec<String>, i64) {
    let page = rest.get(&format!("/v1/{service}/journal?clock={clock}&limit=1000")).await.expect(200);
    let actions = page["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap().to_owned());
    let next = page["clock"].as_str().unwrap().parse().unwrap();
    (actions.collect(), next)
}
