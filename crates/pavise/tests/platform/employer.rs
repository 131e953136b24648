//! An ACTIVE employer group for tests whose calls go through one.
#![expect(clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::Client;
use pavise_testapp::TestApp;
use serde_json::json;

/// Makes the group ACTIVE, with an offer of its own, as a program of the older system does.
pub(crate) async fn open_group(app: &TestApp, anybody: &Client, id: &str) {
    let program = anybody.with_token(&app.token(&TestApp::machine()));
    let call = async |name: &str, request| {
        program.call(name, request).await.unwrap_or_else(|failure| panic!("{name}: {failure}")).json
    };
    let offer = json!({"names": [{"locale": "en-US", "text": "Plans"}], "channel": "GROUP", "country": "USA"});
    let offer = call("offers.CreateOffer", json!({"brand": "pavise", "offer": offer})).await;
    let contact = json!({"type": "PRIMARY", "name": "Rosa Whitfield"});
    let group = json!({"name": id, "countryIdentifier": "USA", "brand": "pavise", "payType": "SELF_PAY",
        "effectiveDate": "2026-01-01", "contacts": [contact]});
    call("groups.MigrateGroup", json!({"id": id, "status": "PENDING", "group": group})).await;
    call("groups.MigrateOffers", json!({"groupId": id, "offerIds": [offer["id"]]})).await;
    call("groups.ActivateGroup", json!({"groupId": id})).await;
}
