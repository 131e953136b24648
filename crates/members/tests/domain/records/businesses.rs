//! The businesses of members.

mod edits;
mod life;

use pavise_kernel::Result;
use pavise_kernel::common::v1::{Address, CountryCode, Date, PhoneType, RegionCode};
use pavise_members::contract::v1::*;

use super::scene::{Scene, into_answer, request_by};

/// The gRPC path of the journal.
const JOURNAL: &str = "/pavise.members.v1.BusinessService/ReadJournal";

fn address(postal_code: &str) -> Address {
    Address {
        address1: "1 Main Street".into(),
        city: "Austin".into(),
        locality: RegionCode::Tx.into(),
        postal_code: postal_code.into(),
        country: CountryCode::Usa.into(),
        ..Address::default()
    }
}

fn identifier(kind: IdentifierType, value: &str) -> BusinessIdentifier {
    BusinessIdentifier { r#type: kind.into(), value: value.into() }
}

fn email(address: &str, primary: bool) -> BusinessEmail {
    BusinessEmail { address: address.into(), primary, ..BusinessEmail::default() }
}

fn phone(number: &str) -> BusinessPhoneNumber {
    BusinessPhoneNumber { number: number.into(), ..BusinessPhoneNumber::default() }
}

/// A bakery of Alice with all fifteen sections.
fn bakery() -> CreateBusinessRequest {
    CreateBusinessRequest {
        identity_id: "alice".into(),
        name: "Lee Bread LLC".into(),
        doing_business_as: "Bread & Butter".into(),
        description: "Bread since 1999.".into(),
        registration: Registration::LimitedLiabilityCompany.into(),
        area_of_business: "bakery".into(),
        addresses: vec![BusinessAddress { address: Some(address("78701")), primary: false }],
        identifiers: vec![
            identifier(IdentifierType::Ein, "12-3456789"),
            identifier(IdentifierType::Naics, "311811"),
            identifier(IdentifierType::Naics, "445291"),
        ],
        employee_types: vec![EmployeeType::Employee.into()],
        phone_numbers: vec![phone("(512) 555-0100")],
        emails: vec![email("bread@example.com", false), email("butter@example.com", true)],
        online_presences: vec![BusinessOnlinePresence {
            name: "website".into(),
            url: "https://bread.example.com/".into(),
        }],
        established_date: Some(Date { year: 1999, month: 5, day: 17 }),
        number_of_employees: Some(0),
        associated_entitlement_ids: vec!["alice's plan".into()],
        is_primary_source_of_income: Some(false),
    }
}

async fn make(scene: &Scene, who: &str, request: CreateBusinessRequest) -> Result<Business> {
    into_answer(scene.businesses().create_business(request_by(who, request)).await)
}

async fn read(scene: &Scene, who: &str, id: &str) -> Result<Business> {
    into_answer(scene.businesses().get_business(request_by(who, GetBusinessRequest { business_id: id.into() })).await)
}

async fn list(scene: &Scene, who: &str, owner: &str, status: BusinessStatus) -> Result<Vec<Business>> {
    let request =
        ListBusinessesRequest { identity_id: owner.into(), status: status.into(), ..ListBusinessesRequest::default() };
    Ok(into_answer(scene.businesses().list_businesses(request_by(who, request)).await)?.businesses)
}

async fn find(scene: &Scene, who: &str, entitlement: &str) -> Result<Business> {
    let request = FindBusinessByEntitlementIdRequest { entitlement_id: entitlement.into() };
    into_answer(scene.businesses().find_business_by_entitlement_id(request_by(who, request)).await)
}

async fn rename(scene: &Scene, who: &str, id: &str, name: &str) -> Result<Business> {
    let request = UpdateBusinessNameRequest { business_id: id.into(), name: name.into() };
    into_answer(scene.businesses().update_business_name(request_by(who, request)).await)
}

async fn close(scene: &Scene, who: &str, id: &str) -> Result<Business> {
    into_answer(
        scene.businesses().close_business(request_by(who, CloseBusinessRequest { business_id: id.into() })).await,
    )
}

async fn reopen(scene: &Scene, who: &str, id: &str) -> Result<Business> {
    let request = ReopenBusinessRequest { business_id: id.into() };
    into_answer(scene.businesses().reopen_business(request_by(who, request)).await)
}

async fn verify(scene: &Scene, who: &str, id: &str) -> Result<Business> {
    let request = VerifyBusinessRequest { business_id: id.into() };
    into_answer(scene.businesses().verify_business(request_by(who, request)).await)
}

async fn remove(scene: &Scene, who: &str, id: &str) -> Result<Business> {
    let request = DeleteBusinessRequest { business_id: id.into() };
    into_answer(scene.businesses().delete_business(request_by(who, request)).await)
}

async fn give(scene: &Scene, who: &str, id: &str, from: &str, to: &str) -> Result<Business> {
    let request =
        ChangeBusinessOwnerRequest { business_id: id.into(), identity_id: from.into(), new_owner_id: to.into() };
    into_answer(scene.businesses().change_business_owner(request_by(who, request)).await)
}

/// The type of the first telephone number.
fn phone_type(business: &Business) -> PhoneType {
    business.phone_numbers[0].r#type()
}
