//! Checks that the documented calls with their paths, and enumerations with their spellings, exist.
//! The documented facts are `tests/contract/{calls,enums}.tsv`.

use std::collections::{BTreeMap, BTreeSet};

use pavise_contract::{Contract, spelling};
use pavise_testapp::TestApp;
use serde_json::json;

/// The services that are complete.
const COMPLETE: [&str; 16] = [
    "orders",
    "tax",
    "payment_methods",
    "invoices",
    "subscriptions",
    "provision",
    "entitlements",
    "offers",
    "tokens",
    "invitations",
    "identity_merge",
    "applications",
    "application_settings",
    "user_state",
    "identities",
    "factors",
];

/// Enumerations whose name differs from the documented one, because one package has several services.
const NAMED: &[(&str, &str, &str)] = &[
    ("orders", "OrderStatusMain000", ""),
    ("orders", "OrderStatusAlternate000", ""),
    ("orders", "OrderStatusMain002", ""),
    ("orders", "OrderStatusOlder002", ""),
    ("orders", "Vendor", ""),
    ("offers", "Channel", "SalesChannelKind"),
    ("payment_methods", "FriendlyIdType", "PaymentMethodFriendlyIdType"),
    ("subscriptions", "FriendlyIdType", "SubscriptionFriendlyIdType"),
    ("entitlements", "ProvisioningType", "ProvisionType"),
    ("entitlements", "PermissionType", "RelationType"),
    ("user_state", "Application", "UserStateApplication"),
];

/// Values that the platform needs beyond the documented ones; docs/deviations.md gives the reasons.
fn beyond(service: &str, name: &str) -> BTreeSet<String> {
    let text = include_str!("../../../../docs/deviations.md");
    let marker = format!("`{service}.{name}`:");
    let line = text.lines().find_map(|line| line.trim_start_matches("- ").strip_prefix(&marker)).unwrap_or_default();
    line.split('—')
        .next()
        .unwrap_or_default()
        .split(',')
        .map(|value| value.trim().trim_matches('`').to_owned())
        .filter(|value| !value.is_empty())
        .collect()
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn every_enumeration_is_spelt_as_documented() {
    let pool = pavise::app::pool(false).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let mut documented: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    for row in rows(include_str!("../../../../tests/contract/enums.tsv")) {
        if COMPLETE.contains(&row[0]) && !row[2].starts_with('(') {
            documented.entry((row[0], row[1])).or_default().insert(row[2].to_owned());
        }
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for ((service, name), expected) in documented {
        let alias = NAMED.iter().find(|(of, documented, _)| *of == service && *documented == name).map(|(_, _, ours)| *ours);
        let ours = alias.unwrap_or(name);
        if ours.is_empty() {
            continue;
        }
        let domain = &contract.service(service).unwrap().domain;
        let candidates = [format!("pavise.{domain}.v1.{ours}"), format!("pavise.common.v1.{ours}")];
        let found = candidates.iter().find_map(|name| pool.get_enum_by_name(name));
        let Some(found) = found else {
            wrong.push(format!("{service}.{name}: there is no {}", candidates[0]));
            continue;
        };
        let actual: BTreeSet<String> = found.values().filter_map(|value| spelling::of(&value)).collect();
        let expected: BTreeSet<String> = expected.union(&beyond(service, name)).cloned().collect();
        compared += 1;
        if actual != expected {
            let (more, less) =
                (actual.difference(&expected).collect::<Vec<_>>(), expected.difference(&actual).collect::<Vec<_>>());
            wrong.push(format!("{service}.{name}: beyond {more:?}, missing {less:?}"));
        }
    }
    println!("{compared} enumerations compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 30, "only {compared} enumerations were compared");
}

#[test]
fn every_call_has_its_documented_path() {
    let pool = pavise::app::pool(false).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let shape =
        |path: &str| path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/");
    let mut ours: BTreeSet<(String, String, String)> = BTreeSet::new();
    for (service, method) in contract.methods() {
        for binding in &method.bindings {
            ours.insert((service.name.clone(), binding.verb.as_str().to_owned(), shape(&binding.path)));
        }
    }
    let mut missing = Vec::new();
    let mut count = 0;
    for row in rows(include_str!("../../../../tests/contract/calls.tsv")).filter(|row| COMPLETE.contains(&row[0])) {
        count += 1;
        if !ours.contains(&(row[0].to_owned(), row[1].to_owned(), shape(row[2]))) {
            missing.push(row[..3].join(" "));
        }
    }
    assert!(missing.is_empty(), "{} of {count} are missing:\n{}", missing.len(), missing.join("\n"));
    println!("{count} documented calls have their path");
    assert_eq!(count, 323);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_call_is_served_and_bad_input_is_never_a_5xx() {
    let app = TestApp::start().await.unwrap();
    let sample = "01900000-0000-7000-8000-000000000001";
    let bodies = [Some(json!({})), Some(json!({"nonsense": [1, {"deep": null}]})), Some(json!([])), Some(json!("x")), None];
    let mut asked = 0;
    for row in rows(include_str!("../../../../tests/contract/calls.tsv")).filter(|row| COMPLETE.contains(&row[0])) {
        let path: String =
            row[2].split('/').map(|part| if part.starts_with('{') { sample } else { part }).collect::<Vec<_>>().join("/");
        let host = format!("{}.localhost", row[0].replace('_', "-"));
        for caller in [TestApp::staff(), TestApp::machine()] {
            let rest = app.rest(&caller).with("host", &host);
            for body in &bodies {
                let answer = rest.send(row[1].parse().unwrap(), &path, body.clone()).await;
                asked += 1;
                let reason = answer.reason();
                assert!(
                    answer.status.as_u16() < 500,
                    "{} {path} {body:?}: {} {}",
                    row[1],
                    answer.status,
                    String::from_utf8_lossy(&answer.body)
                );
                assert!(
                    !["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "UNIMPLEMENTED"].contains(&reason),
                    "{} {path}: {reason}",
                    row[1]
                );
                assert!(answer.status.is_success() || !reason.is_empty(), "{} {path}: an error without a reason", row[1]);
            }
        }
    }
    println!("{asked} requests answered");
    app.finish().await;
}
