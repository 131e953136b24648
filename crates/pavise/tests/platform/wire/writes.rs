//! Answers of writes over each surface: given numbers, and values that are unique within other fields.

use pavise::wire::{Client, Failure, Surface};
use serde_json::{Value, json};

/// A number is in the answer of the write, in its repeat and in every read. A dry run gives none.
pub(crate) async fn numbers(client: &Client, surface: Surface, owner: &str) {
    let invoice = json!({"identityId": owner, "currency": "USD", "items": [
        {"type": "ORDER", "amount": {"currency": "USD", "amount": "2995"}, "description": "Family plan"}]});
    let raise = async |client: &Client| client.call("invoices.CreateInvoice", invoice.clone()).await.unwrap().json;
    let count = |invoice: &Value| -> u64 {
        let number = invoice["number"].as_str().unwrap();
        let (series, count) = number.split_at(7);
        assert!(series.starts_with("INV-") && series.ends_with('-') && count.len() == 6, "{surface:?}: {number}");
        count.parse().unwrap()
    };
    let dry = raise(&client.with("pavise-validate-only", "true")).await;
    assert_eq!(dry["number"], "", "{surface:?}: {dry}");
    let keyed = client.with("idempotency-key", &format!("an invoice of {surface:?}"));
    let first = raise(&keyed).await;
    assert_eq!(raise(&keyed).await, first, "{surface:?}: a repeat takes no number");
    let second = raise(client).await;
    assert_eq!(count(&second), count(&first) + 1, "{surface:?}: no gap");
    let find = json!({"identityId": owner, "invoiceId": first["id"]});
    let read = client.call("invoices.GetInvoice", find).await.unwrap().json;
    assert_eq!(read, first, "{surface:?}");
}

/// A taken value is refused with each field that makes it unique.
pub(crate) async fn unique(client: &Client, surface: Surface, owner: &str) {
    let setting =
        |owner: &str, application: &str| json!({"identityId": owner, "applicationName": application, "name": "Orders"});
    let make = async |setting: Value| client.call("application_settings.CreateApplicationSetting", setting).await;
    make(setting(owner, "console")).await.unwrap();
    make(setting(owner, "portal")).await.unwrap();
    match make(setting(owner, "console")).await {
        Err(Failure::Refused(refusal)) => {
            assert_eq!(refusal.reason, "ALREADY_EXISTS", "{surface:?}: {refusal}");
            assert_eq!(refusal.fields, ["name", "applicationName"], "{surface:?}: {refusal}");
        }
        unexpected => panic!("{surface:?}: {unexpected:?}"),
    }
}
