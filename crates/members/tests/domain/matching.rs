//! People who may be the one who is described.

use pavise_kernel::common::v1::{Date, NationalIdentifier, NationalIdentifierType};
use pavise_members::contract::v1::*;

use crate::scene::{PLATFORM, STAFF, Scene, into_answer, name, phone, refusal_reason, request_by, scenes};

const DAY: Date = Date { year: 1980, month: 2, day: 3 };

impl Scene {
    async fn matches(&self, request: MatchProfilesRequest) -> Vec<(String, ProfileMatchReason)> {
        let answer = into_answer(self.profiles().match_profiles(request_by(PLATFORM, request)).await).unwrap();
        answer.matches.iter().map(|one| (one.identity_id.clone(), one.reason())).collect()
    }

    async fn known(&self, identity: &str, first: &str, of: CreateProfileRequest) {
        self.person(identity, CreateProfileRequest { name: name(first, "Lee"), ..of }).await;
    }
}

#[tokio::test]
async fn people_match_by_identifier_birth_and_telephone() {
    for scene in scenes().await {
        let of = CreateProfileRequest {
            date_of_birth: Some(DAY),
            phone_numbers: vec![phone("5125550101")],
            ..Default::default()
        };
        scene.known("ada", "Ada", of.clone()).await;
        scene.known("ben", "Ben", of).await;
        let number = NationalIdentifier { r#type: NationalIdentifierType::Ssn.into(), value: "501-12-3456".into() };
        let kept =
            UpdateNationalIdentifierRequest { identity_id: "ben".into(), national_identifier: Some(number.clone()) };
        into_answer(scene.profiles().update_national_identifier(request_by(STAFF, kept)).await).unwrap();

        let described = |first: &str| MatchProfilesRequest {
            first_name: first.into(),
            last_name: "LEE".into(),
            date_of_birth: Some(DAY),
            ..MatchProfilesRequest::default()
        };
        assert_eq!(scene.matches(described("ada")).await, [("ada".to_owned(), ProfileMatchReason::NameAndBirth)]);
        assert!(scene.matches(described("Cyd")).await.is_empty(), "a twin is another person");
        let nameless = described("");
        assert!(scene.matches(nameless).await.is_empty());
        let called = |first: &str| MatchProfilesRequest {
            first_name: first.into(),
            phone_number: "(512) 555-0101".into(),
            ..MatchProfilesRequest::default()
        };
        assert_eq!(scene.matches(called("Ben")).await, [("ben".to_owned(), ProfileMatchReason::PhoneAndName)]);
        assert!(scene.matches(called("Cyd")).await.is_empty(), "a family shares its number");
        let numbered = MatchProfilesRequest { national_identifier: Some(number), ..called("Ada") };
        let both = [
            ("ben".to_owned(), ProfileMatchReason::NationalIdentifier),
            ("ada".to_owned(), ProfileMatchReason::PhoneAndName),
        ];
        assert_eq!(scene.matches(numbered).await, both);
        assert!(scene.matches(MatchProfilesRequest::default()).await.is_empty());
        let staff = scene.profiles().match_profiles(request_by(STAFF, MatchProfilesRequest::default())).await;
        assert_eq!(refusal_reason(staff), "REALM_NOT_ALLOWED");
    }
}
