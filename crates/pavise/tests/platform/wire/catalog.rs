//! Families, benefits, content and offer maps over each surface: made, read in the caller's view, refused.

use pavise::wire::{Client, Failure, Refusal, Surface};
use serde_json::{Value, json};

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

async fn made(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request).await.unwrap().json["id"].clone()
}

/// Everything is made anew for the surface.
pub(crate) async fn check(client: &Client, visitor: &Client, surface: Surface) {
    let name = format!("wire-{surface:?}").to_lowercase();
    families(client, visitor, &name).await;
    benefits(client, visitor, &name).await;
    content(client, visitor, &name).await;
    offer_maps(client, &name).await;
}

async fn families(client: &Client, visitor: &Client, name: &str) {
    let new = json!({"kind": "Books", "internalName": name, "names": [{"locale": "en-US", "text": name}]});
    let id = made(client, "product_families.CreateProductFamily", new).await;
    let one = json!({"productFamilyId": id});
    let seen = visitor.call("product_families.GetPublicProductFamily", one.clone()).await.unwrap().json;
    assert_eq!((&seen["id"], seen["names"][0]["text"].as_str()), (&id, Some(name)));
    assert!(seen.get("internalName").is_none_or(|name| name == ""), "{seen}");
    let cancel = |status: &str| json!({"productFamilyId": id, "status": status});
    let gone = refused(client, "product_families.UpdateProductFamilyStatus", cancel("DELETED")).await;
    assert_eq!((gone.code.as_str(), gone.reason.as_str()), ("FAILED_PRECONDITION", "STATUS_NOT_ALLOWED"));
    client.call("product_families.UpdateProductFamilyStatus", cancel("CANCELED")).await.unwrap();
    let product = json!({"product": {"name": name, "family": "Books", "productFamilyId": id}});
    let shut = refused(client, "products.CreateProduct", product).await;
    assert_eq!((shut.code.as_str(), shut.reason.as_str()), ("FAILED_PRECONDITION", "FAMILY_CANCELED"));
    let hidden = refused(visitor, "product_families.GetPublicProductFamily", one.clone()).await;
    assert_eq!(hidden.code, "NOT_FOUND");
    client.call("product_families.DeleteProductFamily", one).await.unwrap();
}

async fn benefits(client: &Client, visitor: &Client, name: &str) {
    let new = json!({"benefit": {"name": name, "internalName": name, "waitingDays": 30}});
    let id = made(client, "benefits.CreateBenefit", new).await;
    let one = json!({"benefitId": id});
    assert_eq!(refused(visitor, "benefits.GetBenefit", one.clone()).await.code, "NOT_FOUND");
    client.call("benefits.ActivateBenefit", one.clone()).await.unwrap();
    let several = json!({"ids": [id, "nothing"]});
    let found = visitor.call("benefits.GetBenefitsByIdList", several).await.unwrap().json;
    assert_eq!((&found["benefits"][0]["waitingDays"], &found["notFound"]), (&json!(30), &json!(["nothing"])));
    let fact = json!({"benefitId": id, "key": "sku", "value": "7"});
    let with = client.call("benefits.UpdateBenefitProvisioningMetadata", fact).await.unwrap().json;
    assert_eq!(with["metadata"], json!([{"key": "sku", "value": "7"}]));
    client.call("benefits.CancelBenefit", one.clone()).await.unwrap();
    let gone = client.call("benefits.DeleteBenefit", one).await.unwrap().json;
    assert_eq!(gone["status"], "DELETE");
}

async fn content(client: &Client, visitor: &Client, name: &str) {
    let fields = json!([
        {"key": "heading", "type": "TEXT", "required": true, "localized": true},
        {"key": "body", "type": "RICH_TEXT"},
    ]);
    let new = json!({"key": name, "variant": "PAGE", "siteType": "ALL", "fields": fields});
    let of = made(client, "content.CreateContentType", new).await;
    let heading = |locale: &str| json!({"fieldKey": "heading", "locale": locale, "text": "hello"});
    let draft = [heading("en-US"), heading("en-CA")];
    let new = json!({"typeId": of, "siteType": "ALL", "key": name, "draft": draft});
    let id = made(client, "content.CreateContentEntry", new).await;
    let one = json!({"contentEntryId": id});
    assert_eq!(refused(visitor, "content.GetContentEntry", one.clone()).await.code, "NOT_FOUND");
    client.call("content.PublishContentEntry", one.clone()).await.unwrap();
    let secret = json!({"contentEntryId": id, "fieldKey": "heading", "locale": "en-US", "text": "a secret"});
    client.call("content.UpdateTextField", secret).await.unwrap();
    let html = json!({"contentEntryId": id, "fieldKey": "body", "text": "<b>x</b>"});
    let html = refused(client, "content.UpdateTextField", html).await;
    assert_eq!((html.reason.as_str(), html.fields.as_slice()), ("INVALID_FIELD", ["text".to_owned()].as_slice()));
    let french = json!({"contentEntryId": id, "locale": "fr-CA", "expand": 4});
    let seen = visitor.call("content.GetContentEntry", french).await.unwrap().json;
    assert_eq!(seen["published"][0]["locale"], "en-CA", "{seen}");
    assert!(!seen.to_string().contains("a secret"), "{seen}");
    client.call("content.DeleteContentEntry", one).await.unwrap();
}

async fn offer_maps(client: &Client, name: &str) {
    let tier = json!({"id": "one", "name": "One", "coverage": "INDIVIDUAL"});
    let product = json!({"product": {"name": name, "family": "Books", "tiers": [tier]}});
    let product = made(client, "products.CreateProduct", product).await;
    let names = json!([{"locale": "en-US", "text": name}]);
    let offer = json!({"names": names, "channel": "D2C", "products": [{"productId": product}]});
    let offer = made(client, "offers.CreateOffer", json!({"brand": "pavise", "offer": offer})).await;
    let plan = |id: &str| json!({"id": id, "tierId": "one", "planCode": id});
    let map = |plans: Value| {
        let products = json!([{"productId": product, "plans": plans}]);
        json!({"brand": "pavise", "offerId": offer, "billingProvider": "SYSTEM I", "products": products})
    };
    let two = refused(client, "offer_maps.CreateOfferMap", map(json!([plan("A"), plan("B")]))).await;
    assert_eq!((two.code.as_str(), two.reason.as_str()), ("FAILED_PRECONDITION", "OFFER_MAP_AMBIGUOUS"));
    let id = made(client, "offer_maps.CreateOfferMap", map(json!([plan("A")]))).await;
    let selection = json!({"productId": product, "tierId": "one"});
    let choice = json!({"offerId": offer, "selections": [selection], "billingPeriod": "MONTHLY"});
    let planned = client.call("offer_maps.PlanMap", choice.clone()).await.unwrap().json;
    assert_eq!(planned["lines"][0]["planCode"], "A", "{planned}");
    client.call("offer_maps.DeleteOfferMap", json!({"offerMapId": id})).await.unwrap();
    let planned = client.call("offer_maps.PlanMap", choice).await.unwrap().json;
    assert_eq!(planned["unmapped"][0]["reason"], "NO_MAP", "{planned}");
    client.call("offers.DeleteOffer", json!({"brand": "pavise", "offerId": offer})).await.unwrap();
    client.call("products.DeleteProduct", json!({"productId": product})).await.unwrap();
}
