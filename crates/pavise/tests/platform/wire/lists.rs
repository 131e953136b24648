//! Edits of lists, the same on every surface.

use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

/// Adds, replaces and removes parts of a product; what is refused changes nothing and names its path.
pub(super) async fn check(client: &Client, surface: Surface) {
    let tiers = json!([{"id": "individual", "name": "Individual", "coverage": "INDIVIDUAL"}]);
    let new = json!({"product": {"name": "lists", "family": "Legal", "tiers": tiers}});
    let id = client.call("products.CreateProduct", new).await.unwrap().json["id"].clone();
    let call = async |name: &str, field: &str, values: Value| {
        let request = json!({"productId": id, field: values});
        match client.call(&format!("products.{name}"), request).await {
            Ok(answer) => Ok(answer.json),
            Err(Failure::Refused(refusal)) => Err((refusal.code, refusal.fields)),
            Err(other) => panic!("{name} over {surface:?}: {other:?}"),
        }
    };
    let refused = |code: &str, field: &str| Err((code.to_owned(), vec![field.to_owned()]));
    let tier = |id: &str| json!({"id": id, "name": "Family", "coverage": "FAMILY"});
    let restriction = |kind: &str| json!({"region": "TX", "type": kind});
    assert_eq!(
        call("AddTiers", "tiers", json!([tier("family"), tier("individual")])).await,
        refused("ALREADY_EXISTS", "tiers[1].id"),
        "{surface:?}"
    );
    let added = call("AddTiers", "tiers", json!([tier("family")])).await.unwrap();
    assert_eq!(added["tiers"].as_array().unwrap().len(), 2, "{surface:?}: {added}");
    let unknown = call("UpdateTiers", "tiers", json!([tier("business")])).await;
    assert_eq!(unknown, refused("NOT_FOUND", "tiers[0].id"), "{surface:?}");
    let _ = call("AddRestrictions", "restrictions", json!([restriction("ALLOWED")])).await.unwrap();
    let changed = call("UpdateRestrictions", "restrictions", json!([restriction("NOT_ALLOWED")])).await.unwrap();
    assert_eq!(changed["restrictions"][0]["type"], "NOT_ALLOWED", "{surface:?}: {changed}");
    let missing = call("RemoveRestrictions", "regions", json!(["TX", "NY"])).await;
    assert_eq!(missing, refused("NOT_FOUND", "regions[1]"), "{surface:?}");
    let removed = call("RemoveRestrictions", "regions", json!(["TX"])).await.unwrap();
    assert_eq!(removed["restrictions"].as_array().map_or(0, Vec::len), 0, "{surface:?}: {removed}");
}
