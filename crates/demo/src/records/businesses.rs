//! The businesses of members: those of sold business plans, completed and verified, and some without a plan.

use pavise_kernel::common::v1::{Address, Date, RegionCode};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::worker::Work;
use pavise_members_client::v1::business_service_client::BusinessServiceClient;
use pavise_members_client::v1::{
    BusinessAddress, BusinessIdentifier, BusinessPhoneNumber, CloseBusinessRequest, CreateBusinessRequest,
    CreateEmptyBusinessRequest, EmployeeType, IdentifierType, ListBusinessesRequest, Registration,
    UpdateBusinessAreaOfBusinessRequest, UpdateBusinessNumberOfEmployeesRequest, UpdateBusinessRegistrationRequest,
    VerifyBusinessRequest,
};

use super::member::Member;

/// Each so many members have a business without a plan.
const EVERY: u32 = 2;
/// A trade, its code in the NAICS, and a legal form.
const TRADES: [(&str, &str, Registration); 5] = [
    ("Bakery", "311811", Registration::LimitedLiabilityCompany),
    ("Books", "459210", Registration::SoleProprietorship),
    ("Roofing", "238160", Registration::SCorporation),
    ("Garden care", "561730", Registration::LimitedLiabilityPartnership),
    ("Food pantry", "624210", Registration::NonProfit),
];

/// Completes the businesses of a member, and makes another one for some.
pub(super) async fn load(work: &Work, member: &Member) -> anyhow::Result<()> {
    let mut businesses = BusinessServiceClient::new(work.peer_channel("members"));
    let request = ListBusinessesRequest { identity_id: member.id.clone(), ..ListBusinessesRequest::default() };
    for sold in businesses.list_businesses(request).await?.into_inner().businesses {
        if !sold.associated_entitlement_ids.is_empty() {
            complete(work, member, &mut businesses, &sold.id).await?;
        }
    }
    match member.number {
        1 => {
            let request = CreateEmptyBusinessRequest { identity_id: member.id.clone() };
            let made = businesses.create_empty_business(member.request(work, request, "empty business")).await;
            work.skip_refused(made, "empty business")?;
        }
        number if number.is_multiple_of(EVERY) || number == 17 => make(work, member, &mut businesses).await?,
        _ => {}
    }
    Ok(())
}

/// Says what a sold business does, and verifies it.
async fn complete(
    work: &Work,
    member: &Member,
    businesses: &mut BusinessServiceClient<PeerChannel>,
    business: &str,
) -> anyhow::Result<()> {
    let business_id = || business.to_owned();
    let registration = Registration::LimitedLiabilityCompany.into();
    let request = UpdateBusinessRegistrationRequest { business_id: business_id(), registration };
    let step = format!("register {business}");
    work.skip_refused(businesses.update_business_registration(member.request(work, request, &step)).await, &step)?;
    let area_of_business = "consulting".to_owned();
    let request = UpdateBusinessAreaOfBusinessRequest { business_id: business_id(), area_of_business };
    let step = format!("area of {business}");
    work.skip_refused(businesses.update_business_area_of_business(member.request(work, request, &step)).await, &step)?;
    let request = UpdateBusinessNumberOfEmployeesRequest { business_id: business_id(), number_of_employees: Some(4) };
    let step = format!("employees of {business}");
    let counted = businesses.update_business_number_of_employees(member.request(work, request, &step)).await;
    work.skip_refused(counted, &step)?;
    let step = format!("verify {business}");
    let request = VerifyBusinessRequest { business_id: business_id() };
    work.skip_refused(businesses.verify_business(member.request(work, request, &step)).await, &step)?;
    Ok(())
}

/// Makes a business without a plan. Each fifth one was given up.
async fn make(work: &Work, member: &Member, businesses: &mut BusinessServiceClient<PeerChannel>) -> anyhow::Result<()> {
    let number = member.number;
    let trades = u32::try_from(TRADES.len()).unwrap_or(1);
    let Some((trade, naics, registration)) = usize::try_from(number % trades).ok().and_then(|at| TRADES.get(at)) else {
        return Ok(());
    };
    let year = 1990 + i32::try_from(number % 30).unwrap_or(0);
    let address = Address {
        address1: format!("{} Main Street", 100 + number),
        city: "Austin".to_owned(),
        locality: RegionCode::Tx.into(),
        postal_code: "78701".to_owned(),
        ..Address::default()
    };
    let request = CreateBusinessRequest {
        identity_id: member.id.clone(),
        name: format!("{trade} {number}"),
        description: format!("{trade} in Austin since {year}."),
        registration: (*registration).into(),
        area_of_business: trade.to_lowercase(),
        addresses: vec![BusinessAddress { address: Some(address), primary: true }],
        identifiers: vec![BusinessIdentifier { r#type: IdentifierType::Naics.into(), value: (*naics).to_owned() }],
        employee_types: vec![EmployeeType::Employee.into()],
        phone_numbers: vec![BusinessPhoneNumber {
            number: format!("+1512555{:04}", 100 + number % 100),
            ..BusinessPhoneNumber::default()
        }],
        established_date: Some(Date { year, month: 5, day: 17 }),
        number_of_employees: i32::try_from(number % 20).ok(),
        is_primary_source_of_income: Some(number.is_multiple_of(4)),
        ..CreateBusinessRequest::default()
    };
    let made = businesses.create_business(member.request(work, request, "business")).await;
    let Some(made) = work.skip_refused(made, "business")? else { return Ok(()) };
    if number % 5 == 4 {
        let request = CloseBusinessRequest { business_id: made.into_inner().id };
        work.skip_refused(businesses.close_business(member.request(work, request, "close")).await, "close")?;
    }
    Ok(())
}
