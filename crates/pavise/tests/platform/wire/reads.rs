//! Lists in an order, counts and batch reads, over each surface.

use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

use super::ME;

/// A member's invoices by their due days: a range, both orders, pages and a count.
pub(super) async fn ranges(client: &Client, surface: Surface) {
    let owner = format!("{ME}-ranges-{surface:?}");
    for day in ["2026-03-01", "2026-01-31", "2026-02-28", "2026-01-01"] {
        let price = json!({"currency": "USD", "amount": "100"});
        let item = json!({"type": "ORDER", "amount": price, "description": day});
        let invoice = json!({"identityId": owner, "currency": "USD", "items": [item], "dueOn": day});
        client.call("invoices.CreateInvoice", invoice).await.unwrap();
    }
    let list = async |more: Value| {
        let mut request = json!({"identityId": owner});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("invoices.ListInvoices", request).await
    };
    let days = |page: &Value| -> Vec<String> {
        page["invoices"].as_array().unwrap().iter().map(|one| one["dueOn"].as_str().unwrap().to_owned()).collect()
    };
    let newest = list(json!({})).await.unwrap().json;
    assert_eq!(days(&newest), ["2026-01-01", "2026-02-28", "2026-01-31", "2026-03-01"], "{surface:?}");
    let asked = json!({"dueFrom": "2026-01-31", "dueUntil": "2026-03-01", "showTotal": true, "pageSize": 2});
    let first = list(asked.clone()).await.unwrap().json;
    assert_eq!(days(&first), ["2026-01-31", "2026-02-28"], "{surface:?}");
    assert_eq!((&first["totalSize"], &first["totalIsCapped"]), (&json!(3), &json!(false)), "{surface:?}: {first}");
    let mut next = asked;
    next["pageToken"] = first["nextPageToken"].clone();
    let last = list(next.clone()).await.unwrap().json;
    assert_eq!((days(&last), &last["nextPageToken"]), (vec!["2026-03-01".to_owned()], &json!("")), "{surface:?}");
    let falling = list(json!({"orderBy": "DUE_LAST", "pageSize": 1})).await.unwrap().json;
    assert_eq!(days(&falling), ["2026-03-01"], "{surface:?}");
    next["dueFrom"] = json!("2026-01-01");
    match list(next).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "INVALID_PAGE_TOKEN", "{surface:?}"),
        other => panic!("{surface:?}: a token belongs to one range, got {other:?}"),
    }
}

/// The ids that are not found are named in the order asked, each once.
pub(super) async fn batches(client: &Client, surface: Surface) {
    let asked = json!({"brand": "legalshield", "ids": ["second", "first", "second"]});
    let answer = client.call("offers.GetOffersByIdList", asked).await.unwrap().json;
    assert_eq!((&answer["offers"], &answer["notFound"]), (&json!([]), &json!(["second", "first"])), "{surface:?}");
}
