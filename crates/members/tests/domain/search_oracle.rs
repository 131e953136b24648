//! Every search finds what a comparison with all stored profiles finds, on all its pages, on both engines.

use std::collections::BTreeMap;
use std::time::Duration;

use pavise_kernel::common::v1::{Address, RegionCode};
use pavise_kernel::store::{Command, StoredRow, Write};
use pavise_kernel::words::words_of_query;
use pavise_members::contract::PROFILE_TABLE;
use pavise_members::contract::v1::*;
use serde_json::Value;

use crate::scene::{STAFF, Scene, email, into_answer, name, phone, request_by, scenes};

/// How the words of the searches sound.
const SOUNDS: [(&str, &str); 17] = [
    ("bob", "b="),
    ("bobby", "b="),
    ("jane", "jn="),
    ("john", "jn="),
    ("jon", "jn="),
    ("kate", "kt="),
    ("lee", "l="),
    ("leigh", "l="),
    ("maier", "mr="),
    ("meyer", "mr="),
    ("nobody", "nbd="),
    ("robert", "rbrt="),
    ("smi", "sm="),
    ("smit", "smt="),
    ("smith", "smt="),
    ("smyth", "smt="),
    ("tom", "tm="),
];

/// Thirty people with six first and five last names. Some share a number, an address or an employee id.
async fn people(scene: &Scene) {
    let firsts = ["Robert", "Bob", "Katherine", "Thomas", "John", "Jane"];
    let lasts = ["Smith", "Smyth", "Lee", "Leigh", "Meyer"];
    let names = firsts.iter().flat_map(|first| lasts.map(|last| (*first, last)));
    for (number, (first, last)) in names.enumerate() {
        let address = Address {
            address1: format!("{number} Congress Avenue"),
            city: "Austin".into(),
            locality: RegionCode::Tx.into(),
            postal_code: "78701".into(),
            ..Address::default()
        };
        let address = ProfileAddress { address: Some(address), ..ProfileAddress::default() };
        let of = CreateProfileRequest {
            name: name(first, last),
            emails: vec![email(&format!("m{number}@example.com"))],
            phone_numbers: vec![phone(if number % 3 == 0 { "5125550100" } else { "5125550177" })],
            addresses: if number % 4 == 0 { vec![address] } else { Vec::new() },
            employee_id: if number % 2 == 0 { format!("E-{}", number % 6) } else { String::new() },
            account_identifiers: vec![AccountIdentifier {
                r#type: AccountIdentifierType::Member.into(),
                value: format!("9000{number}"),
                ..AccountIdentifier::default()
            }],
            ..CreateProfileRequest::default()
        };
        scene.person(&format!("p-{number:02}"), of).await;
    }
}

/// The ids of all pages. The clock goes on, so that no search is one too many in its minute.
async fn found(scene: &Scene, request: &SearchProfilesRequest, page_size: i32) -> Vec<String> {
    let mut request = SearchProfilesRequest { page_size, ..request.clone() };
    let mut all = Vec::new();
    loop {
        scene.clock.move_forward(Duration::from_secs(1));
        let page = into_answer(scene.profiles().search_profiles(request_by(STAFF, request.clone())).await).unwrap();
        assert!(page.profiles.len() <= usize::try_from(page_size).unwrap());
        all.extend(page.profiles.into_iter().map(|profile| profile.id));
        if page.next_page_token.is_empty() {
            return all;
        }
        request.page_token = page.next_page_token;
    }
}

/// The texts of a field, or of a field of its items.
fn texts(doc: &Value, field: &str, inner: &str) -> Vec<String> {
    let value = match &doc[field] {
        Value::Array(items) => items.clone(),
        Value::Null => Vec::new(),
        other => vec![other.clone()],
    };
    let text = |one: &Value| if inner.is_empty() { one.clone() } else { one[inner].clone() };
    value.iter().map(|one| text(one).as_str().unwrap().to_lowercase()).collect()
}

fn begins(values: &[String], text: &str) -> bool {
    values.iter().any(|value| value.starts_with(&text.to_lowercase()))
}

/// Whether each word of a text begins one of the values.
fn has_all(values: &[String], words: &[String]) -> bool {
    !words.is_empty() && words.iter().all(|word| begins(values, word))
}

fn meets_criteria(doc: &Value, request: &SearchProfilesRequest) -> bool {
    let is_unset_or = |text: &str, met: bool| text.is_empty() || met;
    let numbers = texts(doc, "phoneNumbers", "number");
    let digits: String = request.phone_number.chars().filter(char::is_ascii_digit).collect();
    let places = texts(doc, "placeWords", "");
    is_unset_or(&request.email, begins(&texts(doc, "emails", "address"), &request.email))
        && is_unset_or(&request.employee_id, begins(&texts(doc, "employeeId", ""), &request.employee_id))
        && is_unset_or(&digits, numbers.contains(&format!("+1{digits}")))
        && is_unset_or(
            &request.account_identifier,
            begins(&texts(doc, "accountIdentifiers", "value"), &request.account_identifier),
        )
        && request.address.split_whitespace().all(|word| begins(&places, word))
}

/// The stage of the search in which a profile is found.
fn stage_of(doc: &Value, request: &SearchProfilesRequest) -> Option<usize> {
    if !meets_criteria(doc, request) {
        return None;
    }
    let words = words_of_query(&request.text);
    let in_places = [("accountIdentifiers", "value"), ("employeeId", ""), ("emails", "address"), ("id", "")];
    let is_placed = in_places.iter().any(|(field, inner)| begins(&texts(doc, field, inner), &request.text));
    if request.text.is_empty() || is_placed || has_all(&texts(doc, "searchWords", ""), &words) {
        return Some(0);
    }
    if request.exact {
        return None;
    }
    if has_all(&texts(doc, "nicknameWords", ""), &words) {
        return Some(1);
    }
    let sounds = words.iter().filter(|word| !word.contains('@')).map(|word| {
        let has_digit = word.chars().any(|letter| letter.is_ascii_digit());
        let known = || SOUNDS.iter().find(|(of, _)| of == word).unwrap_or_else(|| panic!("no sound of {word}")).1;
        if has_digit { word.clone() } else { known().to_owned() }
    });
    let sounds: Vec<String> = sounds.collect();
    (sounds.len() == words.len() && has_all(&texts(doc, "soundWords", ""), &sounds)).then_some(2)
}

#[tokio::test]
async fn every_search_finds_what_a_comparison_with_all_profiles_finds() {
    let of = SearchProfilesRequest::default;
    let criteria = [
        of(),
        SearchProfilesRequest { exact: true, ..of() },
        SearchProfilesRequest { phone_number: "512 555 0100".into(), ..of() },
        SearchProfilesRequest { phone_number: "5125550199".into(), ..of() },
        SearchProfilesRequest { email: "M1".into(), ..of() },
        SearchProfilesRequest { address: "78701 Cong".into(), ..of() },
        SearchProfilesRequest { employee_id: "e-2".into(), phone_number: "5125550177".into(), ..of() },
        SearchProfilesRequest { account_identifier: "90001".into(), address: "austin".into(), ..of() },
    ];
    let asked = [
        "",
        "smi",
        "smith",
        "m1",
        "p-0",
        "9000",
        "bob smith",
        "Smyth bob",
        "kate lee",
        "jon meyer",
        "jane maier",
        "lee leigh",
        "tom jon smith",
        "robert bob smyth",
        "bob smit 512",
        "robert 512-555-0100",
        "m12@example.com smyth",
        "nobody",
    ];
    for scene in scenes().await {
        people(&scene).await;
        let rows = scene.store().scan(&PROFILE_TABLE, "", 100).await.unwrap();
        let docs: Vec<Value> = rows.iter().map(|row| serde_json::from_str(&row.doc).unwrap()).collect();
        assert_eq!(docs.len(), 30);
        let mut of_stages = [0; 3];
        for request in criteria
            .iter()
            .flat_map(|criteria| asked.map(|text| SearchProfilesRequest { text: text.into(), ..criteria.clone() }))
        {
            let stages =
                docs.iter().filter_map(|doc| Some((doc["id"].as_str().unwrap().to_owned(), stage_of(doc, &request)?)));
            let expected: BTreeMap<String, usize> = stages.collect();
            expected.values().for_each(|stage| of_stages[*stage] += 1);
            let whole = found(&scene, &request, 500).await;
            let mut sorted = whole.clone();
            sorted.sort();
            assert_eq!(sorted, expected.keys().cloned().collect::<Vec<_>>(), "each once: {request:?}");
            assert!(whole.is_sorted_by_key(|id| expected[id]), "the best come first: {request:?}: {whole:?}");
            assert_eq!(found(&scene, &request, 3).await, whole, "pages of three: {request:?}");
        }
        assert!(of_stages.iter().all(|count| *count > 5), "each stage finds some: {of_stages:?}");
    }
}

/// An earlier version of the platform stored profiles without the pairs of their sounds.
async fn forget_pairs(scene: &Scene, id: &str) {
    let row = scene.store().get(&PROFILE_TABLE, id).await.unwrap().unwrap();
    let mut doc: Value = serde_json::from_str(&row.doc).unwrap();
    let version = row.version + 1;
    let fields = doc.as_object_mut().unwrap();
    fields.insert("version".to_owned(), version.to_string().into());
    assert!(fields.remove("soundPairs").is_some(), "{doc}");
    let row = StoredRow { version, doc: doc.to_string(), ..row };
    let stored = scene.store().lookup_values(&PROFILE_TABLE, &[id.to_owned()]).await.unwrap();
    let others = stored.into_iter().filter(|(_, name, _)| name != "sound_pairs");
    let lookups = others.map(|(_, name, value)| (PROFILE_TABLE.lookup(&name).unwrap(), value)).collect();
    let (table, expected, action) = (&PROFILE_TABLE, Some(version - 1), "TOUCHED".to_owned());
    let write = Write { table, row, expected, removed: false, action, lookups };
    let command = Command { journal: PROFILE_TABLE.journal, writes: vec![write], at: 1, ..Command::default() };
    scene.store().commit(&[command]).await.unwrap();
}

#[tokio::test]
async fn stored_before_the_pairs_were_kept_and_found_by_them_after_a_start() {
    for scene in scenes().await {
        let robert = CreateProfileRequest { name: name("Robert", "Smith"), ..CreateProfileRequest::default() };
        let stored = scene.person("robert", robert).await;
        let by_sound = SearchProfilesRequest { text: "bobby smyth".into(), ..SearchProfilesRequest::default() };
        assert_eq!(found(&scene, &by_sound, 50).await, ["robert"]);
        forget_pairs(&scene, "robert").await;
        assert_eq!(found(&scene, &by_sound, 50).await, [""; 0]);
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 2, "the row and its last entry");
        assert_eq!(found(&scene, &by_sound, 50).await, ["robert"]);
        let row = scene.store().get(&PROFILE_TABLE, "robert").await.unwrap().unwrap();
        assert_eq!(row.version, stored.version + 1, "no version says so");
        assert_eq!(scene.rewrite_earlier().await.unwrap(), 0, "a repeat does nothing");
    }
}
