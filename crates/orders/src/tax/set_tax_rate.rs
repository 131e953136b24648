//! Sets a rate of an area from a day on.

use pavise_kernel::common::v1::{CountryCode, RegionCode};
use pavise_kernel::regions::country_of;
use pavise_kernel::{Call, Error, Result, time};

use super::support::{rate, sample};
use crate::contract::actions::tax_audit as actions;
use crate::contract::lookups::tax_area as lookups;
use crate::contract::v1::{SetTaxRateRequest, TaxArea, TaxComponent, TaxRate};

pub(crate) async fn set_tax_rate(call: &Call, request: SetTaxRateRequest) -> Result<TaxArea> {
    let region = request.locality();
    let new = build_rate(&request)?;
    match call.find_unscoped_by::<TaxArea>(lookups::LOCALITY, region.spelling()).await? {
        Some(known) => call.change::<TaxArea>(&known.id, |area| rate::set_rate(area, new)).await,
        None => {
            let mut made = sample::build_empty_area(region);
            rate::set_rate(&mut made, new)?;
            let mut unit = call.unit();
            let made = unit.create_as(made, actions::CREATED)?;
            unit.commit_answer(made).await
        }
    }
}

/// The rate of a request. Its tax must belong to the region, and its days must exist.
fn build_rate(request: &SetTaxRateRequest) -> Result<TaxRate> {
    let (region, component) = (request.locality(), request.component());
    let canadian = country_of(region) == CountryCode::Can;
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
    use crate::contract::v1::TaxCategory;
    use pavise_kernel::common::v1::Date;

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
        assert!(build_rate(&request(RegionCode::Tx, TaxComponent::State, 1)).is_ok());
        assert!(build_rate(&request(RegionCode::Tx, TaxComponent::Gst, 1)).is_err());
        assert!(build_rate(&request(RegionCode::On, TaxComponent::State, 1)).is_err());
        assert!(build_rate(&request(RegionCode::On, TaxComponent::Qst, 1)).is_err());
        assert!(build_rate(&request(RegionCode::Qc, TaxComponent::Qst, 1)).is_ok());
    }

    #[test]
    fn a_rate_starts_on_a_day_that_exists() {
        assert!(build_rate(&request(RegionCode::Tx, TaxComponent::State, 30)).is_err());
    }
}
