//! Sealed fields where the parts run apart: the part with the identity domain has the key database, the others ask it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_identity::contract::v1::GetDataKeysRequest;
use pavise_identity::contract::v1::data_key_service_client::DataKeyServiceClient;
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::json;

async fn a_part_asks_for_keys(engine: Engine) {
    let platform = Platform::start(engine, Cut::Split).await.unwrap();
    let app = platform.app();
    assert!(!app.app.kernel.tables().iter().any(|entry| entry.table.name == "identities"), "orders run apart");
    let wanted = json!({"realm": "User", "emails": ["ada@example.com"], "password": "correct horse battery"});
    let made = app.rest(&TestApp::machine()).post("/v1/identities", wanted).await.expect(200);
    let me = made["id"].as_str().unwrap().to_owned();
    let (member, staff) = (app.rest(&TestApp::member(&me)), app.rest(&TestApp::staff()));
    let child = json!({"type": "DEPENDENT", "firstName": "Max", "lastName": "Example", "birthDate": "2015-04-03"});
    let draft = json!({"channel": "BuyNow", "locality": "TX",
        "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}],
        "authorizedUsers": [child]});
    let order = member.post(&format!("/v2/identities/{me}/orders"), draft).await.expect(200);
    let path = format!("/v1/orders/{}", order["id"].as_str().unwrap());
    let born = |order: serde_json::Value| order["authorizedUsers"][0]["birthDate"].clone();
    assert_eq!(born(member.get(&path).await.expect(200)), "2015-04-03");
    assert_eq!(born(staff.get(&path).await.expect(200)), "2015-00-00");
    let reveal = json!({"reason": "the insurer asks"});
    assert_eq!(born(staff.post(&format!("{path}/reveal"), reveal).await.expect(200)), "2015-04-03");

    // The key of the member was made where the identity domain runs, and no other caller gets it.
    let ask = || GetDataKeysRequest { names: vec![format!("p/{me}")] };
    let mut keys = DataKeyServiceClient::new(app.channel("identity", &TestApp::machine()));
    let found = keys.get_data_keys(ask()).await.unwrap().into_inner().keys;
    assert!(found.len() == 1 && !found[0].wrapped.is_empty(), "{found:?}");
    let mut keys = DataKeyServiceClient::new(app.channel("identity", &TestApp::staff()));
    assert_eq!(keys.get_data_keys(ask()).await.unwrap_err().code(), tonic::Code::PermissionDenied);
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_asks_for_keys_over_the_mesh_on_sqlite() {
    a_part_asks_for_keys(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_asks_for_keys_over_the_mesh_on_postgres() {
    a_part_asks_for_keys(Engine::Postgres).await;
}
