//! The erasure of a profile's own data.

use pavise_members::contract::v1::*;

use crate::scene::{BEN, PLATFORM, STAFF, email, into_answer, name, phone, refusal_reason, request_by, scenes};

#[tokio::test]
async fn a_redacted_profile_is_blank_and_stays_so() {
    for scene in scenes().await {
        let of = CreateProfileRequest {
            name: name("Ada", "Lee"),
            emails: vec![email("ada@example.com")],
            phone_numbers: vec![phone("5125550101")],
            ..CreateProfileRequest::default()
        };
        scene.person("ada", of).await;
        let mut profiles = scene.profiles();
        let request =
            || RedactPersonalInformationRequest { identity_id: "ada".into(), reason: "letter of 2 May".into() };
        let unsaid = RedactPersonalInformationRequest { identity_id: "ada".into(), ..Default::default() };
        let unsaid = profiles.redact_personal_information(request_by(STAFF, unsaid)).await;
        assert_eq!(refusal_reason(unsaid), "INVALID_FIELD", "staff say why");
        let hers = profiles.redact_personal_information(request_by(BEN, request())).await;
        assert_eq!(refusal_reason(hers), "NOT_THE_OWNER");
        let stale = profiles.redact_personal_information(request_by("Internal/staff/!", request())).await;
        assert_eq!(refusal_reason(stale), "PROOF_NEEDED");
        for _ in 0..2 {
            let blank = into_answer(profiles.redact_personal_information(request_by(STAFF, request())).await).unwrap();
            assert_eq!((blank.status(), blank.name, blank.emails.len()), (ProfileStatus::Redacted, None, 0));
        }
        let named = UpdateNameRequest { identity_id: "ada".into(), name: name("Ada", "Lee") };
        assert_eq!(refusal_reason(profiles.update_name(request_by(STAFF, named)).await), "STATUS_NOT_ALLOWED");
        let fill = FillProfileRequest { identity_id: "ada".into(), name: name("Ada", "Lee"), ..Default::default() };
        let filled = into_answer(profiles.fill_profile(request_by(PLATFORM, fill)).await).unwrap();
        assert_eq!(filled.name, None, "nothing fills it again");
        let search = SearchProfilesRequest { text: "lee".into(), ..SearchProfilesRequest::default() };
        let found = into_answer(profiles.search_profiles(request_by(STAFF, search)).await).unwrap();
        assert!(found.profiles.is_empty());
    }
}
