//! Each section of a business is replaced by a call of its own.

use pavise_kernel::Result;
use pavise_kernel::common::v1::Date;
use pavise_members::contract::v1::*;

use super::super::scene::{ALICE, Scene, fields, into_answer, refusal_reason, request_by, scenes};
use super::*;

/// Makes a section's call as Alice.
macro_rules! edit {
    ($scene:expr, $id:expr, $call:ident, $request:ident { $field:ident: $value:expr }) => {{
        let request = $request { business_id: $id.to_owned(), $field: $value };
        into_answer($scene.businesses().$call(request_by(ALICE, request)).await)
    }};
}

async fn number(scene: &Scene, id: &str, identifiers: Vec<BusinessIdentifier>) -> Result<Business> {
    edit!(scene, id, update_business_identifiers, UpdateBusinessIdentifiersRequest { identifiers: identifiers })
}

async fn associate(scene: &Scene, id: &str, ids: &[&str]) -> Result<Business> {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    edit!(
        scene,
        id,
        update_business_associated_entitlement_ids,
        UpdateBusinessAssociatedEntitlementIdsRequest { associated_entitlement_ids: ids }
    )
}

/// Rule 346: fifteen calls with a body, one for each section.
#[tokio::test]
async fn each_section_has_its_call_and_its_action() {
    for scene in scenes().await {
        let request = CreateEmptyBusinessRequest { identity_id: "alice".into() };
        let empty = scene.businesses().create_empty_business(request_by(ALICE, request)).await.unwrap().into_inner();
        let (s, id, full) = (&scene, empty.id.as_str(), bakery());
        edit!(s, id, update_business_name, UpdateBusinessNameRequest { name: full.name.clone() }).unwrap();
        let trading = full.doing_business_as.clone();
        edit!(
            s,
            id,
            update_business_doing_business_as,
            UpdateBusinessDoingBusinessAsRequest { doing_business_as: trading }
        )
        .unwrap();
        let description = full.description.clone();
        edit!(s, id, update_business_description, UpdateBusinessDescriptionRequest { description: description })
            .unwrap();
        let form = full.registration;
        edit!(s, id, update_business_registration, UpdateBusinessRegistrationRequest { registration: form }).unwrap();
        let area = full.area_of_business.clone();
        edit!(s, id, update_business_area_of_business, UpdateBusinessAreaOfBusinessRequest { area_of_business: area })
            .unwrap();
        let addresses = full.addresses.clone();
        edit!(s, id, update_business_addresses, UpdateBusinessAddressesRequest { addresses: addresses }).unwrap();
        number(s, id, full.identifiers.clone()).await.unwrap();
        let types = full.employee_types.clone();
        edit!(s, id, update_business_employee_types, UpdateBusinessEmployeeTypesRequest { employee_types: types })
            .unwrap();
        let phones = full.phone_numbers.clone();
        edit!(s, id, update_business_phone_numbers, UpdateBusinessPhoneNumbersRequest { phone_numbers: phones })
            .unwrap();
        let emails = full.emails.clone();
        edit!(s, id, update_business_emails, UpdateBusinessEmailsRequest { emails: emails }).unwrap();
        let pages = full.online_presences.clone();
        edit!(
            s,
            id,
            update_business_online_presences,
            UpdateBusinessOnlinePresencesRequest { online_presences: pages }
        )
        .unwrap();
        let day = full.established_date;
        edit!(s, id, update_business_established_date, UpdateBusinessEstablishedDateRequest { established_date: day })
            .unwrap();
        let count = full.number_of_employees;
        edit!(
            s,
            id,
            update_business_number_of_employees,
            UpdateBusinessNumberOfEmployeesRequest { number_of_employees: count }
        )
        .unwrap();
        associate(s, id, &["alice's plan"]).await.unwrap();
        let lives_on_it = full.is_primary_source_of_income;
        let edited = edit!(
            s,
            id,
            update_business_is_primary_source_of_income,
            UpdateBusinessIsPrimarySourceOfIncomeRequest { is_primary_source_of_income: lives_on_it }
        )
        .unwrap();
        let whole = make(s, ALICE, full).await.unwrap();
        let same = Business { id: edited.id.clone(), created_at: edited.created_at, version: edited.version, ..whole };
        assert_eq!(edited, same, "fifteen calls say as much as one");
        let sections = [
            "NAME",
            "DOING_BUSINESS_AS",
            "DESCRIPTION",
            "REGISTRATION",
            "AREA_OF_BUSINESS",
            "ADDRESSES",
            "IDENTIFIERS",
            "EMPLOYEE_TYPES",
            "PHONE_NUMBERS",
            "EMAILS",
            "ONLINE_PRESENCES",
            "ESTABLISHED_DATE",
            "NUMBER_OF_EMPLOYEES",
            "ASSOCIATED_ENTITLEMENT_IDS",
            "IS_PRIMARY_SOURCE_OF_INCOME",
        ];
        let expected: Vec<_> = sections.iter().map(|section| format!("{section}_UPDATED")).collect();
        assert_eq!(scene.actions(JOURNAL).await[1..16], expected);
        let cleared = edit!(
            s,
            id,
            update_business_number_of_employees,
            UpdateBusinessNumberOfEmployeesRequest { number_of_employees: None }
        );
        assert_eq!(cleared.unwrap().number_of_employees, None, "an empty request clears it");
    }
}

#[tokio::test]
async fn a_wrong_section_is_refused_with_its_place() {
    for scene in scenes().await {
        let business = make(&scene, ALICE, bakery()).await.unwrap();
        let (s, id) = (&scene, business.id.as_str());
        let wrong = [
            (vec![identifier(IdentifierType::Ein, "00-3456789")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Bn, "123456789")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Rfc, "GODE561331GR8")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Sic, "54x1")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Naics, "99")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Duns, "12345678")], "identifiers[0].value"),
            (vec![identifier(IdentifierType::Unspecified, "1")], "identifiers[0].type"),
            (vec![identifier(IdentifierType::Ein, "123456789"); 2], "identifiers[1]"),
        ];
        for (identifiers, field) in wrong {
            assert_eq!(fields(number(s, id, identifiers.clone()).await), [field], "{identifiers:?}");
        }
        let twice = vec![email("a@example.com", true), email("b@example.com", true)];
        let answer = edit!(s, id, update_business_emails, UpdateBusinessEmailsRequest { emails: twice });
        assert_eq!(fields(answer), ["emails[1].primary"]);
        let many: Vec<_> = (0..21).map(|number| email(&format!("{number}@example.com"), false)).collect();
        let answer = edit!(s, id, update_business_emails, UpdateBusinessEmailsRequest { emails: many });
        assert_eq!(fields(answer), ["emails"]);
        let answer = edit!(
            s,
            id,
            update_business_phone_numbers,
            UpdateBusinessPhoneNumbersRequest { phone_numbers: vec![phone("555")] }
        );
        assert_eq!(fields(answer), ["phone_numbers[0].number"]);
        let elsewhere = vec![BusinessAddress { address: Some(address("10001")), primary: true }];
        let answer = edit!(s, id, update_business_addresses, UpdateBusinessAddressesRequest { addresses: elsewhere });
        assert_eq!(fields(answer), ["addresses[0].address.postal_code"], "New York is not in Texas");
        let script = vec![BusinessOnlinePresence { name: "website".into(), url: "javascript:alert(1)".into() }];
        let answer = edit!(
            s,
            id,
            update_business_online_presences,
            UpdateBusinessOnlinePresencesRequest { online_presences: script }
        );
        assert_eq!(fields(answer), ["online_presences[0].url"]);
        let future = Some(Date { year: 9999, month: 1, day: 1 });
        let answer = edit!(
            s,
            id,
            update_business_established_date,
            UpdateBusinessEstablishedDateRequest { established_date: future }
        );
        assert_eq!(fields(answer), ["established_date"]);
        let answer = edit!(
            s,
            id,
            update_business_number_of_employees,
            UpdateBusinessNumberOfEmployeesRequest { number_of_employees: Some(-1) }
        );
        assert_eq!(fields(answer), ["number_of_employees"]);
        let foreign = associate(s, id, &["alice's plan", "bob's plan"]).await;
        assert_eq!(fields(foreign), ["associated_entitlement_ids[1]"]);
        assert_eq!(read(s, ALICE, id).await.unwrap(), business, "nothing changed");
        assert_eq!(refusal_reason(rename(s, ALICE, "nothing", "Bakery").await), "NOT_FOUND");
    }
}
