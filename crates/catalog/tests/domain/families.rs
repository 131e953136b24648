//! Product families (rules 129, 198, 235, 325, 350): made, shown, renamed, canceled, deleted.

use http::Method;
use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, actions, id, product, staff};

const FAMILIES: &str = "/v1/productFamilies";
/// The clock of the last family that the platform is shipped with.
const SHIPPED: i64 = 7;
/// The shipped family of legal plans.
const SHIPPED_LEGAL: &str = "11000000-0000-4000-8000-000000000006";

/// A family of legal plans with a name in American English.
fn family(internal_name: &str) -> Value {
    json!({
        "kind": "Legal",
        "internalName": internal_name,
        "names": [{"locale": "en-US", "text": "Legal plans"}],
        "position": 3,
    })
}

/// A new product in a family.
async fn product_in(rest: &Rest, family: &str) -> String {
    let mut new = product("legal");
    new["productFamilyId"] = json!(family);
    id(&rest.post("/v1/products", new).await.expect(200))
}

#[tokio::test]
async fn names_and_descriptions_are_added_updated_and_removed_by_id() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let made = rest.post(FAMILIES, family("legal")).await.expect(200);
        assert_eq!((&made["status"], &made["kind"]), (&json!("ACTIVE"), &json!("Legal")));
        let path = format!("{FAMILIES}/{}", id(&made));
        for (word, list) in [("Name", "names"), ("Description", "descriptions")] {
            let text = json!({"locale": "es-US", "text": "Planes legales"});
            let added = rest.post(&format!("{path}/add{word}"), text.clone()).await.expect(200);
            let new = added[list].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
            assert_eq!(rest.post(&format!("{path}/add{word}"), text).await.reason(), "ITEM_EXISTS", "{word}");
            let update = json!({"text": "Planes"});
            let changed = rest.post(&format!("{path}/update{word}/{new}"), update.clone()).await.expect(200);
            let changed = changed[list].as_array().unwrap().last().unwrap().clone();
            assert_eq!(changed, json!({"id": new, "locale": "es-US", "text": "Planes"}));
            let unknown = rest.post(&format!("{path}/update{word}/none"), update).await;
            let field = format!("{}Id", word.to_lowercase());
            assert_eq!((unknown.status.as_u16(), unknown.fields()), (400, vec![field.as_str()]));
            let left = rest.post(&format!("{path}/remove{word}/{new}"), json!({})).await.expect(200);
            assert!(!left[list].to_string().contains("Planes"), "{left}");
            assert_eq!(rest.post(&format!("{path}/remove{word}/{new}"), json!({})).await.reason(), "ITEM_NOT_FOUND");
        }
        let renamed =
            rest.post(&format!("{path}/updateInternalName"), json!({"internalName": "Law"})).await.expect(200);
        assert_eq!(renamed["internalName"], "Law");
        assert_eq!(rest.post(FAMILIES, family("LAW")).await.reason(), "ALREADY_EXISTS", "without regard to case");
        let shown = json!({"position": 1, "pictureUrl": "https://example.com/law.png"});
        let shown = rest.post(&format!("{path}/updatePresentation"), shown).await.expect(200);
        assert_eq!((&shown["position"], &shown["pictureUrl"]), (&json!(1), &json!("https://example.com/law.png")));
        let script =
            rest.post(&format!("{path}/updatePresentation"), json!({"pictureUrl": "javascript:alert(1)"})).await;
        assert_eq!(script.fields(), ["pictureUrl"]);
        let written = actions(&rest, "productfamilies", SHIPPED).await.0;
        assert_eq!(
            written,
            [
                "CREATED",
                "NAME_ADDED",
                "NAME_UPDATED",
                "NAME_REMOVED",
                "DESCRIPTION_ADDED",
                "DESCRIPTION_UPDATED",
                "DESCRIPTION_REMOVED",
                "INTERNAL_NAME_UPDATED",
                "PRESENTATION_UPDATED",
            ]
        );
        let clock = rest.get("/v1/productfamilies/journal/maxClock").await.expect(200);
        assert_eq!(clock["maxClock"], "16");
        assert_eq!(rest.get("/v1/productFamilies/journal").await.reason(), "NOT_FOUND", "the path of a family");
        app.finish().await;
    }
}

#[tokio::test]
async fn anybody_sees_active_families_without_their_names_for_staff() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let active = id(&rest.post(FAMILIES, family("legal")).await.expect(200));
    let canceled = id(&rest.post(FAMILIES, family("older")).await.expect(200));
    let status = |status: &str| format!("{FAMILIES}/{canceled}/updateStatus/{status}");
    assert_eq!(rest.post(&status("CANCELED"), json!({})).await.expect(200)["status"], "CANCELED");
    assert_eq!(rest.post(&status("CANCELED"), json!({})).await.expect(200)["version"], "2", "a repeat writes nothing");
    assert_eq!(rest.post(&status("DELETED"), json!({})).await.reason(), "STATUS_NOT_ALLOWED");
    assert_eq!(rest.post(&status("GONE"), json!({})).await.status.as_u16(), 400);
    let everybody = [app.visitor(), app.rest(&TestApp::member("anna")), rest.clone()];
    for reader in &everybody {
        let list = reader.get("/v1/public/productFamilies").await.expect(200);
        let families = list["families"].as_array().unwrap();
        assert_eq!(families.len(), 8, "the shipped ones too: {list}");
        let seen = families.iter().find(|family| family["id"] == active).unwrap();
        let one = reader.get(&format!("/v1/public/productFamilies/{active}")).await.expect(200);
        assert_eq!(*seen, one);
        assert_eq!((&one["id"], &one["names"][0]["text"]), (&json!(active), &json!("Legal plans")));
        assert!(one.get("internalName").is_none_or(|name| name == ""), "{one}");
        let hidden = reader.get(&format!("/v1/public/productFamilies/{canceled}")).await;
        assert_eq!(hidden.reason(), "NOT_FOUND");
    }
    let member = &everybody[1];
    assert_eq!(member.get(&format!("{FAMILIES}/{canceled}")).await.reason(), "NOT_FOUND");
    assert!(!member.get(FAMILIES).await.expect(200).to_string().contains(&canceled));
    assert_eq!(rest.get(&format!("{FAMILIES}/{canceled}")).await.expect(200)["internalName"], "older");
    assert_eq!(app.visitor().get(FAMILIES).await.reason(), "TOKEN_MISSING");
    assert_eq!(member.post(FAMILIES, family("mine")).await.reason(), "REALM_NOT_ALLOWED");
    assert_eq!(rest.post(&status("ACTIVE"), json!({})).await.expect(200)["status"], "ACTIVE");
    app.finish().await;
}

#[tokio::test]
async fn no_product_is_put_on_sale_in_a_canceled_family() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let made = id(&rest.post(FAMILIES, family("legal")).await.expect(200));
    let product_id = product_in(&rest, &made).await;
    let _ = rest.post(&format!("{FAMILIES}/{made}/updateStatus/CANCELED"), json!({})).await.expect(200);
    let refused = rest.post(&format!("/v1/products/{product_id}/activate"), json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "FAMILY_CANCELED"));
    let mut other = product("other");
    other["productFamilyId"] = json!(made);
    assert_eq!(rest.post("/v1/products", other).await.reason(), "FAMILY_CANCELED");
    let mut renamed = product("renamed");
    renamed["productFamilyId"] = json!(made);
    let renamed = rest.put(&format!("/v1/products/{product_id}"), renamed).await.expect(200);
    assert_eq!(renamed["name"], "renamed", "what is in it can still be changed");
    let _ = rest.post(&format!("{FAMILIES}/{made}/updateStatus/ACTIVE"), json!({})).await.expect(200);
    let _ = rest.post(&format!("/v1/products/{product_id}/activate"), json!({})).await.expect(200);
    app.finish().await;
}

#[tokio::test]
async fn a_product_belongs_to_a_family_of_its_kind() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let mut identity = family("identity");
    identity["kind"] = json!("Identity");
    let identity = id(&rest.post(FAMILIES, identity).await.expect(200));
    let mut new = product("legal");
    for wrong in [identity.as_str(), NOBODY] {
        new["productFamilyId"] = json!(wrong);
        assert_eq!(rest.post("/v1/products", new.clone()).await.fields(), ["product.productFamilyId"]);
    }
    new["productFamilyId"] = json!("");
    let made = rest.post("/v1/products", new.clone()).await.expect(200);
    assert_eq!(made["productFamilyId"], SHIPPED_LEGAL);
    let path = format!("/v1/products/{}", id(&made));
    new["family"] = Value::Null;
    assert_eq!(rest.post("/v1/products", new.clone()).await.fields(), ["product.productFamilyId"], "neither is named");
    new["productFamilyId"] = json!(identity);
    let other = rest.post("/v1/products", new.clone()).await.expect(200);
    assert_eq!(other["family"], "Identity", "the kind follows the family");
    let same = rest.put(&format!("/v1/products/{}", id(&other)), new.clone()).await.expect(200);
    assert_eq!((&same["family"], &same["version"]), (&json!("Identity"), &json!("1")));
    new["family"] = json!("Legal");
    let refused = rest.put(&format!("/v1/products/{}", id(&other)), new).await;
    assert_eq!(refused.fields(), ["product.productFamilyId"], "of another kind");
    let legal = id(&rest.post(FAMILIES, family("legal")).await.expect(200));
    let put = |family: &str| {
        let (rest, path, body) = (rest.clone(), path.clone(), json!({"productFamilyId": family}));
        async move { rest.post(&format!("{path}/updateProductFamily"), body).await }
    };
    assert_eq!(put(&identity).await.fields(), ["productFamilyId"]);
    assert_eq!(put(&legal).await.expect(200)["productFamilyId"], json!(legal));
    assert_eq!(put("").await.expect(200)["productFamilyId"], SHIPPED_LEGAL);
    app.finish().await;
}

#[tokio::test]
async fn a_family_is_deleted_without_products_or_with_another_for_them() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let old = id(&rest.post(FAMILIES, family("old")).await.expect(200));
        let new = id(&rest.post(FAMILIES, family("new")).await.expect(200));
        let mut identity = family("identity");
        identity["kind"] = json!("Identity");
        let identity = id(&rest.post(FAMILIES, identity).await.expect(200));
        let products = [product_in(&rest, &old).await, product_in(&rest, &old).await];
        let path = format!("{FAMILIES}/{old}");
        let refused = rest.delete(&path).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "FAMILY_IN_USE"));
        for wrong in [old.as_str(), identity.as_str(), NOBODY] {
            let refused = rest.delete(&format!("{path}?moveProductsTo={wrong}")).await;
            assert_eq!(refused.fields(), ["moveProductsTo"], "{wrong}");
        }
        let to_new = format!("{path}?moveProductsTo={new}");
        let dry = rest.clone().with("pavise-validate-only", "true");
        assert_eq!(dry.send(Method::DELETE, &to_new, None).await.expect(200)["status"], "DELETED");
        let unmoved = rest.get(&format!("/v1/products/{}", products[0])).await.expect(200);
        assert_eq!(unmoved["productFamilyId"], json!(old), "a dry run");
        let (_, clock) = actions(&rest, "products", 0).await;
        let keyed = rest.clone().with("idempotency-key", "delete the old family");
        let gone = keyed.send(Method::DELETE, &to_new, None).await.expect(200);
        assert_eq!(gone["status"], "DELETED");
        assert_eq!(keyed.send(Method::DELETE, &to_new, None).await.expect(200), gone, "a replay");
        assert_eq!(rest.get(&path).await.reason(), "NOT_FOUND");
        assert_eq!(actions(&rest, "products", clock).await.0, ["UPDATED"; 2]);
        assert_eq!(actions(&rest, "productfamilies", SHIPPED + 3).await.0, ["DELETED"]);
        for product in products {
            let moved = rest.get(&format!("/v1/products/{product}")).await.expect(200);
            assert_eq!(moved["productFamilyId"], json!(new));
        }
        assert_eq!(rest.delete(&format!("{FAMILIES}/{identity}")).await.expect(200)["status"], "DELETED");
        app.finish().await;
    }
}
