//! The calls of the service `tax`.

use pavise_kernel::common::v1::{CountryCode, Date, RegionCode};
use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Result, time};

use super::{area, calculate, rate, sample};
use crate::contract::v1::*;
use crate::place;

pub(crate) async fn list_taxes(call: &Call, request: ListTaxesRequest) -> Result<ListTaxesResponse> {
    let regions = match request.locality() {
        RegionCode::Unspecified => sample::regions().collect(),
        one => vec![one],
    };
    in_force(call, regions, request.category(), request.on).await
}

pub(crate) async fn list_member_taxes(call: &Call, request: ListMemberTaxesRequest) -> Result<ListTaxesResponse> {
    let region = match request.locality() {
        RegionCode::Unspecified => area::of_member(call).await?,
        one => one,
    };
    in_force(call, vec![region], request.category(), request.on).await
}

pub(crate) async fn set_tax_rate(call: &Call, request: SetTaxRateRequest) -> Result<TaxArea> {
    let region = request.locality();
    let new = dated(&request)?;
    match call.find_by::<TaxArea>("locality", region.spelling()).await? {
        Some(known) => call.change::<TaxArea>(&known.id, |area| rate::set(area, new)).await,
        None => {
            let mut made = sample::bare(region);
            rate::set(&mut made, new)?;
            let mut unit = call.unit();
            let made = unit.create_as(made, "CREATED")?;
            unit.answer(made).await
        }
    }
}

pub(crate) async fn calculate_taxes(call: &Call, request: CalculateTaxesRequest) -> Result<TaxCalculation> {
    let on = day(call, request.on)?;
    let region = match &request.address {
        Some(address) => area::region(address.locality(), &address.postal_code)?,
        None => None,
    };
    let said = area::region(request.locality(), &request.postal_code)?;
    let region = match (region, said) {
        (Some(one), Some(other)) if one != other => {
            return Err(Error::field("locality", format!("is {}, but the address is in {}", other.spelling(), one.spelling())));
        }
        (one, other) => one.or(other).ok_or_else(|| Error::field("locality", "is needed, or an address, or a postal code"))?,
    };
    calculate::calculation(&area::find(call, region).await?, request.lines, on)
}

pub(crate) async fn get_tax_area(call: &Call, request: GetTaxAreaRequest) -> Result<TaxArea> {
    let region = area::region(request.locality(), &request.postal_code)?;
    area::find(call, region.ok_or_else(|| Error::field("locality", "is needed, or a postal code"))?).await
}

pub(crate) async fn get_member_tax_area(call: &Call, request: GetMemberTaxAreaRequest) -> Result<TaxArea> {
    let region = match area::region(request.locality(), &request.postal_code)? {
        Some(region) => region,
        None => area::of_member(call).await?,
    };
    area::find(call, region).await
}

pub(crate) async fn seed_tax_area(call: &Call, request: SeedTaxAreaRequest) -> Result<TaxArea> {
    let region = request.locality();
    if let Some(known) = call.find_by::<TaxArea>("locality", region.spelling()).await? {
        return Ok(known);
    }
    match call.create(sample::area(region)).await {
        // Another process was faster; what it made is the same.
        Err(error) if error.is(Common::AlreadyExists) => area::find(call, region).await,
        other => other,
    }
}

/// The rates in force in regions on a day, today when none is named.
async fn in_force(call: &Call, regions: Vec<RegionCode>, category: TaxCategory, on: Option<Date>) -> Result<ListTaxesResponse> {
    let on = day(call, on)?;
    let ids: Vec<String> = regions.into_iter().map(sample::id).collect();
    let areas = call.find_many::<TaxArea>(&ids).await?;
    let taxes = areas.iter().flat_map(|area| {
        rate::in_force(area, category, on).map(|rate| TaxRateInForce {
            locality: area.locality,
            country: area.country,
            name: area.name.clone(),
            rate: Some(*rate),
        })
    });
    Ok(ListTaxesResponse { taxes: taxes.collect(), next_page_token: String::new() })
}

fn day(call: &Call, said: Option<Date>) -> Result<Date> {
    match said {
        Some(date) if time::is_real(date) => Ok(date),
        Some(_) => Err(Error::field("on", "is no day of the calendar")),
        None => Ok(call.today()),
    }
}

/// The rate that a caller wants to set, if its tax belongs to the region and its days exist.
fn dated(request: &SetTaxRateRequest) -> Result<TaxRate> {
    let (region, component) = (request.locality(), request.component());
    let canadian = place::country(region) == CountryCode::Can;
    let fits = match component {
        TaxComponent::State | TaxComponent::Unspecified => !canadian,
        TaxComponent::Qst => region == RegionCode::Qc,
        TaxComponent::Gst | TaxComponent::Hst | TaxComponent::Pst => canadian,
    };
    if !fits {
        return Err(Error::field("component", format!("{} does not levy {}", region.spelling(), component.spelling())));
    }
    for (field, date) in [("effective_from", request.effective_from), ("effective_until", request.effective_until)] {
        if date.is_some_and(|date| !time::is_real(date)) {
            return Err(Error::field(field, "is no day of the calendar"));
        }
    }
    Ok(TaxRate {
        component: request.component,
        category: request.category,
        rate_ppm: request.rate_ppm,
        effective_from: request.effective_from,
        effective_until: request.effective_until,
        sample: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(region: RegionCode, component: TaxComponent, day: i32) -> SetTaxRateRequest {
        SetTaxRateRequest {
            locality: region.into(),
            component: component.into(),
            category: TaxCategory::Legal.into(),
            rate_ppm: 1,
            effective_from: Some(Date { year: 2026, month: 2, day }),
            effective_until: None,
        }
    }

    #[test]
    fn a_region_levies_its_own_taxes_only() {
        assert!(dated(&request(RegionCode::Tx, TaxComponent::State, 1)).is_ok());
        assert!(dated(&request(RegionCode::Tx, TaxComponent::Gst, 1)).is_err());
        assert!(dated(&request(RegionCode::On, TaxComponent::State, 1)).is_err());
        assert!(dated(&request(RegionCode::On, TaxComponent::Qst, 1)).is_err());
        assert!(dated(&request(RegionCode::Qc, TaxComponent::Qst, 1)).is_ok());
    }

    #[test]
    fn a_rate_starts_on_a_day_that_exists() {
        assert!(dated(&request(RegionCode::Tx, TaxComponent::State, 30)).is_err());
    }
}
