//! The search of profiles: what is found, and in which order, on both engines.

use pavise_kernel::common::v1::{Address, Date, NationalIdentifier, NationalIdentifierType, RegionCode};
use pavise_members::contract::v1::*;

use crate::scene::{ADA, STAFF, Scene, email, into_answer, name, phone, refusal_reason, request_by, scenes};

async fn people(scene: &Scene) {
    let of =
        |first: &str, last: &str| CreateProfileRequest { name: name(first, last), ..CreateProfileRequest::default() };
    let robert = CreateProfileRequest {
        emails: vec![email("r.smith@example.com")],
        phone_numbers: vec![phone("5125550100")],
        employee_id: "E-77".into(),
        date_of_birth: Some(Date { year: 1987, month: 3, day: 5 }),
        national_identifier: Some(NationalIdentifier {
            r#type: NationalIdentifierType::Ssn.into(),
            value: "501123456".into(),
        }),
        account_identifiers: vec![AccountIdentifier {
            r#type: AccountIdentifierType::Member.into(),
            value: "88001".into(),
            ..AccountIdentifier::default()
        }],
        ..of("Robert", "Smith")
    };
    scene.person("robert", robert).await;
    scene.person("bob", of("Bob", "Smith")).await;
    scene.person("bobby", of("Bobby", "Smyth")).await;
    scene.person("elodie", of("Élodie", "Côté")).await;
    let address = Address {
        address1: "7 Congress Avenue".into(),
        city: "Austin".into(),
        locality: RegionCode::Tx.into(),
        postal_code: "78701".into(),
        ..Address::default()
    };
    let housed = CreateProfileRequest {
        addresses: vec![ProfileAddress { address: Some(address), ..ProfileAddress::default() }],
        ..of("Zoe", "Young")
    };
    scene.person("zoe", housed).await;
}

async fn found(scene: &Scene, request: SearchProfilesRequest) -> Vec<String> {
    let mut all = Vec::new();
    let mut request = SearchProfilesRequest { page_size: 2, ..request };
    loop {
        let page = into_answer(scene.profiles().search_profiles(request_by(STAFF, request.clone())).await).unwrap();
        assert!(page.profiles.len() <= 2, "{page:?}");
        all.extend(page.profiles.into_iter().map(|profile| profile.id));
        if page.next_page_token.is_empty() {
            return all;
        }
        request.page_token = page.next_page_token;
    }
}

fn text(text: &str) -> SearchProfilesRequest {
    SearchProfilesRequest { text: text.into(), ..SearchProfilesRequest::default() }
}

#[tokio::test]
async fn people_are_found_by_what_they_say_and_the_best_come_first() {
    for scene in scenes().await {
        people(&scene).await;
        let of = async |asked: &str| found(&scene, text(asked)).await;
        assert_eq!(of("bob smith").await, ["bob", "robert", "bobby"], "as written, by nickname, by sound");
        assert_eq!(of("elodie cote").await, ["elodie"], "accents do not count");
        assert_eq!(of("r.smith@exam").await, ["robert"]);
        assert_eq!(of("(512) 555-0100").await, ["robert"]);
        assert_eq!(of("880").await, ["robert"], "the beginning of a number");
        assert_eq!(of("e-77").await, ["robert"]);
        assert_eq!(of("congress 78701").await, ["zoe"], "words of an address");
        assert_eq!(of("smith 5125550100").await, ["robert"], "words of several kinds");
        assert_eq!(of("nobody").await, [""; 0]);
        let exact = SearchProfilesRequest { exact: true, ..text("bob smith") };
        assert_eq!(found(&scene, exact).await, ["bob"]);
        assert_eq!(found(&scene, text("")).await.len(), 5, "the newest without a text");
    }
}

#[tokio::test]
async fn sealed_values_narrow_a_search_as_a_whole() {
    for scene in scenes().await {
        people(&scene).await;
        let day = |day| Some(Date { year: 1987, month: 3, day });
        let narrowed = |last4: &str, date_of_birth, asked: &str| SearchProfilesRequest {
            last4: last4.into(),
            date_of_birth,
            ..text(asked)
        };
        assert_eq!(found(&scene, narrowed("3456", None, "")).await, ["robert"]);
        assert_eq!(found(&scene, narrowed("", day(5), "")).await, ["robert"]);
        assert_eq!(found(&scene, narrowed("3456", day(5), "smith")).await, ["robert"]);
        assert_eq!(found(&scene, narrowed("3456", day(6), "smith")).await, [""; 0]);
        assert_eq!(found(&scene, narrowed("9999", None, "")).await, [""; 0]);
    }
}

#[tokio::test]
async fn fields_are_searched_alone_and_joined() {
    for scene in scenes().await {
        people(&scene).await;
        let none = SearchProfilesRequest::default;
        let by_phone = SearchProfilesRequest { phone_number: "512 555 0100".into(), ..none() };
        assert_eq!(found(&scene, by_phone.clone()).await, ["robert"]);
        let by_address = SearchProfilesRequest { address: "austin Congress".into(), ..none() };
        assert_eq!(found(&scene, by_address).await, ["zoe"]);
        let by_number = SearchProfilesRequest { account_identifier: "88001".into(), email: "R.SMITH".into(), ..none() };
        assert_eq!(found(&scene, by_number).await, ["robert"]);
        let both = SearchProfilesRequest { text: "young".into(), ..by_phone };
        assert_eq!(found(&scene, both).await, [""; 0], "all that is set has to fit");
        let mut profiles = scene.profiles();
        let wrong = SearchProfilesRequest { page_token: "nonsense".into(), ..text("bob") };
        assert_eq!(refusal_reason(profiles.search_profiles(request_by(STAFF, wrong)).await), "INVALID_PAGE_TOKEN");
        assert_eq!(refusal_reason(profiles.search_profiles(request_by(ADA, text("bob"))).await), "REALM_NOT_ALLOWED");
    }
}
