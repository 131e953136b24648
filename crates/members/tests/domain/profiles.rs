//! A profile and its lists, through the calls, on both engines.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::{
    Address, Date, Locale, NationalIdentifier, NationalIdentifierType, PhoneType, RegionCode,
};
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

/// Rule 260: as many as may be asked for at once come in the order asked, and whoever has no profile is named.
#[tokio::test]
async fn five_hundred_thin_profiles_come_in_the_order_asked() {
    const MANY: usize = 500;
    for scene in scenes().await {
        let mut profiles = scene.profiles();
        for at in 0..MANY {
            let request = CreateProfileRequest { identity_id: format!("person-{at}"), ..ada_as("Ada") };
            // Calls of the platform are not counted.
            let _ = into_answer(profiles.create_profile(request_by(PLATFORM, request)).await).unwrap();
        }
        // Neither in the order in which they were made nor in that of their ids.
        let mixed: Vec<String> = (0..MANY).map(|at| format!("person-{}", at * 7 % MANY)).collect();
        let ask = |ids: &[String]| request_by(PLATFORM, GetThinProfilesRequest { ids: ids.to_vec() });
        let all = into_answer(profiles.get_thin_profiles(ask(&mixed)).await).unwrap();
        assert_eq!(all.profiles.iter().map(|one| one.id.clone()).collect::<Vec<_>>(), mixed);
        assert!(all.not_found.is_empty() && all.profiles.iter().all(|one| one.display_name == "Ada Lee"));
        let unknown = |at: usize| at % 9 == 4;
        let asked: Vec<String> = mixed
            .iter()
            .enumerate()
            .map(|(at, id)| if unknown(at) { format!("nobody-{at}") } else { id.clone() })
            .collect();
        let (missing, there): (Vec<String>, Vec<String>) =
            asked.iter().cloned().partition(|id| id.starts_with("nobody-"));
        let some = into_answer(profiles.get_thin_profiles(ask(&asked)).await).unwrap();
        assert_eq!(some.profiles.into_iter().map(|one| one.id).collect::<Vec<_>>(), there);
        assert_eq!((some.not_found, missing.len()), (missing, 56));
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

/// Rule 180: three types of telephone numbers, two of account identifiers, and five service flags.
#[tokio::test]
async fn every_documented_type_and_flag_is_kept() {
    let phones: Vec<PhoneType> = (1..).map_while(|number| PhoneType::try_from(number).ok()).collect();
    let numbers: Vec<_> = (1..).map_while(|number| AccountIdentifierType::try_from(number).ok()).collect();
    let flags: Vec<ServiceFlag> = (1..).map_while(|number| ServiceFlag::try_from(number).ok()).collect();
    assert_eq!(phones.iter().map(|one| one.spelling()).collect::<Vec<_>>(), ["home", "cell", "work"]);
    assert_eq!(numbers.iter().map(|one| one.spelling()).collect::<Vec<_>>(), ["member", "associate"]);
    let words: Vec<_> = flags.iter().map(|one| one.spelling()).collect();
    assert_eq!(words, ["blind", "deaf", "specialNeeds", "fullTimeStudent", "residesWithPrimary"]);
    for scene in scenes().await {
        let phone_numbers = phones
            .iter()
            .zip(0..)
            .map(|(of, at)| ProfilePhoneNumber { r#type: (*of).into(), ..phone(&format!("512555010{at}")) });
        let account_identifiers = numbers.iter().map(|of| account_number(*of, "12345"));
        let of = CreateProfileRequest {
            phone_numbers: phone_numbers.collect(),
            account_identifiers: account_identifiers.collect(),
            service_flags: flags.iter().map(|flag| (*flag).into()).collect(),
            ..CreateProfileRequest::default()
        };
        scene.person("ada", of).await;
        let kept = scene.profile(STAFF, "ada").await.unwrap();
        assert_eq!(kept.phone_numbers.iter().map(ProfilePhoneNumber::r#type).collect::<Vec<_>>(), phones);
        let keys: Vec<&str> = kept.account_identifiers.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["member/12345", "associate/12345"]);
        assert_eq!(kept.service_flags().collect::<Vec<_>>(), flags);
    }
}

fn account_number(of: AccountIdentifierType, value: &str) -> AccountIdentifier {
    AccountIdentifier { r#type: of.into(), value: value.into(), ..AccountIdentifier::default() }
}

/// Sends a request by a caller, and answers the profile.
macro_rules! send {
    ($scene:expr, $who:expr, $call:ident, $request:expr) => {
        into_answer($scene.profiles().$call(request_by($who, $request)).await).unwrap()
    };
}

/// Adds to the lists of a profile, changes what is there, and removes it again.
async fn change_lists(scene: &Scene) {
    let identity_id = || "ada".to_owned();
    let number = |value: &str| Some(account_number(AccountIdentifierType::Member, value));
    let add = AddAccountIdentifierRequest { identity_id: identity_id(), account_identifier: number("12345") };
    let made = send!(scene, STAFF, add_account_identifier, add);
    let account_identifier_id = made.account_identifiers[0].id.clone();
    let update = UpdateAccountIdentifierRequest {
        identity_id: identity_id(),
        account_identifier_id: account_identifier_id.clone(),
        account_identifier: number("12346"),
    };
    send!(scene, STAFF, update_account_identifier, update);
    let many = BulkAddAccountIdentifiersRequest {
        identity_id: identity_id(),
        account_identifiers: ["12347", "12348"].into_iter().filter_map(number).collect(),
    };
    send!(scene, STAFF, bulk_add_account_identifiers, many);
    let remove = RemoveAccountIdentifierRequest { identity_id: identity_id(), account_identifier_id };
    send!(scene, STAFF, remove_account_identifier, remove);
    let house = |line: &str| {
        let address = Address {
            address1: line.into(),
            city: "Austin".into(),
            locality: RegionCode::Tx.into(),
            postal_code: "78701".into(),
            ..Address::default()
        };
        Some(ProfileAddress { address: Some(address), ..ProfileAddress::default() })
    };
    let add = AddAddressRequest { identity_id: identity_id(), address: house("7 Main St") };
    let address_id = send!(scene, ADA, add_address, add).addresses[0].id.clone();
    let update = UpdateAddressRequest {
        identity_id: identity_id(),
        address_id: address_id.clone(),
        address: house("8 Main St"),
    };
    send!(scene, ADA, update_address, update);
    send!(scene, ADA, remove_address, RemoveAddressRequest { identity_id: identity_id(), address_id });
    let add = |address: &str| AddEmailRequest { identity_id: identity_id(), email: Some(email(address)) };
    let email_id = send!(scene, ADA, add_email, add("a@example.com")).emails[0].id.clone();
    let update = UpdateEmailRequest {
        identity_id: identity_id(),
        email_id: email_id.clone(),
        email: Some(email("b@example.com")),
    };
    send!(scene, ADA, update_email, update);
    let more = send!(scene, ADA, add_email, add("c@example.com")).emails[1].id.clone();
    send!(scene, ADA, remove_email, RemoveEmailRequest { identity_id: identity_id(), email_id });
    let remove = RemoveMultipleEmailsRequest { identity_id: identity_id(), email_ids: vec![more] };
    send!(scene, ADA, remove_multiple_emails, remove);
    let flag = ServiceFlag::Deaf.into();
    send!(scene, STAFF, add_service_flag, AddServiceFlagRequest { identity_id: identity_id(), service_flag: flag });
    let remove = RemoveServiceFlagRequest { identity_id: identity_id(), service_flag: flag };
    send!(scene, STAFF, remove_service_flag, remove);
}

/// Changes the values that a profile has once, and the consents.
async fn change_values(scene: &Scene) {
    let identity_id = || "ada".to_owned();
    let named = UpdateNameRequest { identity_id: identity_id(), name: name("Ada", "Byron") };
    send!(scene, ADA, update_name, named);
    send!(scene, ADA, update_title, UpdateTitleRequest { identity_id: identity_id(), title: "Dr.".into() });
    let goes_by = UpdatePreferredNameRequest { identity_id: identity_id(), preferred_name: "Countess".into() };
    send!(scene, ADA, update_preferred_name, goes_by);
    let spoken_of = UpdatePronounsRequest { identity_id: identity_id(), pronouns: "she".into() };
    send!(scene, ADA, update_pronouns, spoken_of);
    let reads = UpdateLocaleRequest { identity_id: identity_id(), locale: Locale::FrCa.into() };
    send!(scene, ADA, update_locale, reads);
    let born = UpdateDateOfBirthRequest { identity_id: identity_id(), date_of_birth: Some(BORN) };
    send!(scene, ADA, update_date_of_birth, born);
    let died = Some(Date { year: 2026, month: 1, day: 2 });
    let died = UpdateDateOfDeathRequest { identity_id: identity_id(), date_of_death: died };
    send!(scene, STAFF, update_date_of_death, died);
    send!(scene, STAFF, remove_date_of_death, RemoveDateOfDeathRequest { identity_id: identity_id() });
    let national_identifier =
        Some(NationalIdentifier { r#type: NationalIdentifierType::Ssn.into(), value: "501-12-3456".into() });
    let number = UpdateNationalIdentifierRequest { identity_id: identity_id(), national_identifier };
    send!(scene, ADA, update_national_identifier, number);
    let works = UpdateEmployeeIdRequest { identity_id: identity_id(), employee_id: "E-77".into() };
    send!(scene, STAFF, update_employee_id, works);
    let first = Some(scene.now());
    let first = UpdateEntitlementCreatedRequest { identity_id: identity_id(), entitlement_created_at: first };
    send!(scene, PLATFORM, update_entitlement_created, first);
    send!(scene, PLATFORM, touch_profile, TouchProfileRequest { identity_id: identity_id() });
    let preference = CommunicationPreference {
        key: "newsletter".into(),
        channel: CommunicationChannel::Email.into(),
        ..CommunicationPreference::default()
    };
    let wants = UpdateCommunicationPreferencesRequest {
        identity_id: identity_id(),
        communication_preferences: vec![preference],
    };
    send!(scene, ADA, update_communication_preferences, wants);
    let add = AddPhoneNumberRequest { identity_id: identity_id(), phone_number: Some(phone("5125550100")) };
    let phone_number_id = send!(scene, ADA, add_phone_number, add).phone_numbers[0].id.clone();
    let update = UpdatePhoneNumberRequest {
        identity_id: identity_id(),
        phone_number_id: phone_number_id.clone(),
        phone_number: Some(phone("5125550101")),
    };
    send!(scene, ADA, update_phone_number, update);
    let (given, source, wording_version) = (true, || "page".to_owned(), || "2026-01".to_owned());
    let news = UpdateMarketingOptInRequest {
        identity_id: identity_id(),
        given,
        source: source(),
        wording_version: wording_version(),
    };
    send!(scene, ADA, update_marketing_opt_in, news);
    let texts = UpdateSmsOptInRequest {
        identity_id: identity_id(),
        given,
        source: source(),
        wording_version: wording_version(),
    };
    send!(scene, ADA, update_sms_opt_in, texts);
    let calls =
        UpdateTcpaRequest { identity_id: identity_id(), given, source: source(), wording_version: wording_version() };
    send!(scene, ADA, update_tcpa, calls);
    let terms = UpdateTermsOfServiceRequest {
        identity_id: identity_id(),
        given,
        source: source(),
        wording_version: wording_version(),
    };
    send!(scene, ADA, update_terms_of_service, terms);
    let remove = RemovePhoneNumberRequest { identity_id: identity_id(), phone_number_id };
    send!(scene, ADA, remove_phone_number, remove);
}

/// Rule 181: each change that the specification lists has an action of its own in the history.
#[tokio::test]
async fn every_listed_change_has_its_own_action() {
    // Those from 60 on are of erasures, which the specification does not list.
    let listed: BTreeSet<&str> =
        (1..60).filter_map(|number| ProfileAction::try_from(number).ok()).map(|action| action.spelling()).collect();
    assert_eq!(listed.len(), 37);
    for scene in scenes().await {
        scene.person("ada", CreateProfileRequest::default()).await;
        let replaced =
            UpdateProfileRequest { identity_id: "ada".into(), name: name("Ada", "Lee"), ..Default::default() };
        send!(scene, ADA, update_profile, replaced);
        change_lists(&scene).await;
        change_values(&scene).await;
        let redact = RedactPersonalInformationRequest { identity_id: "ada".into(), reason: "a letter".into() };
        send!(scene, STAFF, redact_personal_information, redact);
        scene.person("ben", CreateProfileRequest::default()).await;
        send!(scene, STAFF, delete_profile, DeleteProfileRequest { identity_id: "ben".into() });
        let entries = scene.read_journal("/pavise.members.v1.ProfileService/ReadJournal").await;
        let written: BTreeSet<&str> = entries.iter().map(|entry| entry.action.as_str()).collect();
        let missing: Vec<_> = listed.difference(&written).collect();
        assert!(missing.is_empty(), "{missing:?} are never written");
    }
}
