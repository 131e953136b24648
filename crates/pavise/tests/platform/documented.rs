//! Checks that the documented calls with their paths, and enumerations with their spellings, exist.
//! The documented facts are `tests/contract/{calls,enums}.tsv`.
#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pavise::domains;
use pavise_contract::{Contract, spelling};
use pavise_testapp::TestApp;
use serde_json::json;

/// A line of `docs/<domain>/deviations.tsv`.
struct Deviation {
    kind: String,
    service: String,
    enumeration: String,
    ours: String,
}

/// Where the platform differs from the documented facts on purpose, in all domains.
fn deviations() -> Vec<Deviation> {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let folders = domains::NAMES.into_iter().chain(["common"]);
    let files: Vec<_> = folders.map(|folder| docs.join(folder).join("deviations.tsv")).collect();
    let texts: Vec<String> = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let lines = texts.iter().flat_map(|text| text.lines().skip(1));
    let read = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [kind, service, enumeration, ours, why] = cells.as_slice() else { panic!("five cells: {line}") };
        assert!(["value", "renamed", "free", "partial"].contains(kind) && !why.is_empty(), "{line}");
        let [kind, service, enumeration, ours] = [kind, service, enumeration, ours].map(|cell| (*cell).to_owned());
        Deviation { kind, service, enumeration, ours }
    };
    lines.map(read).collect()
}

/// The documented calls of the services that the contract has and that are complete.
fn documented_calls(contract: &Contract) -> Vec<Vec<&'static str>> {
    let deviations = deviations();
    let partial = |service: &str| deviations.iter().any(|one| one.kind == "partial" && one.service == service);
    rows(include_str!("../../../../tests/contract/calls.tsv"))
        .filter(|row| contract.service(row[0]).is_some() && !partial(row[0]))
        .collect()
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn every_enumeration_is_spelt_as_documented() {
    let pool = domains::pool(false).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let mut documented: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    let deviations = deviations();
    let of = |kind: &str, service: &str, name: &str| -> BTreeSet<String> {
        let found =
            deviations.iter().filter(|one| one.kind == kind && one.service == service && one.enumeration == name);
        found.map(|one| one.ours.clone()).collect()
    };
    let partial = |service: &str| !of("partial", service, "").is_empty();
    for row in rows(include_str!("../../../../tests/contract/enums.tsv")) {
        if contract.service(row[0]).is_some() && !partial(row[0]) && !row[2].starts_with('(') {
            documented.entry((row[0], row[1])).or_default().insert(row[2].to_owned());
        }
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for ((service, name), expected) in documented {
        if !of("free", service, name).is_empty() {
            continue;
        }
        let ours = of("renamed", service, name).pop_first().unwrap_or_else(|| name.to_owned());
        let domain = &contract.service(service).unwrap().domain;
        let candidates = [format!("pavise.{domain}.v1.{ours}"), format!("pavise.common.v1.{ours}")];
        let found = candidates.iter().find_map(|name| pool.get_enum_by_name(name));
        let Some(found) = found else {
            wrong.push(format!("{service}.{name}: there is no {}", candidates[0]));
            continue;
        };
        let mut actual: BTreeSet<String> = found.values().filter_map(|value| spelling::of(&value)).collect();
        let read = found.values().flat_map(|value| spelling::also_read(&value));
        actual.extend(read.filter(|spelled| expected.contains(spelled)));
        let expected: BTreeSet<String> = expected.union(&of("value", service, name)).cloned().collect();
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

/// The reference lists belong to no service: each enumeration of that name has the documented values.
#[test]
fn every_reference_list_is_spelt_as_documented() {
    let pool = domains::pool(false).unwrap();
    let deviations = deviations();
    let free = |name: &str| {
        deviations.iter().any(|one| one.kind == "free" && one.service == "reference" && one.enumeration == name)
    };
    let mut documented: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in rows(include_str!("../../../../tests/contract/enums.tsv")) {
        if row[0] == "reference" && !row[2].starts_with('(') {
            documented.entry(row[1]).or_default().insert(row[2].to_owned());
        }
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for (name, expected) in &documented {
        let ours: Vec<_> =
            pool.all_enums().filter(|one| one.name() == *name && one.parent_message().is_none()).collect();
        if free(name) {
            continue;
        }
        if ours.is_empty() {
            wrong.push(format!("there is no {name}, and docs/common/deviations.tsv does not say why"));
        }
        for found in ours {
            let actual: BTreeSet<String> = found.values().filter_map(|value| spelling::of(&value)).collect();
            compared += 1;
            if actual != *expected {
                let beyond: Vec<_> = actual.difference(expected).collect();
                let missing: Vec<_> = expected.difference(&actual).collect();
                wrong.push(format!("{}: beyond {beyond:?}, missing {missing:?}", found.full_name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 13, "only {compared} enumerations were compared");
}

/// The spellings of an enumeration, in the order of the contract.
fn spelled(name: &str) -> Vec<String> {
    let pool = domains::pool(false).unwrap();
    let found = pool.get_enum_by_name(name).unwrap_or_else(|| panic!("there is no {name}"));
    found.values().filter_map(|value| spelling::of(&value)).collect()
}

/// Rule 382: the scopes of alerts are in lower case and have legalshieldv2; the applications of user states begin with
/// capitals and do not.
#[test]
fn scopes_of_alerts_and_applications_of_user_states_are_two_lists() {
    let scopes = spelled("pavise.messaging.v1.ApplicationScope");
    assert_eq!(scopes, ["all", "people", "partner", "legalshield", "legalshieldv2", "status", "idshield"]);
    let applications = spelled("pavise.identity.v1.UserStateApplication");
    assert!(applications.iter().all(|one| one.starts_with(|letter: char| letter.is_ascii_uppercase())));
    let shared: BTreeSet<String> = applications.iter().map(|one| one.to_lowercase()).collect();
    let all: BTreeSet<String> = scopes.into_iter().collect();
    assert_eq!(all.symmetric_difference(&shared).collect::<Vec<_>>(), ["legalshieldv2"]);
}

/// Rule 392: what is cancelled has one L or two, as its service spells it.
#[test]
fn what_is_cancelled_is_spelt_as_its_service_spells_it() {
    for (name, word) in [
        ("pavise.catalog.v1.ProductFamilyStatus", "CANCELED"),
        ("pavise.identity.v1.UserStateStatus", "CANCELED"),
        ("pavise.fulfillment.v1.EntitlementStatus", "CANCELLED"),
        ("pavise.billing.v1.SubscriptionStatus", "CANCELLED"),
        ("pavise.messaging.v1.ScheduledCommunicationStatus", "CANCELLED"),
        ("pavise.messaging.v1.NotificationStatus", "CANCELLED"),
    ] {
        let mut words = spelled(name);
        words.retain(|one| ["CANCELED", "CANCELLED"].contains(&one.as_str()));
        assert_eq!(words, [word], "{name}");
    }
}

/// A rule's fate in `docs/rules.tsv`.
const FATES: [&str; 5] = ["kept", "part", "deviates", "later", "none"];

/// No rule of the specification is left out of the table, and each place that it names is there.
#[test]
fn every_rule_is_in_the_table() {
    const LAST: u32 = 403;
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let text = std::fs::read_to_string(root.join("docs/rules.tsv")).unwrap();
    let mut next = 1;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [numbers, fate, places, note] = cells.as_slice() else { panic!("four cells: {line}") };
        assert!(FATES.contains(fate), "{line}");
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last): (u32, u32) = (first.parse().unwrap(), last.parse().unwrap());
        assert!(first == next && last >= first, "{next} is next: {line}");
        next = last + 1;
        // Where a rule is not kept as it stands, the reason stands beside it. What is kept has its place.
        assert!(*fate == "kept" || !note.is_empty(), "{line}");
        assert!(!["kept", "part"].contains(fate) || !places.is_empty(), "{line}");
        for place in places.split(' ').filter(|place| !place.is_empty()) {
            assert!(root.join(place).exists(), "there is no {place}: {line}");
        }
    }
    assert_eq!(next, LAST + 1, "the table ends before the last rule");
}

/// One pattern of an e-mail address everywhere: what one call takes, no other refuses.
#[test]
fn an_address_is_the_same_everywhere() {
    const ADDRESS: &str =
        "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?\\.)+[A-Za-z0-9]{2,}";
    let pool = domains::pool(false).unwrap();
    let rules = pool.get_extension_by_name("buf.validate.field").unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for field in pool.all_messages().flat_map(|message| message.fields().collect::<Vec<_>>()) {
        let said = field.options().get_extension(&rules).to_string();
        if said.contains("{1,64}@") {
            count += 1;
            // The text form escapes backslashes and quotes.
            let one = said.replace("\\\\", "\\").replace("\\'", "'");
            if !one.contains(&format!("\"^{ADDRESS}$\"")) && !one.contains(&format!("\"^({ADDRESS})?$\"")) {
                wrong.push(format!("{}: {said}", field.full_name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 10, "only {count} addresses were found");
}

/// A path with its parameters left blank.
fn shape(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/")
}

#[test]
fn every_call_has_its_documented_path() {
    let pool = domains::pool(false).unwrap();
    let contract = Contract::read(&pool).unwrap();
    let mut ours: BTreeSet<(String, String, String)> = BTreeSet::new();
    for (service, method) in contract.methods() {
        for binding in &method.bindings {
            ours.insert((service.name.clone(), binding.verb.as_str().to_owned(), shape(&binding.path)));
        }
    }
    let mut missing = Vec::new();
    let mut count = 0;
    for row in documented_calls(&contract) {
        count += 1;
        if !ours.contains(&(row[0].to_owned(), row[1].to_owned(), shape(row[2]))) {
            missing.push(row[..3].join(" "));
        }
    }
    assert!(missing.is_empty(), "{} of {count} are missing:\n{}", missing.len(), missing.join("\n"));
    println!("{count} documented calls have their path");
    assert!(count >= 323, "only {count} documented calls were compared");
}

/// Each path beyond the documented ones stands in `docs/<domain>/additions.tsv`, and nothing else does.
#[test]
fn every_further_path_is_in_a_table() {
    let contract = Contract::read(&domains::pool(false).unwrap()).unwrap();
    let key = |service: &str, verb: &str, path: &str| format!("{service} {verb} {}", shape(path));
    let documented: BTreeSet<String> =
        rows(include_str!("../../../../tests/contract/calls.tsv")).map(|row| key(row[0], row[1], row[2])).collect();
    let mut further = BTreeSet::new();
    for (service, method) in contract.methods() {
        let paths = method.bindings.iter().map(|one| key(&service.name, one.verb.as_str(), &one.path));
        further.extend(paths.filter(|path| !documented.contains(path)));
    }
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let files = domains::NAMES.map(|domain| docs.join(domain).join("additions.tsv"));
    let texts: Vec<String> = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let mut listed = BTreeSet::new();
    for line in texts.iter().flat_map(|text| text.lines().skip(1)) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [service, verb, path, why] = cells.as_slice() else { panic!("four cells: {line}") };
        assert!(!why.is_empty(), "{line}");
        assert!(listed.insert(key(service, verb, path)), "twice: {line}");
    }
    let missing: Vec<_> = further.difference(&listed).collect();
    assert!(missing.is_empty(), "no docs/<domain>/additions.tsv has {missing:#?}");
    let more: Vec<_> = listed.difference(&further).collect();
    assert!(more.is_empty(), "these are documented, or no paths of the contract: {more:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_call_is_served_and_bad_input_is_never_a_5xx() {
    let app = TestApp::start().await.unwrap();
    let sample = "01900000-0000-7000-8000-000000000001";
    let bodies =
        [Some(json!({})), Some(json!({"nonsense": [1, {"deep": null}]})), Some(json!([])), Some(json!("x")), None];
    let mut asked = 0;
    let contract = Contract::read(&domains::pool(false).unwrap()).unwrap();
    for row in documented_calls(&contract) {
        let path: String = row[2]
            .split('/')
            .map(|part| if part.starts_with('{') { sample } else { part })
            .collect::<Vec<_>>()
            .join("/");
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
                assert!(
                    answer.status.is_success() || !reason.is_empty(),
                    "{} {path}: an error without a reason",
                    row[1]
                );
            }
        }
    }
    println!("{asked} requests answered");
    app.finish().await;
}
