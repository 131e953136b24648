//! Offers that come from the older system.

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{NOBODY, OFFERS, actions, active_product, group, offer, staff};

#[tokio::test]
async fn an_offer_can_come_again_and_is_replaced() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let product = active_product(&rest, "legal").await;
        let mut request =
            json!({"id": "old-17", "status": "GRANDFATHERED", "ownerId": "acme", "offer": offer(&[&product])});
        let first = rest.post(&format!("{OFFERS}/migrate"), request.clone()).await.expect(200);
        assert_eq!(
            (&first["id"], &first["ownerId"], &first["version"]),
            (&json!("old-17"), &json!("acme"), &json!("1"))
        );
        let same = rest.post(&format!("{OFFERS}/migrate"), request.clone()).await.expect(200);
        assert_eq!(same["version"], "1", "nothing new, nothing written");
        request["status"] = json!("AVAILABLE_FOR_SALE");
        let second = rest.post(&format!("{OFFERS}/migrate"), request).await.expect(200);
        assert_eq!((&second["status"], &second["version"]), (&json!("AVAILABLE_FOR_SALE"), &json!("2")));
        assert_eq!(actions(&rest, "offers", 0).await.0, ["MIGRATION_UPDATE"; 2]);
        app.finish().await;
    }
}

#[tokio::test]
async fn an_offer_of_groups_names_them_and_is_sold_through_them() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let mut request = json!({"id": NOBODY, "status": "ENROLLABLE", "offer": offer(&[&product])});
    let path = format!("{OFFERS}/groupMigrate");
    assert_eq!(rest.post(&path, request.clone()).await.fields(), ["offer.groupIds"]);
    request["offer"]["groupIds"] = json!(["acme"]);
    assert_eq!(rest.post(&path, request.clone()).await.fields(), ["offer.groupIds[0]"], "there is no such group");
    group(&app, "acme").await;
    let offer = rest.post(&path, request).await.expect(200);
    assert_eq!((&offer["channel"], &offer["groupIds"]), (&json!("GROUP"), &json!(["acme"])));
    app.finish().await;
}
