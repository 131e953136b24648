//! A profile and its lists, through the calls, on both engines.

use pavise_kernel::common::v1::{Address, Date, NationalIdentifier, NationalIdentifierType, PhoneType, RegionCode};
use pavise_members::contract::v1::*;

use crate::scene::{
    ADA, BEN, PLATFORM, STAFF, Scene, email, into_answer, name, phone, refusal_reason, request_by, scene, scenes,
};

const BORN: Date = Date { year: 1987, month: 3, day: 5 };

fn ada() -> CreateProfileRequest {
    CreateProfileRequest {
        name: name("Ada", "Lee"),
        emails: vec![email("ada@example.com"), email("lee@example.com")],
        phone_numbers: vec![phone("(512) 555-0100")],
        date_of_birth: Some(BORN),
        national_identifier: Some(NationalIdentifier {
            r#type: NationalIdentifierType::Ssn.into(),
            value: "501-12-3456".into(),
        }),
        ..CreateProfileRequest::default()
    }
}

/// The field of a refusal.
fn field<T: std::fmt::Debug>(answer: Result<tonic::Response<T>, tonic::Status>) -> String {
    let error = into_answer(answer).unwrap_err();
    error.violations().first().map(|one| one.field.clone()).unwrap_or_else(|| panic!("{error:?}"))
}

async fn lists(scene: &Scene) {
    let made = scene.person("ada", ada()).await;
    assert_eq!((made.id.as_str(), made.owner_id.as_str(), made.display_name.as_str()), ("ada", "ada", "Ada Lee"));
    assert_eq!(made.emails.iter().map(|one| one.primary).collect::<Vec<_>>(), [true, false]);
    assert_eq!(made.phone_numbers[0].number, "+15125550100");
    assert_eq!(made.phone_numbers[0].r#type(), PhoneType::Cell);
    let mut profiles = scene.profiles();
    let again = CreateProfileRequest { identity_id: "ada".into(), ..ada() };
    assert_eq!(refusal_reason(profiles.create_profile(request_by(ADA, again)).await), "ALREADY_EXISTS");
    // Another primary one takes the place of the first.
    let add = |address: &str, primary| AddEmailRequest {
        identity_id: "ada".into(),
        email: Some(ProfileEmail { primary, ..email(address) }),
    };
    let added = into_answer(profiles.add_email(request_by(ADA, add("new@example.com", true))).await).unwrap();
    assert_eq!(added.emails.iter().map(|one| one.primary).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(field(profiles.add_email(request_by(ADA, add("NEW@example.com", false))).await), "email");
    assert_eq!(field(profiles.add_email(request_by(ADA, add("no address", false))).await), "email.address");
    // A replacement keeps the id.
    let update = UpdateEmailRequest {
        identity_id: "ada".into(),
        email_id: added.emails[1].id.clone(),
        email: Some(email("other@example.com")),
    };
    let updated = into_answer(profiles.update_email(request_by(ADA, update.clone())).await).unwrap();
    assert_eq!((&updated.emails[1].id, updated.emails[1].address.as_str()), (&added.emails[1].id, "other@example.com"));
    let unknown = UpdateEmailRequest { email_id: "none".into(), ..update };
    assert_eq!(refusal_reason(profiles.update_email(request_by(ADA, unknown)).await), "NOT_FOUND");
    let ids = updated.emails.iter().take(2).map(|one| one.id.clone()).collect();
    let remove = RemoveMultipleEmailsRequest { identity_id: "ada".into(), email_ids: ids };
    let left = into_answer(profiles.remove_multiple_emails(request_by(ADA, remove)).await).unwrap();
    assert_eq!(left.emails.len(), 1);
    for at in 1..20 {
        let _ =
            into_answer(profiles.add_email(request_by(ADA, add(&format!("a{at}@example.com"), false))).await).unwrap();
    }
    assert_eq!(field(profiles.add_email(request_by(ADA, add("last@example.com", false))).await), "email");
}

#[tokio::test]
async fn a_list_has_twenty_items_one_of_them_primary_on_both_engines() {
    for scene in scenes().await {
        lists(&scene).await;
    }
}

#[tokio::test]
async fn an_address_is_of_its_region_and_two_primary_items_are_refused() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    let address = |postal_code: &str, primary| ProfileAddress {
        address: Some(Address {
            address1: "7 Main St".into(),
            city: "Austin".into(),
            locality: RegionCode::Tx.into(),
            postal_code: postal_code.into(),
            ..Address::default()
        }),
        primary,
        ..ProfileAddress::default()
    };
    let of =
        |addresses| CreateProfileRequest { identity_id: "ada".into(), addresses, ..CreateProfileRequest::default() };
    let wrong = of(vec![address("10001", false)]);
    assert!(field(profiles.create_profile(request_by(ADA, wrong)).await).starts_with("addresses[0].address"));
    let mut other = address("78702", true);
    other.address.as_mut().unwrap().address1 = "8 Main St".into();
    let two = of(vec![address("78701", true), other]);
    assert_eq!(field(profiles.create_profile(request_by(ADA, two)).await), "addresses[1].primary");
    let one = into_answer(profiles.create_profile(request_by(ADA, of(vec![address("78701", false)]))).await).unwrap();
    assert!(one.addresses[0].primary);
}

#[tokio::test]
async fn what_only_staff_set_is_a_violation_from_a_member() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    let number = || AccountIdentifier {
        r#type: AccountIdentifierType::Member.into(),
        value: "12345".into(),
        ..AccountIdentifier::default()
    };
    let with_number = UpdateProfileRequest {
        identity_id: "ada".into(),
        name: name("Ada", "Lee"),
        account_identifiers: vec![number()],
        ..UpdateProfileRequest::default()
    };
    scene.person("ada", ada()).await;
    assert_eq!(field(profiles.update_profile(request_by(ADA, with_number.clone())).await), "account_identifiers");
    let made = into_answer(profiles.update_profile(request_by(STAFF, with_number.clone())).await).unwrap();
    assert_eq!(made.account_identifiers[0].key, "member/12345");
    assert!(made.emails.is_empty(), "what is not set is removed");
    // A member's replacement leaves it in place.
    let renamed = UpdateProfileRequest { name: name("Ada", "Byron"), account_identifiers: Vec::new(), ..with_number };
    let renamed = into_answer(profiles.update_profile(request_by(ADA, renamed)).await).unwrap();
    assert_eq!((renamed.display_name.as_str(), renamed.account_identifiers.len()), ("Ada Byron", 1));
    assert_eq!(renamed.date_of_birth, Some(BORN), "days have calls of their own");
    // The number is nobody else's.
    scene.person("ben", CreateProfileRequest::default()).await;
    let taken = AddAccountIdentifierRequest { identity_id: "ben".into(), account_identifier: Some(number()) };
    assert_eq!(
        refusal_reason(profiles.add_account_identifier(request_by(STAFF, taken.clone())).await),
        "ALREADY_EXISTS"
    );
    assert_eq!(refusal_reason(profiles.add_account_identifier(request_by(BEN, taken)).await), "REALM_NOT_ALLOWED");
}

#[tokio::test]
async fn days_and_identifiers_are_masked_until_they_are_revealed() {
    for scene in scenes().await {
        scene.person("ada", ada()).await;
        let own = scene.profile(ADA, "ada").await.unwrap();
        assert_eq!(own.date_of_birth, Some(BORN), "members see the day that they gave");
        let identifier = |profile: &Profile| profile.national_identifier.as_ref().unwrap().value.clone();
        assert_eq!(identifier(&own), "••••3456", "nobody sees the number");
        let seen = scene.profile(STAFF, "ada").await.unwrap();
        assert_eq!((seen.date_of_birth.unwrap().month, identifier(&seen).as_str()), (0, "••••3456"));
        assert!(seen.birth_day.is_empty() && seen.last4.is_empty() && seen.search_words.is_empty());
        let mut profiles = scene.profiles();
        let ask = |reason: &str| RevealProfileRequest { identity_id: "ada".into(), reason: reason.into() };
        assert_eq!(field(profiles.reveal_profile(request_by(STAFF, ask(""))).await), "reason");
        let shown = into_answer(profiles.reveal_profile(request_by(STAFF, ask("case 7"))).await).unwrap();
        assert_eq!((shown.date_of_birth, identifier(&shown).as_str()), (Some(BORN), "501123456"));
        let clerk = "Internal/clerk/+members.profiles.read";
        assert_eq!(refusal_reason(profiles.reveal_profile(request_by(clerk, ask("x"))).await), "PERMISSION_MISSING");
        assert_eq!(refusal_reason(scene.profile(BEN, "ada").await), "NOT_THE_OWNER");
        // Nothing of it lies in the database.
        for at in [identifier(&shown), "1987-03-05".to_owned()] {
            let journal = scene.read_journal("/pavise.members.v1.ProfileService/ReadJournal").await;
            assert!(!journal.is_empty() && !at.is_empty());
        }
    }
}

#[tokio::test]
async fn impossible_days_and_numbers_name_their_field() {
    let scene = scene().await;
    scene.person("ada", ada()).await;
    let mut profiles = scene.profiles();
    let born = |year, month, day| UpdateDateOfBirthRequest {
        identity_id: "ada".into(),
        date_of_birth: Some(Date { year, month, day }),
    };
    for wrong in [born(1987, 2, 30), born(2999, 1, 1)] {
        assert_eq!(field(profiles.update_date_of_birth(request_by(ADA, wrong)).await), "date_of_birth");
    }
    let died = |year| UpdateDateOfDeathRequest {
        identity_id: "ada".into(),
        date_of_death: Some(Date { year, month: 1, day: 1 }),
    };
    assert_eq!(field(profiles.update_date_of_death(request_by(STAFF, died(1980))).await), "date_of_death");
    let number = |kind: NationalIdentifierType, value: &str| UpdateNationalIdentifierRequest {
        identity_id: "ada".into(),
        national_identifier: Some(NationalIdentifier { r#type: kind.into(), value: value.into() }),
    };
    let wrong = number(NationalIdentifierType::Ssn, "000-00-0000");
    assert!(
        field(profiles.update_national_identifier(request_by(ADA, wrong)).await).starts_with("national_identifier")
    );
    let masked = number(NationalIdentifierType::Ssn, "••••3456");
    assert!(
        field(profiles.update_national_identifier(request_by(STAFF, masked)).await).starts_with("national_identifier")
    );
    let business = number(NationalIdentifierType::Ein, "12-3456789");
    assert_eq!(field(profiles.update_national_identifier(request_by(ADA, business)).await), "national_identifier.type");
}

#[tokio::test]
async fn names_titles_and_flags_have_calls_of_their_own() {
    let scene = scene().await;
    let mut profiles = scene.profiles();
    scene.person("ada", CreateProfileRequest::default()).await;
    let title = UpdateTitleRequest { identity_id: "ada".into(), title: "Dr.".into() };
    assert_eq!(refusal_reason(profiles.update_title(request_by(ADA, title.clone())).await), "NAME_MISSING");
    let named = UpdateNameRequest { identity_id: "ada".into(), name: name("Ada", "Lee") };
    let _ = into_answer(profiles.update_name(request_by(ADA, named.clone())).await).unwrap();
    let _ = into_answer(profiles.update_title(request_by(ADA, title)).await).unwrap();
    let goes_by = UpdatePreferredNameRequest { identity_id: "ada".into(), preferred_name: "Countess".into() };
    let profile = into_answer(profiles.update_preferred_name(request_by(ADA, goes_by)).await).unwrap();
    assert_eq!(profile.display_name, "Countess Lee");
    let profile = into_answer(profiles.update_name(request_by(ADA, named)).await).unwrap();
    assert_eq!(profile.name.unwrap().title, "Dr.", "the title stays");
    let flag = |flag: ServiceFlag| AddServiceFlagRequest { identity_id: "ada".into(), service_flag: flag.into() };
    for _ in 0..2 {
        let flagged = into_answer(profiles.add_service_flag(request_by(STAFF, flag(ServiceFlag::Deaf))).await).unwrap();
        assert_eq!(flagged.service_flags, [i32::from(ServiceFlag::Deaf)]);
    }
    let gone = RemoveServiceFlagRequest { identity_id: "ada".into(), service_flag: ServiceFlag::Deaf.into() };
    let profile = into_answer(profiles.remove_service_flag(request_by(STAFF, gone)).await).unwrap();
    assert!(profile.service_flags.is_empty());
}

#[tokio::test]
async fn thin_profiles_come_in_the_order_asked_and_name_the_missing() {
    for scene in scenes().await {
        for person in ["ada", "ben"] {
            scene.person(person, ada_as(person)).await;
        }
        let ids = ["ben", "nobody", "ada"].map(str::to_owned).to_vec();
        let ask = |who: &'static str| request_by(who, GetThinProfilesRequest { ids: ids.clone() });
        let thin = into_answer(scene.profiles().get_thin_profiles(ask(PLATFORM)).await).unwrap();
        assert_eq!(thin.profiles.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["ben", "ada"]);
        assert_eq!(thin.not_found, ["nobody"]);
        assert_eq!(refusal_reason(scene.profiles().get_thin_profiles(ask(ADA)).await), "REALM_NOT_ALLOWED");
        let many = GetThinProfilesRequest { ids: (0..501).map(|at| at.to_string()).collect() };
        assert_eq!(field(scene.profiles().get_thin_profiles(request_by(PLATFORM, many)).await), "ids");
    }
}

fn ada_as(person: &str) -> CreateProfileRequest {
    CreateProfileRequest { name: name(person, "Lee"), ..CreateProfileRequest::default() }
}

#[tokio::test]
async fn a_touch_only_announces_again() {
    let scene = scene().await;
    let made = scene.person("ada", ada()).await;
    let touch = || request_by(PLATFORM, TouchProfileRequest { identity_id: "ada".into() });
    let touched = into_answer(scene.profiles().touch_profile(touch()).await).unwrap();
    let entries = scene.read_journal("/pavise.members.v1.ProfileService/ReadJournal").await;
    assert_eq!(entries.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), ["CREATED", "TOUCHED"]);
    assert_eq!((touched.version, touched.emails), (made.version + 1, made.emails));
}
