//! Site names over each surface: given, read, refused for others, and taken away.

use pavise::wire::{Client, Failure, Refusal, Surface};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

/// One of two products has a name. Another surface of the test uses another name.
pub(crate) async fn check(client: &Client, visitor: &Client, surface: Surface) {
    let name = format!("plan-{surface:?}").to_lowercase();
    let mut ids = Vec::new();
    for number in 1..=2 {
        let product = json!({"product": {"name": format!("{name} {number}"), "family": "Legal"}});
        let made = client.call("products.CreateProduct", product).await.unwrap().json;
        client.call("products.ActivateProduct", json!({"productId": made["id"]})).await.unwrap();
        ids.push(made["id"].clone());
    }
    let give = |at: usize, name: &str| json!({"productId": ids[at], "siteName": name});
    let dry = client.with("pavise-validate-only", "true");
    dry.call("products.UpdateProductSiteName", give(1, &name)).await.unwrap();
    let named = client.call("products.UpdateProductSiteName", give(0, &name)).await.unwrap();
    assert_eq!(named.json["siteName"], name, "{surface:?}");
    for client in [client, &dry] {
        let taken = refused(client, "products.UpdateProductSiteName", give(1, &name)).await;
        assert_eq!(
            (taken.code.as_str(), taken.reason.as_str()),
            ("ALREADY_EXISTS", "NAME_TAKEN"),
            "{surface:?}: {taken}"
        );
        assert_eq!(taken.fields, ["siteName"], "{surface:?}: {taken}");
        let system = refused(client, "products.UpdateProductSiteName", give(1, "checkout")).await;
        assert_eq!((system.reason.as_str(), &*system.fields), ("INVALID_FIELD", &["siteName".to_owned()][..]));
    }
    let ask = json!({"siteNames": [name.to_uppercase(), "nothing-here"]});
    let found = visitor.call("products.GetProductsBySiteName", ask).await.unwrap().json;
    assert_eq!(found["products"][0]["id"], ids[0], "{surface:?}: {found}");
    assert_eq!(found["notFound"], json!(["nothing-here"]), "{surface:?}: {found}");
    client.call("products.UpdateProductSiteName", give(0, "")).await.unwrap();
    let gone = visitor.call("products.GetProductsBySiteName", json!({"siteNames": [name]})).await.unwrap().json;
    assert_eq!(gone["notFound"], json!([name]), "{surface:?}: {gone}");
    for id in &ids {
        client.call("products.DeleteProduct", json!({"productId": id})).await.unwrap();
    }
}
