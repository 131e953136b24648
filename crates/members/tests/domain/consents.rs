//! Consents: who said what, when, where, and to which words.

use pavise_kernel::common::v1::{Date, PhoneType};
use pavise_members::contract::v1::*;

use crate::scene::{ADA, STAFF, into_answer, phone, refusal_reason, request_by, scene};

fn texts(given: bool) -> UpdateSmsOptInRequest {
    UpdateSmsOptInRequest {
        identity_id: "ada".into(),
        given,
        source: "checkout".into(),
        wording_version: "2026-01".into(),
    }
}

#[tokio::test]
async fn texts_need_a_cell_phone_and_end_with_it() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    let home = ProfilePhoneNumber { r#type: PhoneType::Home.into(), ..phone("5125550100") };
    let of = CreateProfileRequest { phone_numbers: vec![home], ..CreateProfileRequest::default() };
    scene.person("ada", of).await;
    assert_eq!(refusal_reason(profiles.update_sms_opt_in(request_by(ADA, texts(true))).await), "CELL_NUMBER_MISSING");
    let add = AddPhoneNumberRequest { identity_id: "ada".into(), phone_number: Some(phone("5125550101")) };
    let profile = into_answer(profiles.add_phone_number(request_by(ADA, add)).await).unwrap();
    let given = into_answer(profiles.update_sms_opt_in(request_by(ADA, texts(true))).await).unwrap();
    let consent = given.sms_opt_in.unwrap();
    assert!(consent.given && consent.at.is_some());
    assert_eq!(
        (consent.by.as_str(), consent.source.as_str(), consent.wording_version.as_str()),
        ("ada", "checkout", "2026-01")
    );
    let cell = profile.phone_numbers.iter().find(|one| one.r#type() == PhoneType::Cell).unwrap();
    let remove = RemovePhoneNumberRequest { identity_id: "ada".into(), phone_number_id: cell.id.clone() };
    let left = into_answer(profiles.remove_phone_number(request_by(ADA, remove)).await).unwrap();
    assert!(!left.sms_opt_in.unwrap().given);
}

#[tokio::test]
async fn a_date_of_death_ends_consents_and_its_removal_does_not_bring_them_back() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    let of = CreateProfileRequest { phone_numbers: vec![phone("5125550101")], ..CreateProfileRequest::default() };
    scene.person("ada", of).await;
    let _ = into_answer(profiles.update_sms_opt_in(request_by(ADA, texts(true))).await).unwrap();
    let died = UpdateDateOfDeathRequest {
        identity_id: "ada".into(),
        date_of_death: Some(Date { year: 2026, month: 1, day: 2 }),
    };
    assert_eq!(refusal_reason(profiles.update_date_of_death(request_by(ADA, died.clone())).await), "REALM_NOT_ALLOWED");
    let ended = into_answer(profiles.update_date_of_death(request_by(STAFF, died)).await).unwrap();
    let consent = ended.sms_opt_in.unwrap();
    assert!(!consent.given);
    assert_eq!((consent.by.as_str(), consent.source.as_str()), ("staff", "date of death"));
    let back = RemoveDateOfDeathRequest { identity_id: "ada".into() };
    let profile = into_answer(profiles.remove_date_of_death(request_by(STAFF, back)).await).unwrap();
    assert!(profile.date_of_death.is_none() && !profile.sms_opt_in.unwrap().given);
}

#[tokio::test]
async fn preferences_are_kept_by_key_and_channel() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    scene.person("ada", CreateProfileRequest::default()).await;
    let one = |key: &str, channel: CommunicationChannel, allowed| UpdateCommunicationPreferenceRequest {
        identity_id: "ada".into(),
        key: key.into(),
        channel: channel.into(),
        allowed,
        source: "page".into(),
    };
    for request in [
        one("newsletter", CommunicationChannel::Unspecified, true),
        one("newsletter", CommunicationChannel::Sms, true),
        one("Newsletter", CommunicationChannel::Email, false),
    ] {
        let _ = into_answer(profiles.update_communication_preference(request_by(ADA, request)).await).unwrap();
    }
    let profile = scene.profile(ADA, "ada").await.unwrap();
    let kept: Vec<(CommunicationChannel, bool)> =
        profile.communication_preferences.iter().map(|one| (one.channel(), one.allowed)).collect();
    assert_eq!(kept, [(CommunicationChannel::Email, false), (CommunicationChannel::Sms, true)]);
}
